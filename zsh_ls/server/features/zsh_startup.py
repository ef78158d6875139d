"""`zsh/startup`: where the time goes when the person's shell starts. Starts it, several times."""

from __future__ import annotations

import asyncio
import os
from typing import TypeVar

import attrs

from zsh_ls.model.startup import (
    FirstPrompt,
    Lag,
    LeftRunning,
    StartupReport,
    StartupRequest,
    WithoutLines,
)
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/startup"
Class = TypeVar("Class", bound=type)


def _frozen_with_try(params: Class) -> Class:
    """A frozen class with the field `try`, which Python's grammar lets no class body declare."""
    params.__annotations__["try"] = bool
    field = attrs.field(default=False, alias="try_dearest", repr=False, eq=False)
    setattr(params, "try", field)
    return attrs.frozen(params)


@_frozen_with_try
class Params(RequestTokens):
    """Which shell, and what to measure beside its starts.

    shell: `zsh`, `bash` or an absolute path of one; else the person's login shell.
    login: whether it is started as a login shell.
    runs: how often it is started untraced, and as often traced.
    without: `FILE:LINE` or `FILE:LINE-LINE`, lines from 1, to leave out and see what that saves.
    lag: whether what is felt at the prompt is measured.
    try: whether the five dearest lines are left out in turn.
    """

    shell: str | None = None
    login: bool = False
    runs: int = 5
    without: tuple[str, ...] = ()
    lag: bool = False


@attrs.frozen
class StartupLine:
    """What one line costs, in milliseconds.

    file: its absolute path; `(zsh)` or `(bash)` for the shell itself.
    line: from 0; null for the shell itself.
    own_ms: the line itself, with its programs and what it evaluates.
    total_ms: with all that it called.
    count: how often it ran.
    programs: the base names of what it started.
    tracing_ms: where much ran in the time, how much of own_ms a person is not told: what tracing took.
    """

    file: str
    line: int | None
    own_ms: float
    total_ms: float
    count: int
    programs: tuple[str, ...]
    tracing_ms: float | None = None


@attrs.frozen
class StartupFile:
    """What one file costs, in milliseconds; `count` is how often it was read."""

    file: str
    own_ms: float
    total_ms: float
    count: int


@attrs.frozen
class StartupPlugin:
    """What a plugin or a framework costs, in milliseconds."""

    name: str
    folder: str
    own_ms: float
    total_ms: float


@attrs.frozen
class KnownCause:
    """A known cause; `code` names its page in docs/startup.md, `saves_ms` is what was measured without it."""

    code: str
    file: str
    line: int | None
    ms: float
    saves_ms: float | None = None


@attrs.frozen
class StuckAt:
    """Where a start stood still; with `exit`, where the shell ended by itself."""

    file: str
    line: int | None
    command: str
    after_ms: float
    exit: int | None = None


@attrs.frozen
class StartProblem:
    """What the shell said was wrong on a line while it started, such as a syntax error."""

    file: str
    line: int | None
    message: str


@attrs.frozen
class BesideStart:
    """A job that the start does not wait for."""

    file: str
    line: int | None
    ms: float


@attrs.frozen
class Slower:
    """A line that has become slower: by how much, and since when (ISO 8601)."""

    file: str
    line: int | None
    more_ms: float
    at: str


@attrs.frozen
class Busy:
    """More wanted to run beside the starts than there are processors: times and savings are uncertain.

    load: how many, on average of a minute.
    """

    load: float
    processors: int


@attrs.frozen
class Startup:
    """Where the time of a start goes, the dearest first; times are milliseconds.

    first_prompt_ms: of the untraced starts; missing where none came to a prompt.
    traced_ms: the traced start that the lines are of.
    """

    shell: str
    traced_ms: float
    lines: tuple[StartupLine, ...]
    files: tuple[StartupFile, ...]
    plugins: tuple[StartupPlugin, ...]
    causes: tuple[KnownCause, ...]
    without: tuple[WithoutLines, ...]
    background: tuple[BesideStart, ...]
    first_prompt_ms: FirstPrompt | None = None
    stuck: StuckAt | None = None
    left: tuple[LeftRunning, ...] | None = None
    lag_ms: Lag | None = None
    since: tuple[Slower, ...] | None = None
    errors: tuple[StartProblem, ...] | None = None
    busy: Busy | None = None


RESULT = Startup


async def handle(server: ShellLanguageServer, params: Params) -> Startup:
    """Measure it, with progress; cancelling ends it."""
    sidecar = await server.sidecar_that_runs()
    request = StartupRequest(
        shell=params.shell,
        login=params.login,
        runs=params.runs,
        without=params.without,
        try_dearest=getattr(params, "try"),
        lag=params.lag,
    )
    async with server.work_done.work("Measuring the start", params.workDoneToken) as work:
        measuring = asyncio.ensure_future(sidecar.startup(request, work.tell))
        work.on_cancel(measuring.cancel)
        report = await measuring
        work.ends_with(summary(report))
    return on_the_wire(report)


def summary(report: StartupReport) -> str:
    """A start in one line."""
    if report.stuck is not None:
        line = f":{report.stuck.line}" if report.stuck.line else ""
        return f"{report.shell} came to no prompt: {report.stuck.file}{line}"
    assert report.first_prompt_ms is not None
    told = f"{report.shell}: first prompt after {report.first_prompt_ms.median:.0f} ms"
    short = (attrs.evolve(it, range=os.path.basename(it.range)) for it in report.without)
    return "; ".join((told, *(it.told for it in short)))


def on_the_wire(report: StartupReport) -> Startup:
    """The report with lines from 0."""
    return Startup(
        report.shell,
        report.traced_ms,
        tuple(
            StartupLine(
                it.file,
                _line(it.line),
                it.own_ms,
                it.total_ms,
                it.count,
                it.programs,
                report.tracing_ms(it),
            )
            for it in report.lines
        ),
        tuple(StartupFile(it.file, it.own_ms, it.total_ms, it.count) for it in report.files),
        tuple(StartupPlugin(it.name, it.folder, it.own_ms, it.total_ms) for it in report.plugins),
        tuple(
            KnownCause(it.code, it.file, _line(it.line), it.ms, it.saves_ms) for it in report.causes
        ),
        report.without,
        tuple(BesideStart(it.file, _line(it.line), it.ms) for it in report.background),
        report.first_prompt_ms,
        None
        if report.stuck is None
        else StuckAt(
            report.stuck.file,
            _line(report.stuck.line),
            report.stuck.command,
            report.stuck.after_ms,
            report.stuck.exit,
        ),
        report.left,
        report.lag_ms,
        None
        if report.since is None
        else tuple(Slower(it.file, _line(it.line), it.more_ms, it.at) for it in report.since),
        None
        if report.errors is None
        else tuple(StartProblem(it.file, _line(it.line), it.message) for it in report.errors),
        None if report.busy is None else Busy(report.busy.load, report.busy.processors),
    )


def _line(line: int) -> int | None:
    return line - 1 if line else None
