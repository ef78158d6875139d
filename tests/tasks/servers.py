"""Servers to be ended in every way, with tasks whose processes try to be left behind."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from . import serving
from .survivors import LEFT_BEHIND, STUBBORN, alive_with, eventually

STARTS = [*STUBBORN.values(), *LEFT_BEHIND.values()]
_PATIENCE_S = 30.0
# Twenty interpreters begin at once, on a machine that may be busy with other things.
_READY_WITHIN_S = 180.0


@attrs.frozen
class Server:
    """Its three processes, and the token in the arguments of what its tasks started."""

    outer: subprocess.Popen[str]
    inner: int
    reaper: int
    token: str

    def left(self) -> list[int]:
        """What its tasks left."""
        return alive_with(self.token)

    def kill_all(self) -> list[bool]:
        """Ask it to kill its tasks: for which there was anything to end."""
        assert self.outer.stdin
        assert self.outer.stdout
        self.outer.stdin.write("kill\n")
        self.outer.stdin.flush()
        did: list[bool] = json.loads(self.outer.stdout.readline())
        return did

    def ends(self) -> list[str]:
        """How its tasks ended, which have a time limit, when all have."""
        assert self.outer.stdout
        statuses: list[str] = json.loads(self.outer.stdout.readline())
        return statuses

    def seconds_until_nothing_is_left(self, limit_s: float) -> float:
        """How long that takes from now; infinite, and all ended, where it takes too long."""
        began = time.monotonic()
        gone = eventually(lambda: not self.left(), limit_s)
        taken_s = time.monotonic() - began
        for pid in self.left():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return taken_s if gone else float("inf")

    def forget(self) -> None:
        """Wait for it, whatever became of it."""
        for pid in (self.inner, self.reaper):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self.outer.wait(_PATIENCE_S)
        assert self.outer.stdin
        assert self.outer.stdout
        self.outer.stdin.close()
        self.outer.stdout.close()


def serve(
    folder: Path,
    *how: str,
    commands: Sequence[str | tuple[str, str]] | None = None,
    is_ready: Callable[[], bool] | None = None,
) -> Server:
    """A server whose tasks have started all that they start; a command may come with its shell."""
    token = f"{secrets.randbelow(10**9):09}"
    outer = subprocess.Popen(
        [sys.executable, serving.__file__, str(folder), *how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert outer.stdin
    assert outer.stdout
    pairs = [("zsh", each) if isinstance(each, str) else each for each in commands or STARTS]
    texts = [(shell, text.replace("{token}", token)) for shell, text in pairs]
    outer.stdin.write(json.dumps(texts) + "\n")
    outer.stdin.flush()
    inner = json.loads(outer.stdout.readline())["inner"]
    server = Server(outer, inner, _reaper_of(outer.pid, inner), token)
    expected = len(texts) if commands else len(texts) + 4
    ready = is_ready or (lambda: len(server.left()) >= expected)
    assert eventually(ready, _READY_WITHIN_S), server.left()
    return server


def _reaper_of(outer: int, inner: int) -> int:
    (reaper,) = reapers_of(outer, inner)
    return reaper


def reapers_of(outer: int, inner: int) -> set[int]:
    """The children of the outer process but for the server: one, or none while it is being replaced."""
    children = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
    return {int(pid) for pid in children} - {inner}


def signals(number: signal.Signals, *pids: int) -> None:
    """All that are to die at once are stopped first, so that none can act on the other's end."""
    if len(pids) > 1:
        signals_each(signal.SIGSTOP, *pids)
    signals_each(number, *pids)


def signals_each(number: signal.Signals, *pids: int) -> None:
    for pid in pids:
        os.kill(pid, number)


TERM, KILL, STOP = signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP


def _close_input(server: Server) -> None:
    assert server.outer.stdin
    server.outer.stdin.close()


def _stop_and_kill(stopped: int, killed: int) -> None:
    os.kill(stopped, STOP)
    os.kill(killed, KILL)


End = Callable[[Server], None]

ENDS: dict[str, End] = {
    "end of input": _close_input,
    "TERM of the outer": lambda server: signals(TERM, server.outer.pid),
    "TERM of the inner": lambda server: signals(TERM, server.inner),
    "-9 of the outer": lambda server: signals(KILL, server.outer.pid),
    "-9 of the inner": lambda server: signals(KILL, server.inner),
    "-9 of both": lambda server: signals(KILL, server.outer.pid, server.inner),
    "-9 of the reaper and the inner": lambda server: signals(KILL, server.reaper, server.inner),
    "-9 of the reaper and the outer": lambda server: signals(KILL, server.reaper, server.outer.pid),
}
# The one that lives does nothing: the reaper has to wait before it is sure of that.
STUCK: dict[str, End] = {
    "-9 of the outer, the inner is stopped": lambda server: _stop_and_kill(
        server.inner, server.outer.pid
    ),
    "-9 of the inner, the outer is stopped": lambda server: _stop_and_kill(
        server.outer.pid, server.inner
    ),
}
