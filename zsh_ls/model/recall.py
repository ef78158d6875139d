"""Queries of memory for question families: their values, and the protocol that answers them.

Times are Unix seconds, durations seconds. ALAN implements `Recall` on SQLite;
tests have one in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, Protocol

from zsh_ls.lazy import attrs

from .estimate import Estimate
from .history import HostHistory
from .reports import HistoryEntry
from .words import Origin, Outcome

Order = Literal["runs", "median", "failures", "last"]


@attrs.frozen
class RunQuery:
    """Which runs are meant; what is None or empty asks for nothing.

    `about` is what a person calls a command, such as `git push`: a run is
    meant if its text or its template is that, or begins with that and a space.
    Of `outcomes`, a known normal exit is a SUCCESS. The window has its `since`
    and not its `until`. `origins` are who asked for the run,
    `project` is the folder of the project it was of. `hiding` asks for successes that hid a failing
    segment alone (ALAN-15).
    """

    about: str = ""
    outcomes: frozenset[Outcome] = frozenset()
    since: float | None = None
    until: float | None = None
    session: str | None = None
    origins: frozenset[Origin] = frozenset()
    project: str | None = None
    hiding: bool = False


@attrs.frozen
class RunEntry:
    """One remembered run and when it ended.

    A known normal exit (grep's 1) is a SUCCESS here with that exit; the outcome
    is None where an imported history does not tell it. A killed run's duration
    is the time before the signal. Where the text `is_kept` not, `command` says
    so and is none. `project` is the folder of its project, as memory knows it, `cwd` the one it ran in,
    where that is known.
    """

    command: str
    template: str
    outcome: Outcome | None
    exit: int | None
    duration_s: float
    at: float
    origin: Origin
    pipestatus: tuple[int, ...] = ()
    is_kept: bool = True
    project: str = ""
    cwd: str = ""


@attrs.frozen
class HistoryLine:
    """A line as it was last run in a project, and how often; what is not known is None or empty."""

    command: str
    exit: int | None
    outcome: Outcome | None
    duration_s: float | None
    at: float
    cwd: str
    project: str
    origin: Origin
    runs: int = 1

    @property
    def entry(self) -> HistoryEntry:
        """The line as clients get it; what was cut short has no exit of its own."""
        cut_short = self.outcome in (Outcome.TIMEOUT, Outcome.KILLED)
        return HistoryEntry(
            command=self.command,
            exit=None if cut_short else self.exit,
            outcome=None if self.outcome is None else self.outcome.value,
            duration_s=self.duration_s,
            at=datetime.fromtimestamp(self.at, UTC).isoformat(),
            cwd=self.cwd or None,
            origin=self.origin,
        )


@attrs.frozen
class TemplateRecord:
    """All runs of one template; median and p90 as `estimate.Curve` gives them, None without samples.

    `samples` are the runs that ended by themselves, `last_at` when it last ran,
    `elsewhere` how many of the runs were done by hand or imported, `hiding` how many of those that
    succeeded hid a failing segment (ALAN-15).
    """

    template: str
    runs: int
    succeeded: int
    failed: int
    timed_out: int
    killed: int
    median_s: float | None
    p90_s: float | None
    samples: int
    last_at: float
    elsewhere: int = 0
    hiding: int = 0


class Recall(Protocol):
    """Memory as the question families see it."""

    def runs(self, which: RunQuery, *, limit: int) -> Sequence[RunEntry]:
        """The matching runs, newest first."""
        ...

    def count(self, which: RunQuery) -> int:
        """How many runs match."""
        ...

    def first_at(self, command: str = "") -> float | None:
        """The Unix time of the first run of this very line, without one of any; None where none is known."""
        ...

    def records(
        self,
        *,
        about: str = "",
        order: Order = "runs",
        limit: int,
        origins: frozenset[Origin] = frozenset(),
        project: str | None = None,
    ) -> Sequence[TemplateRecord]:
        """Templates that match `about` (see `RunQuery`), highest `order` first, unknown medians last.

        With `origins` and `project`, what the runs of those alone say.
        """
        ...

    def estimate(self, command: str, *, project: str) -> Estimate | None:
        """How long a command takes in `project`, as every line, hint and hover tells it (POLL-4)."""
        ...

    def hosts(self, *, limit: int) -> Sequence[HostHistory]:
        """Ssh hosts, the highest failure rate first."""
        ...
