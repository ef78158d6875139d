"""The last long output under the workspace root, where a person or an agent can open it (VERB-4)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

FOLDER = ".tmp"
NAME = "last-command-output.txt"
RELATIVE = f"{FOLDER}/{NAME}"


def save(workspace: str, pieces: Iterable[str]) -> str | None:
    """Write `pieces` to `.tmp/last-command-output.txt`; gives that relative path, None where it cannot be.

    The file is private (0600), replaced whole, and kept out of git by a
    `.gitignore` of its own.
    """
    folder = Path(workspace) / FOLDER
    if folder.is_symlink():
        return None  # a repository may bring a link that leads out of it
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        _ignore(folder)
        _replace(folder / NAME, pieces)
    except OSError:
        return None
    return RELATIVE


def _ignore(folder: Path) -> None:
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n", encoding="utf-8")


def _replace(path: Path, pieces: Iterable[str]) -> None:
    fresh = path.with_name(f"{NAME}.{os.getpid()}")
    # Never through a link that somebody put there: the name is predictable.
    descriptor = os.open(
        fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
    )
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
