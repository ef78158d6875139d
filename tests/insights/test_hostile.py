"""Tests that no shell report and no document makes a rule raise or report a range outside of the text."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.insights.test_fixes import SCRIPTS
from zsh_ls.insights import after_run, static
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.words.vocabulary import SHELL_WORDS

PIECES = st.sampled_from(
    """
    set -e¦set -o pipefail¦cd x¦rm *¦local x=$(a)¦grep a b¦a | tee b¦make | tail¦yes | head
    if¦then¦fi¦while read x; do¦done¦for f in *.c¦f() {¦}¦[[ $? ]]¦$?¦${PIPESTATUS[0]}¦$pipestatus
    ((n++))¦let n=0¦read -d ''¦&¦&&¦||¦!¦;¦"¦'¦`¦$(¦)¦# zsh-ls: ignore=x¦<<E¦E¦\0¦é
    """.strip()
    .replace("\n", "¦\n¦")
    .split("¦")
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map(" ".join))
HOSTILE = {
    "deep": "$(" * 3000,
    "braces": "{ " * 3000,
    "long line": "a | " * 20_000,
    "quotes": "'\"`" * 5000,
    "comment": "# zsh-ls: ignore=" + "a," * 20_000,
    "greps": "set -e\n" + "x=$(grep a b)\n" * 2000,
    "folders": "cd a\nrm b\n" * 1500,
    "steps": "set -e\n" + "((n++))\n" * 1500,
}


@pytest.fixture(autouse=True)
def _a_rule_that_fails_fails_the_test(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)


@given(TEXTS, st.sampled_from(Dialect))
@settings(max_examples=300, deadline=None)
def test_every_insight_on_a_text_points_into_it(text: str, dialect: Dialect) -> None:
    for insight in static(text, dialect):
        assert insight.span is not None
        assert 0 <= insight.span.start <= insight.span.end <= len(text)


@given(TEXTS, st.lists(st.integers(0, 255), max_size=4), st.booleans())
@settings(max_examples=200, deadline=None)
def test_every_insight_on_a_run_points_into_its_command(
    command: str, statuses: list[int], blank: bool
) -> None:
    exit_status = statuses[-1] if statuses else 0
    run = CompletedRun(
        command,
        "zsh",
        exit_status,
        tuple(statuses),
        outcome_of(exit_status),
        0.1,
        0.0,
        "s",
        output_is_blank=blank,
    )
    for insight in after_run(with_pipeline(run)):
        assert insight.span is None or insight.span.end <= len(command)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_beginning_of_a_script_is_read(
    path: object, caplog: pytest.LogCaptureFixture
) -> None:
    text = path.read_text()  # type: ignore[attr-defined]
    for end in range(0, len(text), 23):
        static(text[:end], Dialect.BASH)
    assert not caplog.records


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_document_is_answered(text: str, caplog: pytest.LogCaptureFixture) -> None:
    static(text, Dialect.BASH)
    assert not caplog.records


WORDS_OF_SHELLS = sorted(set().union(*(it.builtins | it.reserved for it in SHELL_WORDS.values())))
PLAIN = st.lists(
    st.one_of(
        st.sampled_from(WORDS_OF_SHELLS).filter(str.isalnum),
        st.text("abZ09_./,+:@%=-", min_size=1, max_size=8),
        st.sampled_from(["-e", "-o", "pipefail", "x=1", "errexit", "status"]),
    ),
    max_size=8,
).map(" ".join)


@given(PLAIN, st.sampled_from(Dialect))
def test_one_plain_command_is_passed_over_because_no_rule_speaks_of_it(
    text: str, dialect: Dialect
) -> None:
    """With an end of line it is judged by all rules."""
    assert static(text, dialect) == static(f"{text}\n", dialect)
