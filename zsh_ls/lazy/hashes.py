"""`blake2b` alone: all of `hashlib` loads OpenSSL, which takes as long as Python's own start."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

__all__ = ["blake2b"]
