"""`model.History` over a plain list: what the rules' tests remember with, and what the store is held against.

It counts everything anew at every question, so it is slow and easy to believe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import (
    CommandHistory,
    HostHistory,
    KillHistory,
    Rates,
    RemoteHistory,
    RunCounts,
)
from zsh_ls.model.words import Basis, Outcome, Scope
from zsh_ls.shell.status.exit_codes import is_normal_exit
from zsh_ls.shell.template.identity import Identity, identify

WINDOW_S = 15 * 60
LATEST = 64


@attrs.frozen
class Run:
    """An execution with what its command is known as."""

    it: CompletedRun
    name: Identity

    @property
    def ended_at(self) -> float:
        return self.it.started_at + self.it.duration_s

    @property
    def succeeded(self) -> bool:
        return self.it.outcome is Outcome.SUCCESS

    @property
    def neutral(self) -> bool:
        """A failure with a known normal exit of the command that gave it (ALAN-4)."""
        it = self.it
        own = it.pipestatus[-1:] in ((), (it.exit,))
        failed = it.outcome is Outcome.FAILURE and it.exit is not None
        return failed and own and is_normal_exit(self.name.command, it.exit or 0)

    @property
    def hiding(self) -> bool:
        """A success behind a segment that failed (ALAN-15)."""
        statuses = self.it.pipestatus
        known = self.name.segments if len(self.name.segments) == len(statuses) else statuses
        return self.succeeded and any(
            status != 141 and not is_normal_exit(str(segment).split(" ")[0], status)
            for segment, status in zip(known[:-1], statuses[:-1], strict=True)
        )

    @property
    def ssh_exit(self) -> int | None:
        return (*(self.it.exit,), *self.it.pipestatus)[-1] if self.it.ended_by_itself else None


class MemoryHistory:
    """Executions in the order in which they ended."""

    def __init__(self, half_life_h: float = 24.0) -> None:
        self._runs: list[Run] = []
        self._half_life_s = half_life_h * 3600

    def record(self, execution: CompletedRun) -> None:
        """Remember one more."""
        self._runs.append(Run(execution, identify(execution.command)))

    def past(self, command: str, *, session: str, now: float, project: str = "") -> CommandHistory:
        """What is known before `command` runs in `session` and `project` at Unix time `now`."""
        name = identify(command)
        everywhere = [run for run in self._runs if run.name.hash == name.hash]
        exact = [run for run in everywhere if run.it.scope == project]
        same = [run for run in self._runs if run.name.template == name.template]
        same = [run for run in same if run.it.scope == project]
        mine = [run for run in same if run.it.session == session]
        window = [r for r in mine if r.ended_at >= now - WINDOW_S and not r.neutral]
        again = [run for run in window if run.name.hash == name.hash]
        ended = [run.it.duration_s for run in exact if run.it.ended_by_itself]
        return CommandHistory(
            name.template,
            name.base,
            runs=len(exact),
            retries=RunCounts(sum(r.succeeded and not r.hiding for r in again), len(again)),
            retries_are_of_this_text=all(run.name.text == name.text for run in again),
            last_retry_at=again[-1].ended_at if again else 0.0,
            similar=RunCounts() if again else _tally(window[-5:]),
            streak=_streak(exact),
            streak_is_sound=_is_sound(exact),
            success_rate=self._sound_rate(exact),
            timeout_rate=self._timeout_rate(exact),
            mean_duration_s=sum(ended) / len(ended) if ended else 0.0,
            ended=len(ended),
            failures_in_row=_failures_in_row(mine),
            host=self._host(name),
            remote=self._remote(name),
            estimate=self._basis(name, project)[0],
            too_wide=self._basis(name, project)[1],
            own_durations=_few_durations([run for run in exact if run.name.text == name.text]),
            everywhere=Rates(
                len(everywhere),
                self._sound_rate(everywhere),
                self._timeout_rate(everywhere),
                0.0 if exact else self._rate(everywhere, lambda run: run.neutral),
            ),
        )

    def pasts(
        self, commands: Sequence[str], *, session: str, now: float, project: str = ""
    ) -> list[CommandHistory | None]:
        """For each of many commands; None where nothing is known."""
        pasts = [
            self.past(command, session=session, now=now, project=project) for command in commands
        ]
        templates = {run.name.template for run in self._runs}
        return [p if p.template in templates or p.host or p.remote else None for p in pasts]

    def kills(self, command: str, *, session: str, project: str = "") -> KillHistory:
        """The kills of the command's template in a project."""
        name = identify(command)
        same = [run for run in self._runs if run.name.template == name.template]
        same = [run for run in same if run.it.scope == project]
        mine = [run for run in same if run.it.session == session]
        return KillHistory(
            name.template,
            sum(run.it.outcome is Outcome.KILLED for run in same),
            len(same),
            sum(run.it.outcome is Outcome.KILLED for run in mine),
            len(mine),
        )

    def _sound_rate(self, runs: Sequence[Run]) -> float:
        return self._rate(runs, lambda run: run.succeeded and not run.hiding)

    def _timeout_rate(self, runs: Sequence[Run]) -> float:
        return self._rate(runs, lambda run: run.it.outcome is Outcome.TIMEOUT)

    def _rate(self, runs: Sequence[Run], wanted: Callable[[Run], bool]) -> float:
        weights = [0.5 ** (-run.ended_at / self._half_life_s) for run in self._rebased(runs)]
        good = sum(w for w, run in zip(weights, runs, strict=True) if wanted(run))
        return good / sum(weights) if weights else 0.0

    def _rebased(self, runs: Sequence[Run]) -> list[Run]:
        """Ages count from the newest run: the rate is the same, and no power overflows."""
        newest = max((run.ended_at for run in runs), default=0.0)
        return [
            attrs.evolve(r, it=attrs.evolve(r.it, started_at=r.it.started_at - newest))
            for r in runs
        ]

    def _host(self, name: Identity) -> HostHistory | None:
        reached = self._connections(name)
        if name.ssh is None or not reached:
            return None
        failed = sum(run.ssh_exit == 255 for run in reached)
        rate = self._rate(reached, lambda run: run.ssh_exit == 255)
        return HostHistory(name.ssh.host, len(reached), failed, rate)

    def _connections(self, name: Identity) -> list[Run]:
        host = name.ssh.host if name.ssh else None
        ssh = [run for run in self._runs if run.name.ssh and run.it.ended_by_itself]
        return [run for run in ssh if run.name.ssh and run.name.ssh.host == host]

    def _remote(self, name: Identity) -> RemoteHistory | None:
        template = name.ssh.remote_template if name.ssh else None
        judged = [
            (run, run.name.ssh.host)
            for run in self._runs
            if run.name.ssh and run.it.ended_by_itself and run.ssh_exit != 255
            if run.name.ssh.remote_template == template
        ]
        if not template or not judged:
            return None
        runs, hosts = [run for run, _ in judged], {host for _, host in judged}
        failed = sum(run.ssh_exit != 0 for run in runs)
        rate = self._rate(runs, lambda run: run.ssh_exit == 0)
        return RemoteHistory(template, len(runs), failed, len(hosts), rate)

    def _basis(self, name: Identity, project: str) -> tuple[Estimate | None, bool]:
        """The first estimate that has enough samples and is not too wide, and whether one was."""
        alike: dict[Basis, Callable[[Run], bool]] = {
            Basis.EXACT: lambda run: run.name.text == name.text,
            Basis.COMMAND: lambda run: run.name.hash == name.hash,
            Basis.TEMPLATE: lambda run: run.name.template == name.template,
            Basis.BASE: lambda run: run.name.base == name.base,
        }
        needed = {Basis.COMMAND: 5}
        order = [
            *((basis, scope) for scope in Scope for basis in (Basis.EXACT, Basis.COMMAND)),
            *((basis, scope) for basis in (Basis.TEMPLATE, Basis.BASE) for scope in Scope),
        ]
        too_wide = False
        for basis, scope in order:
            runs = [run for run in self._runs if alike[basis](run)]
            if scope is Scope.PROJECT:
                runs = [run for run in runs if run.it.scope == project]
            curve = Curve.of(_samples(runs))
            called = name.base if basis is Basis.BASE else name.template
            estimate = Estimate(called, curve, basis, scope)
            if curve.sample_size >= needed.get(basis, 3):
                if estimate.p90_s <= 10 * estimate.median_s:
                    return estimate, too_wide
                too_wide = True
        return None, too_wide


