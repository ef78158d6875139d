"""Whether anything in a project was changed between two moments, by the times its files carry."""

from __future__ import annotations

import os
from collections.abc import Set

MOST_ENTRIES = 20_000
_LEFT_OUT = frozenset({"node_modules", "__pycache__", "target", "dist", "build", "venv"})


def is_unchanged(folder: str, after: float, before: float) -> bool:
    """Whether nothing below `folder` was changed later than `after` and before `before` (Unix time).

    Hidden folders and those of libraries and builds are left out. False where there are more than
    MOST_ENTRIES, or one cannot be read: then it is not known.
    """
    return _changed_between(folder, after, before) is False


def was_changed(
    folder: str, after: float, before: float, leave_out: Set[str] = frozenset()
) -> bool:
    """Whether something below `folder` was changed in that time; False too where it is not known.

    Beside what `is_unchanged` leaves out, `leave_out` has the paths of folders that are none of its files.
    """
    return _changed_between(folder, after, before, leave_out) is True


def _changed_between(
    folder: str, after: float, before: float, leave_out: Set[str] = frozenset()
) -> bool | None:
    left, folders = MOST_ENTRIES, [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return None
                    if entry.name.startswith(".") or entry.name in _LEFT_OUT:
                        continue
                    if entry.path in leave_out:
                        continue
                    if after < entry.stat(follow_symlinks=False).st_mtime < before:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except OSError:
            return None
    return False


def changed_files(folder: str, since: float) -> tuple[str, ...] | None:
    """The files below `folder` that were changed later than `since`, the newest first, as paths below it.

    Hidden folders and those of libraries and builds are left out. None where there are more than
    MOST_ENTRIES, or one cannot be read: then it is not known.
    """
    left, folders = MOST_ENTRIES, [folder]
    found: list[tuple[float, str]] = []
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return None
                    if entry.name.startswith(".") or entry.name in _LEFT_OUT:
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif (changed_at := entry.stat(follow_symlinks=False).st_mtime) > since:
                        found.append((changed_at, os.path.relpath(entry.path, folder)))
        except OSError:
            return None
    return tuple(path for _, path in sorted(found, reverse=True))
