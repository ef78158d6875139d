"""Marks of runs follow their text, and go with it (DOC-2)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level
from zsh_ls.sidecar.documents.marks import DocumentState, RunMark, settle
from zsh_ls.sidecar.editor.types import Edit

SCRIPT = "#!/bin/zsh\necho test | grep nope\nls\n"
LINE = Span(11, 32)
COMMAND = "echo test | grep nope"
NORMAL = Insight(Level.INFO, "grep exit 1 = no match (normal)", "grep-no-match", Span(12, 21))


def after_a_run() -> tuple[DocumentState, RunMark]:
    document = DocumentState("file:///x.zsh", SCRIPT, "zsh", 1)
    mark = document.begin(LINE)
    assert settle(mark, COMMAND, Span(0, 21), [NORMAL])
    return document, mark


def marked(document: DocumentState) -> list[str]:
    return [document.text[it.span.start : it.span.end] for it in document.insights()]


def test_an_insight_stands_on_its_segment() -> None:
    assert marked(after_a_run()[0]) == ["grep nope"]


def test_it_follows_an_inserted_line_above() -> None:
    document, _ = after_a_run()
    document.edit([Edit(Span(0, 0), "# first\n"), Edit(Span(8, 8), "# second\n")], 2)
    assert marked(document) == ["grep nope"]


def test_it_goes_when_its_pipeline_changes() -> None:
    document, _ = after_a_run()
    at = document.text.index("nope")
    document.edit([Edit(Span(at, at + 4), "test")], 2)
    assert marked(document) == []


def test_it_stays_when_a_comment_is_written_behind_it() -> None:
    document, _ = after_a_run()
    document.edit([Edit(Span(32, 32), "  # why")], 2)
    assert marked(document) == ["grep nope"]


def test_it_goes_when_a_word_is_put_right_before_it() -> None:
    document, _ = after_a_run()
    document.edit([Edit(Span(11, 11), "g")], 2)
    assert marked(document) == []


def test_it_goes_when_its_line_is_run_again() -> None:
    document, _ = after_a_run()
    document.begin(LINE)
    assert marked(document) == []


def test_another_line_run_leaves_it_alone() -> None:
    document, _ = after_a_run()
    document.begin(Span(33, 35))
    assert marked(document) == ["grep nope"]


def test_a_run_whose_text_was_changed_meanwhile_leaves_nothing() -> None:
    document = DocumentState("file:///x.zsh", SCRIPT, "zsh", 1)
    mark = document.begin(LINE)
    document.edit([Edit(Span(11, 32), "true")], 2)
    assert not settle(mark, COMMAND, None, [NORMAL])
    assert marked(document) == []


def test_a_run_that_was_moved_meanwhile_finds_its_line() -> None:
    document = DocumentState("file:///x.zsh", SCRIPT, "zsh", 1)
    mark = document.begin(LINE)
    document.edit([Edit(Span(0, 11), "")], 2)
    assert settle(mark, COMMAND, Span(0, 21), [NORMAL])
    assert marked(document) == ["grep nope"]


@given(st.integers(0, len(SCRIPT)), st.integers(0, len(SCRIPT)), st.text("ab |\n", max_size=5))
def test_no_edit_leaves_an_insight_on_other_text(one: int, other: int, text: str) -> None:
    document, _ = after_a_run()
    document.edit([Edit(Span(min(one, other), max(one, other)), text)], 2)
    assert marked(document) in ([], ["grep nope"])
