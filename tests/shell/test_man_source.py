"""A page rendered from its roff source has the sections and options that `man` shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.shell.manpages.man import rendered
from zsh_ls.shell.manpages.options import MAX_OPTIONS
from zsh_ls.shell.manpages.page import ManualPage, builtin_pages, page_of, without_options
from zsh_ls.shell.manpages.roff import arguments, plain

MAN = r"""'\" t
.\" a comment
.ie \n(.g .ds Aq \(aq
.el .ds Aq '
.if t \{\
.de XX
never
..
.\}
.TH FROB 1
.SH NAME
frob, frobnicate \- turn things round
.SH "OPTIONS"
.TP
.BR \-n ", " \-\-line\-number
Prefix each line
with its number.  More words.
.TP
\fB\-c\fR, \fB\-\-colour\fR[=\fIWHEN\fR]
Use colours; don\(cqt ask.
.IP "\fB\-q\fR" 4
Say nothing.
.PP
\fB\-\-docbook\fR=\fIwords\fR
.RS 4
Indented by hand.
.RE
.PD 0
.TP
.B \-a
.TP
.B \-\-all
.PD
Everything.
.SH EXAMPLES
.nf
frob -x
.fi
"""
MDOC = r"""
.Dd January 1, 2026
.Dt FROB 1
.Os
.Sh NAME
.Nm frob
.Nd turn things round
.Sh DESCRIPTION
.Bl -tag -width indent
.It Fl n , Fl Fl line-number
Prefix each line
with its number.
.It Fl c Ar file Op Ar line
Read
.Ar file .
.It Fl L Xo
.Sm off
.Oo Ar host : Oc
.Ar port
.Sm on
.Xc
Listen.
.El
"""


def said(page: ManualPage) -> dict[str, str]:
    return {entry.heading: entry.description for entry in page.options}


def test_options_are_found_in_every_style_of_page() -> None:
    page = page_of("frob", MAN)
    assert page.purpose == "turn things round"
    assert said(page) == {
        "-n, --line-number": "Prefix each line with its number",
        "-c, --colour[=WHEN]": "Use colours; don’t ask",
        "-q": "Say nothing",
        "--docbook=words": "Indented by hand",
        "-a, --all": "Everything",
    }


def test_a_builtin_is_told_by_its_part_of_the_shells_manual() -> None:
    source = """
.SH NAME
sh \\- a shell
.TP
.B \\-z
Of the shell.
.SH SHELL BUILTIN COMMANDS
.TP
\\fBread\\fP [\\fB\\-r\\fP] [name]
Reads.
.RS
.TP
.B \\-r
Leave backslashes alone.
.RE
.TP
\\fBcd\\fP
.SH AFTER
.TP
.B \\-a
Else.
"""
    pages = builtin_pages(source, frozenset({"read", "cd", "["}))
    assert {name: said(page) for name, page in pages.items()} == {
        "read": {"-r": "Leave backslashes alone"},
        "cd": {},
    }


@pytest.mark.parametrize("source", ["", ".TH ZSHBUILTINS 1\n.SH NAME\nnone here\n", "no roff"])
def test_a_manual_without_builtins_has_no_pages_of_them(source: str) -> None:
    """A damaged manual gives no pages, so that a hover that reads it shows nothing."""
    assert builtin_pages(source, frozenset({"read", "cd"})) == {}


def test_pages_of_bsd_are_read_too() -> None:
    page = page_of("frob", MDOC)
    assert page.purpose == "turn things round"
    assert said(page) == {
        "-n, --line-number": "Prefix each line with its number",
        "-c file [line]": "Read file",
        "-L [host:]port": "Listen",
    }


@pytest.mark.parametrize("source", [MAN, MDOC])
def test_what_a_page_is_of_is_known_without_its_options(source: str) -> None:
    whole = page_of("frob", source)
    assert without_options("frob", source) == ManualPage("frob", whole.purpose)


@pytest.mark.parametrize(
    "source", ["", ".SH NAME\nfrob \\- turns", ".SH A\n.SH NAME\nx \\- y\n.SH B\n"]
)
def test_a_page_that_does_not_begin_with_what_it_is_of_is_read_whole(source: str) -> None:
    assert without_options("frob", source) is None


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\fBbold\fR \f(CWmono\fP \f[I]slanted\fR", "bold mono slanted"),
        (r"\-\-all \e \(aqx\(aq \[u00E9] \*(lqq\*(rq", "--all \\ 'x' é “q”"),
        (r"a\&.b\|c\h'4'd \s-1small\s0 \" a comment", "a.bc d small "),
        (r"\(zz\*(zz\n(zz\k", ""),
    ],
)
def test_escapes_become_characters(source: str, text: str) -> None:
    assert plain(source) == text


def test_the_arguments_of_a_macro_may_be_quoted() -> None:
    assert arguments(r'"a ""b""" c\ d \fBe\fR') == ['a "b"', "c d", "e"]


def test_a_block_whose_condition_does_not_hold_is_left_out() -> None:
    source = ".ie t \\{\\\n.if n \\{ x\n.\\}\nnever\n.\\}\n.el \\{\\\nshown\n.\\}\nbehind\n"
    assert rendered(source).split() == ["shown", "behind"]


MACROS = [".TP", ".IP", ".RE", ".RS", ".SH", ".It", ".El", ".nf", ".TS", ".el", ".de", "Fl", "Xo"]
PIECES = st.sampled_from(
    [*".\\\"' ({[]})-\n\tx", ".if n \\{", "\\}", ".Bl -tag\n", ".Sh A\n", "\\f", "\\*("]
)
ENDS = st.sampled_from([" ", "\n"])


@given(
    st.lists(
        PIECES | st.tuples(st.sampled_from(MACROS), ENDS).map("".join) | st.text(max_size=5),
        max_size=40,
    ).map("".join)
)
def test_any_text_gives_a_page(source: str) -> None:
    assert isinstance(page_of("x", source), ManualPage)


def test_a_manual_that_describes_no_builtin_has_no_pages() -> None:
    assert builtin_pages(".SH NAME\nbash \\- a shell\n", frozenset({"read"})) == {}


def test_of_a_page_of_endless_options_only_so_many_are_kept() -> None:
    source = ".SH OPTIONS\n" + "".join(f".TP\n.B \\-x{n}\nDo.\n" for n in range(MAX_OPTIONS + 9))
    assert len(page_of("frob", source).options) == MAX_OPTIONS


def test_options_that_a_builtin_tells_of_in_sentences_or_by_another_are_known() -> None:
    source = (
        ".SH SHELL BUILTIN COMMANDS\n.TP\ndeclare [-ag] [name]\n.PD 0\n.TP\ntypeset [-ag] [name]\n.PD\n"
        "Declares. The -g option makes it global. So it is. Options are:\n.RS\n.TP\n-a\nAn array.\n.RE\n"
        ".TP\nlocal [option]\nThe option can be any of the options accepted by declare.\n"
    )
    pages = builtin_pages(source, frozenset({"declare", "typeset", "local"}))
    for name in ("declare", "typeset", "local"):
        told = {entry.heading: entry.description for entry in pages[name].options}
        assert told == {"-a": "An array", "-g": "The -g option makes it global"}, name
