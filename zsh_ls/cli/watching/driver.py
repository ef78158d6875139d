"""The terminal's driver of textual, which takes whatever bytes are typed."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver


class LenientDriver(LinuxDriver):
    """A driver that reads what is no UTF-8 as U+FFFD.

    textual decodes strictly: a byte of a terminal set to Latin-1, a pasted binary file or noise on a serial
    line ends the viewer with a traceback. Dropping what was read with it would be worse: of a long paste it
    may be the beginning, without which the rest is taken for keys.
    """

    def run_input_thread(self) -> None:
        """Read what is typed until the viewer ends."""
        with _decoding_leniently():
            super().run_input_thread()


@contextmanager
def _decoding_leniently() -> Iterator[None]:
    strict = codecs.getincrementaldecoder

    def lenient(encoding: str) -> Any:
        return partial(strict(encoding), errors="replace")

    # The decoder is made inside textual's method, by this name, with no way to say another.
    linux_driver.getincrementaldecoder = lenient  # type: ignore[attr-defined]
    try:
        yield
    finally:
        linux_driver.getincrementaldecoder = strict  # type: ignore[attr-defined]
