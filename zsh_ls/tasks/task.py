"""One execution: its process, its output and its end, which is that of its shell."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Callable

from zsh_ls.lazy import attrs
from zsh_ls.model.clock import Clock
from zsh_ls.model.words import Status

from .output.output import Output
from .output.relay import Relays
from .process import processes, waiting
from .process.ending import (
    EndWatch,
    TaskEnd,
    crashed_while_ending,
    ending_of,
    expected_exit,
    told_by_bash,
)
from .process.endless_waits import EndlessWaits
from .process.environment import TASK_VARIABLE
from .process.exit_reports import REPORTING, Report
from .process.launch import Launched
from .process.request import StartRequest
from .process.streams import Job, Streams, wish_of
from .supervision import held_ends, supervisor
from .supervision.ender import PATIENCE_S, Ender
from .supervision.kill import Marks, finder
from .supervision.process_tags import Arrivals, NewcomersOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .output.drain import Drain
    from .process.session_files import Dumps
    from .process.terminal import Feeder
    from .process.trace_file import TraceFile


# Processes the shell did not wait for (`> >(sort)`) get this long to print their last output.
LAST_WORDS_S = 0.02
# A time limit whose timer was to call so long ago has been missed.
LIMIT_MISSED_AFTER_S = 1.0
NOTICE_BYTES = 4096
_INTERRUPT = b"\x03"
# One for all that ended: hundreds are kept, and an event of its own is the larger part of some.
HAPPENED = asyncio.Event()
HAPPENED.set()
# Who waits for news of what has ended.
_NOBODY: set[asyncio.Future[None]] = set()
log = logging.getLogger(__name__)


@attrs.frozen
class TaskContext:
    """Shared by all tasks of an engine.

    `take_report(task_id, exit)` gives a shell's report, `dumps_of(task_id)` what it wrote of its
    session's state, which is there until then. `on_end` is called when
    a task has ended, `on_last_words` when the processes that outlived its shell
    have closed the output as well. `arrivals` finds orphans of the tasks.
    """

    clock: Clock
    take_report: Callable[[str, int | None], Report | None]
    dumps_of: Callable[[str], Dumps]
    on_end: Callable[[Task], None]
    on_last_words: Callable[[Task], None]
    ender: Ender
    arrivals: Arrivals
    kill_grace_s: float


class Task:
    """One task, started and kept by `Engine`.

    `exit`, `pipestatus` and `signal` are as RUN-2 and RUN-3 define: a killed task
    has exit 137, a timed-out one none, and `pipestatus` holds at least the exit.
    `problem` is why the statuses of a pipeline's segments are not known, if so. `dumps` is what the
    shell of a session wrote, where it came to its end by itself. `is_noted` says whether others could
    list it should this process be killed.
    """

    # Ended tasks are kept for an hour, by the thousand: a dictionary would cost four times as much.
    __slots__ = (
        "_context",
        "_drain",
        "_elapsed_s",
        "_end_watch",
        "_ended",
        "_ended_waiting",
        "_ending",
        "_endless_waits",
        "_feeder",
        "_is_overdue",
        "_launched",
        "_loop",
        "_news",
        "_pass_on",
        "_source",
        "_started",
        "_timer",
        "_verdict",
        "_wait_status",
        "dumps",
        "error",
        "exit",
        "is_noted",
        "output",
        "pipestatus",
        "problem",
        "request",
        "signal",
        "started_at",
        "status",
        "tag",
        "task_id",
    )

    def __init__(
        self, task_id: str, request: StartRequest, output: Output, context: TaskContext
    ) -> None:
        self.task_id = task_id
        self.request = request
        self.output = output
        self.status = Status.RUNNING
        self.exit: int | None = None
        self.pipestatus: tuple[int, ...] = ()
        self.signal: int | None = None
        self.error: str | None = None
        self.problem: str | None = None
        self.dumps: Dumps | None = None
        self.tag: int | None = None
        self.is_noted = False
        self.started_at = context.clock.now()
        self._context = context
        self._started = context.clock.monotonic()
        self._elapsed_s: float | None = None
        self._loop = asyncio.get_running_loop()
        self._launched: Launched | None = None
        self._drain: Drain | Relays | None = None
        self._end_watch: EndWatch | None = None
        self._pass_on: Callable[[], None] | None = None
        self._feeder: Feeder | None = None
        self._source: waiting.Input | None = None
        self._endless_waits: EndlessWaits | None = None
        self._ended_waiting: tuple[str, ...] = ()
        self._timer: asyncio.TimerHandle | None = None
        self._wait_status: int | None = None
        self._is_overdue = False
        self._verdict = Status.COMPLETED
        self._ended = asyncio.Event()
        self._news: set[asyncio.Future[None]] = set()
        self._ending: asyncio.Future[bool] | None = None

    # -- state ------------------------------------------------------------------------------------

    @property
    def is_pty(self) -> bool:
        """Whether it has a terminal."""
        return self.request.pty

    @property
    def pid(self) -> int | None:
        """The process id of its shell, None once that has been reaped."""
        return self._launched.process.pid if self._launched and self._wait_status is None else None

    @property
    def ended(self) -> bool:
        """Whether the shell has ended, or could not be started."""
        return self._ended.is_set()

    @property
    def elapsed_s(self) -> float:
        """Seconds from its start to its end, or to now while it runs."""
        if self._elapsed_s is not None:
            return self._elapsed_s
        return self._context.clock.monotonic() - self._started

    @property
    def ended_at(self) -> float:
        """When it ended, in Unix time; now for one that runs."""
        return self.started_at + self.elapsed_s

    @property
    def idle_s(self) -> float:
        """Seconds since it last printed, or since its start if it has not."""
        last = self.output.last_output_at
        return self.elapsed_s if last is None else max(0.0, self._context.clock.monotonic() - last)

    @property
    def has_stdin(self) -> bool:
        """Whether it can be sent input now."""
        can_type = self.request.pty or self.request.interactive
        return can_type and self._feeder is not None and self._feeder.is_open and not self.ended

    @property
    def is_silent_for_good(self) -> bool:
        """Whether no process is left that could print."""
        return self.ended and not (self._drain and self._drain.is_open)

    def shell(self) -> processes.Process | None:
        """Its shell as a process, None once it has ended."""
        with contextlib.suppress(OSError):  # no more files can be opened: it is found by its marks
            return processes.stat(self.pid) if self.pid is not None else None
        return None

    def waiting_for_input(self) -> bool:
        """Whether it waits to read its terminal or standard input, as the kernel says (POLL-6)."""
        if self.pid is None or self._source is None:
            return False
        return waiting.waits(self.pid, self._source)

    def _takes_keys(self) -> bool:
        if self.pid is None or self._source is None:
            return False
        return waiting.takes_keys(self.pid, self._source)

    @property
    def ended_waiting(self) -> tuple[str, ...]:
        """The names of programs that were ended as they waited for keys that could not come (RUN-17)."""
        return tuple(self._endless_waits.ended) if self._endless_waits else self._ended_waiting

    @property
    def trace(self) -> TraceFile | None:
        """The trace of its lists, if it is a traced script."""
        return self._launched.trace if self._launched else None

    @property
    def not_traced(self) -> str | None:
        """Why a script that should have been traced is not, if so."""
        return self._launched.not_traced if self._launched else None

    @property
    def script_file(self) -> str | None:
        """The path that the shell of a script was given."""
        return self._launched.script_file if self._launched else None

    def marks(self) -> Marks:
        """What identifies its processes."""
        if self._launched is None:
            return Marks({}, frozenset(), frozenset())
        # Once the output is closed, the kernel may give its number to another task's.
        link = self._launched.link if self._drain and self._drain.is_open else ""
        return Marks(
            shells={self._launched.process.pid: self._wait_status is None},
            variables=frozenset({b"%b=%b" % (TASK_VARIABLE, self.task_id.encode())}),
            links=frozenset({link} - {""}),
            tags=frozenset() if self.tag is None else frozenset({self.tag}),
            spared=frozenset({os.getpid()}),
        )

    def has_processes(self) -> bool:
        """Whether a process of it lives: reads much of /proc."""
        from .supervision import keepers  # noqa: PLC0415

        return bool(finder(self.marks)(keepers.without_kept(processes.table())))

    # -- waiting and control ----------------------------------------------------------------------

    async def wait_end(self) -> None:
        """Wait until it has ended."""
        await self._ended.wait()

    async def wait_news(self, cursor: int) -> None:
        """Wait until there is output beyond `cursor` that can be shown, or it has ended."""
        while not (self.ended or self.output.has_news(cursor)):
            await self._next_news()

    async def wait_bytes(self, position: int) -> None:
        """Wait until it has written a byte beyond `position`, or has ended."""
        while not (self.ended or self.output.size_bytes > position):
            await self._next_news()

    async def kill(self) -> bool:
        """End it with all its descendants, or the jobs that outlived it.

        Returns whether there was any process to end.
        """
        self.mark_killed()
        ending = self._end_processes()
        did = await asyncio.shield(ending)
        if did:
            await self.wait_end_at_most(PATIENCE_S)
        elif not self.ended and self._verdict is Status.KILLED:
            self._verdict = Status.COMPLETED  # it had just ended by itself
        return did

    def mark_killed(self) -> None:
        """Count a task that still runs as killed, whatever its shell returns from now on."""
        if self._wait_status is None and self._verdict is Status.COMPLETED:
            self._verdict = Status.KILLED

    async def wait_end_at_most(self, patience_s: float) -> None:
        """Wait until it has ended; after `patience_s` it counts as killed.

        A shell that is blocked in a device cannot even be killed.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                await self.wait_end()
        if not self.ended and self._launched is not None:
            self._on_exit(-signal.SIGKILL)

    async def send(self, data: bytes, *, eof: bool = False) -> None:
        """Queue input for it; nothing is lost, however slowly it reads."""
        if self._feeder is not None:
            self._feeder.send(data, eof=eof)

    def interrupt(self) -> None:
        """Do what Ctrl-C does: interrupt the foreground job of its terminal, else its process group."""
        if self.pid is None:
            return
        if self.request.streams is not None:
            self.send_signal(signal.SIGINT)
        elif self._feeder is not None and self._feeder.has_foreground_job:
            self._feeder.send(_INTERRUPT)
        else:
            # A terminal gives the key to its foreground job alone: while it is not yet the controlling
            # terminal of the shell that is being started, it would go nowhere.
            os.killpg(self.pid, signal.SIGINT)

    def send_signal(self, number: int) -> None:
        """Send a signal to the process group of its shell."""
        if self.pid is None or self._launched is None:
            return
        if self._launched.control is not None:
            self._launched.control.wish(number)
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)

    def resize(self, cols: int, rows: int) -> None:
        """Give its terminal a new size."""
        from .process import terminal  # noqa: PLC0415

        if self.is_pty and self._drain is not None and self._drain.is_open:
            terminal.resize(self._drain.descriptor, cols, rows)

    # -- called by the engine ---------------------------------------------------------------------

    def attach(self, launched: Launched) -> None:
        """Watch a shell that was just started."""
        self._launched = launched
        if self.request.streams is not None:
            self._attach_streams(launched, self.request.streams)
        else:
            from .output.drain import Drain  # noqa: PLC0415  a relay takes its place where streams are given

            self._drain = Drain(
                launched.output,
                self._loop,
                self.output,
                self._notify,
                self._on_closed,
                is_pipe=not self.is_pty,
            )
            if not self.is_pty:
                self._end_endless_waits(launched.link)
        if launched.input is not None:
            self._open_input(launched.input, launched)
        self._end_watch = EndWatch(launched.process, self._loop, self._on_exit)
        if self.request.timeout_s is not None:
            self._timer = self._loop.call_later(self.request.timeout_s, self._time_is_up)

    def fail(self, reason: str) -> None:
        """End it with status ERROR: its shell could not be started."""
        self.error = reason
        self._end(Status.ERROR)

    def release(self) -> None:
        """Close its descriptors; its output stays readable until its spool is closed."""
        if self._feeder:
            self._feeder.close()
        self._pass_on_now()  # its descriptors are the relays' to close
        if self._drain:
            self._drain.close()
        if self.trace:
            self.trace.close()
        if self._launched and self._launched.control:
            self._loop.remove_reader(self._launched.control.reports)
            self._launched.control.close()

    def _attach_streams(self, launched: Launched, streams: Streams) -> None:
        relays = self._drain = Relays(self._on_closed)
        control = launched.control

        def pass_on() -> None:
            self._pass_on = None
            for source, target in launched.relayed:
                is_terminal = self.is_pty and source == launched.output
                relays.add(
                    source,
                    target,
                    self.output,
                    self._loop,
                    self._notify,
                    on_lost=streams.on_lost,
                    before_output=streams.before_output if is_terminal else None,
                    is_terminal=is_terminal,
                )

        def go_on(in_foreground: bool) -> None:
            if control is None:
                self.send_signal(signal.SIGCONT)
            else:
                self.send_signal(wish_of(in_foreground))

        job = Job(
            task_id=self.task_id,
            on_terminal=control is not None,
            signal=self.send_signal,
            go_on=go_on,
            is_writing=lambda: relays.is_busy,
            terminal=launched.output if self.is_pty else None,
            takes_keys=self._takes_keys if waiting.can_tell_who_takes_keys() else None,
        )

        def told() -> None:
            from .process.session_leader import READY  # noqa: PLC0415  only a terminal has one

            assert control is not None
            numbers = control.news()
            if not numbers:
                self._loop.remove_reader(control.reports)
                self._pass_on_now()
            for number in numbers:
                if self.ended:
                    return
                if number == READY:
                    streams.on_start(job)
                    self._pass_on_now()
                else:
                    streams.on_stop(number)

        if not self.is_pty:
            self._end_endless_waits(*(waiting.link_of(source) for source, _ in launched.relayed))
        self._pass_on = pass_on
        # A key that its terminal gets before the shell controls it would go nowhere; and what the shell
        # writes waits for the person's terminal: an answer to it would be echoed there, and here again.
        if control is not None:
            self._loop.add_reader(control.reports, told)
        else:
            streams.on_start(job)
            self._pass_on_now()

    def _pass_on_now(self) -> None:
        if self._pass_on is not None:
            self._pass_on()

    def _end_endless_waits(self, *outputs: str) -> None:
        self._endless_waits = EndlessWaits(self._loop, lambda: self.pid, frozenset(outputs))

    def _open_input(self, descriptor: int, launched: Launched) -> None:
        from .process.terminal import Feeder  # noqa: PLC0415

        if not self.is_pty:  # there it leads to the terminal, as `output` does
            held_ends.hold(descriptor)
        self._feeder = Feeder(descriptor, self._loop, is_terminal=self.is_pty)
        if self.is_pty:
            links = frozenset({launched.link, "/dev/tty"})
            self._source = waiting.Input(links, launched.output)
        else:
            self._source = waiting.Input(frozenset({waiting.link_of(descriptor)}))
        if self.request.stdin is not None:
            self._feeder.send(self.request.stdin.encode("utf-8", "surrogateescape"), eof=True)

    def _on_closed(self) -> None:
        if self.ended:
            self._let_go_of_drain()
            if self._feeder:
                self._feeder.close()
            self._context.on_last_words(self)
        elif self._wait_status is not None:
            self._finish()
        elif self._end_watch is not None:
            self._end_watch.expect_now()

    def _on_exit(self, wait_status: int) -> None:
        if self._wait_status is not None:
            return  # `wait_end_at_most` has given it up already
        try:
            if supervisor.is_ending():
                self.mark_killed()
            self._wait_status = wait_status
            self._pass_on_now()
            self._read_last_output()  # finishes if that was the end of the output
            if self._drain is not None and self._drain.is_open:
                self._loop.call_later(LAST_WORDS_S, self._finish)
            else:
                self._finish()
        except Exception as fault:
            self._end_unjudged(wait_status, fault)

    def _finish(self) -> None:
        if self.ended:
            return
        assert self._wait_status is not None
        try:
            self._read_last_output()
            if self._is_passing_on():
                self._loop.call_later(LAST_WORDS_S, self._finish)
            elif not self.ended:
                self._judge(self._wait_status)
        except Exception as fault:
            self._end_unjudged(self._wait_status, fault)

    def end_if_overdue(self) -> None:
        """End it if its shell was already gone at the last call and nothing has ended it since.

        Called again and again while it runs, so that it ends whatever the ways to its end came to.
        """
        if self.ended or self._end_watch is None:
            return
        self._end_if_past_its_limit()
        if self._is_passing_on():
            self._is_overdue = False  # it gets the same time again from when its reader has it all
            return
        status = self._end_watch.status() if self._wait_status is None else self._wait_status
        if status is not None and self._is_overdue:
            self._end_unjudged(status, None)
        self._is_overdue = status is not None

    def _end_unjudged(self, wait_status: int, fault: Exception | None) -> None:
        """End without what could not be found out: by the wait status alone."""
        log.error("%s: its end could not be judged", self.task_id, exc_info=fault)
        if self.ended:
            return
        self._wait_status = wait_status
        why = "internal error" if fault is None else f"internal error ({type(fault).__name__})"
        self.problem = getattr(fault, "strerror", None) or why
        ending = ending_of(wait_status, self._verdict, None)
        self.exit, self.pipestatus, self.signal = ending.exit, ending.pipestatus, ending.signal
        self._end(self._verdict)

    def _is_passing_on(self) -> bool:
        """Whether what it wrote by itself is still on its way to who reads it, perhaps slowly."""
        if self._verdict is not Status.COMPLETED or not isinstance(self._drain, Relays):
            return False
        return self._drain.is_busy

    def _read_last_output(self) -> None:
        """Read what lies in the pipe; a failure is logged, so that the end is still reported."""
        assert self._drain is not None
        try:
            if self._drain.is_open:
                self._drain.take_what_is_there()
        except Exception as fault:
            log.error("%s: the last output is lost", self.task_id, exc_info=fault)

    def _read_dumps(self, wait_status: int) -> None:
        """Read what its shell was for its session; a failure is logged, so that the end is still reported."""
        try:
            dumps = self._context.dumps_of(self.task_id)
        except Exception as fault:
            log.error("%s: the session's state is lost", self.task_id, exc_info=fault)
            return
        has_ended = wait_status >= 0 and self._verdict is Status.COMPLETED
        self.dumps = dumps if has_ended else attrs.evolve(dumps, after=None)

    def _judge(self, wait_status: int) -> None:
        if self.request.session is not None:
            self._read_dumps(wait_status)
        report = self._report(wait_status)
        if crashed_while_ending(wait_status, self.request.shell, self.request.text):
            report = report or self._traced_exit()
        elif wait_status < 0:
            report = None
        ending: TaskEnd = ending_of(wait_status, self._verdict, report)
        self.exit, self.pipestatus, self.signal = ending.exit, ending.pipestatus, ending.signal
        if self._verdict is Status.COMPLETED and self.signal is None:
            self.signal = self._signal_told()
        self._end(self._verdict)

    def _signal_told(self) -> int | None:
        """The signal that its last command died of, where bash has said it."""
        if os.path.basename(self.request.shell) != "bash" or (self.exit or 0) <= 128:
            return None
        end = self.output.size_bytes
        said = self.output.read(max(0, end - NOTICE_BYTES), end).decode("utf-8", "replace")
        return told_by_bash(self.exit or 0, self.request.text, said)

    def _report(self, wait_status: int) -> Report | None:
        try:
            return self._context.take_report(self.task_id, expected_exit(wait_status))
        except Exception as fault:  # the task has ended all the same
            if self.request.shell in REPORTING and "|" in self.request.text:
                self.problem = getattr(fault, "strerror", None) or type(fault).__name__
            return None

    def _traced_exit(self) -> Report | None:
        """The exit in the trace of a script, used when zsh crashed before its report."""
        script = self.request.script
        if self.trace is None or self._launched is None or script is None:
            return None
        last_line = script.text.rstrip().count("\n") + 1
        return self.trace.last_exit(self._launched.process.pid, last_line)

    def _end(self, status: Status) -> None:
        self.status = status
        self._elapsed_s = self._context.clock.monotonic() - self._started
        self._ended.set()
        self._ended = HAPPENED
        self._notify()
        self._news = _NOBODY
        for step in (self._let_go, lambda: self._context.on_end(self)):
            try:
                step()
            except Exception as fault:  # it has ended, whatever fails
                log.error("%s: after its end", self.task_id, exc_info=fault)

    def _let_go(self) -> None:
        self.output.is_final = True
        # What a kept task does not need is not kept with it.
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._wait_status is not None:
            self._end_watch = None
        self._let_go_of_drain()
        if self._endless_waits:
            self._endless_waits.stop()
            self._ended_waiting, self._endless_waits = self.ended_waiting, None
        if self._launched and self._launched.text_in_memory is not None:
            os.close(self._launched.text_in_memory)
        if self._feeder and self.is_silent_for_good:
            self._feeder.close()

    def _let_go_of_drain(self) -> None:
        if self._drain is not None and not self._drain.is_open:
            self._drain = None

    def _time_is_up(self) -> None:
        if self._wait_status is None and self._verdict is Status.COMPLETED:
            self._verdict = Status.TIMEOUT
            self._end_processes()

    def _end_if_past_its_limit(self) -> None:
        """End it where its time limit has struck, and nothing of it is being ended."""
        if self._timer is None or self._loop.time() < self._timer.when() + LIMIT_MISSED_AFTER_S:
            return
        if self._wait_status is None and (self._ending is None or self._ending.done()):
            log.error("%s: its time limit has struck, and it goes on", self.task_id)
            if self._verdict is Status.COMPLETED:
                self._verdict = Status.TIMEOUT
            self._end_processes()

    def _end_processes(self) -> asyncio.Future[bool]:
        """End all its processes; the result is whether there were any."""
        if self._ending is None or self._ending.done():
            self._ending = self._loop.create_task(self._end_all())
            # Nobody waits for that of a time limit.
            self._ending.add_done_callback(lambda it: it.cancelled() or it.exception())
        return self._ending

    async def _end_all(self) -> bool:
        """End all; tried again after a mistake of this program, for it may not come again."""
        try:
            return await self._search_and_end()
        except Exception as fault:
            log.error("%s: its processes are looked for again", self.task_id, exc_info=fault)
        try:
            return await self._search_and_end()
        except Exception:
            if self.pid is not None and self._wait_status is None:
                os.killpg(self.pid, signal.SIGKILL)
            raise

    async def _search_and_end(self) -> bool:
        """End all in the thread of the `Ender`: finding them reads much of /proc."""
        ending = self._context.ender.end(
            finder(self.marks),
            self._context.kill_grace_s,
            NewcomersOf(self._context.arrivals, lambda: self.marks().tags),
            [shell] if (shell := self.shell()) else [],
            lambda: self.marks().leaders,
        )
        return await asyncio.wrap_future(ending)

    async def _next_news(self) -> None:
        news: asyncio.Future[None] = self._loop.create_future()
        self._news.add(news)
        try:
            await news
        finally:
            self._news.discard(news)

    def _notify(self) -> None:
        for news in self._news:
            if not news.done():
                news.set_result(None)
