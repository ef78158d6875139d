"""`--fail-each` on the scripts whose fates were measured: what happens is what the analysis says (REH-3)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.shell.fates.test_oracle import MEASURED
from zsh_ls.rehearsal.rehearse import rehearse
from zsh_ls.rehearsal.request import RehearsalRequest

SHELLS = {"zsh": "zsh", "bash": "bash", "sh": "dash"}
# Where a rehearsal shows something else, and rightly so.
OTHERWISE = (
    "while a;",  # ends with the failure of its condition alone, so the whole run never does
    "while true; do a &&",  # never ends where that fails each time
    "cat <<X",  # bash and zsh know a here-document's commands by the line of `cat` alone
    "unused()",  # is never called
    "case $1",  # without an argument no arm is taken
    "$(( $(a)",  # stand-ins print nothing, which is no number
    "f || true\nf\n",  # fails in each call, while the analysis tells the worst of them
)
CASES = [
    (shell, text, fates)
    for shells, text, fates in MEASURED
    if not any(it in text for it in OTHERWISE)
    for shell in shells.split()
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "text", "fates"), CASES, ids=[f"{shell}-{text}" for shell, text, _ in CASES]
)
def test_what_happens_is_what_was_said(
    shell: str, text: str, fates: dict[str, str], tmp_path: Path
) -> None:
    """Each command that the analysis has an entry for: said, measured before, and proven now."""
    programs, project = tmp_path / "bin", tmp_path / "project"
    for folder in (programs, project):
        folder.mkdir()
    for name in "abcdgh":
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    script = project / "script"
    script.write_text(f"#!{shutil.which(SHELLS[shell])}\n{text}\n")
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    found = rehearse(
        RehearsalRequest(str(script), cwd=str(project), each=True, environment=environment)
    )
    proven = {it.command: (it.said.value, it.proven.value) for it in found.fates or ()}
    # What the whole run does not come to, such as the `b` of `a || b`, is not let fail.
    reached = fates.keys() & proven.keys()
    assert reached
    for command in reached:
        allowed = set(fates[command].split("/"))
        said, happened = proven[command]
        assert happened in allowed, (command, said)
        assert said in {*allowed, "unknown"}, command
