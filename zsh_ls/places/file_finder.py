"""Which file a printed path means: looked for where the command worked, and only if it is there."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from zsh_ls.lazy import re

from .surroundings import Surroundings

MOST_PATHS = 4_000
LONGEST_PATH_CHARS = 1_000
_OF_JVM = (".java", ".kt", ".scala", ".groovy")
# What a shell says of the text of `-c`, as make gives it, names the shell itself.
_SHELL = re.compile(r"(?:/.*)?/s?bin/(?:ba|da|z|mk|k|a)?sh")
# Where projects keep the folders of their packages.
_PACKAGE_ROOTS = (
    "",
    "src",
    "src/main/java",
    "src/test/java",
    "src/main/kotlin",
    "src/test/kotlin",
    "src/main/scala",
    "src/test/scala",
)


class FileFinder:
    """Finds files by their printed paths; asks `is_file` once for each absolute path, at most MOST_PATHS."""

    def __init__(self, around: Surroundings, is_file: Callable[[str], bool]) -> None:
        self._around = around
        self._is_file = is_file
        self._known: dict[str, bool] = {}
        self._entered: list[str] = []

    def enter(self, folder: str) -> None:
        """The tool says that it works in `folder` now."""
        self._entered.append(self._absolute(folder))

    def leave(self, folder: str) -> None:
        """The tool says that it works there no longer; several may work side by side."""
        path = self._absolute(folder)
        if path in self._entered:
            del self._entered[len(self._entered) - 1 - self._entered[::-1].index(path)]

    def find(self, file: str, package: str | None = None) -> str | None:
        """The absolute path of a file as it is printed, of one of `package`; None where there is none."""
        if not file or "\0" in file or len(file) > LONGEST_PATH_CHARS or _SHELL.fullmatch(file):
            return None
        candidates = (file,) if package is None else _in_package(file, package)
        for candidate in candidates:
            if candidate.startswith("/"):
                path = posixpath.normpath(candidate)
                return path if self._exists(path) else None
            for folder in (*reversed(self._entered), *self._around.folders):
                path = posixpath.normpath(posixpath.join(folder, candidate))
                if self._exists(path):
                    return path
        return None

    def _absolute(self, folder: str) -> str:
        base = self._entered[-1] if self._entered else self._around.folders[0]
        return posixpath.normpath(posixpath.join(base, folder))

    def _exists(self, path: str) -> bool:
        known = self._known.get(path)
        if known is None:
            if len(self._known) >= MOST_PATHS:
                return False
            known = self._known[path] = self._is_file(path)
        return known


def _in_package(file: str, package: str) -> Iterator[str]:
    """Where a file of a package may be: its import path ends in folders of the project."""
    parts = re.split(r"[./]" if file.endswith(_OF_JVM) else "/", package)
    for start in range(len(parts) + 1):
        for root in _PACKAGE_ROOTS:
            yield posixpath.join(root, *parts[start:], file)
