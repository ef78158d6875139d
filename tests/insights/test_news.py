"""Tests of what is news to whoever reads a run's text (ALAN-16)."""

from __future__ import annotations

import attrs
import pytest

from zsh_ls.insights import after_run, before_run, still_news
from zsh_ls.insights.news import (
    after_an_edit,
    asks_for_another_approach,
    for_a_person,
    only_news,
)
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import (
    CommandHistory,
    HostHistory,
    Rates,
    RemoteHistory,
    RunCounts,
)
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Basis, Level

KNOWN = CommandHistory("ssh * df", "ssh", runs=9, everywhere=Rates(9, 1.0))


def past(**changes: object) -> CommandHistory:
    return attrs.evolve(KNOWN, **changes)  # type: ignore[arg-type]


def took(mean_s: float) -> CommandHistory:
    return past(mean_duration_s=mean_s, ended=1, own_durations=(Sample(mean_s),))


def estimated(*durations_s: float) -> CommandHistory:
    return past(estimate=Estimate("make", Curve.of(list(map(Sample, durations_s))), Basis.EXACT))


def news_before(known: CommandHistory) -> list[str]:
    return [insight.rule for insight in only_news(before_run(known))]


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(past(runs=0, everywhere=Rates()), id="new"),
        pytest.param(past(similar=RunCounts(0, 5)), id="similar"),
        pytest.param(past(streak=9), id="solid"),
        pytest.param(past(success_rate=1.0), id="reliable"),
        pytest.param(past(retries=RunCounts(3, 3)), id="again, after successes"),
        pytest.param(past(retries=RunCounts(0, 1)), id="again, after one failure"),
        pytest.param(past(host=HostHistory("web", 9, 0, 0.0)), id="a reliable host"),
        pytest.param(past(runs=0, everywhere=Rates(5, 0.8)), id="good elsewhere"),
        pytest.param(past(retries=RunCounts(0, 2), retries_are_of_this_text=False), id="others"),
        pytest.param(
            past(retries=RunCounts(1, 2), retries_are_of_this_text=False), id="mixed others"
        ),
        pytest.param(past(remote=RemoteHistory("df", 2, 2, 2, 0.0)), id="often, of two"),
        pytest.param(took(47.0), id="one run"),
        pytest.param(estimated(29.0, 29.0, 29.0), id="a short duration"),
        pytest.param(estimated(40.0, 41.0, 51.3), id="durations far apart"),
        pytest.param(estimated(32.7, 41.0, 42.0), id="durations far apart, below"),
        pytest.param(estimated(*[40.0] * 8, 90.0, 90.0), id="one of ten twice as long"),
        pytest.param(
            attrs.evolve(estimated(47.0, 47.0, 47.0), retries=RunCounts(1, 1)),
            id="a duration just seen",
        ),
    ],
)
def test_what_changes_nothing_is_no_news(known: CommandHistory) -> None:
    assert before_run(known)
    assert news_before(known) == []


@pytest.mark.parametrize(
    ("known", "rules"),
    [
        (past(retries=RunCounts(0, 2)), ["retry"]),
        (past(retries=RunCounts(1, 2)), ["retry"]),
        (past(streak=-3), ["failing-streak"]),
        (past(timeout_rate=0.6), ["frequent-timeouts"]),
        (estimated(33.0, 41.0, 51.0), ["usual-duration"]),
        (estimated(*[40.0] * 8, 80.0, 80.0), ["usual-duration"]),
        (past(retries=RunCounts(0, 3), streak=-3), ["retry", "failing-streak"]),
        (past(remote=RemoteHistory("df", 3, 3, 2, 0.0)), ["failing-remote-command"]),
        (past(host=HostHistory("web", 9, 5, 0.5)), ["flaky-host"]),
        (past(runs=0, everywhere=Rates(5, 0.79)), ["new-here"]),
    ],
)
def test_what_may_change_the_next_step_is_news(known: CommandHistory, rules: list[str]) -> None:
    assert news_before(known) == rules


def ended(command: str, exit_status: int, *pipestatus: int, says: str = "") -> CompletedRun:
    run = CompletedRun(
        command,
        "zsh",
        exit_status,
        pipestatus or (exit_status,),
        outcome_of(exit_status),
        1.0,
        0.0,
        "s",
        output_is_blank=not says,
        output=says,
        output_end=says if exit_status else "",
    )
    return with_pipeline(run)


FAILED_TWICE = past(retries=RunCounts(0, 2))
FLAKY_HOST = past(host=HostHistory("web", 9, 5, 0.5))
EXPECTED = {
    "retry": FAILED_TWICE,
    "failing-streak": past(streak=-3),
    "new-here": past(runs=0, everywhere=Rates(5, 0.5)),
    "failing-remote-command": past(remote=RemoteHistory("df", 3, 3, 2, 0.0)),
    "frequent-timeouts": past(timeout_rate=0.6),
    "flaky-host": FLAKY_HOST,
}


@pytest.mark.parametrize("rule", EXPECTED)
def test_a_failure_that_was_expected_and_did_not_come_is_no_news_any_more(rule: str) -> None:
    before = before_run(EXPECTED[rule])
    assert [insight.rule for insight in only_news(before)] == [rule]
    after = still_news(before, ended("ssh web df", 0))
    assert after == [attrs.evolve(before[0], is_news=False)]


