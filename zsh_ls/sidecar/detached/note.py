"""What a keeper tells its supervisor of the run, should it be killed: in memory, as it may hold secrets."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress

_MOST_BYTES = 64 << 20


class Note:
    """A text that both have; made before the supervisor forks. Empty while there is nothing to tell."""

    def __init__(self) -> None:
        if hasattr(os, "memfd_create"):
            self._file = os.memfd_create("zsh-ls-note", os.MFD_CLOEXEC)
        else:
            self._file, path = tempfile.mkstemp()
            os.unlink(path)

    def write(self, text: bytes) -> None:
        """Replace what is told; a run that cannot be noted goes on all the same."""
        with suppress(OSError):
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, text, 0)

    def read(self) -> bytes:
        """What is told now."""
        return os.pread(self._file, _MOST_BYTES, 0)
