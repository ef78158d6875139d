"""How often a shell is started, and in which order, to say where the time goes (START-1, 2, 7)."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import TypeVar

from zsh_ls.lazy import attrs, re
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.startup import (
    LEAST_RUNS,
    MOST_RUNS,
    BusyMachine,
    Lag,
    StartError,
    StartLine,
    StartupProgress,
    StartupReport,
    StartupRequest,
    Stuck,
    WithoutLines,
)
from zsh_ls.shell.redaction.redact import redact
from zsh_ls.startup.errors import errors_of, without_missing
from zsh_ls.startup.profile import Profile, Row, Seen, Timing, profile_of
from zsh_ls.startup.report import report_of, stuck_at
from zsh_ls.startup.sources import LARGEST_CHARACTERS, Sources
from zsh_ls.startup.spread import (
    LEAST_PAIRS,
    difference,
    half_quartiles,
    is_hopeless,
    wants_more,
)
from zsh_ls.startup.trace import Trace, read_trace
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.tasks.starts.dumps import Dumps, DumpState
from zsh_ls.tasks.starts.lag import measured_lag
from zsh_ls.tasks.starts.shell_start import (
    Look,
    RecordedStart,
    StartPlan,
    recorded,
    shell_kind,
)
from zsh_ls.tasks.starts.zdotdir import zdotdir_of

KINDS = ("zsh", "bash")
_RANGE = re.compile(r"(?P<file>.+):(?P<first>\d+)(?:-(?P<last>\d+))?")
_DEAREST = 5
# Some of the dearest lines may not be such as can be left out.
_TRIED = 8
_LEAST_TRIED_MS = 1.0
_MOST_ROUNDS = 3
# And for no longer than this: a slow start on a busy machine would be started for many minutes.
_LONGEST_AGAIN_S = 20.0
# A line that is left out saves what it calls too, and may save what comes later and needs it.
_MOST_SAVED = 2.0
# Over so long a load average is taken: starts that were made by us are in it by then.
_LOAD_AVERAGED_S = 60.0
# What is left of a measurement is worth a word from then on.
_LEFT_TOLD_S = 5.0
# A line of at least so much that took a tenth less in another start was disturbed in this one.
_COMPARED_S = 0.01
_DISTURBED_SHARE = 0.1
_UNKNOWN_SPREAD_SHARE = 0.1
# A line above both is worth a hint in an editor.
_HINTED_MS = 2.0
_REMEMBERED_MS = 1.0
# A shell writes the parts of its prompt one after the other.
_PAUSE_S = 0.01
# A start whose last command began less than that before its end was busy.
BUSY_S = 3.0
_MUCH_OF_LIMIT = 0.25
_BUILD_DUMPS = ("compinit", "compdef", "compdump")
# A file that a shell reads in less may be seen at none of our looks.
_UNSEEN_S = 0.01
_HINTED_SHARE = 0.01
_LARGEST_BYTES = 4 * LARGEST_CHARACTERS

OnProgress = StartupProgress
Result = TypeVar("Result")


@attrs.frozen
class LineRange:
    """Lines of a file, from 1; `text` is what was asked for, with which the answer names them."""

    text: str
    file: str
    first: int
    last: int

    @property
    def name(self) -> str:
        """What is short enough for a line of progress: `zsh-autosuggestions.zsh:191`."""
        last = f"-{self.last}" if self.last > self.first else ""
        return f"{os.path.basename(self.file)}:{self.first}{last}"


@attrs.frozen
class Measured:
    """A report, and the profile that it tells of."""

    report: StartupReport
    profile: Profile


def ranges_of(texts: Sequence[str]) -> tuple[LineRange, ...]:
    """`FILE:LINE[-LINE]`, each; raises InvalidRequest for one that names no lines of a file that is there."""
    found = []
    for text in texts:
        match = _RANGE.fullmatch(text)
        if match is None or not int(match["first"]):
            raise InvalidRequest(f"without: expected FILE:LINE or FILE:LINE-LINE, got {text!r}")
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if last < first:
            raise InvalidRequest(f"without: expected a first line before the last, got {text!r}")
        file = os.path.abspath(os.path.expanduser(match["file"]))
        if not os.path.isfile(file):
            raise InvalidRequest(f"without: there is no file {file}")
        found.append(LineRange(text, file, first, last))
    return tuple(found)


def kind_of(
    asked: str | None, environment: Mapping[str, str], found: Mapping[str, str]
) -> tuple[str, str]:
    """The kind and the executable of the shell to start: the one asked for, else the person's login shell.

    `found` maps the kinds that are installed to their executables. Raises InvalidRequest.
    """
    wanted = asked
    if wanted is None:
        login = environment.get("SHELL", "")
        own = os.path.basename(login)
        if own in KINDS and os.path.isabs(login) and os.access(login, os.X_OK):
            wanted = login
        else:
            there = (it for it in (own, *KINDS) if it in KINDS and it in found)
            wanted = next(there, KINDS[0])
    kind = os.path.basename(wanted)
    if kind not in KINDS or ("/" in wanted and not os.path.isabs(wanted)):
        raise InvalidRequest(
            f"shell: expected zsh, bash or an absolute path of one, got {wanted!r}"
        )
    path = wanted if os.path.isabs(wanted) else found.get(kind)
    if path is None or not os.access(path, os.X_OK):
        installed = ", ".join(it for it in KINDS if it in found) or "neither zsh nor bash"
        raise InvalidRequest(
            f"shell: {wanted} is not installed; there is: {installed}",
            missing_program=None if os.path.isabs(wanted) else kind,
        )
    return kind, path


def check(request: StartupRequest) -> None:
    """Raise InvalidRequest for what no start could mend."""
    if not LEAST_RUNS <= request.runs <= MOST_RUNS:
        raise InvalidRequest(f"runs: expected {LEAST_RUNS} to {MOST_RUNS}, got {request.runs}")


class _Enough(Exception):
    """No more starts are wanted; what is known is told."""


class Starts:
    """The starts of one measurement; once `is_enough`, the one under way is ended and the report is made."""

    def __init__(
        self,
        request: StartupRequest,
        kind: str,
        path: str,
        environment: Mapping[str, str],
        tell: OnProgress,
        *,
        is_enough: Callable[[], bool] = lambda: False,
    ) -> None:
        self._request, self._kind, self._on_progress = request, kind, tell
        self._is_enough = is_enough
        self._doing = ""
        home = environment.get("HOME") or os.path.expanduser("~")
        self._plan = StartPlan(
            kind=kind,
            path=path,
            environment=environment,
            login=request.login,
            limit_s=request.limit_s,
        )
        names = ("ZDOTDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
        self._dumps = Dumps((home, *(environment.get(name, "") for name in names)))
        self._sources = Sources(kind, _text_of)
        self._left: dict[str, None] = {}
        self._stopped = threading.Event()
        self._starting = threading.Lock()
        self._before: DumpState = {}
        # What the starts as they are left, which the next one finds.
        self._settled: DumpState | None = None
        self._took_s: list[float] = []
        self._busy: BusyMachine | None = None
        self._planned = 1 + 2 * request.runs
        self._texts: list[str] = []
        # What the latest start wrote that was as it is.
        self._said = b""
        self._least_s: Mapping[tuple[str, int], float] = {}
        self._spread_s: Mapping[tuple[str, int], float] = {}

    async def measured(self) -> Measured:
        """Start as often as asked; raises RequestRejected where nothing can be told."""
        self._before = await asyncio.to_thread(self._dumps.state)
        try:
            return await self._measured()
        finally:
            self._stopped.set()
            await asyncio.to_thread(self._put_back, self._before)

    def hints(self, report: StartupReport) -> dict[str, dict[int, tuple[str, str]]]:
        """What an editor shows on lines, from 0, by file: the text there, and what is said of it.

        Of dear ones `104 ms · python3`, how much less it was elsewhere where that is clearly less, and
        `91 ms with what it calls` where that is dear; of others what the shell said was wrong, and where a
        start came to no prompt that. A file that a link leads to is named by its own path too: that may be
        the one that is open.
        """
        least_ms = max(_HINTED_MS, report.traced_ms * _HINTED_SHARE)
        said: dict[tuple[str, int], list[str]] = {}
        for it in report.lines:
            own_ms, total_ms = report.own_ms(it), report.total_ms(it)
            if not it.line or total_ms <= least_ms:
                continue
            told = said[it.file, it.line] = []
            if own_ms > least_ms:
                told += [f"{own_ms:.0f} ms", " ".join(it.programs)]
                if it.least_ms is not None and it.least_ms < it.own_ms / 2:
                    told.append(f"{it.least_ms:.0f} ms in another start")
            if own_ms <= least_ms or total_ms - own_ms > least_ms:
                told.append(f"{total_ms:.0f} ms with what it calls")
        if (stuck := report.stuck) and stuck.line:
            still = f"no prompt after {stuck.after_ms / 1000:.0f} s"
            ends = still if stuck.exit is None else f"ends here, exit {stuck.exit}"
            said[stuck.file, stuck.line] = [ends]
        for error in report.errors or ():
            said.setdefault((error.file, error.line), []).append(
                f"{error.said_by}: {error.message}"
            )
        for place, told_without in _savings(report):
            # First: it was asked for, and VS Code shows no more than 43 characters of a hint.
            said.setdefault(place, []).insert(0, told_without)
        found: dict[str, dict[int, tuple[str, str]]] = {}
        for (path, number), told in said.items():
            if source := self._sources.of(path):
                # At its end a file may lack what the shell waits for on the line behind.
                line = min(number, source.lines.line_count)
                text = " · ".join(filter(None, told))
                for name in {path, os.path.realpath(path)}:
                    found.setdefault(name, {})[line - 1] = (source.line_text(line), text)
        return found

    def remembered(self, report: StartupReport, patterns: Sequence[str]) -> tuple[StartLine, ...]:
        """What memory keeps of a start: the lines above a millisecond, no text of them but a digest.

        Of a file without such a line its dearest, by which it is known to have been measured. Each with its
        least time of the traced starts: what disturbed one of them is no news of the line.
        """
        kept: list[StartLine] = []
        known_files: set[str] = set()
        for it in report.lines:
            ms = round(1000 * self._least_s.get((it.file, it.line), 0.0), 3)
            is_kept = it.line and (ms >= _REMEMBERED_MS or it.file not in known_files)
            file = self._sources.of(it.file) if is_kept else None
            if file is not None:
                known_files.add(it.file)
                text = redact(file.line_text(it.line).strip(), patterns)
                digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
                spread_ms = round(1000 * self._spread_s.get((it.file, it.line), 0.0), 3)
                kept.append(StartLine(it.file, it.line, digest, ms, spread_ms))
        return tuple(kept)

    async def _measured(self) -> Measured:
        request = self._request
        ranges = ranges_of(request.without)
        variants = len(ranges) + (_DEAREST if request.try_dearest else 0)
        pairs = max(request.runs, LEAST_PAIRS)
        self._planned += variants * (1 + 2 * pairs) + 2 * request.lag
        if self._kind == "zsh":
            zdotdir = await asyncio.to_thread(zdotdir_of, self._plan.path, self._plan.environment)
            self._plan = attrs.evolve(self._plan, zdotdir=zdotdir)
        start, trace = await self._first_traced()
        if start.prompt_at is None or trace.asks:
            profile = await asyncio.to_thread(self._profile, start, trace)
            stuck = stuck_at(profile, start.ended_at - start.began_at, start.exit)
            if trace.asks:
                stuck = attrs.evolve(stuck, still_ms=self._plan.limit_s * 1000)
            report = report_of(profile, (), tuple(self._left), _is_compiled)
            errors = self._errors(start.output, profile)
            stopped_at = self._doing if self._is_enough() else None
            report = attrs.evolve(report, stuck=stuck, errors=errors, stopped_at=stopped_at)
            return Measured(report, profile)
        untraced, profile, lost = await self._in_turns()
        # Each start found what the one before it left, as the person's own: one may not settle it.
        self._settled = await asyncio.to_thread(self._dumps.state)
        errors = self._errors(self._said, profile)
        profile = without_missing(profile, errors or ())
        report = _with_least(report_of(profile, untraced, (), _is_compiled), self._least_s)
        report = attrs.evolve(report, errors=errors, lost=lost)
        if start.program is not None:
            report = attrs.evolve(
                report, became=os.path.basename(start.program), is_followed=len(profile.kinds) > 1
            )
        without: list[tuple[LineRange, WithoutLines]] = []
        with contextlib.suppress(_Enough):
            for lines in ranges:
                result = await self._without(lines, profile)
                without.append((lines, result))
            if request.try_dearest:
                await self._try(profile, without)
            if request.lag:
                report = attrs.evolve(report, lag_ms=await self._lag())
        saved = {
            (lines.file, lines.first): it.saves_ms
            for lines, it in without
            if lines.first == lines.last and it.certain and (it.saves_ms or 0) > 0
        }
        causes = tuple(
            attrs.evolve(it, saves_ms=saved.get((it.file, it.line))) for it in report.causes
        )
        left = report_of(profile, (), tuple(self._left), _is_compiled).left
        report = attrs.evolve(
            report,
            without=tuple(it for _, it in without),
            causes=causes,
            left=left,
            busy=self._busy,
            stopped_at=self._doing if self._is_enough() else None,
        )
        return Measured(report, profile)

    async def _lag(self) -> Lag | None:
        self._tell("measuring what is felt")
        # As it is: a traced shell would be slow at each Enter too.
        plain = attrs.evolve(self._plan, traces=False)
        work = partial(measured_lag, plain, self._is_over)
        told = await asyncio.to_thread(self._from, self._settled, work)
        return None if told is None else Lag(**attrs.asdict(told))

    async def _first_traced(self) -> tuple[RecordedStart, Trace]:
        """A traced start, which warms the caches.

        Once more where another shell takes the place of this one, or start-up files the trace's means.
        """
        self._tell("a first start, traced")
        self._plan = attrs.evolve(self._plan, traces=True)
        start = await self._start(self._plan, may_be_cut=True)
        becomes = shell_kind(start.program)
        if start.prompt_at is None and becomes and start.program and not self._is_enough():
            zdotdir = self._plan.zdotdir
            if becomes == "zsh" and self._kind != "zsh":
                zdotdir = await asyncio.to_thread(zdotdir_of, start.program, self._plan.environment)
            self._plan = attrs.evolve(self._plan, becomes=becomes, zdotdir=zdotdir)
            start = await self._start(self._plan, may_be_cut=True)
        trace = await asyncio.to_thread(self._trace, start)
        if await self._was_building_dump(start, trace):
            self._tell("compinit builds its dump, for which a start is not traced")
            plain = attrs.evolve(self._plan, traces=False)
            if (await self._start(plain, may_be_cut=True)).prompt_at is not None:
                start = await self._start(self._plan, may_be_cut=True)
                trace = await asyncio.to_thread(self._trace, start)
        if trace.takes_over and start.prompt_at is not None:
            self._plan = attrs.evolve(self._plan, shields=True)
            start = await self._start(self._plan, may_be_cut=True)
            trace = await asyncio.to_thread(self._trace, start)
        if start.prompt_at is not None and not trace.events:
            raise RequestRejected(
                "Nothing could be traced: a file of the machine sets ZDOTDIR, so that this zsh reads "
                "no .zshenv elsewhere."
                if self._kind == "zsh"
                else f"Nothing could be traced: this {self._kind} reads no file of ours."
            )
        self._texts = [it.text for it in trace.events]
        return start, trace

    async def _was_building_dump(self, start: RecordedStart, trace: Trace) -> bool:
        """Whether a start came to no prompt in time because compinit built its dump, traced.

        That is 100,000 commands and more, which another start finds done. One that hangs, or spins where
        a dump was and is, is no such start; one of which the dump took much of the time may be.
        """
        has_ended = start.exit is not None or self._is_enough()
        if start.prompt_at is not None or has_ended or not trace.events:
            return False
        building = [it.at for it in trace.events if it.name in _BUILD_DUMPS]
        if not building:
            return False
        is_busy = start.ended_at - trace.events[-1].at < BUSY_S
        if not is_busy and building[-1] - building[0] < _MUCH_OF_LIMIT * self._plan.limit_s:
            return False
        had_one = any("zcompdump" in os.path.basename(it) for it in self._before)
        return not had_one or await asyncio.to_thread(self._dumps.state) != self._before

    async def _in_turns(self) -> tuple[list[float], Profile, tuple[Stuck | None, ...]]:
        """Untraced and traced in turns, as what is slow for a moment is so for both; the shortest traced.

        Where other processes disturbed that one, it is traced again, at most twice as often as was asked. And
        those that came to no prompt, which are left out, with where a traced one stood. Raises
        RequestRejected where most did not.
        """
        untraced: list[float] = []
        profiles: list[Profile] = []
        plain = attrs.evolve(self._plan, traces=False)
        lost: list[Stuck | None] = []
        try:
            for number in range(self._request.runs):
                self._tell(f"start {number + 1} of {self._request.runs}")
                took = _milliseconds(await self._start(plain))
                untraced += [] if took is None else [took]
                start = await self._start(self._plan)
                lost += [None] if took is None else []
                if start.prompt_at is None:
                    lost.append(await self._stood_at(start))
                else:
                    profiles.append(await self._profiled(start))
                if len(lost) > number + 1:
                    break
        except _Enough:
            if not profiles:
                raise RequestRejected("Stopped before a start was measured.") from None
        if not profiles or not untraced or len(lost) > self._request.runs:
            stood = next(
                (f" One stood at {it.file}:{it.line}: {it.command}" for it in lost if it), ""
            )
            raise RequestRejected(
                f"Starts that came to no prompt within {self._plan.limit_s:g} s, although the first did: "
                f"{len(lost)}; nothing can be said of such starts.{stood}"
            )
        with contextlib.suppress(_Enough):
            lost += await self._trace_again(profiles)
        self._least_s = _least(profiles)
        self._spread_s = _spread(profiles)
        return untraced, _shortest(profiles), tuple(lost)

    async def _stood_at(self, start: RecordedStart) -> Stuck:
        """Where a traced start stood that came to no prompt."""
        return stuck_at(await self._profiled(start), start.ended_at - start.began_at, start.exit)

    async def _trace_again(self, profiles: list[Profile]) -> list[Stuck]:
        """Trace until a line of the shortest start took no less in another; those that came to no prompt."""
        until = time.monotonic() + _LONGEST_AGAIN_S
        most = (_MOST_ROUNDS - 1) * self._request.runs
        for again in range(most):
            if not _is_disturbed(_shortest(profiles), _least(profiles)) or _is_past(until):
                break
            self._planned += 1
            self._tell(f"disturbed by other processes: once more ({again + 1} of at most {most})")
            start = await self._start(self._plan)
            if start.prompt_at is None:
                return [await self._stood_at(start)]
            profiles.append(await self._profiled(start))
        return []

    async def _without(self, lines: LineRange, profile: Profile) -> WithoutLines:
        """What the start takes less without these lines."""
        # A person may name a file by itself, and its shell by a link to it.
        files = _same_files(lines.file, [it.file for it in profile.files])
        rows = [
            it
            for it in profile.rows
            if it.place.file in files and lines.first <= it.place.line <= lines.last
        ]
        keys = sorted({key for row in rows for key in row.keys})
        if reason := self._refusal(files, rows, keys):
            return WithoutLines(lines.text, refused=reason)
        self._tell(f"without {lines.name}")
        pairs = max(self._request.runs, LEAST_PAIRS)
        most_ms = _MOST_SAVED * 1000 * sum(it.total_s for it in rows)
        control = attrs.evolve(self._plan, traces=False, skip=())
        skipping = attrs.evolve(control, skip=tuple(keys))
        # Without the lines a dump may be another one; it is written once, not at each start.
        first = await self._start(skipping, self._settled)
        dumps = {False: self._settled, True: await asyncio.to_thread(self._dumps.state)}
        if first.prompt_at is None:
            return _not_without(lines, first)
        saved: list[float] = []
        until = time.monotonic() + _LONGEST_AGAIN_S
        try:
            while len(saved) < pairs or (
                wants_more(saved) and len(saved) < _MOST_ROUNDS * pairs and not _is_past(until)
            ):
                if is_hopeless(saved, most_ms, _MOST_ROUNDS * pairs):
                    self._planned -= 2 * max(0, pairs - len(saved))
                    break
                self._planned += 2 * (len(saved) >= pairs)
                self._tell(f"without {lines.name}, pair {len(saved) + 1}")
                took: dict[bool, float] = {}
                for skips in (False, True) if len(saved) % 2 else (True, False):
                    start = await self._start(skipping if skips else control, dumps[skips])
                    if start.prompt_at is None:
                        return _not_without(lines, start)
                    dumps[skips] = await asyncio.to_thread(self._dumps.state)
                    took[skips] = (start.prompt_at - start.began_at) * 1000
                saved.append(took[False] - took[True])
        except _Enough:
            if not saved:
                raise
        told = difference(saved)
        return WithoutLines(
            lines.text, round(told.median_ms, 1), round(told.spread_ms, 1), told.certain
        )

    def _refusal(self, files: Set[str], rows: Sequence[Row], keys: Sequence[str]) -> str | None:
        if not files:
            return "no start reads this file where its lines could be left out"
        if not rows:
            return "nothing runs there in a start"
        if not keys:
            return (
                "it runs in a widget or below `emulate sh -c`, where zsh does not tell lines apart"
            )
        if self._kind == "bash" and any(
            re.search(r"\btrap\b.*\bDEBUG\b", it) for it in self._texts
        ):
            return "the start-up files set a DEBUG trap, by which bash leaves lines out"
        return None

    async def _try(self, profile: Profile, told: list[tuple[LineRange, WithoutLines]]) -> None:
        """Add to `told` the five dearest lines that can be left out, without each; else why none can."""
        named = {(it.file, it.first, it.last) for it, _ in told}
        before, most = len(told), len(told) + _DEAREST
        refused: list[tuple[LineRange, WithoutLines]] = []
        dear = [
            it
            for it in profile.rows
            if it.place.line and it.keys and it.own_s * 1000 >= _LEAST_TRIED_MS
        ]
        for row in dear[:_TRIED]:
            file, line = row.place
            if (file, line, line) not in named and len(told) < most:
                lines = LineRange(f"{file}:{line}", file, line, line)
                result = await self._without(lines, profile)
                (told if result.refused is None else refused).append((lines, result))
        if len(told) == before:
            told += refused[:1]

    async def _start(
        self, plan: StartPlan, dumps: DumpState | None = None, *, may_be_cut: bool = False
    ) -> RecordedStart:
        """One more start; raises _Enough where no more is wanted, unless it may be cut short by that."""
        began = time.monotonic()
        work = partial(recorded, plan, self._is_over)
        start = await asyncio.to_thread(self._from, dumps, work)
        self._left.update(dict.fromkeys(start.left))
        if self._is_enough() and not may_be_cut:
            raise _Enough
        self._took_s.append(time.monotonic() - began)
        self._busy = _busier(self._busy, _busy_machine(sum(self._took_s)))
        if not plan.traces and plan.skip is None:
            self._said = start.output
        return start

    def _errors(self, output: bytes, profile: Profile) -> tuple[StartError, ...] | None:
        return errors_of(output, profile, lambda it: self._sources.of(it) is not None) or None

    def _from(self, dumps: DumpState | None, work: Callable[[], Result]) -> Result:
        """Do it with these dumps; on a thread."""
        with self._starting:
            if dumps is not None and not self._stopped.is_set():
                self._dumps.put(dumps)
            return work()

    def _put_back(self, before: DumpState) -> None:
        """Leave the dumps as they were, once the last start has ended; on a thread."""
        with self._starting:
            self._dumps.put(before)

    def _trace(self, start: RecordedStart) -> Trace:
        return read_trace(start.trace, start.pid, start.folder)

    def _profile(self, start: RecordedStart, trace: Trace) -> Profile:
        prompt_at = start.ended_at if start.prompt_at is None else start.prompt_at
        last = max((it.at for it in trace.events if it.at <= prompt_at), default=start.began_at)
        shell_at = prompt_at
        if start.prompt_at is not None:
            marked = start.shell_at if start.shell_at and start.shell_at > last else None
            shell_at = marked or _prompt_begins(start.output_at, last, prompt_at)
        # A shell that ended, or gave its place to a program, let go of its files by that.
        is_shell = start.exit is None and (start.program is None or shell_kind(start.program))
        has_read = partial(_read_at, start.looks if is_shell else ())
        seen = tuple(Seen(it.at, it.after, it.pid, it.names, it.is_shim) for it in start.children)
        timing = Timing(start.began_at, shell_at, prompt_at, start.alive, has_read, seen)
        return profile_of(self._kind, trace.events, timing, self._sources, start.pid)

    async def _profiled(self, start: RecordedStart) -> Profile:
        trace = await asyncio.to_thread(self._trace, start)
        return await asyncio.to_thread(self._profile, start, trace)

    def _is_over(self) -> bool:
        return self._stopped.is_set() or self._is_enough()

    def _tell(self, doing: str) -> None:
        """Say what is done now, how far that is, and how long the starts that are planned still take."""
        if self._is_enough():
            return
        self._doing = doing
        done = len(self._took_s)
        # The first one may have built a dump of completions, which the others find.
        left_s = (self._planned - done) * statistics.median(self._took_s[1:] or [0.0])
        still = f", about {_seconds(left_s)} more" if left_s >= _LEFT_TOLD_S else ""
        still += ", busy machine" if self._busy else ""
        percent = min(99, round(100 * done / max(1, self._planned)))
        self._on_progress(f"{doing}{still}", percent)


def _least(profiles: Sequence[Profile]) -> dict[tuple[str, int], float]:
    """The least own time of each line that runs in all of them, in seconds."""
    first, *others = ({it.place: it.own_s for it in profile.rows} for profile in profiles)
    for other in others:
        first = {
            place: min(own_s, other[place]) for place, own_s in first.items() if place in other
        }
    return {(place.file, place.line): own_s for place, own_s in first.items()}


def _spread(profiles: Sequence[Profile]) -> dict[tuple[str, int], float]:
    """Half the distance of the quartiles of what each line took itself in them, in seconds.

    Of one or two starts that says little: it is at least a tenth of what the line took then.
    """
    took: dict[tuple[str, int], list[float]] = {}
    for profile in profiles:
        for row in profile.rows:
            took.setdefault((row.place.file, row.place.line), []).append(row.own_s)
    least_share = 0.0 if len(profiles) >= LEAST_PAIRS else _UNKNOWN_SPREAD_SHARE
    return {
        place: max(half_quartiles(own_s), least_share * min(own_s)) for place, own_s in took.items()
    }


def _is_disturbed(shown: Profile, least_s: Mapping[tuple[str, int], float]) -> bool:
    """Whether a line of this start took clearly less in another one."""
    return any(_took_less(it.place, it.own_s, least_s) is not None for it in shown.rows)


def _took_less(
    place: tuple[str, int], own_s: float, least_s: Mapping[tuple[str, int], float]
) -> float | None:
    """The least time of a line where other starts took clearly less; not of the shell's own row."""
    least = least_s.get(place, own_s)
    was_disturbed = place[1] and own_s >= _COMPARED_S and own_s > (1 + _DISTURBED_SHARE) * least
    return least if was_disturbed else None


