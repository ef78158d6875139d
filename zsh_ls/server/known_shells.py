"""The shells and versions `initialize` names, remembered between starts so that none need be asked.

What is remembered holds as long as the same executables are found on the
search path, by their size and time. Standard library only.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from zsh_ls.system import programs
from zsh_ls.system.bounded_files import read_bytes

_MAX_BYTES = 64 << 10
KINDS = ("zsh", "bash", "sh")


def remembered() -> dict[str, str] | None:
    """Versions by kind; None where nothing is remembered of the executables that are there now."""
    try:
        known = json.loads(read_bytes(_file(), _MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(known, dict) or known.get("executables") != _executables():
        return None
    versions = known.get("versions")
    return versions if isinstance(versions, dict) else None


def remember(versions: Mapping[str, str]) -> None:
    """Keep `versions` for the next start. Where nothing can be written, the next start asks again."""
    known = {"executables": _executables(), "versions": dict(versions)}
    path = _file()
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(f"{path}.{os.getpid()}", flags, 0o600), "w", encoding="utf-8") as file:
            json.dump(known, file)
        os.replace(f"{path}.{os.getpid()}", path)
    except OSError:
        return


def _executables() -> list[list[Any]]:
    """Path, size and time of each shell that is found."""
    return [found for kind in KINDS if (found := _executable(kind)) is not None]


def _executable(kind: str) -> list[Any] | None:
    path = programs.find(kind)
    if path is None:
        return None
    stat = os.stat(path)
    return [path, stat.st_size, stat.st_mtime_ns]


def _file() -> str:
    # As platformdirs has it, whose import would cost more than everything else here.
    home = os.path.expanduser("~")
    usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, usual)
    return os.path.join(cache, "zsh-ls", "shells.json")
