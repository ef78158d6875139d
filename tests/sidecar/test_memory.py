"""What is kept of runs that have ended, and for how long."""

from __future__ import annotations

import gc

import attrs

from zsh_ls.alan.learning.pattern import curve_of, samples_of, with_sample
from zsh_ls.model.estimate import Curve
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar, SidecarOptions
from zsh_ls.sidecar.runs.run import Run
from zsh_ls.sidecar.runs.runs import MOST_COMMANDS, FailureCounts
from zsh_ls.tasks.engine import KEPT_S, KEPT_TASKS
from zsh_ls.tasks.output.drain import Drain
from zsh_ls.tasks.process.ending import EndWatch

BEGIN = 1_700_000_000.0


@attrs.define
class HandClock:
    """A clock that stands still until it is set."""

    at: float = BEGIN

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at


def _alive(kind: type) -> int:
    gc.collect()
    return sum(type(it) is kind for it in gc.get_objects())


async def test_what_ended_over_an_hour_ago_goes_though_nobody_asks_for_tasks(
    options: SidecarOptions,
) -> None:
    before, clock = _alive(Run), HandClock()
    service = await Sidecar.open(attrs.evolve(options, clock=clock))
    for _ in range(KEPT_TASKS + 10):
        await service.run(RunRequest("true"))
    assert _alive(Run) - before == KEPT_TASKS + 10
    clock.at += KEPT_S + 1
    await service.run(RunRequest("true"))
    assert _alive(Run) - before <= KEPT_TASKS + 1
    await service.close()


async def test_an_ended_task_keeps_no_estimate(sidecar: Sidecar) -> None:
    for _ in range(6):
        await sidecar.run(RunRequest("true"))
    curve_of.cache_clear()
    before = _alive(Curve)
    for _ in range(10):
        await sidecar.run(RunRequest("true"))
    curve_of.cache_clear()
    # The thread that records may have held one of the runs before at that moment.
    assert _alive(Curve) <= before


async def test_an_ended_task_keeps_nothing_that_watched_it(sidecar: Sidecar) -> None:
    await sidecar.run(RunRequest("true"))
    before = [_alive(kind) for kind in (Drain, EndWatch)]
    for _ in range(10):
        await sidecar.run(RunRequest("true"))
    after = [_alive(kind) for kind in (Drain, EndWatch)]
    assert all(now < then + 5 for now, then in zip(after, before, strict=True)), (before, after)


def test_curves_share_their_short_durations() -> None:
    first, second = (
        samples_of(with_sample(b"", duration_ms, censored=False))[0] for duration_ms in (1500, 1500)
    )
    assert first.duration_s is second.duration_s


def test_failures_are_counted_for_those_that_failed_last() -> None:
    failures = FailureCounts()
    failures.another("first", "/")
    for number in range(MOST_COMMANDS):
        failures.another(f"run {number % 600}", "/")
    assert failures.of("run 0", "/") == 2
    assert failures.of("run 0", "/tmp") == 0
    for number in range(MOST_COMMANDS):
        failures.another(f"other {number}", "/")
    assert failures.of("first", "/") == failures.of("run 0", "/") == 0
    assert failures.of("other 0", "/") == 1