def _with_least(report: StartupReport, least_s: Mapping[tuple[str, int], float]) -> StartupReport:
    """The report, whose lines know their least time of all traced starts where that is clearly less."""
    lines = []
    for it in report.lines:
        less = _took_less((it.file, it.line), it.own_ms / 1000, least_s)
        lines.append(it if less is None else attrs.evolve(it, least_ms=1000 * less))
    return attrs.evolve(report, lines=tuple(lines))


def _shortest(profiles: Sequence[Profile]) -> Profile:
    return min(profiles, key=lambda it: it.total_s)


def _busy_machine(measured_for_s: float) -> BusyMachine | None:
    """How busy others keep this machine; None where processors are free, or are ours by our priority.

    What was started here for so many seconds is one of those that the average counts.
    """
    if hasattr(os, "sched_getscheduler"):
        if os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR):
            return None
        processors = len(os.sched_getaffinity(0))
    else:
        processors = os.cpu_count() or 1
    load = os.getloadavg()[0] - min(1.0, measured_for_s / _LOAD_AVERAGED_S)
    return BusyMachine(round(load, 1), processors) if load > processors else None


def _busier(one: BusyMachine | None, other: BusyMachine | None) -> BusyMachine | None:
    return max(filter(None, (one, other)), key=lambda it: it.load, default=None)


