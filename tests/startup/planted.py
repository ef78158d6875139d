"""Start-up files written for the purpose, with delays at places that are known (START-1).

`homes/NAME` is a home folder; the name begins with the shell it is for, and one that ends in `login` is
for a login shell. A line `#= planted MS [COUNT] [runs COMMAND]` says that the command on the next line takes
at least so many milliseconds, in COUNT runs of it, and that COMMAND does once what it does (a `sleep` where
nothing is said); at its end `ends-unseen`, that nothing tells when it ends but a program behind it, which
has begun; `#= background` that it is a job which nobody waits for.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import attrs

HOMES = Path(__file__).parent / "homes"
_MARK = re.compile(
    r"\s*#= (planted|background)(?: (\d+))?(?: (\d+))?(?: runs (.+?))?( ends-unseen)?\s*"
)


@attrs.frozen
class Planted:
    """A delay: the command at this line (from 1) takes `ms` milliseconds; 0 for a job in the background.

    `command` does once what the line does `count` times; by itself it tells what that truly takes.
    """

    file: Path
    line: int
    ms: int
    count: int
    background: bool
    command: str
    ends_unseen: bool = False


@attrs.frozen
class Home:
    """A home folder in which a shell starts slowly, and where."""

    path: Path
    shell: str
    login: bool
    planted: tuple[Planted, ...]


def names() -> list[str]:
    """The homes there are."""
    return sorted(it.name for it in HOMES.iterdir())


def made(name: str, folder: Path, zsh: str = "zsh") -> Home:
    """A copy of the home `name` at `folder`; what a zsh finds compiled is compiled by that zsh."""
    shutil.copytree(HOMES / name, folder)
    files = [it for it in sorted(folder.rglob("*")) if it.is_file()]
    for file in folder.rglob("compiled.zsh"):
        _zcompile(zsh, file)
    for digest in folder.rglob("digest"):
        _zcompile(zsh, digest.with_suffix(".zwc"), *digest.iterdir())
    planted = tuple(delay for file in files for delay in marks(file))
    return Home(folder, name.split("-", maxsplit=1)[0], name.endswith("login"), planted)


def _zcompile(zsh: str, *files: Path) -> None:
    subprocess.run([zsh, "-fc", 'zcompile "$@"', zsh, *map(str, files)], check=True)


def marks(file: Path) -> list[Planted]:
    """The delays of one file."""
    found = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if mark := _MARK.fullmatch(line):
            kind, ms, count = mark.group(1), int(mark[2] or 0), int(mark[3] or 1)
            command = mark[4] or f"sleep {ms / count / 1000:g}"
            found.append(
                Planted(file, number + 1, ms, count, kind == "background", command, bool(mark[5]))
            )
    return found
