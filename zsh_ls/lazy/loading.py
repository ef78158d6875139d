"""What a command that ends at once loads of Python's library: less than what its modules name.

Without OpenSSL, which takes as long to load as Python: `asyncio` speaks no TLS then, and `hashlib` has
Python's own algorithms, as where Python was built without it. Without what is imported for an error, a debug
mode or an odd argument, until it is used (`lazy/modules.py`). Whoever imports `ssl` itself later gets it.
"""

from __future__ import annotations

import sys

from .modules import put_off

SELDOM_USED = (
    "inspect",
    "tokenize",
    "textwrap",
    "ipaddress",
    "pkgutil",
    "linecache",
    "locale",
    "asyncio.sslproto",
    "asyncio.staggered",
    "asyncio.trsock",
)
_OF_OPENSSL = ("ssl", "_hashlib")


def load_little() -> None:
    """Load `asyncio` and `hashlib` as a Python without OpenSSL does; they stay so in this process."""
    put_off(SELDOM_USED)
    missing = [name for name in _OF_OPENSSL if name not in sys.modules]
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]
    try:
        import asyncio  # noqa: F401, PLC0415
        import hashlib  # noqa: F401, PLC0415
    finally:
        for name in missing:
            del sys.modules[name]
