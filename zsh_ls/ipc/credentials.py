"""The user at the other end of a socket, as the kernel reports it."""

from __future__ import annotations

import os
import socket
import struct

# struct ucred of Linux: pid, uid, gid. struct xucred of macOS and the BSDs: version, uid, …
_UCRED = struct.Struct("3i")
_XUCRED_HEAD = struct.Struct("2I")
_XUCRED_BYTES = 76
_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1


def peer_uid(connected: socket.socket) -> int:
    """The effective user id of the other process at the time it connected or listened."""
    if hasattr(socket, "SO_PEERCRED"):
        given = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
        _, uid, _ = _UCRED.unpack(given)
    else:
        given = connected.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
        _, uid = _XUCRED_HEAD.unpack_from(given)
    return int(uid)


def is_of_this_user(connected: socket.socket) -> bool:
    """Whether the other end is this user's; root is refused like any other user."""
    return peer_uid(connected) == os.geteuid()
