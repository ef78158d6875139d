"""Asking a program of the system for a fact: within a time, and within so many bytes."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence

from . import programs


def printed_by(command: Sequence[str], *, timeout_s: float, limit_bytes: int = 1 << 20) -> bytes:
    """What a program prints on its standard output; nothing where it is missing, fails, hangs or says more.

    What it started in its own session ends with it. Blocks; raises nothing.
    """
    try:
        process = programs.popen(
            command,
            cwd="/",
            env=programs.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return b""
    gives_up_at = time.monotonic() + timeout_s
    with process:
        assert process.stdout
        try:
            said = _to_the_end(process.stdout.fileno(), gives_up_at, limit_bytes)
            if said is not None:
                process.wait(max(0.0, gives_up_at - time.monotonic()))
        except subprocess.TimeoutExpired:
            said = None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
    return said if said is not None and process.returncode == 0 else b""


def _to_the_end(descriptor: int, gives_up_at: float, limit_bytes: int) -> bytes | None:
    """All that comes; None where it is too much, or not over in time."""
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    said = bytearray()
    while (left_s := gives_up_at - time.monotonic()) > 0 and len(said) <= limit_bytes:
        if ready.poll(left_s * 1000):
            piece = os.read(descriptor, 1 << 16)
            if not piece:
                return bytes(said)
            said += piece
    return None
