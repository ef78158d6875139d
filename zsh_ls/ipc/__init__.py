"""The private way from one process of a user to another's sidecar: messages over a local socket, no TCP.

It knows who may speak, where the sockets are and how messages travel; what
they mean is the sidecar's.
"""

from .address import socket_folders
from .client import dial, servers_around
from .connection import Connection, ConnectionLost
from .server import Listener

__all__ = ["Connection", "ConnectionLost", "Listener", "dial", "servers_around", "socket_folders"]