def _is_past(until: float) -> bool:
    return time.monotonic() > until


def _seconds(seconds: float) -> str:
    """A rough duration, as a person says it."""
    return f"{round(seconds / 5) * 5} s" if seconds < 90 else f"{round(seconds / 60)} min"


def _savings(report: StartupReport) -> Iterator[tuple[tuple[str, int], str]]:
    """What is said of the first of lines that were left out: `without it: 98 ms less`."""
    for without in report.without:
        match = _RANGE.fullmatch(without.range) if without.difference else None
        if match is not None:
            path = os.path.abspath(os.path.expanduser(match["file"]))
            file = min(_same_files(path, [it.file for it in report.files]), default=path)
            what = f"lines {match['first']} to {match['last']}" if match["last"] else "it"
            # What noise hides is said in fewer words where there is that little room.
            less = (
                without.difference
                if without.certain
                else f"noise (± {without.spread_ms or 0:.0f} ms)"
            )
            yield (file, int(match["first"])), f"without {what}: {less}"


def _same_files(file: str, files: Sequence[str]) -> Set[str]:
    """Those of `files` that are `file`, by whatever path."""
    real = os.path.realpath(file)
    return {it for it in files if it == file or os.path.realpath(it) == real}


def _not_without(lines: LineRange, start: RecordedStart) -> WithoutLines:
    what = "ends before" if start.exit is not None else "does not come to"
    return WithoutLines(lines.text, refused=f"without it the shell {what} its first prompt")


