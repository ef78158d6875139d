"""Tests that the fix which ignores a rule adds a real comment, and that it suppresses the rule."""

from __future__ import annotations

import attrs
import pytest

from zsh_ls.insights import registry, static_of
from zsh_ls.insights.registry import RuleKind, rule_named, rules_of
from zsh_ls.insights.suppression import ignore_fix
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level
from zsh_ls.shell.syntax.parser import parse

RULE = "unchecked-cd"


def ignored(marked: str) -> str | None:
    """The text with the comment added for an insight about the range between `«` and `»`."""
    start = marked.index("«")
    text = marked.replace("«", "").replace("»", "")
    script = parse(text, Dialect.BASH)
    fix = ignore_fix(script, Insight(Level.WARNING, "", RULE, Span(start, marked.index("»") - 1)))
    if fix is None:
        return None
    assert fix.title == "Ignore unchecked-cd on this line"
    (replacement,) = fix.replacements
    start, end = replacement.span
    return text[:start] + replacement.text + text[end:]


COMMENT = "# zsh-ls: ignore=unchecked-cd"


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("«cd x» \nls\n", f"cd x  {COMMENT} \nls\n"),
        ("«cd x»", f"cd x  {COMMENT}"),
        ("«cd x»\r\nls\r\n", f"cd x  {COMMENT}\r\nls\r\n"),
        ("«cd x»  # why\n", f"cd x  # why  {COMMENT}\n"),
        ("«cd x»  # zsh-ls: ignore=late-status\n", "cd x  # zsh-ls: ignore=late-status,unchecked-cd\n"),
        ("# zsh-ls: ignore=a, b\n«cd x»\n", "# zsh-ls: ignore=a, b,unchecked-cd\ncd x\n"),
        ("f() {\n  «cd \\\n  x»\n}\n", f"f() {{\n  cd \\\n  x  {COMMENT}\n}}\n"),
        ("cat <<A\n$(«cd x»)\nA\nls\n", None),
        ('echo "\n«cd x»\n"\n', None),
    ],
)  # fmt: skip
def test_the_comment_is_one_and_stands_where_it_counts(marked: str, expected: str | None) -> None:
    assert ignored(marked) == expected


def test_a_comment_above_serves_a_line_that_goes_on() -> None:
    assert ignored('if a; then\n\t«cd x» \\\n\t&& y "\nz"\nfi\n') == (
        f'if a; then\n\t{COMMENT}\n\tcd x \\\n\t&& y "\nz"\nfi\n'
    )


def test_what_a_run_left_on_a_line_is_not_ignored_by_a_comment() -> None:
    script = parse("false\n", Dialect.ZSH)
    for rule in ("grep-no-match", "syntax-error", ""):
        assert ignore_fix(script, Insight(Level.INFO, "", rule, Span(0, 5))) is None


# DOC-5
def test_every_static_finding_can_be_ignored() -> None:
    text = "#!/bin/bash\nset -e\nf() {\n\tlocal a=$(curl b)\n}\ngrep -c x y\ncd z\nrm -f w\n"
    script = parse(text, Dialect.BASH)
    findings = static_of(script)
    assert len({found.rule for found in findings}) >= 2
    for found in findings:
        fix = ignore_fix(script, found)
        assert fix is not None
        (edit,) = fix.replacements
        mended = parse(text[: edit.span.start] + edit.text + text[edit.span.end :], Dialect.BASH)
        rules = [it.rule for it in static_of(mended)]
        assert rules.count(found.rule) == [it.rule for it in findings].count(found.rule) - 1


# DOC-5
def test_a_renamed_rule_answers_to_its_old_name(monkeypatch: pytest.MonkeyPatch) -> None:
    renamed = attrs.evolve(rule_named(RULE), formerly=("cd-without-check",))
    others = [it for it in rules_of(RuleKind.STATIC) if it.name != RULE]
    monkeypatch.setattr(registry, "all_rules", lambda: (*others, renamed))
    text = '#!/bin/bash\ncd "$1"  # zsh-ls: ignore=cd-without-check\nrm -rf *\n'
    assert rule_named("cd-without-check") is renamed
    assert static_of(parse(text, Dialect.BASH)) == []
    other = text.replace("cd-without-check", "cd-with-check")
    assert {it.rule for it in static_of(parse(other, Dialect.BASH))} == {RULE, "unknown-ignore"}
