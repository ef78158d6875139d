"""What a line needs of the lines above it (SESS-3): texts with the line marked by `>`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.missing import Dependencies, Kind, dependencies, folder_changes
from zsh_ls.shell.syntax.parser import parse

BOTH = (Dialect.ZSH, Dialect.BASH)


def asked(marked: str, dialect: Dialect = Dialect.ZSH, known: str = "HOME PATH") -> Dependencies:
    """The question about the lines of `marked` that begin with `>`, once that sign is gone."""
    lines = marked.splitlines()
    first = next(at for at, line in enumerate(lines) if line.lstrip().startswith(">"))
    count = sum(line.lstrip().startswith(">") for line in lines)
    lines = [line.replace(">", "", 1) if line.lstrip().startswith(">") else line for line in lines]
    text = "\n".join(lines) + "\n"
    start = sum(len(line) + 1 for line in lines[:first])
    start += len(lines[first]) - len(lines[first].lstrip())
    end = sum(len(line) + 1 for line in lines[: first + count]) - 1
    there = set(known.split())

    def is_known(kind: Kind, name: str) -> bool:
        return name in there

    names = names_of(parse(text, dialect))
    return dependencies(names, Span(start, end), is_known, lambda changes: changes[-1] in there)


def told(marked: str, dialect: Dialect = Dialect.ZSH, known: str = "HOME PATH") -> tuple[str, str]:
    """What is missing, `name:kind:line`, and the lines that would be run first (from 0)."""
    found = asked(marked, dialect, known)
    text = "".join(
        f"{line.replace('>', '', 1) if line.lstrip().startswith('>') else line}\n"
        for line in marked.splitlines()
    )
    lines = [text.count("\n", 0, span.start) for span in found.offer]
    missing = " ".join(f"{it.name}:{it.kind[0]}{it.line}" for it in found.missing)
    return missing, " ".join(map(str, lines))


CASES = {
    "let": ("let k=3\n>echo $k", "k:v0", "0"),
    "let in quotes": ("a=1\nlet 'k = a + 1'\n>echo $k", "k:v1", "0 1"),
    "let reads": ("a=1\n>let b=a+1", "a:v0", "0"),
    "let reads what is expanded": ('a=1\n>let "b = $a + 1"', "a:v0", "0"),
    "what an alias calls": ("f() { :; }\nalias g=f\n>g 1", "f:f0 g:a1", "0 1"),
    "what an alias reads": ("x=1\nalias g='echo $x'\n>g", "x:v0 g:a1", "0 1"),
    "what an alias gives itself": ("x=1\nalias g='x=2; f $x'\nf() { :; }\n>g", "g:a1 f:f2", "1 2"),
    "a function that is loaded by name": ("autoload -Uz zmv\n>zmv -n a b", "zmv:f0", "0"),
    "one that the line loads itself": ("autoload zmv\n>autoload zmv && zmv a b", "", ""),
    "an alias of an alias": ("alias a=b\nalias b='b -x'\n>a", "a:a0 b:a1", "0 1"),
    "a variable": ("x=1\n>echo $x", "x:v0", "0"),
    "in braces": ('x=1\n>echo "${x%/*}"', "x:v0", "0"),
    "in arithmetic": ("x=1\n>(( x + 1 ))", "x:v0", "0"),
    "in a here-document": ("x=1\n>cat <<E\n>$x\n>E", "x:v0", "0"),
    "in single quotes it is text": ("x=1\n>echo '$x'", "", ""),
    "the environment has it": ("HOME=/x\n>echo $HOME", "", ""),
    "nothing gives it": (">echo $x", "", ""),
    "only below": (">echo $x\nx=1", "", ""),
    "the line gives it itself": ("x=1\n>x=2; echo $x", "", ""),
    "it reads it before it gives it": ("x=1\n>x=$x:2", "x:v0", "0"),
    "it adds to it": ("x=1\n>x+=2", "x:v0", "0"),
    "the last one counts": ("x=1\nx=2\n>echo $x", "x:v1", "1"),
    "what is added needs the first": ("x=1\nx+=2\n>echo $x", "x:v1", "0 1"),
    "it may not be given again": ("x=1\nif a; then x=2; fi\n>echo $x", "x:v1", "0 1"),
    "after &&": ("x=1\ntest a && x=2\n>echo $x", "x:v1", "0 1"),
    "a file that is sourced may give it": ('. ./config.sh\na="$b"\n>echo $a', "a:v1", "0 1"),
    "nothing is left for a file to give": ('. ./config.sh\na=1\n>echo $a', "a:v1", "1"),
    "a file that is sourced later": ("a=$b\nsource ./x\n>echo $a", "a:v0", "0"),
    "in a function nobody calls": ("f() { . ./x; }\na=$b\n>echo $a", "a:v1", "1"),
    "a file for a subshell": ("(. ./x)\na=$b\n>echo $a", "a:v1", "1"),
    "what gives it needs others": ("a=1\nb=$a\nz=0\n>echo $b", "b:v1", "0 1"),
    "in turn": ("a=1\nb=$a\nc=$b\n>echo $c", "c:v2", "0 1 2"),
    "nothing else": ("rm -rf /\nx=1\nreboot\n>echo $x", "x:v1", "1"),
    "several on one line of theirs": ("a=1; b=2\n>echo $b", "b:v0", "0"),
    "a selection of lines": ("x=1\n>echo $x\n>echo $y", "x:v0", "0"),
    "a function": ("f() { echo; }\n>f", "f:f0", "0"),
    "what its body reads": ("x=1\nf() { echo $x; }\n>f", "x:v0 f:f1", "0 1"),
    "what a function calls": ("x=1\ng() { echo $x; }\nf() { g; }\n>f", "x:v0 g:f1 f:f2", "0 1 2"),
    "its own variables are not read": ("x=1\nf() { local x=2; echo $x; }\n>f", "f:f1", "1"),
    "functions that call each other": ("f() { g; }\ng() { f; }\n>f", "f:f0 g:f1", "0 1"),
    "what a call gives": ("setup() { x=1; }\nsetup\n>echo $x", "x:v1", "0 1"),
    "a call by a call": ("g() { x=1; }\nf() { g; }\nf\n>echo $x", "x:v2", "0 1 2"),
    "a definition gives nothing yet": ("setup() { x=1; }\n>echo $x", "", ""),
    "an alias": ("alias ll='ls -l'\n>ll", "ll:a0", "0"),
    "a subshell keeps it": ("(x=1)\n>echo $x", "", ""),
    "a substitution keeps it": ("y=$(x=1; echo)\n>echo $x", "", ""),
    "the background keeps it": ("x=1 &\n>echo $x", "", ""),
    "for one command alone": ("x=1 make\n>echo $x", "", ""),
    "read": ("read -r x\n>echo $x", "x:v0", "0"),
    "a loop leaves it": ("for x in 1 2; do :; done\n>echo $x", "x:v0", "0"),
    "exported later": ("x=1\nexport x\n>echo $x", "x:v1", "0 1"),
    "a declaration": ("typeset -A m\nm[a]=1\n>echo $m[a]", "m:v1", "0 1"),
    "positional ones are nobody's": ("set -- a\n>echo $1 $@ $#", "", ""),
    "an array": ("a=(1 2)\n>echo $a[1]", "a:v0", "0"),
    "in a loop's body": ("for i in 1 2; do\n  x=1\n  >echo $x\ndone", "x:v1", "1"),
    "in an if's body": ("x=1\nif true; then\n  >echo $x\nfi", "x:v0", "0"),
    "in a function's body": ("x=1\nf() {\n  y=2\n  >echo $x $y\n}", "x:v0 y:v2", "0 2"),
    "a folder": ("cd /tmp\n>ls", "/tmp:d0", "0"),
    "a folder does not matter to echo": ("cd /tmp\n>echo a", "", ""),
    "but to a pattern": ("cd /tmp\n>echo *", "/tmp:d0", "0"),
    "and to a file": ("cd /tmp\n>echo a >b", "/tmp:d0", "0"),
    "not to a file with a path": ("cd /tmp\n>echo a >/b", "", ""),
    "nor to standard error": ("cd /tmp\n>echo a >&2", "", ""),
    "and to PWD": ("cd /tmp\n>echo $PWD", "/tmp:d0", "0"),
    "folders one after the other": ("cd /tmp\ncd a\n>ls", "a:d1", "0 1"),
    "from the last absolute one": ("cd a\ncd /tmp\n>ls", "/tmp:d1", "1"),
    "as it is written": ('cd "$(dirname "$0")"\n>ls', '"$(dirname "$0")":d0', "0"),
    "pushd": ("pushd /tmp\n>ls", "/tmp:d0", "0"),
    "with options": ("cd -P -- /tmp\n>ls", "/tmp:d0", "0"),
    "not at the top level": ("if a; then cd /tmp; fi\n>ls", "", ""),
    "in a subshell": ("(cd /tmp)\n>ls", "", ""),
    "the folder needs a variable": ("d=/tmp\ncd $d\n>ls", "$d:d1", "0 1"),
    "what gives it needs the folder": ("cd /tmp\nx=$(ls)\n>echo $x", "x:v1", "0 1"),
    "the folder is there": ("cd here\n>ls", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_missing_and_what_gives_it(name: str) -> None:
    marked, missing, offer = CASES[name]
    assert told(marked, known="HOME PATH here") == (missing, offer)


def test_a_loops_variable_has_no_command_that_gives_it_first() -> None:
    found = asked("for i in 1 2; do\n  >echo $i\ndone")
    assert [it.name for it in found.missing] == ["i"]
    assert found.without_offer == ("i",)
    assert found.offer == ()


def test_a_line_of_a_function_that_calls_itself_is_given_its_definition() -> None:
    marked = "f() {\n  >f 1\n}"
    assert told(marked) == ("f:f0", "0")


def test_the_last_segment_of_a_pipeline_keeps_what_it_gives_in_zsh_alone() -> None:
    marked = "echo 1 | read x\n>echo $x"
    assert told(marked, Dialect.ZSH)[0] == "x:v0"
    assert told(marked, Dialect.BASH)[0] == ""


def test_a_here_document_belongs_to_its_command() -> None:
    text = "read -r x <<E\nvalue\nE\necho $x\n"
    names = names_of(parse(text, Dialect.BASH))
    span = Span(text.index("echo"), len(text) - 1)
    [offered] = dependencies(names, span, lambda kind, name: False, lambda changes: True).offer
    assert text[offered.start : offered.end].rstrip("\n") == "read -r x <<E\nvalue\nE"


def test_changes_of_the_folder_as_written() -> None:
    text = "cd a; pushd 'b c' && ls\n(cd no)\ncd\ncd -\nif x; then cd no; fi\n"
    assert folder_changes(names_of(parse(text, Dialect.ZSH))) == ("a", "'b c'", "~")


PIECES = st.sampled_from(
    [
        "x=1",
        "$x",
        "f()",
        "{",
        "}",
        "f",
        "cd a",
        "if",
        "then",
        "fi",
        "for i in",
        "do",
        "done",
        "(",
        ")",
        "$(",
        "`",
        '"',
        "'",
        "|",
        "&&",
        ";",
        "\n",
        "<<E\n",
        "E\n",
        "alias a=b",
        "export x",
        "x+=2",
        "\\",
        "é😀",
        "read x",
        "((",
        "))",
    ]
)


@given(st.lists(PIECES, max_size=40), st.data(), st.sampled_from(list(Dialect)))
def test_any_text_has_an_answer(pieces: list[str], data: st.DataObject, dialect: Dialect) -> None:
    text = " ".join(pieces)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    names = names_of(parse(text, dialect))
    found = dependencies(names, Span(start, end), lambda kind, name: False, lambda changes: False)
    offers = list(found.offer)
    assert offers == sorted(offers, key=tuple)
    assert all(0 <= it.start <= it.end <= len(text) for it in offers)
    assert all(0 <= it.line <= text.count("\n") for it in found.missing)


def test_a_long_script_is_asked_in_a_bounded_number_of_steps() -> None:
    # Each line needs the one above it: every command is offered, and none twice.
    lines = ["x0=1", *(f"x{number}=$x{number - 1}" for number in range(1, 3_000))]
    text = "\n".join([*lines, "echo $x2999"])
    names = names_of(parse(text, Dialect.ZSH))
    span = Span(text.rindex("echo"), len(text))
    found = dependencies(names, span, lambda kind, name: False, lambda changes: False)
    assert len(found.offer) == 3_000
