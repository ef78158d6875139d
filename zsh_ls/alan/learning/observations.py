"""One run, and what it teaches each pattern it belongs to. No I/O."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import attrs

from zsh_ls.alan.store.schema import KILLED_EXIT, TIMEOUT_EXIT
from zsh_ls.model.execution import Execution
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.shell.status.exit_codes import is_normal_exit

from .keys import CommandKeys, PatternKey
from .pattern import Observation, PatternKind

SIGPIPE_STATUS = 141
SSH_CANNOT_CONNECT = 255
ENDED = (Outcome.SUCCESS, Outcome.FAILURE)


@attrs.frozen
class RunRecord:
    """One run as the log keeps it; `outcome` and `duration_ms` are None where nobody knows them."""

    keys: CommandKeys
    at_ms: int
    session: str
    origin: Origin
    outcome: Outcome | None
    exit: int | None
    pipestatus: tuple[int, ...] = ()
    duration_ms: int | None = None

    @property
    def neutral(self) -> bool:
        """Whether the failure is a known normal exit of the command that gave it (ALAN-4)."""
        return (
            self.outcome is Outcome.FAILURE
            and self.exit is not None
            and self.last_exit == self.exit
            and is_normal_exit(self.keys.identity.command, self.exit)
        )

    @property
    def last_exit(self) -> int | None:
        """What the last segment returned; `pipefail` may have made another exit of it."""
        return self.pipestatus[-1] if self.pipestatus else self.exit

    @cached_property
    def observation(self) -> Observation:
        """What the whole run teaches."""
        return Observation(
            at_ms=self.at_ms,
            outcome=self.outcome,
            exit=self.exit,
            duration_ms=self.duration_ms,
            neutral=self.neutral,
            from_history=self.origin is Origin.IMPORT,
            elsewhere=self.origin.is_elsewhere,
        )


def record_of(execution: Execution, keys: CommandKeys) -> RunRecord:
    """The record of an execution, at the moment it ended; exits as ALAN-2 says."""
    stored_exit = {Outcome.KILLED: KILLED_EXIT, Outcome.TIMEOUT: TIMEOUT_EXIT}
    return RunRecord(
        keys=keys,
        at_ms=round((execution.started_at + execution.duration_s) * 1000),
        session=execution.session,
        origin=execution.origin,
        outcome=execution.outcome,
        exit=stored_exit.get(execution.outcome, execution.exit),
        pipestatus=execution.pipestatus if execution.ended_by_itself else (),
        duration_ms=round(execution.duration_s * 1000),
    )


def observations_of(run: RunRecord) -> Iterator[tuple[PatternKey, Observation]]:
    """Each pattern the run belongs to, with what it learns."""
    for mark in run.keys.marks:
        yield mark, run.observation
    yield from _segment_lessons(run)
    yield from _ssh_lessons(run)


def _segment_lessons(run: RunRecord) -> Iterator[tuple[PatternKey, Observation]]:
    segments = run.keys.identity.segments
    if len(run.pipestatus) < 2 or len(segments) != len(run.pipestatus):
        return
    for segment, status in zip(segments, run.pipestatus, strict=True):
        went_well = status in (0, SIGPIPE_STATUS)
        observation = Observation(
            at_ms=run.at_ms,
            outcome=Outcome.SUCCESS if went_well else Outcome.FAILURE,
            exit=status,
            neutral=not went_well and is_normal_exit(segment.partition(" ")[0], status),
            from_history=run.origin is Origin.IMPORT,
            elsewhere=run.origin.is_elsewhere,
        )
        yield run.keys.mark(PatternKind.SEGMENT, segment), observation


def _ssh_lessons(run: RunRecord) -> Iterator[tuple[PatternKey, Observation]]:
    """The host by whether it could be reached, the remote command by its own exit (ALAN-6).

    A connection cut short says nothing of either.
    """
    trace = run.keys
    if trace.host is None or run.outcome not in ENDED:
        return
    connected, went_well = is_judged(run), run.last_exit == 0
    yield trace.mark(PatternKind.HOST, trace.host), _judged(run, well=connected)
    if trace.remote and connected:
        yield trace.mark(PatternKind.REMOTE, trace.remote), _judged(run, well=went_well)


def is_judged(run: RunRecord) -> bool:
    """Whether an ssh run says something of its remote command: it ended, and the host was reached."""
    return run.outcome in ENDED and run.last_exit != SSH_CANNOT_CONNECT


def _judged(run: RunRecord, *, well: bool) -> Observation:
    outcome = Outcome.SUCCESS if well else Outcome.FAILURE
    return attrs.evolve(run.observation, outcome=outcome, neutral=False)
