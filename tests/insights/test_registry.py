"""Tests that a failing rule does not affect others, and that the generated page is up to date."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evidence.sample import judged
from tools.docs import stale_pages
from zsh_ls.insights import before_run, registry
from zsh_ls.insights.registry import Rule, RuleKind, all_rules, rule, rule_named, rules_of
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

VERDICTS = Path(__file__).parent.parent / "data" / "rule_verdicts"
NEW = CommandHistory(template="x", base="x")


def broken(past: CommandHistory) -> Iterator[Insight]:
    """Raise after the first insight."""
    yield Insight(Level.INFO, f"half of {past.template}")
    raise RuntimeError("the rule is broken")


def test_a_rule_that_raises_loses_its_own_insights_and_never_anothers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failing = Rule("broken", RuleKind.BEFORE_RUN, 0, (Level.INFO,), broken)
    rules = (failing, *registry.rules_of(RuleKind.BEFORE_RUN))
    monkeypatch.setattr("zsh_ls.insights.judging.rules_of", lambda kind: rules)
    with caplog.at_level(logging.ERROR):
        assert [insight.rule for insight in before_run(NEW)] == ["new-pattern"]
    assert "rule broken failed" in caplog.text


def test_no_two_rules_share_a_name() -> None:
    def new_pattern(past: CommandHistory) -> Iterator[Insight]:
        """Says nothing."""
        yield from ()

    all_rules()
    with pytest.raises(ValueError, match="two rules are called new-pattern"):
        rule(RuleKind.BEFORE_RUN, Level.INFO)(new_pattern)


def test_a_rule_is_found_by_its_name() -> None:
    found = rule_named("grep-no-match")
    assert found is not None
    assert found.title.startswith("A search found nothing")
    assert rule_named("no-such-rule") is None


def test_the_generated_page_is_up_to_date() -> None:
    assert stale_pages() == []


@pytest.mark.parametrize("rule", rules_of(RuleKind.STATIC), ids=lambda rule: rule.name)
def test_a_static_rule_was_judged_right_on_real_scripts_or_says_that_it_is_unproven(
    rule: Rule,
) -> None:
    path = VERDICTS / f"{rule.name}.tsv"
    rows = [line.split("\t") for line in path.read_text().splitlines()] if path.exists() else []
    verdicts = [row[3] for row in rows if row[0] in {"after tuning", "unseen, still said"}]
    assert verdicts.count("right") >= 0.95 * len(verdicts)
    drawn = sum(row["rule"] == rule.name for row in judged())
    assert rule.unproven == (len(verdicts) + drawn < 20) or rule.name == "unknown-ignore"
