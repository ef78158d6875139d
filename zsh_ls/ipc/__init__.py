"""Private communication between a user's processes: messages over local sockets, never TCP.

It decides who may connect, where the sockets are and how messages are framed; their
meaning is defined by the package `sidecar`.
"""

from .address import socket_folders
from .client import dial, servers_around, servers_of
from .connection import Connection, ConnectionLost
from .server import Listener

__all__ = [
    "Connection",
    "ConnectionLost",
    "Listener",
    "dial",
    "servers_around",
    "servers_of",
    "socket_folders",
]
