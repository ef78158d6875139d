"""How a task ended, from its shell's wait status, its report and its final status (RUN-2, RUN-3)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
from collections.abc import Callable

from zsh_ls.lazy import attrs, re
from zsh_ls.model.words import Status

from .exit_reports import Report
from .launch import ChildProcess

_KILLED_EXIT = 128 + signal.SIGKILL
_SOON_MS = 1
# zsh 5.9 can crash while it ends, after it has reported (background pipelines of builtins).
CRASHES = (-signal.SIGSEGV, -signal.SIGABRT)
_SENDS_ITSELF_ONE = re.compile(
    r"(?i)\b(?:SIG)?(?:SEGV|ABRT|IOT)\b|\bkill\b[^;&|\n]*-(?:[sn] *)?(?:6|11)\b"
)

# `bash: line 1: 4711 Killed   sh -c …`, and for the last segment of a pipeline only the number before it.
_NOTICE = re.compile(r"(?:.*: line \d+:)? +\d+ (?P<said>.+)")
_BLANK = re.compile(r"\s")


@attrs.frozen
class TaskEnd:
    """How a task ended.

    `exit` is None and `pipestatus` empty after a timeout; else `pipestatus` holds at least the exit.
    """

    exit: int | None
    pipestatus: tuple[int, ...]
    signal: int | None = None


def told_by_bash(exit_status: int, text: str, output_end: str) -> int | None:
    """The signal that ended the last command of `text`, as bash itself says it behind its output.

    zsh becomes its last command and dies of the same signal; bash stays, and 137 may be what a program chose.
    It says `bash: line 1: 4711 Killed sh -c …` of a command that died, so that is looked for at the very
    end of the output, of what the text ends with. None where it says nothing of that kind: of SIGINT and
    SIGPIPE, in another language, or of a command inside a loop or a function.
    """
    name = signal.strsignal(exit_status - 128) if exit_status > 128 else None
    last_line = output_end.rstrip().rpartition("\n")[2]
    if not name or not (notice := _NOTICE.fullmatch(last_line)):
        return None
    said = notice["said"].removeprefix(name)
    if said == notice["said"]:
        return None
    command = _BLANK.sub("", said.lstrip().removeprefix("(core dumped)")).removeprefix("|")
    is_last = bool(command) and _BLANK.sub("", text).rstrip(";").endswith(command)
    return exit_status - 128 if is_last else None


def crashed_while_ending(wait_status: int, shell: str, text: str) -> bool:
    """Whether the shell may have crashed after its last command, so that its report gives the exit.

    Only zsh does that. Any other signal came earlier, though bash runs its EXIT trap, and so reports,
    when a signal ends it.
    """
    return wait_status in CRASHES and shell == "zsh" and not _SENDS_ITSELF_ONE.search(text)


def expected_exit(wait_status: int) -> int | None:
    """The exit a report must agree with; None after a crash, when only the report tells the exit."""
    return None if wait_status in CRASHES else wait_status % 256


def ending_of(wait_status: int, verdict: Status, report: Report | None) -> TaskEnd:
    """The end of a shell; `wait_status` is its exit, or the negative number of the signal that ended it."""
    if verdict is Status.TIMEOUT:
        return TaskEnd(None, ())
    if verdict is Status.KILLED:
        return TaskEnd(_KILLED_EXIT, (_KILLED_EXIT,))
    if wait_status in CRASHES and report is not None:
        return TaskEnd(report.exit % 256, _segments(report, report.exit % 256))
    if wait_status < 0:
        return TaskEnd(128 - wait_status, (128 - wait_status,), -wait_status)
    return TaskEnd(wait_status, _segments(report, wait_status))


def _segments(report: Report | None, exit_status: int) -> tuple[int, ...]:
    """The statuses of the segments, or the exit alone if the last command was no pipeline."""
    if report is None or len(report.pipestatus) < 2:
        return (exit_status,)
    return report.pipestatus


class EndWatch:
    """Calls `on_end` once with the exit of a process, or its negative signal, when it has ended."""

    def __init__(
        self,
        process: ChildProcess,
        loop: asyncio.AbstractEventLoop,
        on_end: Callable[[int], None],
    ) -> None:
        self._process = process
        self._loop = loop
        self._on_end = on_end
        self._pidfd: int | None = None
        self._waiting: asyncio.Future[int] | None = None
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):  # out of descriptors: a thread waits instead
                self._pidfd = os.pidfd_open(process.pid)
        if self._pidfd is not None:
            loop.add_reader(self._pidfd, self._look)
        else:
            self._waiting = loop.run_in_executor(None, process.wait)
            self._waiting.add_done_callback(lambda done: on_end(done.result()))

    def status(self) -> int | None:
        """Its exit, or its negative signal; None while it runs."""
        if self._waiting is not None and not self._waiting.done():
            return None  # of two that reap it one would find nothing
        return self._process.poll()

    def expect_now(self) -> None:
        """Wait a moment for the end: a process that has closed its output usually ends at once.

        This saves one iteration of the event loop.
        """
        if self._pidfd is not None:
            soon = select.poll()
            soon.register(self._pidfd, select.POLLIN)
            if soon.poll(_SOON_MS):
                self._look()

    def _look(self) -> None:
        if self._pidfd is not None and (status := self._process.poll()) is not None:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None
            self._on_end(status)
