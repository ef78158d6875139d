"""What memory knows of a command: values for rules and estimates, and the protocol that gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from zsh_ls.lazy import attrs

from .estimate import Estimate, Sample

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .team import TeamFigure


MIN_RUNS_HERE = 5


@attrs.frozen
class RunCounts:
    """How many runs of how many succeeded."""

    succeeded: int = 0
    total: int = 0


@attrs.frozen
class HostHistory:
    """Connections to one ssh host; the rate is weighted by age, the counts are plain."""

    host: str
    total: int
    failed: int
    failure_rate: float


@attrs.frozen
class RemoteHistory:
    """One remote command's template over all its hosts; the rate is weighted by age."""

    template: str
    total: int
    failed: int
    hosts: int
    success_rate: float


@attrs.frozen
class Rates:
    """Runs of a command and how they went; rates are weighted by age.

    `runs` are those whose outcome is known, `unjudged` those of a history that was imported without exits.
    `success_rate` leaves out successes that hid a failing segment (ALAN-15). `normal_rate` is
    the share of failures that were a known normal exit (ALAN-9).
    """

    runs: int = 0
    success_rate: float = 0.0
    timeout_rate: float = 0.0
    normal_rate: float = 0.0
    unjudged: int = 0

    @property
    def is_known(self) -> bool:
        """Whether the command ran, however it ended."""
        return self.runs > 0 or self.unjudged > 0


@attrs.frozen
class CommandHistory:
    """What is known of a command before it runs in a project (ALAN-8, ALAN-13).

    `runs` are all runs of the command's hash in the project whose outcome is known, `unjudged` the
    others (Rates), `retries` those of this session
    in the last 15 minutes; where there are none, `similar` are the latest of its template then.
    Rates are weighted by age, `mean_duration_s` (of the `ended` runs that ended by themselves)
    and counts are plain. A success that hid a failing segment is none for `retries` and
    `success_rate` (ALAN-15); `streak_is_sound` says that the streak has none.
    `failures_in_row` counts failures of usage in a row of the template in this session
    (MAN-1). `retries_are_of_this_text` says that none of the `retries` was of another text of the
    hash, such as one with other numbers, `last_retry_at` when the latest ended (Unix time). A `streak` is
    positive for successes, negative for failures.
    `everywhere` counts the hash in all projects; its `normal_rate` is only known before one run,
    and where the project has none. `estimate` is None where too little is known, and where
    all that is known spreads `too_wide` (ALAN-14). `own_durations` are those of runs of exactly
    this text in the project, oldest first, where they are too few for an estimate.
    `has_tests` says that memory knows tests by name that it ran last (PLACE-3).
    `team` is what the team knows of the template in the project (TEAM-4).
    """

    template: str
    base: str
    runs: int = 0
    retries: RunCounts = RunCounts()
    retries_are_of_this_text: bool = True
    last_retry_at: float = 0.0
    similar: RunCounts = RunCounts()
    streak: int = 0
    streak_is_sound: bool = True
    success_rate: float = 0.0
    timeout_rate: float = 0.0
    mean_duration_s: float = 0.0
    ended: int = 0
    failures_in_row: int = 0
    host: HostHistory | None = None
    remote: RemoteHistory | None = None
    estimate: Estimate | None = None
    too_wide: bool = False
    own_durations: Sequence[Sample] = ()
    everywhere: Rates = Rates()
    has_tests: bool = False
    team: TeamFigure | None = None
    unjudged: int = 0

    @property
    def is_known_here(self) -> bool:
        """Whether the project has run the command, however it ended."""
        return self.runs > 0 or self.unjudged > 0

    @property
    def usual(self) -> Rates:
        """The rates to show: the project's where it has MIN_RUNS_HERE runs, else those of everywhere."""
        here = Rates(self.runs, self.success_rate, self.timeout_rate)
        return here if self.runs >= MIN_RUNS_HERE else self.everywhere


@attrs.frozen
class KillHistory:
    """Kills of a template in a project, the latest included (KILL-2)."""

    template: str
    killed: int
    runs: int
    session_killed: int
    session_runs: int


class History(Protocol):
    """Memory as the rules use it; ALAN implements it on SQLite, tests in memory."""

    def past(self, command: str, *, session: str, now: float, project: str = "") -> CommandHistory:
        """What is known before `command` runs in `session` and `project` at Unix time `now`."""
        ...

    def pasts(
        self, commands: Sequence[str], *, session: str, now: float, project: str = ""
    ) -> list[CommandHistory | None]:
        """The same for many commands, such as the lines of a script; None for an unknown one."""
        ...

    def kills(self, command: str, *, session: str, project: str = "") -> KillHistory:
        """The kills of the command's template in `project`, in total and in `session`."""
        ...
