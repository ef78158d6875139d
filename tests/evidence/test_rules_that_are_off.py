"""A rule whose judged findings are too often of no use says so, and is off by default (DOC-5)."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from tests.evidence.sample import judged, worse
from zsh_ls.cli.given_files import GivenFiles
from zsh_ls.cli.script_reports import check_each
from zsh_ls.insights import pages, static
from zsh_ls.insights.embedded import ONLY_IN_HOSTS
from zsh_ls.insights.registry import Rule, RuleKind, rules_of
from zsh_ls.model.syntax import Dialect

# So many judged findings say enough of a rule; the share of them that has to be useful.
ENOUGH = 5
USEFUL_SHARE = 0.9
# FATE-9 asks for what they say, the fates prove it, and no other rule says it: on, with their figure. Six of
# the seven findings of `masked-build-failure` are of one script that stands six times in a repository.
PROVEN_BY_FATES = frozenset(
    {
        "errexit-off-in-condition",
        "errexit-off-in-substitution",
        "errexit-on-false-condition",
        "lost-substitution",
        "masked-build-failure",
        "published-after-failure",
        "unchecked-cd",
    }
)
SCRIPT = '#!/bin/bash\ncd "$1"\nrm -rf build\nmake\necho made\n[ $? -eq 0 ] || exit 1\n'


def figure_of(rule: str) -> str:
    """`4 of 6` where too few of a rule's findings were useful, else empty."""
    verdicts = [worse(row) for row in judged() if row["rule"] == rule]
    useful = verdicts.count("useful")
    if len(verdicts) < ENOUGH or useful >= USEFUL_SHARE * len(verdicts):
        return ""
    return f"{useful} of {len(verdicts)}"


@pytest.mark.parametrize("rule", rules_of(RuleKind.STATIC), ids=lambda rule: rule.name)
def test_a_rule_says_where_too_few_of_its_findings_were_useful(rule: Rule) -> None:
    assert rule.judged == figure_of(rule.name)
    judged_off = bool(rule.judged) and rule.name not in PROVEN_BY_FATES
    assert rule.is_off == (judged_off or rule.name in ONLY_IN_HOSTS)


@pytest.fixture
def cd_is_off(monkeypatch: pytest.MonkeyPatch) -> Rule:
    """The rule `unchecked-cd`, as it would be if it were off."""
    rules = [
        attrs.evolve(rule, judged="4 of 6", is_off=True) if rule.name == "unchecked-cd" else rule
        for rule in rules_of(RuleKind.STATIC)
    ]
    monkeypatch.setattr("zsh_ls.insights.registry.rules_of", lambda kind: tuple(rules))
    return next(rule for rule in rules if rule.name == "unchecked-cd")


def test_a_rule_that_is_off_says_nothing_unless_it_is_named(cd_is_off: Rule) -> None:
    assert [it.rule for it in static(SCRIPT, Dialect.BASH)] == ["late-status"]
    found = static(SCRIPT, Dialect.BASH, named={cd_is_off.name})
    assert [it.rule for it in found] == ["unchecked-cd", "late-status"]


def test_a_check_for_one_rule_has_it_also_where_it_is_off(cd_is_off: Rule, tmp_path: Path) -> None:
    script = tmp_path / "x.sh"
    script.write_text(SCRIPT)
    paths = [str(script)]

    def rules(wanted: set[str]) -> list[str]:
        reports = check_each(paths, wanted, GivenFiles(paths))
        return [each.rule for report in reports for each in report.findings]

    assert rules({cd_is_off.name}) == ["unchecked-cd"]
    assert rules(set()) == ["late-status"]


def test_the_page_of_a_rule_that_is_off_says_why(cd_is_off: Rule) -> None:
    page = pages.page(cd_is_off)
    assert "**Judged:** 4 of 6 findings on real scripts were useful." in page
    assert "**Off by default:**" in page
    assert "check --rule unchecked-cd" in page
    assert pages.levels(cd_is_off) == "off"
