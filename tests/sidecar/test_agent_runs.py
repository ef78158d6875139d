"""What an agent ran in its own shell, as its hook tells: remembered with what is known alone (HOOK-1)."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from zsh_ls.alan.terminal import agent_run_of
from zsh_ls.model.agent_run import AgentRun
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.sidecar import Sidecar


# HOOK-1
async def test_a_run_without_an_exit_counts_neither_as_passed_nor_as_failed(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    run = AgentRun("frobnicate --all", str(tmp_path), "done", exit=0, duration_s=3.0)
    assert (await sidecar.record_agent_run(run)).recorded
    untold = attrs.evolve(run, exit=None, duration_s=None)
    assert (await sidecar.record_agent_run(untold)).recorded
    stats = await sidecar.command_stats("frobnicate --all", None)
    # Two runs are remembered, and the one whose exit is known is counted.
    assert [it.outcome for it in stats.recent] == ["", Outcome.SUCCESS]
    assert [it.origin for it in stats.recent] == [Origin.AGENT, Origin.AGENT]
    assert (stats.runs, stats.success_rate) == (1, 1.0)


# HOOK-1
async def test_a_run_that_was_stopped_or_took_much_longer_than_usual_is_told_of(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    run = AgentRun("frobnicate --all", str(tmp_path), "done", exit=0, duration_s=4.0)
    for _ in range(5):
        assert (await sidecar.record_agent_run(run)).lines == ()
    (slow,) = (await sidecar.record_agent_run(attrs.evolve(run, duration_s=40.0))).lines
    assert slow.startswith("Took 40")
    assert "usually 4" in slow
    stopped = AgentRun("frobnicate --all", str(tmp_path), exit=None, timed_out=True)
    (line,) = (await sidecar.record_agent_run(stopped)).lines
    assert line.startswith("It was stopped; usually 4")


async def test_what_is_no_run_is_refused(sidecar: Sidecar) -> None:
    with pytest.raises(InvalidRequest, match=r"params\.run\.command"):
        await sidecar.record_agent_run(AgentRun(" ", "/"))
    with pytest.raises(InvalidRequest, match=r"params\.run\.folder"):
        await sidecar.record_agent_run(AgentRun("ls", "here"))


# HOOK-1
def test_a_record_of_a_hook_says_what_was_told() -> None:
    run = agent_run_of(["s\n/work", "100.000", "103.500", "2", "", "make"])
    assert run is not None
    assert (run.exit, run.outcome, run.duration_s, run.origin) == (
        2,
        Outcome.FAILURE,
        3.5,
        Origin.AGENT,
    )
    untold = agent_run_of(["s\n/work", "", "103.500", "", "", "make"])
    assert untold is not None
    assert (untold.exit, untold.outcome, untold.is_timed, untold.cwd) == (
        None,
        None,
        False,
        "/work",
    )
    assert agent_run_of(["s", "", "soon", "", "", "make"]) is None
