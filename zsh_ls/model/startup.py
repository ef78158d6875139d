"""Where the time goes when a shell starts: what is asked, and what is answered (START).

Times are milliseconds. Lines are counted from 1, and 0 is the line of the shell itself, whose file is
`(zsh)` or `(bash)`; the server counts as its protocol does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zsh_ls.lazy import attrs

LEAST_RUNS, MOST_RUNS = 1, 100
# Above this many commands a millisecond, what tracing costs would be taken for what the lines cost.
DENSE_COMMANDS_PER_MS = 25
# And so where it makes a start a third longer, as it does under load; fewer commands cannot take that much.
_LONGER = 1.3
_LEAST_COMMANDS_PER_MS = 5
NOISE = "cannot be told from noise"


@attrs.frozen(kw_only=True)
class StartupRequest:
    """Start a shell and say where the time goes.

    `runs` is how often it is started untraced, and how often traced. `without` are ranges `FILE:LINE[-LINE]`
    that are left out to see what that saves; `try_dearest` does so for the dearest lines. `lag` measures
    what is felt at a prompt. `environment` is the person's, None for this process's own; `limit_s` is when a
    start that stands still is ended.
    """

    shell: str | None = None
    login: bool = False
    runs: int = 5
    without: tuple[str, ...] = ()
    try_dearest: bool = False
    lag: bool = False
    environment: Mapping[str, str] | None = None
    limit_s: float = 30.0


StartupProgress = Callable[[str, int], None]
"""Told what is done now, and how many percent are behind it."""


@attrs.frozen
class FirstPrompt:
    """The time to the first prompt of the untraced starts."""

    median: float
    min: float
    max: float


@attrs.frozen
class LineCost:
    """What one line costs: its own time, and the time with all it called; `count` is how often it ran.

    `commands` is how many commands were traced on it, for what tracing cost; `all_commands` counts also those
    that it called. `least_ms` is its least own time of all traced starts, where that is clearly less: the
    three stay with the frontends.
    """

    file: str
    line: int
    own_ms: float
    total_ms: float
    count: int
    programs: tuple[str, ...]
    commands: int
    all_commands: int
    least_ms: float | None = None


@attrs.frozen
class FileCost:
    """What one file costs; `count` is how often it was read."""

    file: str
    own_ms: float
    total_ms: float
    count: int
    commands: int
    all_commands: int


@attrs.frozen
class PluginCost:
    """What the files in the folder of a plugin or a framework cost."""

    name: str
    folder: str
    own_ms: float
    total_ms: float
    commands: int
    all_commands: int


@attrs.frozen
class StartupCause:
    """A known cause: `code` names its page, `saves_ms` what was measured without its line.

    `of_file` is what its line reads, where that is what should be changed; it stays with the frontends.
    """

    code: str
    file: str
    line: int
    ms: float
    saves_ms: float | None = None
    of_file: str | None = None


@attrs.frozen
class WithoutLines:
    """What a start takes less without a range of lines, in the median of pairs.

    `spread_ms` is half the distance of the quartiles; not `certain` is what noise may be. `refused` says why
    the lines cannot be left out; then there are no figures.
    """

    range: str
    saves_ms: float | None = None
    spread_ms: float | None = None
    certain: bool | None = None
    refused: str | None = None

    @property
    def difference(self) -> str | None:
        """What is said of it where there is room for a few words; None where they were not left out."""
        if self.saves_ms is None:
            return None
        if not self.certain:
            return f"{NOISE} (± {self.spread_ms or 0:.0f} ms)"
        return f"{abs(self.saves_ms):.0f} ms {'less' if self.saves_ms >= 0 else 'more'}"

    @property
    def told(self) -> str:
        """The same in a sentence that names the lines, or why they were not left out."""
        if self.difference is None:
            return f"{self.range} was not left out: {self.refused}"
        return f"without {self.range}: {self.difference}"


@attrs.frozen
class Stuck:
    """Where a start stood still until it was ended, or with `exit` where the shell ended by itself.

    `still_ms` is how long its last command had been running: little of it is a start that is slow, not still.
    """

    file: str
    line: int
    command: str
    after_ms: float
    still_ms: float
    exit: int | None = None


@attrs.frozen
class LeftRunning:
    """A process that a start left running; it was ended."""

    command: str


@attrs.frozen
class StartError:
    """What the shell said of a line while it started: a syntax error, a program that is not there.

    `said_by` is the kind of that shell, and stays with the frontends.
    """

    file: str
    line: int
    message: str
    said_by: str


@attrs.frozen
class BackgroundJob:
    """A job that the start does not wait for, and for how long it ran before the first prompt."""

    file: str
    line: int
    ms: float


@attrs.frozen
class Lag:
    """What a person feels, as zsh-bench defines it."""

    first_prompt: float
    first_command: float
    command: float
    input: float


@attrs.frozen
class SlowerSince:
    """A line that has become slower: by how much, and the date since when (ISO 8601)."""

    file: str
    line: int
    more_ms: float
    at: str


@attrs.frozen
class StartLine:
    """What a line took in one start; `text` is a digest of it, by which it is known where it has moved.

    `spread_ms` is half the distance of the quartiles of the starts of one measurement; memory keeps none.
    """

    file: str
    line: int
    text: str
    own_ms: float
    spread_ms: float = 0.0


@attrs.frozen
class MeasuredStart:
    """What the lines took in a start that was measured at `at` (seconds since the epoch)."""

    at: float
    lines: tuple[StartLine, ...]


@attrs.frozen
class BusyMachine:
    """More wanted to run beside the starts, on average of a minute, than there are processors."""

    load: float
    processors: int


@attrs.frozen
class StartupReport:
    """Where the time of a start goes.

    Without `first_prompt_ms` no start came to a prompt. `commands` is how many commands the traced start ran,
    `stacks` its stretches of time with the lines that were being run, outermost first, `lost` the other
    starts that came to no prompt, with where those stood that were traced, `stopped_at` what was done when
    no more was wanted, `became` the program that the shell gave its place to with `exec`, `is_followed`
    whether its lines are told too; these six stay with the frontends.
    """

    shell: str
    traced_ms: float
    lines: tuple[LineCost, ...]
    files: tuple[FileCost, ...]
    plugins: tuple[PluginCost, ...]
    causes: tuple[StartupCause, ...]
    without: tuple[WithoutLines, ...]
    background: tuple[BackgroundJob, ...]
    commands: int
    stacks: tuple[tuple[float, tuple[tuple[str, int], ...]], ...]
    first_prompt_ms: FirstPrompt | None = None
    stuck: Stuck | None = None
    left: tuple[LeftRunning, ...] | None = None
    lag_ms: Lag | None = None
    since: tuple[SlowerSince, ...] | None = None
    errors: tuple[StartError, ...] | None = None
    busy: BusyMachine | None = None
    lost: tuple[Stuck | None, ...] = ()
    stopped_at: str | None = None
    became: str | None = None
    is_followed: bool = False

    @property
    def trace_cost_ms(self) -> float:
        """What tracing cost in all."""
        untraced = self.traced_ms if self.first_prompt_ms is None else self.first_prompt_ms.median
        return max(0.0, self.traced_ms - untraced)

    @property
    def less_ms(self) -> float:
        """What a person is told each command takes less than measured; 0 where few ran in the time."""
        first = self.first_prompt_ms
        if first is None or self.traced_ms <= first.median:
            return 0.0
        is_longer = self.traced_ms > _LONGER * first.median
        dense = _LEAST_COMMANDS_PER_MS if is_longer else DENSE_COMMANDS_PER_MS
        return self.trace_cost_ms / self.commands if self.commands > dense * first.median else 0.0

    def own_ms(self, row: LineCost | FileCost | PluginCost) -> float:
        """A row's own time as a person is told it."""
        return max(0.0, row.own_ms - self.less_ms * row.commands)

    def tracing_ms(self, row: LineCost) -> float | None:
        """How much of a line's own time a person is not told, as tracing took it; None where few ran."""
        return round(row.own_ms - self.own_ms(row), 3) if self.less_ms else None

    def total_ms(self, row: LineCost | FileCost | PluginCost) -> float:
        """A row's time with all that it calls as a person is told it."""
        return max(self.own_ms(row), row.total_ms - self.less_ms * row.all_commands)
