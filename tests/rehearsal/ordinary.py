"""Tries attempts as an ordinary user: `python -m tests.rehearsal.ordinary FOLDER NAME…`, by `tried_as`.

A program of its own, because nobody gets rid of root in a process that goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

from zsh_ls.rehearsal.request import RehearsalRefused
from zsh_ls.rehearsal.sandbox import check

from .attempts import ATTEMPTS
from .score_attempts import tried, try_outside
from .world import SETUID, world

# A number that nobody has.
UID = 61_235
HERE = Path(__file__).parent.parent.parent
# Whether it has what it needs, and can be started again by those that run by now as this user.
PROBE = """
import os, sys, zsh_ls.rehearsal.rehearse
os.execv(sys.executable, [sys.executable, "-c", ""])
"""
WORDS = (
    *("setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "--inh-caps=-all"),
    "--bounding-set=-all",
)


def folder_of_ordinary(folder: Path) -> Path:
    """Make a home for that user, with a program of root's that is setuid; needs root."""
    folder.mkdir()
    os.chown(folder, UID, UID)
    program = folder / SETUID
    shutil.copy2(shutil.which("id") or "", program)
    os.chown(program, 0, 0)
    program.chmod(0o4755)
    return folder


@cache
def python() -> str | None:
    """A Python that this user can run: ours may lie in the home of another one."""
    for program in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        words = [*WORDS, program, "-c", PROBE]
        done = subprocess.run(words, cwd="/", env=_environment("/"), stderr=DEVNULL, check=False)
        if done.returncode == 0:
            return program
    return None


def _environment(home: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return kept | {
        "HOME": home,
        "USER": "ordinary",
        "PYTHONPATH": f"{HERE}:{sysconfig.get_path('purelib')}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def tried_as(folder: Path, words: Sequence[str]) -> dict[str, Any]:
    """What `main` says of `words`, run by that user at home in `folder`; needs root."""
    program = python()
    assert program is not None
    done = subprocess.run(
        [*WORDS, program, "-m", "tests.rehearsal.ordinary", str(folder), *words],
        cwd=HERE,
        env=_environment(str(folder)),
        stdin=DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main(folder: Path, words: Sequence[str]) -> dict[str, Any]:
    """`check`: why the sandbox is refused, or None. `NAME`: what it reaches; after `outside`, there."""
    assert os.getuid() == UID
    if words[0] == "check":
        try:
            check()
        except RehearsalRefused as refused:
            return {"refused": str(refused)}
        return {"refused": None}
    attempt = next(it for it in ATTEMPTS if it.name == words[-1])
    with world(folder) as made:
        if words[0] == "outside":
            return {"touched": sorted(try_outside(made, attempt))}
        stopped, touched = tried(made, attempt)
        return {"stopped": stopped, "touched": sorted(touched)}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), sys.argv[2:])))
