"""What a command that ends at once loads of Python's library: less than what its modules name.

Without OpenSSL, which takes as long to load as Python: `asyncio` speaks no TLS then. Without what is imported
for an error, a debug mode or an odd argument, until it is used (`lazy/modules.py`). Whoever imports `ssl`
itself later gets it.
"""

from __future__ import annotations

import sys

from .modules import put_off

SELDOM_USED = ("inspect", "tokenize", "textwrap", "ipaddress", "pkgutil")


def load_little() -> None:
    """Load `asyncio` as a Python without OpenSSL does; it stays so in this process."""
    put_off(SELDOM_USED)
    is_missing = "ssl" not in sys.modules
    if is_missing:
        sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        import asyncio  # noqa: F401, PLC0415
    finally:
        if is_missing:
            del sys.modules["ssl"]
