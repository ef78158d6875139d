"""What a command that ends at once loads of Python's library: less than what its modules name.

Without OpenSSL, which takes as long to load as Python: `asyncio` speaks no TLS then, and `hashlib` has
Python's own functions. Without what is imported for an error, a debug mode or an odd argument, until
it is used (`lazy/modules.py`). Whoever imports `ssl` itself later gets it.
"""

from __future__ import annotations

import sys

from .modules import put_off

SELDOM_USED = ("inspect", "tokenize", "textwrap", "ipaddress", "pkgutil")


def load_little() -> None:
    """Load `asyncio` and `hashlib` as a Python without OpenSSL does; they stay so in this process."""
    put_off(SELDOM_USED)
    missing = [name for name in ("ssl", "_hashlib") if name not in sys.modules]
    for name in missing:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        import asyncio  # noqa: F401, PLC0415
        import hashlib  # noqa: F401, PLC0415
    finally:
        for name in missing:
            del sys.modules[name]
