"""Running a program for its output, with limits of time and size."""

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
    """The standard output of a program; empty if it is missing, fails, or exceeds a limit.

    Processes that it started in its session are ended with it. Blocks; raises nothing.
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
            output = _to_the_end(process.stdout.fileno(), gives_up_at, limit_bytes)
            if output is not None:
                process.wait(max(0.0, gives_up_at - time.monotonic()))
        except (subprocess.TimeoutExpired, OSError):
            output = None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
    return output if output is not None and process.returncode == 0 else b""


def _to_the_end(descriptor: int, gives_up_at: float, limit_bytes: int) -> bytes | None:
    """All output; None if it is too long, or does not end in time."""
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    output = bytearray()
    while (left_s := gives_up_at - time.monotonic()) > 0 and len(output) <= limit_bytes:
        if ready.poll(left_s * 1000):
            piece = os.read(descriptor, 1 << 16)
            if not piece:
                return bytes(output)
            output += piece
    return None
