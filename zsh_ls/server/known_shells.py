"""The versions of installed shells for `initialize`, cached between starts so that no shell has to be run.

The cache is valid as long as the search path leads to the same executables, by
their size and modification time. Standard library only.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from zsh_ls.system import programs
from zsh_ls.system.bounded_files import read_bytes

from .client import Client

_MAX_BYTES = 64 << 10
KINDS = ("zsh", "bash", "sh")


def shell_versions(client: Client) -> dict[str, str]:
    """The versions by kind of shell; no executable in an untrusted workspace is run."""
    programs.distrust(() if client.is_trusted_at_first else client.folders)
    versions = remembered()
    if not versions:  # at the first start, and when a shell has changed
        from zsh_ls.tasks.process.shells import find_shells  # noqa: PLC0415  imports much

        versions = {shell.kind: shell.version for shell in find_shells()}
        remember(versions)
    return versions


def remembered() -> dict[str, str] | None:
    """Versions by kind of shell; None if the present executables are not in the cache."""
    try:
        known = json.loads(read_bytes(_file(), _MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(known, dict) or known.get("executables") != _executables():
        return None
    versions = known.get("versions")
    return versions if isinstance(versions, dict) else None


def remember(versions: Mapping[str, str]) -> None:
    """Write `versions` to the cache, if possible."""
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
    """Path, size and modification time (ns) of each shell that is found."""
    paths = [path for kind in KINDS if (path := programs.find(kind)) is not None]
    return [[path, (stat := os.stat(path)).st_size, stat.st_mtime_ns] for path in paths]


def _file() -> str:
    # The same as in platformdirs, whose import would take longer than everything else here.
    home = os.path.expanduser("~")
    usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, usual)
    return os.path.join(cache, "zsh-ls", "shells.json")
