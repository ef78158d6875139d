"""What a draw takes and what a judge sees, on scripts made for it."""

from __future__ import annotations

from collections import Counter

from tests.evidence.sample import PER_RULE, TOTAL, ZSH_AT_LEAST, Row, draw, shown_lines
from zsh_ls.model.syntax import Dialect


def _row(at: int, rule: str, dialect: str) -> Row:
    return {
        "repository": f"owner/{at % 40}",
        "path": "script",
        "line": str(at),
        "dialect": dialect,
        "rule": rule,
        "code": f"command {at}",
    }


def test_a_draw_keeps_the_share_of_zsh_and_the_limit_of_a_rule() -> None:
    found = [_row(at, f"rule-{at % 12}", "bash") for at in range(600)]
    found += [_row(at, f"rule-{at % 12}", "zsh") for at in range(600, 660)]
    drawn = draw(found, 7)
    assert len(drawn) == TOTAL
    assert sum(row["dialect"] == "zsh" for row in drawn) >= ZSH_AT_LEAST
    assert max(Counter(row["rule"] for row in drawn).values()) <= PER_RULE
    assert drawn == draw(found[::-1], 7)


def test_copies_of_a_line_in_one_repository_are_drawn_once() -> None:
    found = [_row(at, "masked-segment", "bash") | {"code": "make | tee log"} for at in range(80)]
    drawn = draw(found, 7)
    assert len(drawn) == len({row["repository"] for row in drawn})


def test_a_short_script_is_shown_whole() -> None:
    assert shown_lines("set -e\nfalse\n", Dialect.BASH, 2, "") == [1, 2, 3]


def test_of_a_long_script_the_function_its_callers_and_the_options_are_shown() -> None:
    filler = ["echo"] * 100
    function = ["deploy() {", *["  make"] * 60, "}"]
    text = "\n".join([*filler, "set -e", *filler, *function, *filler, "if deploy; then", "fi"])
    shown = shown_lines(text, Dialect.BASH, 204, "errexit is off (see line 60)")
    assert shown[:8] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert set(range(58, 63)) <= set(shown), "the line that the message names"
    assert 101 in shown, "set -e"
    assert set(range(202, 264)) <= set(shown), "the whole function"
    assert 364 in shown, "the line that calls it"
    assert 150 not in shown
