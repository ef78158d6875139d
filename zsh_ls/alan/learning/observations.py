"""A run's record, and the observations that it adds to each pattern it belongs to. No I/O."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from zsh_ls.alan.store.rows import stored_path
from zsh_ls.alan.store.schema import KILLED_EXIT, TIMEOUT_EXIT
from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.shell.status.exit_codes import is_normal_exit

from .keys import CommandKeys, PatternKey
from .pattern import Observation, PatternKind

SIGPIPE_STATUS = 141
SSH_CANNOT_CONNECT = 255
ENDED = (Outcome.SUCCESS, Outcome.FAILURE)


@attrs.frozen
class RunRecord:
    """One run as the log stores it; `outcome` and `duration_ms` are None if unknown.

    `scope` is the folder by which memory counts it (`CompletedRun.scope`), `folder` where
    it ran; both are None where that is not known, and then it counts everywhere alone.
    `is_usage_failure` as in `CompletedRun`.
    """

    keys: CommandKeys
    at_ms: int
    session: str
    origin: Origin
    outcome: Outcome | None
    exit: int | None
    pipestatus: tuple[int, ...] = ()
    duration_ms: int | None = None
    scope: str | None = None
    folder: str | None = None
    is_usage_failure: bool = False

    @property
    def hiding(self) -> bool:
        """Whether a success hid a failing segment: one neither normal nor ended by SIGPIPE (ALAN-15)."""
        if self.outcome is not Outcome.SUCCESS:
            return False
        templates = self.keys.identity.segments
        if len(templates) != len(self.pipestatus):
            templates = ("",) * len(self.pipestatus)
        segments = zip(templates[:-1], self.pipestatus[:-1], strict=True)
        return any(
            status != SIGPIPE_STATUS and not is_normal_exit(program_of(template), status)
            for template, status in segments
        )

    @property
    def neutral(self) -> bool:
        """Whether the failure is a known normal exit of the command, such as grep's 1 (ALAN-4)."""
        return (
            self.outcome is Outcome.FAILURE
            and self.exit is not None
            and self.last_exit == self.exit
            and is_normal_exit(self.keys.identity.command, self.exit)
        )

    @property
    def last_exit(self) -> int | None:
        """The last segment's exit status, from which the run's may differ with `pipefail`."""
        return self.pipestatus[-1] if self.pipestatus else self.exit

    @cached_property
    def observation(self) -> Observation:
        """The observation of the whole run."""
        return Observation(
            at_ms=self.at_ms,
            outcome=self.outcome,
            exit=self.exit,
            duration_ms=self.duration_ms,
            neutral=self.neutral,
            hiding=self.hiding,
            from_history=self.origin is Origin.IMPORT,
            elsewhere=self.origin.is_elsewhere,
        )


def record_of(run: CompletedRun, keys: CommandKeys) -> RunRecord:
    """The record of a run, dated by its end; exit statuses as in ALAN-2."""
    stored_exit: dict[Outcome | None, int] = {
        Outcome.KILLED: KILLED_EXIT,
        Outcome.TIMEOUT: TIMEOUT_EXIT,
    }
    return RunRecord(
        keys=keys,
        at_ms=round((run.started_at + run.duration_s) * 1000),
        session=run.session,
        origin=run.origin,
        outcome=run.outcome,
        exit=stored_exit.get(run.outcome, run.exit),
        pipestatus=run.pipestatus if run.ended_by_itself else (),
        duration_ms=round(run.duration_s * 1000) if run.is_timed else None,
        scope=stored_path(run.scope),
        folder=stored_path(run.cwd),
        is_usage_failure=run.is_usage_failure,
    )


def observations_of(run: RunRecord) -> Iterator[tuple[PatternKey, Observation]]:
    """Each pattern that the run belongs to, with the observation for it."""
    for pattern_key, observation in (
        *((it, run.observation) for it in run.keys.pattern_keys),
        *_segment_observations(run),
    ):
        yield pattern_key, observation
        if run.scope is not None:
            yield attrs.evolve(pattern_key, scope=run.scope), observation
    yield from _ssh_observations(run)


def program_of(segment: str) -> str:
    """The program that a segment's template names first."""
    return segment.partition(" ")[0]


def _segment_observations(run: RunRecord) -> Iterator[tuple[PatternKey, Observation]]:
    segments = run.keys.identity.segments
    if len(run.pipestatus) < 2 or len(segments) != len(run.pipestatus):
        return
    for segment, status in zip(segments, run.pipestatus, strict=True):
        went_well = status in (0, SIGPIPE_STATUS)
        observation = Observation(
            at_ms=run.at_ms,
            outcome=Outcome.SUCCESS if went_well else Outcome.FAILURE,
            exit=status,
            neutral=not went_well and is_normal_exit(program_of(segment), status),
            from_history=run.origin is Origin.IMPORT,
            elsewhere=run.origin.is_elsewhere,
        )
        yield run.keys.pattern_key(PatternKind.SEGMENT, segment), observation


def _ssh_observations(run: RunRecord) -> Iterator[tuple[PatternKey, Observation]]:
    """Observations of the host (could it be reached) and the remote command (its exit status; ALAN-6).

    A run that was killed or timed out says nothing about either.
    """
    keys = run.keys
    if keys.host is None or run.outcome not in ENDED:
        return
    connected, went_well = is_judged(run), run.last_exit == 0
    yield keys.pattern_key(PatternKind.HOST, keys.host), _judged(run, well=connected)
    if keys.remote and connected:
        yield keys.pattern_key(PatternKind.REMOTE, keys.remote), _judged(run, well=went_well)


def is_judged(run: RunRecord) -> bool:
    """Whether an ssh run tells its remote command's status: it ended, and the host was reached."""
    return run.outcome in ENDED and run.last_exit != SSH_CANNOT_CONNECT


def _judged(run: RunRecord, *, well: bool) -> Observation:
    outcome = Outcome.SUCCESS if well else Outcome.FAILURE
    return attrs.evolve(run.observation, outcome=outcome, neutral=False, hiding=False)
