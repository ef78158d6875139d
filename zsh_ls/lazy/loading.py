"""What a command that ends at once loads of Python's library: less than what its modules name.

Without OpenSSL, which takes as long to load as Python: `asyncio` speaks no TLS then, and `hashlib` has
Python's own algorithms, as where Python was built without it. Without what is imported for an error, a debug
mode or an odd argument, until it is used (`lazy/modules.py`), with the patterns that `logging`, `json` and
others declare compiled when they are used (`lazy/re.py`). Whoever imports `ssl` itself later gets it.
"""

from __future__ import annotations

import importlib
import sys

from . import re as lazy_re
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
    """Load `asyncio` and `hashlib` as a Python without OpenSSL does; they stay so in this process.

    All of these commands use `json` and `pathlib`, which are loaded here for their patterns alone.
    """
    put_off(SELDOM_USED)
    if "datetime" not in sys.modules:
        # All of it is there; the other half of `datetime` is the same in Python, and thrown away once loaded.
        sys.modules["datetime"] = importlib.import_module("_datetime")
    missing = [name for name in _OF_OPENSSL if name not in sys.modules]
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]
    usual_re = sys.modules["re"]
    sys.modules["re"] = lazy_re
    try:
        import asyncio  # noqa: F401, PLC0415
        import hashlib  # noqa: F401, PLC0415
        import json  # noqa: F401, PLC0415
        import logging  # noqa: PLC0415
        import pathlib  # noqa: F401, PLC0415
    finally:
        sys.modules["re"] = usual_re
        for name in missing:
            del sys.modules[name]
    # Where a record cannot be written, without a descriptor left perhaps, `logging` would print that, too.
    logging.raiseExceptions = False
