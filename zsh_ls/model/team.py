"""What is exchanged with a team's memory (TEAM): figures by keyed hashes, and the numbers about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zsh_ls.lazy import attrs

from .histogram import Histogram, Kind
from .words import Outcome

MIN_AGENTS = 3
"""Of how many agents a figure must be before anybody is told (TEAM-2)."""
KEY_BYTES = 16


def keyed_hash(key: bytes, text: str) -> str:
    """The hash by which a team knows `text`, 32 hexadecimal digits; of no use without the key."""
    import hmac  # noqa: PLC0415  most are in no team
    from hashlib import sha256  # noqa: PLC0415

    raw = text.encode("utf-8", "surrogatepass")
    return hmac.new(key, raw, sha256).digest()[:KEY_BYTES].hex()


@attrs.frozen
class HashKeys:
    """The keys by which projects and templates are hashed; they open no sealed text."""

    project: bytes
    template: bytes

    def project_hash(self, remote: str) -> str:
        """The hash of a project, by its normalised remote (`system.remotes`)."""
        return keyed_hash(self.project, remote)

    def template_hash(self, template: str) -> str:
        """The hash of a template."""
        return keyed_hash(self.template, template)


@attrs.frozen
class Outcomes:
    """Counts of runs. A known normal exit counts as succeeded, a success that hid a failure as failed."""

    succeeded: int = 0
    failed: int = 0
    timed_out: int = 0
    killed: int = 0

    @property
    def runs(self) -> int:
        """All of them."""
        return self.succeeded + self.failed + self.timed_out + self.killed

    def plus(self, other: Outcomes) -> Outcomes:
        """Both together."""
        return Outcomes(
            self.succeeded + other.succeeded,
            self.failed + other.failed,
            self.timed_out + other.timed_out,
            self.killed + other.killed,
        )


def outcomes_of(outcome: Outcome, *, neutral: bool = False, hiding: bool = False) -> Outcomes:
    """The counts of one run."""
    if outcome is Outcome.TIMEOUT:
        return Outcomes(timed_out=1)
    if outcome is Outcome.KILLED:
        return Outcomes(killed=1)
    well = (outcome is Outcome.SUCCESS and not hiding) or neutral
    return Outcomes(succeeded=1) if well else Outcomes(failed=1)


@attrs.frozen
class Given:
    """What one agent gives of a template in a project: all that leaves the machine (TEAM-2)."""

    project: str
    template: str
    outcomes: Outcomes
    durations: Histogram

    def plus(self, other: Given) -> Given:
        """Both together, of the same project and template."""
        return attrs.evolve(
            self,
            outcomes=self.outcomes.plus(other.outcomes),
            durations=self.durations.plus(other.durations),
        )

    def row(self, sealed: str | None = None) -> dict[str, object]:
        """The row of a batch, with the template's text as it was sealed; what is taken out has none."""
        outcomes = {name: n for name, n in attrs.asdict(self.outcomes).items() if n}
        durations = {
            name: [list(it) for it in entries]
            for name, kind in (
                ("ended", Kind.ENDED),
                ("failed", Kind.FAILED),
                ("cut_short", Kind.CUT_SHORT),
            )
            if (entries := list(self.durations.buckets(kind)))
        }
        names = {"project": self.project, "template": self.template}
        text = {} if sealed is None else {"sealed": sealed}
        return {**names, **text, "outcomes": outcomes, "durations": durations}


@attrs.frozen
class TeamFigure:
    """What a team knows of a template in a project."""

    project: str
    template: str
    agents: int
    outcomes: Outcomes
    durations: Histogram


@attrs.frozen
class Gone:
    """A figure that is no longer of enough agents."""

    project: str
    template_hash: str


@attrs.frozen
class Batch:
    """Runs that are on their way: a name and a number, and what is sent, which stays as it is.

    `rows` has `add` and `remove`, lists of what `Given.row` gives.
    """

    name: str
    upto: int
    runs: int
    rows: Mapping[str, Sequence[Mapping[str, object]]]


@attrs.frozen
class TeamStatus:
    """`zsh-ls team status`: figures of the sharing, in runs; times are Unix times."""

    joined: bool = False
    dsn: str | None = None
    waiting: int = 0
    sent: int = 0
    dropped: int = 0
    last_push: float | None = None
    last_pull: float | None = None
    agents: int = 0
    error: str | None = None
    waits_since: float | None = None
    """When the oldest run that waits and is in no batch yet ended; not part of `--json`."""
    forgotten: int = 0
    """How many forgotten runs are still to be taken out at the server; not part of `--json`."""