@pytest.mark.parametrize(
    ("known", "run"),
    [
        pytest.param(FAILED_TWICE, ended("make", 2), id="it failed again"),
        pytest.param(FAILED_TWICE, ended("make | tail", 0, 2, 0), id="its failure is hidden"),
        pytest.param(past(retries=RunCounts(1, 2)), ended("make", 0), id="it may be flaky"),
        pytest.param(past(retries=RunCounts(1, 2)), ended("make", 2), id="it passed before"),
        pytest.param(FLAKY_HOST, ended("ssh web df", 255), id="no connection"),
    ],
)
def test_what_the_end_bears_out_stays_news(known: CommandHistory, run: CompletedRun) -> None:
    before = before_run(known)
    assert before
    assert still_news(before, run) == before


def test_after_an_edit_a_failed_retry_is_another_approach() -> None:
    known = past(retries=RunCounts(0, 3), streak=-3, host=HostHistory("web", 9, 5, 0.5))
    before = before_run(known)
    assert asks_for_another_approach(before)
    after = after_an_edit(before)
    assert not asks_for_another_approach(after)
    assert [it.rule for it in only_news(after)] == ["flaky-host"]
    assert [it.message for it in after] == [it.message for it in before]
    mixed = before_run(past(retries=RunCounts(1, 2)))
    assert not asks_for_another_approach(mixed)
    assert after_an_edit(mixed) == mixed


@pytest.mark.parametrize("exit_status", [0, 2])
def test_a_usual_duration_is_no_news_to_who_waits_no_more(exit_status: int) -> None:
    known = estimated(47.0, 47.0, 47.0)
    before = before_run(known)
    assert [insight.rule for insight in only_news(before)] == ["usual-duration"]
    assert only_news(still_news(before, ended("make", exit_status))) == []


def test_a_host_that_answered_is_not_called_flaky_beside_the_commands_own_failure() -> None:
    before = before_run(FLAKY_HOST)
    assert only_news(still_news(before, ended("ssh web df", 1))) == []


def news_after(command: str, exit_status: int, *pipestatus: int, says: str = "") -> list[str]:
    run = ended(command, exit_status, *pipestatus, says=says)
    return [insight.rule for insight in only_news(after_run(run))]


@pytest.mark.parametrize(
    ("command", "exit_status", "says", "rules"),
    [
        ("true", 0, "", []),
        ("gti status", 127, "zsh: command not found: gti", []),
        ("gti status", 127, "", ["command-not-found"]),
        ("./run.sh", 126, "zsh: permission denied: ./run.sh", []),
        ("./run.sh", 126, "", ["permission-denied"]),
        ("ssh web df", 255, "ssh: connect to host web port 22: Connection timed out", []),
        ("ssh web df", 255, "", ["ssh-connection-failed"]),
        ("grep x f", 1, "", ["grep-no-match"]),
        ("diff a b", 1, "1c1", ["files-differ"]),
        ("diff -q a b", 1, "Files a and b differ", []),
        ("cmp a b", 1, "a b differ: byte 1, line 1", []),
        ("cmp -s a b", 1, "", ["files-differ"]),
    ],
)
def test_what_the_output_says_already_is_no_news(
    command: str, exit_status: int, says: str, rules: list[str]
) -> None:
    assert news_after(command, exit_status, says=says) == rules


def test_a_hidden_failure_is_news_and_a_normal_exit_in_the_middle_is_none() -> None:
    assert news_after("pytest | tail", 0, 1, 0, says="1 failed") == ["masked-pipe-failure"]
    assert news_after("cat f | grep x | wc -l", 0, 0, 1, 0, says="0") == []


@pytest.mark.parametrize(
    ("command", "pipestatus", "is_told"),
    [
        ("make test 2>&1 | grep FAIL", (2, 0), False),
        ("cargo test 2>&1 | rg -A5 'panicked|error'", (101, 0), False),
        ("make test 2>&1 | grep passed", (2, 0), True),
        ("make test 2>&1 | grep FAIL | wc -l", (2, 0, 0), True),
        ("make test 2>&1 | tee fail.log", (2, 0), True),
        ("setopt pipefail; make test | grep FAIL", (2, 0), True),
    ],
)
def test_who_searched_for_failures_and_found_some_knows_of_them(
    command: str, pipestatus: tuple[int, ...], is_told: bool
) -> None:
    exit_status = 2 if "pipefail" in command else 0
    found = news_after(command, exit_status, *pipestatus, says="FAIL pool_drain")
    assert found == ["masked-pipe-failure"] * is_told


# POLL-9
@pytest.mark.parametrize(
    ("message", "there"),
    [
        (
            "zsh: a, or run it with shell=bash",
            "zsh: a, or let bash run it (#!/bin/bash as the first line, or the setting shell)",
        ),
        (
            "vim was ended: it waited for keys, and this run has no terminal. Run it with `pty`.",
            "vim was ended: it waited for keys, and this run has no terminal. Run it in a terminal.",
        ),
        ("Options for tar:\n-x  extract", "Options for tar: Explain this command"),
        ("command not found (exit 127)", "command not found (exit 127)"),
    ],
)
def test_in_an_editor_it_is_said_what_a_person_does_there(message: str, there: str) -> None:
    [told] = for_a_person([Insight(Level.WARNING, message)], in_an_editor=True)
    assert told.message == there
