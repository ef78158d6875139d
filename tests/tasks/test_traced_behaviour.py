"""Tracing changes nothing that a script does: its output, its exit, its files (DOC-3)."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.tasks.traced_scripts import FILES, SCRIPTS, Traced
from zsh_ls.model.requests import RunnableScript
from zsh_ls.shell.syntax.dialect import SHELLS
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.tracing.timeline import Event
from zsh_ls.shell.tracing.traceable import needs_a_full_trap, reason_against
from zsh_ls.tasks import Engine, Task

from .conftest import request_for, whole

pytestmark = pytest.mark.slow
# Process ids, addresses and times of day differ between any two runs.
CHANGING = re.compile(rb"0x[0-9a-f]+|\b\d{4,}\b|\d\d:\d\d(:\d\d)?")


def test_there_are_at_least_forty_scripts_not_written_for_this() -> None:
    assert len({case.script for case in SCRIPTS}) >= 40
    assert len(SCRIPTS) >= 100


def text_of(case: Traced) -> str:
    return Path(case.script).read_text()


async def run(engine: Engine, case: Traced, folder: Path, *, traces: bool) -> Task:
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        os.utime(path, (1_700_000_000, 1_700_000_000))
    text = text_of(case)
    assert reason_against(text, SHELLS[case.shell]) is None
    subshells = needs_a_full_trap(parse(text, SHELLS[case.shell]))
    script = RunnableScript(
        text, case.script, (), case.arguments, traces=traces, traces_subshells=subshells
    )
    task = await engine.start(
        request_for("x", case.shell, script=script, cwd=str(folder), timeout_s=60)
    )
    await task.wait_end()
    return task


def left_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    "case",
    SCRIPTS,
    ids=lambda case: f"{case.shell} {Path(case.script).name} {' '.join(case.arguments)}",
)
async def test_a_traced_script_does_what_it_does_untraced(
    engine: Engine, case: Traced, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    plain = await run(engine, case, folder, traces=False)
    printed, files = whole(plain), left_in(folder)
    traced = await run(engine, case, folder, traces=True)
    assert CHANGING.sub(b"#", whole(traced)) == CHANGING.sub(b"#", printed)
    assert (traced.exit, traced.pipestatus) == (plain.exit, plain.pipestatus)
    assert left_in(folder) == files
    assert traced.trace is not None
    told = []
    while (lines := traced.trace.new_lines()) is not None:
        told += lines
    events = [Event.of(line, case.script) for line in told]
    assert any(event is not None and event.file == case.script for event in events)


@pytest.mark.parametrize(
    "first",
    [
        "exec 10>own",
        "exec 10>own 11>&10 12<one.txt",
        'for fd in {3..254}; do eval "exec $fd>&-"; done; exec 10>own',
    ],
)
async def test_a_bash_script_s_own_descriptors_are_not_the_tracing_s(
    engine: Engine, tmp_path: Path, first: str
) -> None:
    """Bash gives 10 to who asks for any: it was the tracing's, which wrote into the script's file."""
    script = tmp_path / "script"
    script.write_text(f"{first}\necho mine >&10\necho shown\nexec 10>&-\necho again\nfalse\n")
    case = Traced("bash", str(script), ())
    task = await run(engine, case, tmp_path / "folder", traces=True)
    assert whole(task) == b"shown\nagain\n"
    assert (tmp_path / "folder" / "own").read_bytes() == b"mine\n"
    assert task.exit == 1
