"""Tests of the exact messages before a run, and of each threshold from both sides."""

from __future__ import annotations

import attrs
import pytest

from zsh_ls.insights import before_run, options_insight
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import CommandHistory, HostHistory, Rates, RemoteHistory, RunCounts
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Basis, Level, Scope

SEEN = CommandHistory(template="git push *", base="git", runs=1, everywhere=Rates(1))
UNSEEN = attrs.evolve(SEEN, runs=0, everywhere=Rates())


def lasting(seconds: float, basis: Basis = Basis.EXACT, scope: Scope = Scope.PROJECT) -> Estimate:
    return Estimate("git push *", Curve.of([Sample(seconds)] * 3), basis, scope)


def first_runs(*durations: Sample) -> CommandHistory:
    """Of a command whose runs here, all of them `durations`, are too few for an estimate."""
    ended = [it.duration_s for it in durations if not it.censored]
    mean_s = sum(ended) / len(ended) if ended else 0.0
    return past(
        runs=len(durations), ended=len(ended), mean_duration_s=mean_s, own_durations=durations
    )


def past(**changes: object) -> CommandHistory:
    return attrs.evolve(SEEN, **changes)  # type: ignore[arg-type]


def host(**changes: object) -> CommandHistory:
    return past(host=attrs.evolve(HostHistory("web1", 10, 0, 0.0), **changes))  # type: ignore[arg-type]


def remote(**changes: object) -> CommandHistory:
    it = RemoteHistory("systemctl restart *", total=10, failed=0, hosts=3, success_rate=1.0)
    return past(remote=attrs.evolve(it, **changes))  # type: ignore[arg-type]


SPEAKS = [
    (past(retries=RunCounts(1, 1)), "info", "retry", "Retry #2. Previous 1 succeeded."),
    (past(retries=RunCounts(4, 4)), "info", "retry", "Retry #5. Previous 4 succeeded."),
    (
        past(retries=RunCounts(0, 2)),
        "warning",
        "retry",
        "Retry #3. Previous 2 all failed. Different approach?",
    ),
    (past(retries=RunCounts(2, 5)), "info", "retry", "Retry #6 in last 15m. 2/5 succeeded."),
    (
        past(similar=RunCounts(3, 5)),
        "info",
        "similar-command",
        "Similar to 'git push *' - 3/5 succeeded recently.",
    ),
    (past(streak=3), "info", "success-streak", "Streak: 3 successes in a row. Solid."),
    (past(streak=-3), "warning", "failing-streak", "Failing streak: 3. Same approach?"),
    (
        past(timeout_rate=0.51, runs=3),
        "warning",
        "frequent-timeouts",
        "51% timeout rate for this pattern.",
    ),
    (
        past(success_rate=0.92, runs=5),
        "info",
        "reliable-pattern",
        "Reliable pattern: 92% success (5 runs).",
    ),
    (first_runs(Sample(47.2)), "info", "usual-duration", "Usually takes ~47s."),
    (
        first_runs(Sample(54.0), Sample(40.0, failed=True)),
        "info",
        "usual-duration",
        "Usually takes ~47s.",
    ),
    (
        first_runs(Sample(47.2), Sample(30.0, censored=True)),
        "info",
        "usual-duration",
        "Usually takes ~47s.",
    ),
    (first_runs(Sample(12.0, failed=True)), "info", "usual-duration", "Usually takes ~12s."),
    (past(estimate=lasting(47.2)), "info", "usual-duration", "Usually takes ~47s."),
    (
        past(estimate=lasting(47.2, Basis.COMMAND), mean_duration_s=99, ended=2),
        "info",
        "usual-duration",
        "Usually takes ~47s.",
    ),
    (
        past(estimate=lasting(30.0, Basis.COMMAND), own_durations=(Sample(3.0),)),
        "info",
        "usual-duration",
        "Usually takes ~30s.",
    ),
    (UNSEEN, "info", "new-pattern", "New pattern. No history yet."),
    (
        past(runs=0, everywhere=Rates(12, 0.916)),
        "info",
        "new-here",
        "New here. Elsewhere: 92% of 12.",
    ),
    (
        past(runs=0, everywhere=Rates(4, 0.25, normal_rate=0.5)),
        "info",
        "new-here",
        "New here. Elsewhere: 75% of 4.",
    ),
    (
        past(
            runs=0,
            everywhere=Rates(3, 1 / 3),
            estimate=lasting(41.4, Basis.EXACT, Scope.EVERYWHERE),
        ),
        "info",
        "new-here",
        "New here. Elsewhere: 33% of 3, ~41s.",
    ),
    (
        past(runs=0, everywhere=Rates(3, 1.0), estimate=lasting(0.4)),
        "info",
        "new-here",
        "New here. Elsewhere: 100% of 3.",
    ),
    (
        host(total=10, failed=4, failure_rate=0.38),
        "warning",
        "flaky-host",
        "Host 'web1' has 38% connection failure rate (4/10).",
    ),
    (host(total=3), "info", "reliable-host", "Host 'web1' is reliable: 3 successful connections."),
    (
        remote(total=9, failed=5, success_rate=0.42),
        "warning",
        "failing-remote-command",
        "Remote command 'systemctl restart *' fails often (5/9 across 3 hosts).",
    ),
    (
        remote(total=3, success_rate=0.95),
        "info",
        "reliable-remote-command",
        "Remote command 'systemctl restart *' reliable across 3 hosts (95% success).",
    ),
]


