"""Private communication between a user's processes: messages over local sockets, never TCP.

It decides who may connect, where the sockets are and how messages are framed; their
meaning is defined by the package `sidecar`.
"""

from importlib import import_module

from .address import KEEPER_SUFFIX, keepers, servers_around, socket_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .client import dial
    from .connection import Connection
    from .errors import ConnectionLost
    from .others import OthersSockets
    from .server import Listener

__all__ = [
    "KEEPER_SUFFIX",
    "Connection",
    "ConnectionLost",
    "Listener",
    "OthersSockets",
    "dial",
    "keepers",
    "servers_around",
    "socket_folders",
]

_MODULES = {
    "Connection": "connection",
    "ConnectionLost": "errors",
    "Listener": "server",
    "OthersSockets": "others",
    "dial": "client",
}


def __getattr__(name: str) -> "Any":
    """What needs an event loop, loaded when it is used: who finds no server needs none."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    return found
