"""The user's own redaction patterns: linear time, and messages about those that RE2 cannot use."""

from __future__ import annotations

import sys

import pytest

from zsh_ls.model.span import Span
from zsh_ls.shell.redaction.redact import MARKER, redact
from zsh_ls.shell.redaction.user_patterns import MAX_STEPS, NO_RE2, fault_in, matches

CATASTROPHIC = [
    r"(a+)+b",
    r"(a|a)*b",
    r"(a|aa)+$x",
    r"(.*a){20}b",
    r"(a*)*(a*)*(a*)*b",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(?:a?){50}a{50}b",
]


@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_a_pattern_that_backtracks_for_ever_elsewhere_does_not_here(pattern: str) -> None:
    """Python's own engine would backtrack for ever here, and the test would time out."""
    assert fault_in(pattern) is None
    assert redact("echo " + "a" * 16_000, (pattern,)) == "echo " + "a" * 16_000


def test_what_matches_goes_whole_or_by_its_first_group() -> None:
    text = "é😀 nr=1234 tel 555-0101"
    assert list(matches(text, [r"nr=(\d+)", r"\d{3}-\d{4}"])) == [Span(6, 10), Span(15, 23)]
    assert list(matches("ab", ["(x)?b", "()", "z*"])) != []
    assert redact("ab", ("(x)?b",)) == f"a{MARKER}"


def test_a_text_that_would_take_too_long_is_hidden_rather_than_shown() -> None:
    """RE2 may search the whole rest again after each match; at the limit of steps the rest is hidden."""
    hard, text = r"(?s)c.*d|c", "c" * 16_000
    assert len(text) ** 2 / 2 > MAX_STEPS
    assert redact(text, (hard,)).replace(MARKER, "") == ""
    # A text of that length with fewer matches is looked through to its end.
    assert redact("x" * 15_000 + " nr=12", (r"nr=(\d+)",)) == "x" * 15_000 + f" nr={MARKER}"


@pytest.mark.parametrize(
    ("pattern", "advice"),
    [
        (r"(?<=nr=)\d+", "first group"),
        (r"\d+(?!x)", "first group"),
        (r"(a)\1", "back-references are not supported"),
        (r"(?P<q>a)(?P=q)", "back-references are not supported"),
        (r"a++", "not needed"),
        (r"(?>a)", "not needed"),
        (r"a\Z", r"\z"),
        (r"a{2000}", "fewer repetitions"),
        (r"(", "missing ): ( (see https://github.com/google/re2"),
        (r"(\pL{100}){10}", "fewer repetitions"),
        (r"[a-z]{1000}" * 15, "fewer repetitions"),
        ("\ud800", "surrogates not allowed"),
    ],
)
def test_what_cannot_be_used_is_said_with_what_to_do(pattern: str, advice: str) -> None:
    assert advice in (fault_in(pattern) or "")
    assert redact("a 1 nr=22", (pattern, r"nr=(\d+)")) == f"a 1 nr={MARKER}"


def test_a_text_with_lone_surrogates_is_looked_through() -> None:
    assert redact("\udcff nr=1\udc80", (r"nr=(\d)",)) == f"\udcff nr={MARKER}\udc80"


def test_where_re2_is_not_installed_a_pattern_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)  # importing it fails, as in a bundle without it
    assert fault_in("nr=\\d+") == NO_RE2
    assert list(matches("nr=1234", ("nr=\\d+",))) == []
    assert redact("echo nr=1234", ("nr=\\d+",)) == "echo nr=1234"