@pytest.mark.parametrize(("known", "level", "rule", "message"), SPEAKS)
def test_a_row_of_the_table_speaks_in_its_words(
    known: CommandHistory, level: str, rule: str, message: str
) -> None:
    told = [(insight.level, insight.message, insight.rule) for insight in before_run(known)]
    assert told == [(Level(level), message, rule)]


SILENT = [
    pytest.param(SEEN, id="one run, nothing to tell"),
    pytest.param(
        past(runs=0, everywhere=Rates(unjudged=6)), id="only runs without an exit elsewhere"
    ),
    pytest.param(
        past(runs=0, unjudged=2, everywhere=Rates(9, 0.5)), id="it ran here, without an exit"
    ),
    pytest.param(past(streak=2), id="two successes"),
    pytest.param(past(streak=-2), id="two failures"),
    pytest.param(past(timeout_rate=0.5, runs=9), id="half timed out"),
    pytest.param(past(timeout_rate=1.0, runs=2), id="two timeouts"),
    pytest.param(past(streak=4, streak_is_sound=False), id="a success of them hid a failure"),
    pytest.param(past(success_rate=0.9, runs=5), id="nine of ten"),
    pytest.param(past(success_rate=1.0, runs=4), id="four runs"),
    pytest.param(first_runs(Sample(10.0)), id="ten seconds"),
    pytest.param(first_runs(*[Sample(47.0)] * 3), id="three runs that give no estimate"),
    pytest.param(
        attrs.evolve(first_runs(Sample(47.0), Sample(47.0)), too_wide=True), id="a spread too wide"
    ),
    pytest.param(past(mean_duration_s=47.0, ended=1), id="a run with other numbers"),
    pytest.param(
        attrs.evolve(first_runs(Sample(47.0)), ended=2), id="of two runs one with other numbers"
    ),
    pytest.param(
        first_runs(Sample(12.0), Sample(120.0, censored=True)), id="it went on longer than that"
    ),
    pytest.param(
        past(estimate=lasting(30.0, Basis.COMMAND), own_durations=(Sample(2.0), Sample(2.0))),
        id="its own runs end long before",
    ),
    pytest.param(past(estimate=lasting(47.0, Basis.TEMPLATE)), id="another command's duration"),
    pytest.param(
        past(estimate=lasting(47.0, Basis.EXACT, Scope.EVERYWHERE)), id="another project's"
    ),
    pytest.param(host(failure_rate=0.3, failed=3), id="three of ten connections failed"),
    pytest.param(host(total=2), id="two connections"),
    pytest.param(host(total=9, failed=1, failure_rate=0.1), id="one connection of nine failed"),
    pytest.param(remote(success_rate=0.5, failed=5), id="half of the remote runs"),
    pytest.param(remote(success_rate=0.0, failed=0, total=2), id="no remote failure"),
    pytest.param(remote(success_rate=0.9, failed=1), id="nine of ten remote runs"),
    pytest.param(remote(total=2), id="two remote runs"),
]


@pytest.mark.parametrize("known", SILENT)
def test_the_other_side_of_a_threshold_is_silent(known: CommandHistory) -> None:
    assert before_run(known) == []


def test_insights_stand_together_in_the_order_of_the_table() -> None:
    known = past(
        runs=12,
        retries=RunCounts(3, 3),
        streak=3,
        success_rate=0.97,
        estimate=lasting(61.0),
        host=HostHistory("web1", 12, 0, 0.0),
        remote=RemoteHistory("uptime", 12, 0, 2, 0.97),
    )
    assert [insight.message for insight in before_run(known)] == [
        "Retry #4. Previous 3 succeeded.",
        "Streak: 3 successes in a row. Solid.",
        "Reliable pattern: 97% success (12 runs).",
        "Usually takes ~61s.",
        "Host 'web1' is reliable: 12 successful connections.",
        "Remote command 'uptime' reliable across 2 hosts (97% success).",
    ]


def test_a_retry_is_not_also_similar() -> None:
    known = past(retries=RunCounts(1, 1), similar=RunCounts(2, 2))
    assert [insight.rule for insight in before_run(known)] == ["retry"]


def test_a_new_pattern_may_be_similar_to_others() -> None:
    known = attrs.evolve(UNSEEN, similar=RunCounts(2, 2))
    assert [insight.rule for insight in before_run(known)] == ["similar-command", "new-pattern"]


def test_a_pattern_that_times_out_is_not_called_reliable() -> None:
    known = past(runs=20, timeout_rate=0.51, success_rate=0.95)
    assert [insight.rule for insight in before_run(known)] == ["frequent-timeouts"]


def test_an_option_table_begins_on_the_line_after_its_heading() -> None:
    assert options_insight("grep", "  -e  pattern\n  -v  invert") == Insight(
        Level.INFO, "Options for grep:\n  -e  pattern\n  -v  invert", "options"
    )


@pytest.mark.parametrize("tried", [RunCounts(2, 2), RunCounts(0, 2), RunCounts(1, 2)])
def test_a_rerun_that_a_person_asked_for_is_no_retry(tried: RunCounts) -> None:
    known = past(retries=tried, streak=-3)
    assert [it.rule for it in before_run(known, rerun=True)] == ["failing-streak"]
