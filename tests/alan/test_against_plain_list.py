"""Tests that the store gives the same history as a plain list of runs, for random runs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypedDict

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.alan.world import START, execution
from tests.memory_history import MemoryHistory
from zsh_ls.alan.store.database import open_memory
from zsh_ls.alan.store.store import Store
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.words import Outcome

COMMANDS = (
    "make",
    "make -j8",
    "git push origin a",
    "git push origin b",
    "git push --force",
    "cat f | grep x",
    "ssh web uptime",
    "ssh me@db uptime",
    "ssh db ls",
)
FOLDERS = ("", "/work/one", "/work/two")
ENDS = ((0, None), (1, None), (255, None), (137, Outcome.KILLED), (None, Outcome.TIMEOUT))


class Asked(TypedDict):
    """Of which runs."""

    session: str
    project: str


@st.composite
def histories(draw: st.DrawFn) -> Sequence[CompletedRun]:
    at, runs = START, []
    for _ in range(draw(st.integers(0, 70))):
        exit_status, outcome = draw(st.sampled_from(ENDS))
        command, lasted = draw(st.sampled_from(COMMANDS)), draw(st.integers(0, 40)) / 8
        is_pipeline = "|" in command and outcome is None
        runs.append(
            execution(
                command,
                exit_status,
                at=at,
                lasted=lasted,
                outcome=outcome,
                session=draw(st.sampled_from(("s1", "s2"))),
                pipestatus=(draw(st.sampled_from((0, 1, 2, 141))), exit_status or 0)
                if is_pipeline
                else None,
                cwd=draw(st.sampled_from(FOLDERS)),
            )
        )
        at += lasted + draw(st.sampled_from((0.0, 1.0, 300.0, 86_400.0)))
    return runs


def comparable(past: CommandHistory) -> CommandHistory:
    """The history without its quotients, which may differ in the last bits."""
    host = past.host and attrs.evolve(past.host, failure_rate=0.0)
    remote = past.remote and attrs.evolve(past.remote, success_rate=0.0)
    return attrs.evolve(
        past,
        success_rate=0,
        timeout_rate=0,
        mean_duration_s=0,
        host=host,
        remote=remote,
        everywhere=past.everywhere.runs,
    )


def quotients(past: CommandHistory) -> list[float]:
    host = past.host.failure_rate if past.host else 0.0
    remote = past.remote.success_rate if past.remote else 0.0
    everywhere = past.everywhere
    rates = everywhere.success_rate, everywhere.timeout_rate, everywhere.normal_rate
    return [past.success_rate, past.timeout_rate, past.mean_duration_s, host, remote, *rates]


@settings(deadline=None)
@given(histories())
def test_the_store_says_what_counting_anew_says(runs: Sequence[CompletedRun]) -> None:
    store, plain = Store(open_memory()), MemoryHistory()
    for run in runs:
        store.record(run)
        plain.record(run)
    now = runs[-1].started_at + runs[-1].duration_s if runs else START
    for command, project in product(COMMANDS, FOLDERS):
        asked: Asked = {"session": "s1", "project": project}
        stored = store.past(command, now=now, **asked)
        counted = plain.past(command, now=now, **asked)
        assert comparable(stored) == comparable(counted)
        assert quotients(stored) == pytest.approx(quotients(counted), abs=1e-9)
        assert store.kills(command, **asked) == plain.kills(command, **asked)
    stored_of_all = store.pasts(COMMANDS, session="s1", now=now)
    counted_of_all = plain.pasts(COMMANDS, session="s1", now=now)
    assert [p is None for p in stored_of_all] == [p is None for p in counted_of_all]
