"""Private folders for files in passing, named after their process: what a crash left is found and removed."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile

from ._process_ids import is_there


def passing_folder(prefix: str, base: str | None = None) -> str:
    """A new folder of mode 0700 in `base`, by default the system's for passing files."""
    return tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=base)


def sweep(prefix: str, base: str | None = None) -> None:
    """Remove the folders with `prefix` whose process is gone; what cannot be removed stays."""
    base = base or tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for name in os.listdir(base):
            owner = name.removeprefix(prefix).partition("-")[0]
            if name.startswith(prefix) and owner.isdecimal() and not is_there(int(owner)):
                shutil.rmtree(f"{base}/{name}", ignore_errors=True)