def _prompt_begins(output_at: Sequence[float], last: float, prompt_at: float) -> float:
    """When the shell began to write its prompt: the first of the writes that lead to it without a pause.

    None before `last`, when its last command began. What a command before wrote may be read after that.
    """
    begins = prompt_at
    for at in reversed([it for it in output_at if last < it <= prompt_at]):
        if begins - at > _PAUSE_S:
            break
        begins = at
    return begins


def _read_at(looks: Sequence[Look], file: str, began_at: float, after: float) -> float | None:
    """When zsh was seen not to read `file` any more, which it began at `began_at`; None if that is not told.

    It may have read it between two looks, if that took no longer; a compiled one it does not hold.
    """
    path = os.path.realpath(file)
    was_seen = any(path in it.files for it in looks)
    if not was_seen and (after - began_at > _UNSEEN_S or _is_compiled(file)):
        return None
    without = (it for it in looks if it.last_at >= after and path not in it.files)
    return next((max(it.first_at, after) for it in without), None)


def _milliseconds(start: RecordedStart) -> float | None:
    """How long it took to the prompt; None for a start that came to none."""
    return None if start.prompt_at is None else (start.prompt_at - start.began_at) * 1000


def _text_of(path: str) -> str | None:
    try:
        return read_bytes(path, _LARGEST_BYTES).decode("utf-8", "replace")
    except NotRead:
        return None


def _is_compiled(path: str) -> bool:
    return os.path.exists(f"{path}.zwc")
