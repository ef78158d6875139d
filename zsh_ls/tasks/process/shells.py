"""The shells of this machine and their versions."""

from __future__ import annotations

import os
from collections.abc import Mapping

from zsh_ls.lazy import attrs, re
from zsh_ls.system import programs

KINDS = ("zsh", "bash", "sh")
_VERSION = re.compile(r"(\d+\.\d+(?:\.\d+)?)")
_ASK_VERSION: Mapping[str, tuple[str, ...]] = {
    "zsh": ("-fc", "print -r -- $ZSH_VERSION"),
    "bash": ("--norc", "-c", 'echo "${BASH_VERSION}"'),
}
_VERSION_TIME_LIMIT_S = 2.0


@attrs.frozen
class FoundShell:
    """An installed shell; `version` is empty if it does not report one (dash)."""

    kind: str
    path: str
    version: str = ""


def find_shell(wanted: str | None = None, path: str | None = None) -> FoundShell | None:
    """The shell `wanted`, a kind on the search path (default zsh) or an executable; None if not found."""
    found = programs.find(wanted or "zsh", path)
    if found is None:
        return None
    kind = os.path.basename(wanted or "zsh")
    return FoundShell(kind, found, _version(kind, found))


def find_paths() -> dict[str, str]:
    """The executable of each kind that is installed, in the order in which they replace each other."""
    found = ((kind, programs.find(kind)) for kind in KINDS)
    return {kind: path for kind, path in found if path is not None}


def find_shells(path: str | None = None) -> tuple[FoundShell, ...]:
    """The installed ones of zsh, bash and sh, in the order in which they replace each other."""
    candidates = (find_shell(kind, path) for kind in KINDS)
    return tuple(shell for shell in candidates if shell)


def _version(kind: str, path: str) -> str:
    from zsh_ls.system.bounded_probe import printed_by  # noqa: PLC0415

    if kind not in _ASK_VERSION:
        return ""
    printed = printed_by([path, *_ASK_VERSION[kind]], timeout_s=_VERSION_TIME_LIMIT_S)
    match = _VERSION.search(printed.decode("utf-8", "replace"))
    return match[1] if match else ""
