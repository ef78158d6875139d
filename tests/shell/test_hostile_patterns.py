"""Hostile texts take time in proportion to their length; in quadratic time these tests would time out."""

from __future__ import annotations

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.manpages.page import page_of
from zsh_ls.shell.manpages.roff import MAX_LINES, lines_of, plain
from zsh_ls.shell.tracing.traceable import reason_against

ONCE_AND_AGAIN = 500_000


def test_traps_without_end_on_one_line() -> None:
    text = "trap x " * ONCE_AND_AGAIN
    assert reason_against(text, Dialect.ZSH) is None
    assert "DEBUG trap" in (reason_against(f"{text}DEBUG", Dialect.ZSH) or "")
    assert reason_against("echo DEBUG; trap x EXIT\n", Dialect.ZSH) is None


def test_names_of_escapes_that_are_never_closed() -> None:
    for opening in (r"\[", r"\*[", r"\f[", r"\n[", r"\s["):
        assert isinstance(plain(opening * ONCE_AND_AGAIN), str)
    assert plain(r"\[bu] \*[lq]a\*[rq] \[u00E9]") == "• “a” é"


def test_conditions_without_end_on_one_line() -> None:
    for condition in (".if n ", ".if n \\{", ".ie n .el "):
        assert list(lines_of(condition * ONCE_AND_AGAIN)) is not None
    assert [it.text for it in lines_of(".if n .if n shown\n.if t hidden")] == ["shown"]


def test_lines_without_end_are_left_out() -> None:
    page = ".SH OPTIONS\n.TP\n.B \\-x\nDo it.\n" + "\n" * (3 * MAX_LINES) + ".TP\n.B \\-y\nNot.\n"
    told = page_of("frob", page)
    assert [form.flag for option in told.options for form in option.forms] == ["-x"]
