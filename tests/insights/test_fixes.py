"""Tests that a fix removes its insight, keeps the text parseable, and changes nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.annotated import blocks
from zsh_ls.insights import static
from zsh_ls.insights.registry import RuleKind, rules_of
from zsh_ls.model.insight import Fix, Insight
from zsh_ls.shell.fates import FateKind, fates
from zsh_ls.shell.status.exit_codes import normal_meaning
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse

SCRIPTS = sorted((Path(__file__).parent / "scripts" / "static").iterdir())


def examples() -> Iterator[str]:
    yield from (path.read_text() for path in SCRIPTS)
    for rule in rules_of(RuleKind.STATIC):
        yield from blocks(rule.page)


def insights_of(text: str) -> list[Insight]:
    return static(text, dialect_of(text))


def fixed(text: str, fix: Fix) -> str:
    for span, new in reversed(fix.replacements):
        text = text[: span.start] + new + text[span.end :]
    return text


def fixable() -> Iterator[ParameterSet]:
    for text in examples():
        for insight in insights_of(text):
            if insight.fix is not None and insight.span is not None:
                line = text.count("\n", 0, insight.span.start) + 1
                yield pytest.param(text, insight, id=f"{insight.rule}:{line}")


@pytest.mark.parametrize(("text", "insight"), list(fixable()))
def test_a_fixed_script_has_that_insight_no_more_and_no_other_instead(
    text: str, insight: Insight
) -> None:
    assert insight.fix is not None
    mended = fixed(text, insight.fix)
    before = Counter(each.rule for each in insights_of(text))
    after = Counter(each.rule for each in insights_of(mended))
    assert after[insight.rule] == before[insight.rule] - 1
    assert not after - before
    assert not parse(mended, dialect_of(mended)).problems


@pytest.mark.parametrize(("text", "insight"), list(fixable()))
def test_with_a_fix_the_fate_is_right_and_no_answer_ends_the_script(
    text: str, insight: Insight
) -> None:
    # FATE-10
    assert insight.fix is not None
    mended = fixed(text, insight.fix)
    before, after = fates_by_command(text), fates_by_command(mended)
    for command, kinds in after.items():
        program = command.split()[0]
        if normal_meaning(program, 1) is not None and command in before:
            assert kinds[FateKind.STOPS] <= before[command][FateKind.STOPS]
    if insight.rule in {"declaration-masks-exit", "unchecked-cd", "published-after-failure"}:
        assert noticed(after) > noticed(before)
    elif insight.rule.startswith("errexit-on-") and insight.because and insight.span is not None:
        # A fate is that of the command without the assignments before it.
        said = text[insight.span.start : insight.span.end]
        command = max((it for it in before if said.endswith(it)), key=len)
        assert after[command][FateKind.STOPS] < before[command][FateKind.STOPS]


def noticed(commands: dict[str, Counter[FateKind]]) -> int:
    return sum(it.total() - it[FateKind.UNNOTICED] for it in commands.values())


def fates_by_command(text: str) -> dict[str, Counter[FateKind]]:
    found: dict[str, Counter[FateKind]] = {}
    for fate in fates(parse(text, dialect_of(text))):
        found.setdefault(fate.command, Counter())[fate.fate] += 1
    return found


def test_every_rule_that_says_it_has_a_fix_offers_one() -> None:
    offered = {insight.rule for text in examples() for insight in insights_of(text) if insight.fix}
    on = [rule for rule in rules_of(RuleKind.STATIC) if not rule.is_off]
    promised = {rule.name for rule in on if "The fix " in rule.page}
    assert promised <= offered
