"""Three timeouts hold a command back, that command alone, and say how to go on (RUN-14)."""

from __future__ import annotations

import attrs
import pytest

from zsh_ls.model.clock import SystemClock
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Sidecar, SidecarOptions

SLOW = RunRequest("sleep 100", timeout=0.1, yield_after=60)
QUICK = RunRequest("sleep 0", yield_after=60)


class LaterClock(SystemClock):
    """The machine's clock, some seconds ahead."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def now(self) -> float:
        return super().now() + self.ahead_s


async def test_after_three_timeouts_it_is_refused_until_a_trial_succeeds(
    options: SidecarOptions,
) -> None:
    clock = LaterClock()
    service = await Sidecar.open(attrs.evolve(options, clock=clock))
    for _ in range(3):
        assert (await service.run(SLOW)).status is Status.TIMEOUT
    with pytest.raises(
        RequestRejected, match="^NEVERHANG: Circuit OPEN .*tried again in .*circuit reset"
    ):
        await service.run(SLOW)
    assert (await service.run(RunRequest("echo other", yield_after=60))).exit == 0
    (circuit,) = (await service.circuit()).open
    assert (circuit.state, circuit.timeouts) == ("open", 3)
    clock.ahead_s = 301.0
    trial = await service.run(QUICK)
    assert trial.insights is not None
    assert trial.insights["warning"][0].startswith("NEVERHANG: Circuit HALF-OPEN")
    assert (await service.circuit()).open == ()
    await service.close()


async def test_a_reset_lets_it_run_at_once(sidecar: Sidecar) -> None:
    for _ in range(3):
        await sidecar.run(SLOW)
    assert (await sidecar.circuit("reset", "sleep 100")).open == ()
    assert (await sidecar.run(SLOW)).status is Status.TIMEOUT
