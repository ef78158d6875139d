"""Why real commands failed: what the machine says of the names that their outputs hold (ANS-7)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from zsh_ls.answers.form import validate
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar

# A command, and what the answer says and does not say.
CASES = {
    "cat readme.md": ["`readme.md` is not in", "`README.md` is near."],
    "cd nodir && ls": ["`nodir` is not in"],
    "sh -c 'exit 4'": ["It printed nothing."],
    "make tset": ["The Makefile has no target `tset`; `test` is near."],
    "make test": [
        "env: ",
        "`nosuchprogram-zl` is not installed, or not on PATH.",
        "Error 127",
    ],
}


@pytest.mark.parametrize("command", CASES)
async def test_the_answer_says_what_is_not_there_and_what_is_near(
    sidecar: Sidecar, command: str, tmp_path: Path
) -> None:
    if command.startswith("make") and not shutil.which("make"):
        pytest.skip("no make")
    (tmp_path / "README.md").write_text("hello\n")
    (tmp_path / "Makefile").write_text("test:\n\t@/usr/bin/env nosuchprogram-zl\n")
    ended = await sidecar.run(RunRequest(command, cwd=str(tmp_path)))
    given = await sidecar.why_failed(ended.task_id)
    assert validate(given.text, given.kind) == ()
    for text in CASES[command]:
        assert text in given.text
    assert "nosuchprogram-zl` is not in `" not in given.text
