"""What a shell is given of its session's state, and what it wrote of it at its start and its end (SESS-1)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import MutableMapping

from zsh_ls.lazy import attrs
from zsh_ls.system.bounded_files import NotRead, is_full, read_bytes

from .without_terminal import quoted

MOST_BYTES = 16 << 20
"""Of a state that is larger nothing is kept."""
_BEFORE, _AFTER, _RESTORED = "before", "after", "restored-"
_RESTORE = "restore"


@attrs.frozen
class Restore:
    """A session's state as code for the shell: `first` is read as a whole, then `functions`, then `last`.

    A mistake in `functions` leaves the rest in force. `errexit` is whether the state sets that option.
    """

    first: bytes = b""
    functions: bytes = b""
    last: bytes = b""
    errexit: bool = False


@attrs.frozen
class Dumps:
    """What a shell wrote before it read its session's state and at its end; `restored_ms` is what that took.

    None for what is not there, or not whole; `lacks_room` where the disk is too full for that.
    """

    before: bytes | None = None
    after: bytes | None = None
    restored_ms: float | None = None
    is_too_large: bool = False
    lacks_room: bool = False


def give(restore: Restore, shell: str, prefix: str, env: MutableMapping[bytes, bytes]) -> None:
    """Write the state for a shell whose files begin with `prefix`; raises OSError where there is no room."""
    env[b"ZSH_LS_SAVE"] = os.fsencode(f"{prefix}s-")
    if not restore.first:
        return
    begin, end = (_BEGIN_ZSH, _END_ZSH) if shell == "zsh" else (_BEGIN_BASH, _END_BASH)
    path = f"{prefix}s-{_RESTORE}"
    marker = os.fsencode(quoted(f"{prefix}s-{_RESTORED}"))
    functions = os.fsencode(quoted(f"{path}-functions"))
    _write(f"{path}-functions", restore.functions + b"\n_zls_whole=1\n")
    _write(
        path,
        b"\n".join((begin, restore.first, end % (functions, marker), restore.last, _FORGET_FILE)),
    )
    env[b"ZSH_LS_RESTORE"] = os.fsencode(path)


# Aliases are off while code is read that they would change. From `end` on the functions of the session are
# there, and one of them may have the name of a builtin.
_BEGIN_ZSH = b"builtin setopt noaliases; _zls_clock='%D{%s%6.}'; _zls_begin=${(%)_zls_clock}"
_END_ZSH = (
    b"builtin source %s; builtin setopt aliases\n"
    b"{ : >| %s${_zls_whole-0}-$(( ${(%%)_zls_clock} - _zls_begin )); }\n"
    b"\\builtin unset _zls_begin _zls_clock _zls_whole"
)
_BEGIN_BASH = (
    b"_zls_begin=${EPOCHREALTIME/[.,]}; _zls_aliases=u\n"
    b"if \\builtin shopt -q expand_aliases; then _zls_aliases=s; fi\n"
    b"\\builtin shopt -u expand_aliases"
)
_END_BASH = (
    b"\\builtin . %s; \\builtin shopt -$_zls_aliases expand_aliases\n"
    b"{ : >| %s${_zls_whole-0}-$(( ${EPOCHREALTIME/[.,]} - _zls_begin )); }\n"
    b"\\builtin unset _zls_begin _zls_whole _zls_aliases"
)
_FORGET_FILE = b"\\builtin unset _zls_restore\n"


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def taken(prefix: str) -> Dumps:
    """What the shell whose files begin with `prefix` wrote; the files stay."""
    folder, _, name = f"{prefix}s-".rpartition("/")
    before, after, too_large = None, None, False
    with contextlib.suppress(OSError, NotRead):
        before = read_bytes(f"{prefix}s-{_BEFORE}", MOST_BYTES)
    with contextlib.suppress(OSError):
        try:
            after = read_bytes(f"{prefix}s-{_AFTER}", MOST_BYTES)
        except NotRead:
            too_large = os.path.exists(f"{prefix}s-{_AFTER}")
    restored_ms = None
    with contextlib.suppress(OSError):
        for found in os.listdir(folder):
            if found.startswith(f"{name}{_RESTORED}1-"):
                number = found.rpartition("-")[2]
                restored_ms = int(number) / 1000 if number.isdecimal() else None
    dumps = Dumps(_whole(before), _whole(after), restored_ms, too_large)
    if dumps.before is None or dumps.after is None:
        return attrs.evolve(dumps, lacks_room=is_full(folder))
    return dumps


def _whole(dump: bytes | None) -> bytes | None:
    """The dump, if its shell came to its last word."""
    return dump if dump is not None and dump.endswith(b"\0end") else None