def _samples(runs: Sequence[Run]) -> tuple[Sample, ...]:
    return tuple(
        Sample(run.it.duration_s, not run.it.ended_by_itself, _failed(run))
        for run in runs[-LATEST:]
    )


def _few_durations(runs: Sequence[Run]) -> tuple[Sample, ...]:
    """The durations of runs of which fewer than an estimate needs ended by themselves."""
    return _samples(runs) if sum(run.it.ended_by_itself for run in runs) < 3 else ()


def _failed(run: Run) -> bool:
    return run.it.outcome is Outcome.FAILURE and not run.neutral


def _tally(runs: Iterable[Run]) -> RunCounts:
    went = [run.succeeded for run in runs]
    return RunCounts(sum(went), len(went))


def _streak(runs: Sequence[Run]) -> int:
    """Successes in a row at the end, or failures as a negative number; neutral runs are passed over."""
    streak = 0
    for run in runs:
        if not run.neutral:
            streak = max(streak, 0) + 1 if run.succeeded else min(streak, 0) - 1
    return streak


def _is_sound(runs: Sequence[Run]) -> bool:
    """Whether no success of the streak at the end hid a failing segment."""
    streak = [run for run in runs if not run.neutral][-_streak(runs) or len(runs) :]
    return _streak(runs) <= 0 or not any(run.hiding for run in streak)


def _failures_in_row(runs: Sequence[Run]) -> int:
    """Failures of usage in a row; kills, timeouts and known normal exits are passed over."""
    failures = 0
    for run in runs:
        if run.succeeded:
            failures = 0
        elif run.it.outcome is Outcome.FAILURE and not run.neutral:
            failures = failures + 1 if run.it.is_usage_failure else 0
    return failures
