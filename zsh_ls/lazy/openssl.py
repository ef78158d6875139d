"""Modules of Python that load OpenSSL only where it is there, without it: it takes as long to load as Python.

`asyncio` speaks no TLS then, and `hashlib` has Python's own functions: what a command that ends at once
needs. Whoever imports `ssl` itself later gets it.
"""

from __future__ import annotations

import sys


def leave_out() -> None:
    """Load `asyncio` and `hashlib` as a Python without OpenSSL does; they stay so in this process."""
    missing = [name for name in ("ssl", "_hashlib") if name not in sys.modules]
    for name in missing:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        import asyncio  # noqa: F401, PLC0415
        import hashlib  # noqa: F401, PLC0415
    finally:
        for name in missing:
            del sys.modules[name]
