"""Meanings of exit statuses: known normal exits of some programs, and the general ones (ALAN-9)."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence

NO_MATCH = "no match"
FILES_DIFFER = "files differ"
CONDITION_FALSE = "condition false"
PAGER_CLOSED = "pager closed"

# (program, exit status) -> meaning of an exit status that is no failure.
_NORMAL: Mapping[tuple[str, int], str] = {
    ("grep", 1): NO_MATCH,
    ("egrep", 1): NO_MATCH,
    ("fgrep", 1): NO_MATCH,
    ("rg", 1): NO_MATCH,
    ("zgrep", 1): NO_MATCH,
    ("pgrep", 1): NO_MATCH,
    ("diff", 1): FILES_DIFFER,
    ("cmp", 1): FILES_DIFFER,
    ("test", 1): CONDITION_FALSE,
    ("[", 1): CONDITION_FALSE,
    ("[[", 1): CONDITION_FALSE,
    # `git log` in its own pager, left before the end: SIGPIPE.
    ("git", 141): PAGER_CLOSED,
}

_GENERAL: Mapping[int, str] = {126: "permission denied", 127: "command not found"}

# Programs that pass on the 255 by which ssh says that the connection failed.
_ALWAYS_OVER_SSH = frozenset({"ssh", "scp", "sftp", "rsync"})
# What git does over the network, and the beginnings of addresses that are not ssh's.
_GIT_NETWORK = frozenset(
    {"clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive"}
)
_NOT_SSH = ("http://", "https://", "git://", "file://", "ftp://", "ftps://", "/", "./", "../")


def is_search(command: str) -> bool:
    """Whether a program tells by its exit if it found something."""
    return _NORMAL.get((command, 1)) == NO_MATCH


def is_over_ssh(program: str, words: Sequence[str]) -> bool:
    """Whether exit 255 of the command with these words says that a connection of ssh failed."""
    if program != "git":
        return program in _ALWAYS_OVER_SSH
    at = next((i for i, word in enumerate(words) if word in _GIT_NETWORK), None)
    return at is not None and not any(word.startswith(_NOT_SSH) for word in words[at + 1 :])


def normal_meaning(command: str, exit_status: int) -> str | None:
    """The meaning of a normal exit status of `command` (a base name), None for others."""
    return _NORMAL.get((command, exit_status))


def is_normal_exit(command: str, exit_status: int) -> bool:
    """Whether `exit_status` is success or one of `command`'s known normal exits."""
    return exit_status == 0 or (command, exit_status) in _NORMAL


def has_normal_exits(command: str) -> bool:
    """Whether some exit status of `command` above 0 is known as a normal one."""
    return any(program == command for program, _ in _NORMAL)


def general_meaning(exit_status: int) -> str | None:
    """The meaning of 126, 127 and 128+N of any command: `killed by SIGTERM` for 143; else None."""
    if exit_status in _GENERAL:
        return _GENERAL[exit_status]
    name = signal_name(exit_status)
    return f"killed by {name}" if name else None


def signal_name(exit_status: int) -> str | None:
    """The signal that a shell reports as `exit_status` (128+N), None if it is not a signal's."""
    try:
        return signal.Signals(exit_status - 128).name
    except ValueError:
        return None
