"""The names of a script with their ranges, and which occurrences are the same function or parameter."""

from __future__ import annotations

import operator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.references import BoundPlace, same
from zsh_ls.shell.symbols.symbols import FILE, Names, Occurrence
from zsh_ls.shell.syntax.parser import parse

from .hostile import REPEATED, TOKENS


def read(text: str, dialect: Dialect = Dialect.ZSH) -> Names:
    return names_of(parse(text, dialect))


def marked(script: str) -> tuple[str, int, list[int]]:
    """A script without its marks, and their offsets; `«x»` marks the occurrence that is looked up."""
    text, starts, asked = "", [], 0
    for char in script:
        if char in "⟨«":
            starts.append(len(text))
            asked = len(text) if char == "«" else asked
        elif char not in "⟩»":
            text += char
    return text, asked, starts


ONE_THING = {
    "a call and its function": "«f»() { ls }\nx=1; ⟨f⟩ a | ⟨f⟩; print f $f",
    "the keyword form, several names": "function g «f» { ls }; ⟨f⟩; g",
    "functions as words": "⟨f⟩() { : }; trap ⟨f⟩ EXIT; zle -N w «f»; add-zsh-hook precmd ⟨f⟩; unset -f ⟨f⟩",
    "calls in substitutions": "«f»() ls\nx=$(⟨f⟩ a) y=`⟨f⟩` <(⟨f⟩) ${(f)\"$(⟨f⟩)\"}",
    "a call in the code of a trap": "«f»() { : }; trap '⟨f⟩ a; exit' INT; eval \"⟨f⟩\"",
    "a program of that name is another thing": "«f»() ls; command f; ⟨f⟩; noglob ⟨f⟩ f",
    "expansions": "«x»=1; print $⟨x⟩ ${⟨x⟩:-y} \"a $⟨x⟩ ${(f)⟨x⟩}\" ${#⟨x⟩} $#⟨x⟩ $+⟨x⟩ '$x' ${${⟨x⟩%a}:t}",
    "arithmetic": "«x»=1; (( ⟨x⟩++ )); print $(( ⟨x⟩ + 2 )) $[⟨x⟩] $a[⟨x⟩+1]; for (( ⟨x⟩=0; ⟨x⟩<3; )) { : }",
    "heredocs": "«x»=1\ncat <<E\n$⟨x⟩ \"${⟨x⟩}\" $(print $⟨x⟩)\nE\ncat <<'E'\n$x\nE",
    "slices": "«from»=1; print ${a:⟨from⟩:2} ${a:1:⟨from⟩} ${a:t} ${a:-from}",
    "conditions": "«x»=1; [[ ⟨x⟩ -gt 3 && $⟨x⟩ == x && -v ⟨x⟩ ]]",
    "builtins that write": "read -r «x» y; getopts ab ⟨x⟩; printf -v ⟨x⟩ %s x; typeset -g ⟨x⟩; unset ⟨x⟩",
    "loops": "for «x» in a b; do print $⟨x⟩; done; select ⟨x⟩ in a; do :; done",
    "keys of an associative array": "typeset -A m; «x»=1; print $m[x] ${m[$⟨x⟩]}; m[x]=2; n[⟨x⟩]=1",
    "a function's own": "x=0\nf() {\n local «x»=1\n print $⟨x⟩\n}\nprint $x; g() { local x; }",
    "a function's loop": "f() { local «i»; for ⟨i⟩ in a; do print $⟨i⟩; done }\ng() { local i; print $i }",
    "what is not declared is the file's": "«x»=0\nf() { ⟨x⟩=1 }\ng() { local x=2; print $x }",
    "what a called function uses": "f() { local «x»=1; h }\nh() { print $⟨x⟩ }\nk() { local x }\n⟨x⟩=3",
    "nested functions": "f() { local «x»; g() { print $⟨x⟩ } }; x=1",
    "anonymous functions": "x=1; () { local «x»=2; print $⟨x⟩ } a; print $x",
    "declared for all": "f() { typeset -g «x»=1 }; print $⟨x⟩",
    "positional parameters are a function's": "print $1; f() { print $«1» ${⟨1⟩} $2 }",
}  # fmt: skip


@pytest.mark.parametrize("case", ONE_THING.values(), ids=ONE_THING)
def test_one_thing_is_found_wherever_it_stands(case: str) -> None:
    text, asked, starts = marked(case)
    names = read(text)
    found = names.at(asked)
    assert found is not None
    assert [it.occurrence.span.start for it in same([names], BoundPlace(0, found))] == starts


