"""One execution: its process, its output, how it ends. Its end is the shell's, never a timer's."""

from __future__ import annotations

import array
import asyncio
import fcntl
import functools
import os
import signal
import termios
from collections.abc import Callable
from concurrent.futures import Executor

from zsh_ls.model.clock import Clock
from zsh_ls.model.words import Status

from . import kill, terminal, waiting
from .feeding import Feeder
from .hooks import Report
from .kill import Marks
from .launch import TASK_VARIABLE, Launched
from .output import Output
from .request import StartRequest

READ_BYTES = 1 << 20
READS_IN_A_TURN = 4
# What a shell did not wait for (`> >(sort)`) still gets this long to say its last words.
LAST_WORDS_S = 0.02

TakeReport = Callable[[str, int | None], Report | None]


class Task:
    """A task as others see it; `Engine` starts it and keeps it.

    `exit`, `pipestatus` and `signal` are as RUN-2 and RUN-3 say: a killed task
    has 137, a timed-out one none, and `pipestatus` always says at least the exit.
    """

    def __init__(
        self,
        task_id: str,
        request: StartRequest,
        output: Output,
        clock: Clock,
        take_report: TakeReport,
    ) -> None:
        self.task_id = task_id
        self.request = request
        self.output = output
        self.status = Status.RUNNING
        self.exit: int | None = None
        self.pipestatus: tuple[int, ...] = ()
        self.signal: int | None = None
        self.error: str | None = None
        self.is_pty = request.pty
        self.started_at = clock.now()
        self._clock = clock
        self._started = clock.monotonic()
        self._elapsed_s: float | None = None
        self._take_report = take_report
        self._loop = asyncio.get_running_loop()
        self._launched: Launched | None = None
        self._feeder: Feeder | None = None
        self._source: waiting.Input | None = None
        self._pidfd: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._wait_status: int | None = None
        self._verdict = Status.COMPLETED
        self._reading = False
        self._ended = asyncio.Event()
        self._news: set[asyncio.Future[None]] = set()
        self._background: set[asyncio.Future[bool]] = set()
        self.on_end: Callable[[Task], None] = lambda task: None
        # What outlived the shell has closed the output, too.
        self.on_last_words: Callable[[Task], None] = lambda task: None
        self.grace_s = 2.0
        self.enders: Executor | None = None
        self.tag: int | None = None

    @property
    def ended(self) -> bool:
        """Whether the shell has ended, or could not be started."""
        return self._ended.is_set()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start, until the end."""
        return (
            self._clock.monotonic() - self._started if self._elapsed_s is None else self._elapsed_s
        )

    @property
    def ended_at(self) -> float:
        """When it ended, in Unix time; now for one that runs."""
        return self.started_at + self.elapsed_s

    @property
    def idle_s(self) -> float:
        """Seconds since it last printed, since the start before any output."""
        last = self.output.last_output_at
        return self.elapsed_s if last is None else max(0.0, self._clock.monotonic() - last)

    @property
    def has_stdin(self) -> bool:
        """Whether something can be typed into it now."""
        return (
            self._feeder is not None and self._feeder.is_open and not self.ended and self._can_type
        )

    @property
    def is_silent_for_good(self) -> bool:
        """Whether nobody is left who could print."""
        return self.ended and not self._reading

    @property
    def _can_type(self) -> bool:
        return self.request.pty or self.request.interactive

    # -- the life of a task, called by the engine -------------------------------------------------

    @property
    def pid(self) -> int | None:
        """Its shell, while that is not reaped."""
        return self._launched.process.pid if self._launched and self._wait_status is None else None

    def attach(self, launched: Launched) -> None:
        """Watch a shell that was just started."""
        self._launched = launched
        self._reading = True
        self._loop.add_reader(launched.output, self._on_output)
        if launched.input is not None:
            self._feeder = Feeder(launched.input, self._loop, is_terminal=self.is_pty)
            self._source = self._source_of(launched)
            self._feed_what_was_given()
        self._watch_exit(launched.process.pid)
        if self.request.timeout_s is not None:
            self._timer = self._loop.call_later(self.request.timeout_s, self._time_is_up)

    def fail(self, reason: str) -> None:
        """The shell could not be started."""
        self.error = reason
        self._end(Status.ERROR)

    def marks(self, spared: frozenset[int] = frozenset()) -> Marks:
        """By what its processes are known."""
        if self._launched is None:
            return Marks({}, frozenset(), frozenset())
        variable = f"{TASK_VARIABLE}={self.task_id}".encode()
        # Once nobody holds the output its number can name another task's.
        links = frozenset({self._launched.link} if self._reading and self._launched.link else ())
        shells = {self._launched.process.pid: self._wait_status is None}
        tags = frozenset() if self.tag is None else frozenset({self.tag})
        return Marks(shells, frozenset({variable}), links, tags, spared | {os.getpid()})

    # -- what others may do -----------------------------------------------------------------------

    async def wait_end(self) -> None:
        """Until it has ended."""
        await self._ended.wait()

    async def wait_news(self, cursor: int) -> None:
        """Until there is output beyond `cursor`, or it has ended."""
        while self.output.size_bytes <= cursor and not self.ended:
            news: asyncio.Future[None] = self._loop.create_future()
            self._news.add(news)
            try:
                await news
            finally:
                self._news.discard(news)

    async def kill(self) -> bool:
        """End it with all its descendants, or the jobs that outlived it; whether there was any."""
        if not self.ended:
            self._verdict = Status.KILLED
        did = await self._end_all()
        if self._launched is not None and self._launched.process.pid and not self.ended:
            await self.wait_end()
        return did

    async def send(self, data: bytes, *, eof: bool = False) -> None:
        """Type into it; nothing is lost, however slowly it reads."""
        if self._feeder is not None:
            self._feeder.send(data, eof=eof)

    def interrupt(self) -> None:
        """What Ctrl-C does: the foreground job of its terminal, else its process group, is interrupted."""
        if self._launched is None or self.ended:
            return
        if self.is_pty and self._feeder is not None:
            self._feeder.send(b"\x03", eof=False)
        else:
            os.killpg(self._launched.process.pid, signal.SIGINT)

    def resize(self, cols: int, rows: int) -> None:
        """Give its terminal a new size."""
        if self.is_pty and self._feeder is not None and self._feeder.is_open and self._launched:
            terminal.resize(self._launched.output, cols, rows)

    def waiting_for_input(self) -> bool:
        """Whether it waits to read its terminal or standard input, as the kernel says (POLL-6)."""
        return (
            self.pid is not None
            and self._source is not None
            and waiting.waits(self.pid, self._source)
        )

    # -- what happens to it -----------------------------------------------------------------------

    def _source_of(self, launched: Launched) -> waiting.Input:
        assert launched.input is not None
        if self.is_pty:
            return waiting.Input(frozenset({launched.link, "/dev/tty"}), launched.output)
        return waiting.Input(frozenset({waiting.link_of(launched.input)}))

    def _feed_what_was_given(self) -> None:
        assert self._feeder is not None
        if self.request.stdin is not None:
            self._feeder.send(self.request.stdin.encode("utf-8", "surrogateescape"), eof=True)

    def _on_output(self) -> None:
        for _ in range(READS_IN_A_TURN):
            if self._read() < READ_BYTES // 16:
                break

    def _read(self, limit: int = READ_BYTES) -> int:
        """Take in what is there; how many bytes that was."""
        assert self._launched is not None
        try:
            data = os.read(self._launched.output, limit)
        except BlockingIOError:
            return 0
        except OSError:  # EIO: the last process has left the terminal
            data = b""
        if not data:
            self._stop_reading()
            return 0
        self.output.append(data)
        self._tell()
        return len(data)

    def _stop_reading(self) -> None:
        assert self._launched is not None
        self._reading = False
        self._loop.remove_reader(self._launched.output)
        os.close(self._launched.output)
        if self.ended:
            self.on_last_words(self)
        elif self._wait_status is not None:
            self._finish()

    def _watch_exit(self, pid: int) -> None:
        if not hasattr(os, "pidfd_open"):
            self._keep(asyncio.ensure_future(self._wait_in_thread()))
            return
        self._pidfd = os.pidfd_open(pid)
        self._loop.add_reader(self._pidfd, self._on_exit)

    async def _wait_in_thread(self) -> bool:
        assert self._launched is not None
        await asyncio.to_thread(self._launched.process.wait)
        self._on_exit()
        return True

    def _on_exit(self) -> None:
        assert self._launched is not None
        if (status := self._launched.process.poll()) is None:
            return
        if self._pidfd is not None:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
        self._wait_status = status
        if self._reading:
            self._drain()
        if self._reading:
            self._loop.call_later(LAST_WORDS_S, self._finish)
        else:
            self._finish()

    def _drain(self) -> None:
        """Take in what lay in the pipe when the shell ended, even while others go on writing."""
        assert self._launched is not None
        waiting = array.array("i", [0])
        try:
            fcntl.ioctl(self._launched.output, termios.FIONREAD, waiting)
        except OSError:
            waiting[0] = 0
        left = waiting[0]
        while self._reading and left > 0 and (read := self._read(min(left, READ_BYTES))):
            left -= read
        if self._reading and not waiting[0]:
            self._read()

    def _finish(self) -> None:
        if self.ended:
            return
        assert self._wait_status is not None
        if self._reading:
            self._drain()
        self._judge(self._wait_status)
        self._end(self._verdict)

    def _judge(self, status: int) -> None:
        crashed = status == -signal.SIGSEGV
        report = self._take_report(self.task_id, None if crashed else status % 256)
        if self._verdict is Status.TIMEOUT:
            return
        if self._verdict is Status.KILLED:
            self.exit = 128 + signal.SIGKILL
        elif crashed and report:
            # zsh 5.9 can crash while it ends, after it has reported (background pipelines of builtins).
            self.exit = report.exit % 256
        else:
            self.exit = status if status >= 0 else 128 - status
            self.signal = -status if status < 0 else None
        alone = (
            report is None
            or len(report.pipestatus) < 2
            or self.signal
            or self._verdict is Status.KILLED
        )
        self.pipestatus = (self.exit,) if alone or report is None else report.pipestatus

    def _time_is_up(self) -> None:
        if self._wait_status is None:
            self._verdict = Status.TIMEOUT
            self._keep(asyncio.ensure_future(self._end_all()))

    async def _end_all(self) -> bool:
        """End all its processes, from a thread: looking for them reads much of /proc."""
        ending = functools.partial(kill.end_now, lambda: self.marks().find(), self.grace_s)
        return await self._loop.run_in_executor(self.enders, ending)

    def _keep(self, background: asyncio.Future[bool]) -> None:
        self._background.add(background)
        background.add_done_callback(self._background.discard)

    def _end(self, status: Status) -> None:
        self.status = status
        self._elapsed_s = self._clock.monotonic() - self._started
        self.output.is_final = True
        if self._timer:
            self._timer.cancel()
        if self._feeder and not self._reading:
            self._feeder.close()
        self._ended.set()
        self._tell()
        self.on_end(self)

    def _tell(self) -> None:
        for news in self._news:
            if not news.done():
                news.set_result(None)

    def release(self) -> None:
        """Give back what it holds of the system; its output stays readable until its spool is closed."""
        if self._feeder:
            self._feeder.close()
        if self._reading and self._launched:
            self._reading = False
            self._loop.remove_reader(self._launched.output)
            os.close(self._launched.output)
