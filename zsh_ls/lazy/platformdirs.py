"""`platformdirs`, which is loaded only where the places of a Linux do not follow from two variables.

It loads what reads archives, by way of `tempfile`: twice as much as Python's own start.
"""

from __future__ import annotations

import os
import sys


def user_data_dir(name: str) -> str:
    """The folder for the data of the program `name`, which persist."""
    return _place("data", ".local/share", name)


def user_state_dir(name: str) -> str:
    """The folder for what the program `name` keeps between its runs."""
    return _place("state", ".local/state", name)


def user_config_dir(name: str) -> str:
    """The folder of the configuration of the program `name`."""
    return _place("config", ".config", name)


def user_cache_dir(name: str) -> str:
    """The folder for what the program `name` can make again."""
    return _place("cache", ".cache", name)


def _place(kind: str, usual: str, name: str) -> str:
    base = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    if sys.platform == "linux" and base.startswith("/"):
        return os.path.join(base, name)
    home = os.environ.get("HOME", "")
    if sys.platform == "linux" and home.startswith("/"):
        return os.path.join(os.path.expanduser("~"), usual, name)
    import platformdirs  # noqa: PLC0415  what this module is there to put off

    found: str = getattr(platformdirs, f"user_{kind}_dir")(name)
    return found