BASH = {
    "signs behind a dollar are no names": "«x»=1; echo $#x $⟨x⟩ ${!⟨x⟩}",
    "export belongs to the file": "f() { export «x»=1; readonly ⟨x⟩; }; echo $⟨x⟩",
    "an array is read by its option": "read -a «x» <<< 'a b'; echo ${⟨x⟩[@]}; mapfile -t ⟨x⟩",
    "declared in a function": "f() { declare «x»; echo $⟨x⟩; }; x=1",
}


@pytest.mark.parametrize("case", BASH.values(), ids=BASH)
def test_bash_binds_as_bash_does(case: str) -> None:
    text, asked, starts = marked(case)
    names = read(text, Dialect.BASH)
    found = names.at(asked)
    assert found is not None
    assert [it.occurrence.span.start for it in same([names], BoundPlace(0, found))] == starts


def test_what_a_file_reads_and_gives_to_programs() -> None:
    names = read(
        '. ./a.sh; source b; export X=1; Y=2 make; f() { }; Z=3 f; typeset -x W; source "$d"'
    )
    assert [it.path for it in names.sourced] == ["./a.sh", "b"]
    assert [names.script.source(it.span) for it in names.sourced] == ["./a.sh", "b"]
    assert names.sources_unknown
    assert names.exported == {"X", "Y", "W"}


def test_scripts_share_functions_and_what_no_function_owns() -> None:
    first, second = read("f() { x=1 }"), read("f; print $x; g() { local x }")
    place = BoundPlace(0, first.occurrences[1])
    assert place.occurrence.name == "x"
    assert [(it.script, it.occurrence.span.start) for it in same([first, second], place)] == [
        (0, 6),
        (1, 10),
    ]


def check(names: Names) -> None:
    """Assert what holds for every text."""
    text = names.script.text
    for it in names.occurrences:
        assert text[slice(*it.span)] == it.name
        assert 0 <= it.scope < len(names.scopes)
    for definition in names.definitions:
        assert text[slice(*definition.span)] == definition.name
        assert definition.extent.start <= definition.span.start
        assert definition.extent.end >= definition.span.end
    spans = [it.span for it in names.occurrences]
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(scope.parent <= at for at, scope in enumerate(names.scopes))


@given(
    st.lists(st.sampled_from([*TOKENS, "x", "y=", "$x", "${x", "f", "local", "[x"]), max_size=40)
)
def test_any_text_has_names_that_stand_where_they_say(tokens: list[str]) -> None:
    for text in ("".join(tokens), " ".join(tokens)):
        for dialect in Dialect:
            names = read(text, dialect)
            check(names)
            for it in names.occurrences[:5]:
                assert it in [place.occurrence for place in same([names], BoundPlace(0, it))]


@pytest.mark.parametrize(
    "piece", [*REPEATED, "$x[", "${x[", "$((x[", "x[y]=", "${x:y", "local x=("]
)
def test_repetition_is_read_in_bounds(piece: str) -> None:
    check(read(piece * 300))


def test_every_beginning_of_a_script_is_read() -> None:
    text = 'f() { local x=${1:-$y}; for i in $x[i]; do (( i++ )); done; }\ncat <<E\n$x\nE\nf `x` "$(f)"\n'
    for end in range(len(text)):
        check(read(text[:end]))


@given(st.integers(0, 200), st.sampled_from(["x", "'", "\n", "local y; ", "$(", "<<E\n", "}", ""]))
def test_what_an_earlier_version_said_changes_nothing(at: int, typed: str) -> None:
    text = (
        "f() { local x=$1; g() { print $x } }\ncat <<E\n$x\nE\nexport A=1; f\nf\n[[ $x -eq y ]]\n"
    )
    edited = text[:at] + typed + text[at + 1 :]
    assert names_of(parse(edited), read(text)) == read(edited)


def test_names_before_an_edit_are_those_of_the_earlier_version() -> None:
    text = "f() { local x=$1 }\ng() { y=$x }\nf\n"
    before = read(text)
    after = names_of(parse(text.replace("\nf\n", "\nwhence f\n")), before)
    assert all(map(operator.is_, before.occurrences[:6], after.occurrences[:6]))
    assert all(map(operator.is_, before.definitions[:4], after.definitions[:4]))


def test_an_offset_finds_the_name_it_touches() -> None:
    names = read("f $x")
    assert [
        found.name if (found := names.at(offset)) else None for offset in range(6)
    ] == ["f", "f", None, "x", "x", None]  # fmt: skip
    assert names.at(0) == Occurrence(NameKind.FUNCTION, "f", names.calls[0], names.at(0).use, FILE)  # type: ignore[union-attr]
