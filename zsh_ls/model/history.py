"""What memory knows of a command: values for rules and estimates, and the protocol that gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from .estimate import Estimate


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
class CommandHistory:
    """What is known of a command before it runs (ALAN-8).

    `runs` are all runs of the command's hash, `retries` those of this session
    in the last 15 minutes; where there are none, `similar` are the latest of its template then.
    Rates are weighted by age, `mean_duration_s` and counts are plain.
    `failures_in_row` counts FAILUREs in a row of the template in this session
    (MAN-1). A `streak` is positive for successes, negative for failures.
    """

    template: str
    base: str
    runs: int = 0
    retries: RunCounts = RunCounts()
    similar: RunCounts = RunCounts()
    streak: int = 0
    success_rate: float = 0.0
    timeout_rate: float = 0.0
    mean_duration_s: float = 0.0
    failures_in_row: int = 0
    host: HostHistory | None = None
    remote: RemoteHistory | None = None
    estimate: Estimate | None = None


@attrs.frozen
class KillHistory:
    """Kills of a template, the latest included; `estimate` is the template's (KILL-2)."""

    template: str
    killed: int
    runs: int
    session_killed: int
    session_runs: int
    estimate: Estimate | None = None


class History(Protocol):
    """Memory as the rules use it; ALAN implements it on SQLite, tests in memory."""

    def past(self, command: str, *, session: str, now: float) -> CommandHistory:
        """What is known before `command` runs in `session` at Unix time `now`."""
        ...

    def pasts(
        self, commands: Sequence[str], *, session: str, now: float
    ) -> list[CommandHistory | None]:
        """The same for many commands, such as the lines of a script; None for an unknown one."""
        ...

    def kills(self, command: str, *, session: str) -> KillHistory:
        """The kills of the command's template, in total and in `session`."""
        ...
