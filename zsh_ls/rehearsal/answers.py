"""What a script reads from its standard input: the same text in each of its runs."""

from __future__ import annotations

import os
import threading
from contextlib import suppress

MOST_BYTES = 1 << 20
_CHUNK_BYTES = 65536


class Answers:
    """Reads a descriptor as text comes, and gives it to each run from the beginning; `close()` it.

    It ends at `MOST_BYTES`: `yes` never would.
    """

    def __init__(self, descriptor: int) -> None:
        self._text = bytearray()
        self._is_whole = False
        self._changed = threading.Condition()
        threading.Thread(target=self._read, args=(descriptor,), daemon=True).start()

    def close(self) -> None:
        """Let the runs' pipes end; what is not read yet stays where it is."""
        with self._changed:
            self._is_whole = True
            self._changed.notify_all()

    def pipe(self) -> int:
        """The reading end of a pipe that brings all of it; the caller closes it."""
        ours, theirs = os.pipe()
        threading.Thread(target=self._write, args=(theirs,), daemon=True).start()
        return ours

    def _read(self, descriptor: int) -> None:
        while not self._is_whole:
            try:
                data = os.read(descriptor, _CHUNK_BYTES)
            except OSError:  # what cannot be read has ended
                data = b""
            with self._changed:
                self._text += data
                self._is_whole = self._is_whole or not data or len(self._text) >= MOST_BYTES
                self._changed.notify_all()

    def _write(self, descriptor: int) -> None:
        at = 0
        with suppress(OSError), os.fdopen(descriptor, "wb", buffering=0) as file:
            while data := self._from(at):
                at += file.write(data) or 0

    def _from(self, at: int) -> bytes:
        """What comes from a place on, as soon as there is something; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._text) > at or self._is_whole)
            return bytes(self._text[at : at + _CHUNK_BYTES])
