"""Runners of tests read the file: what is not saved would be passed over, and the old tests' result told."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import DocumentRange, RunRequest
from zsh_ls.model.span import Span
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.editor.types import Edit

TEXT = "#!/usr/bin/env bats\n@test 'one' {\n  true\n}\n"


@pytest.mark.parametrize("name", ["one.bats", "one.zunit"])
async def test_tests_of_an_edited_file_run_once_it_is_saved(
    sidecar: Sidecar, tmp_path: Path, name: str
) -> None:
    file = tmp_path / name
    runner = file.suffix[1:]
    file.write_text(TEXT)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / runner
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    uri = file.as_uri()
    sidecar.open_document(uri, TEXT, "shellscript", 1)
    request = RunRequest(
        f"{runner} --version",
        document=DocumentRange(uri, Span(20, 33)),
        env={"PATH": f"{program.parent}:/usr/bin:/bin"},
        yield_after=60.0,
    )
    assert (await sidecar.run(request)).exit == 0
    changed = TEXT.replace("  true", "  false")
    at = TEXT.index("  true")
    sidecar.edit_document(uri, [Edit(Span(at, at + 6), "  false")], 2)
    with pytest.raises(RequestRejected, match=rf"{runner} reads the file.* {name}.* save"):
        await sidecar.run(request)
    file.write_text(changed)
    assert (await sidecar.run(request)).exit == 0
