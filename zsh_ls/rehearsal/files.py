"""The file system as the sandboxed script sees it, looked at from outside."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Mapping, Sequence

from zsh_ls.system import programs

MOST_LINKS = 40
MOST_COUNTED = 100_000
FIND_SECONDS = 10
# Options of `find` with which it follows links.
_FOLLOWING = ("-L", "-H", "-follow")


class SandboxFiles:
    """What is there for the script (`insights.effects.Files`); `root` is its root folder in /proc.

    Links are followed here step by step, as the kernel would follow absolute ones from our own root.
    """

    def __init__(self, root: str, copied: Mapping[str, str]) -> None:
        self._root = root
        self._copied = copied

    def real(self, path: str) -> str:
        """The path without links, of what is there and of what is not."""
        waiting = [it for it in path.split("/") if it not in {"", "."}][::-1]
        at, links = "", 0
        while waiting:
            name = waiting.pop()
            if name == "..":
                at = os.path.dirname(at).rstrip("/")
                continue
            place = f"{at}/{name}"
            status = self._status(place)
            if status is None or not stat.S_ISLNK(status.st_mode) or links > MOST_LINKS:
                at = place
                continue
            links += 1
            target = os.readlink(self._root + place)
            if target.startswith("/"):
                at = ""
            waiting += [it for it in target.split("/") if it not in {"", "."}][::-1]
        return at or "/"

    def place_of(self, path: str) -> str:
        """Where a path leads without following its last name: what a program that removes it removes."""
        folder, name = os.path.split(os.path.normpath(path))
        return os.path.join(self.real(folder), name)

    def exists(self, path: str) -> bool:
        """Whether something is there, be it a link that leads nowhere."""
        return self._status(self.place_of(path)) is not None

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder, links followed."""
        status = self._status(self.real(path))
        return status is not None and stat.S_ISDIR(status.st_mode)

    def is_file(self, path: str) -> bool:
        """Whether it is a regular file, links followed."""
        status = self._status(self.real(path))
        return status is not None and stat.S_ISREG(status.st_mode)

    def read(self, path: str, limit_bytes: int) -> bytes | None:
        """The beginning of a regular file; None where there is none."""
        try:
            descriptor = os.open(
                self._root + self.real(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
            )
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            return file.read(limit_bytes)

    def count(self, path: str) -> int | None:
        """How many files are in a folder; None for what is no folder."""
        place = self.place_of(path)
        status = self._status(place)
        if status is None or not stat.S_ISDIR(status.st_mode):
            return None
        found = 0
        for _, _, files in os.walk(self._root + place):
            found += len(files)
            if found > MOST_COUNTED:
                break
        return found

    def found_by(self, words: Sequence[str], cwd: str) -> Sequence[str]:
        """What `find` prints, run on the private copy; nothing outside of it is looked at."""
        copied, top = next(
            (
                (real + cwd[len(shown) :], real)
                for shown, real in self._copied.items()
                if programs.is_below(cwd, shown)
            ),
            ("", ""),
        )
        find = programs.find("find")
        runs = any(it.startswith(("-exec", "-ok", "-f", "-D")) for it in words)
        if not copied or find is None or runs or _look_outside(words[1:], copied, top):
            return ()
        try:
            done = subprocess.run(
                [find, *words[1:]],
                cwd=copied,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=FIND_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ()
        return [os.fsdecode(it) for it in done.stdout.split(b"\n") if it]

    def _status(self, path: str) -> os.stat_result | None:
        try:
            return os.lstat(self._root + path)
        except (OSError, ValueError):
            return None


def _look_outside(words: Sequence[str], folder: str, top: str) -> bool:
    """Whether `find`, with these words in `folder`, would look outside of `top`: above it, behind a link."""
    whole = os.path.realpath(top)
    return any(
        word.startswith("/")
        or word in _FOLLOWING
        or not programs.is_below(os.path.realpath(os.path.join(folder, word)), whole)
        for word in (".", *words)
    )
