"""The analysis is made of summaries of functions, which are kept between edits; sourced files (FATE-12)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.shell.fates.generator import script
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import FateKind, fates
from zsh_ls.shell.fates.interpreter import AbstractInterpreter
from zsh_ls.shell.fates.nodes import Known
from zsh_ls.shell.fates.state import State, Surroundings
from zsh_ls.shell.syntax.parser import parse

ADDED = (
    "added a",
    "f0",
    "set -e",
    "set +e",
    "x || true",
    "trap 'x; f0' EXIT",
    "trap 'y; f1' ERR",
    "rc=$?",
    "[ $rc -eq 0 ] || z",
    "f2() { a | b; f0; }",
    "if f1; then f0 || c; fi",
)


@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_is_known_changes_nothing(dialect: Dialect) -> None:
    """FATE-12: after any edit the fates are those of a text that was never seen before."""
    known = Known()
    for seed in range(40):
        chance = random.Random(seed)
        lines = script(seed, dialect).replace("c2", "f0").replace("c5", "f1").split("\n")
        for _ in range(6):
            parsed = parse("\n".join(lines), dialect)
            assert fates(parsed, known) == fates(parsed, Known()), parsed.text
            at = chance.randrange(len(lines))
            if chance.random() < 0.6:
                lines.insert(at, chance.choice(ADDED))
            else:
                lines[at] = lines[at].replace("c", "k", 1)


def steps_of(text: str, known: Known, monkeypatch: pytest.MonkeyPatch, method: str = "step") -> int:
    """How many parts of nodes are run for the fates of a text, or how often another method is called."""
    count = 0
    step = getattr(AbstractInterpreter, method)

    def counted(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        return step(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(AbstractInterpreter, method, counted)
        fates(parse(text, Dialect.BASH), known)
    return count


BODY = "if a; then b | c; else d || return 1; fi\nx=$(e) || f{at}\ng && h\nwhile i; do j || break; done\n"
FUNCTIONS = "set -e\n" + "".join(f"f{at}() {{\n{BODY.replace('{at}', 'z')}}}\n" for at in range(60))


def test_an_edit_in_a_function_runs_only_that_one_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """FATE-12."""
    text = FUNCTIONS + "f7 || f8\n"
    known = Known()
    first = steps_of(text, known, monkeypatch)
    again = steps_of("# a comment moves all of it\n" + text, known, monkeypatch)
    edited = steps_of(text.replace("f9() {\n", "f9() {\nk || l\n"), known, monkeypatch)
    assert again < first / 4
    assert again < edited < again + 3 * first / 60


def test_an_edit_runs_anew_what_calls_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """FATE-12: what a function does to its callers is looked at again, and in no other."""
    text = "set -e\nf() { a; b; }\ng() { f || true; c; }\nh() { d; }\ng\nh\n"
    known = Known()
    before = {it.command: str(it.fate) for it in fates(parse(text, Dialect.BASH), known)}
    assert (before["a"], before["c"], before["d"]) == ("unnoticed", "stops", "stops")
    edited = text.replace("a; b", "a || exit 3; b")
    after = {it.command: str(it.fate) for it in fates(parse(edited, Dialect.BASH), known)}
    assert (after["a"], after["c"], after["d"]) == ("stops", "stops", "stops")


def test_what_is_kept_is_bounded() -> None:
    known = Known(most=2000)
    for number in range(200):
        fates(parse(f"f{number}() {{ a{number}; }}\nf{number}\n", Dialect.BASH), known)
    assert known.length <= 2000
    assert 50 < len(known.units) < 150
    for _ in range(50):
        fates(parse("f() { a; }\n" * 30 + "f\n", Dialect.BASH), known)
    assert known.length <= 2000


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_function_runs_once_whatever_ran_before_it(dialect: Dialect) -> None:
    """FATE-12: what does not read the status runs alike after a success and after a failure."""
    known = Known()
    fates(parse("f() { a | b; c; }\nx\nf\ny || f\n(f)\nz; f\n", dialect), known)
    ((unit,),) = known.units.values()
    assert {state.status for state, _ in map(_state_of, unit.summaries)} == {0}
    known = Known()
    fates(parse("f() { echo $?; c; }\nx\nf\nz; f\n", dialect), known)
    ((unit,),) = known.units.values()
    assert {state.status for state, _ in map(_state_of, unit.summaries)} == {0, 1}


def _state_of(key: Any) -> tuple[State, Surroundings]:
    found = [it for it in key if isinstance(it, State | Surroundings)]
    return found[0], found[1]  # type: ignore[return-value]


def test_functions_that_all_call_each_other_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """FATE-12: a circle of calls costs no more for each order in which it can be entered."""

    def circle(count: int) -> str:
        calls = "".join(f"  a{at} && f{at}\n" for at in range(count))
        bodies = "".join(f"f{at}() {{\n  b{at} || return 3\n{calls}}}\n" for at in range(count))
        return f"{bodies}f0 || exit 1\nc\n"

    said = {it.command: str(it.fate) for it in fates(parse(circle(20), Dialect.BASH), Known())}
    assert "unknown" not in said.values()
    assert said["b0"] == "stops"
    # Four times as many calls.
    once, twice = (steps_of(circle(count), Known(), monkeypatch) for count in (12, 24))
    assert twice < 5 * once


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_function_runs_once_whatever_it_passes_on(dialect: Dialect) -> None:
    """FATE-12: what it may write and never reads makes no difference, nor a job that nobody waits for."""
    known = Known()
    text = "f() { a | b; d || ret=3; }\nret=0\nc &\nx || ret=1\nf\ny || ret=2\nf\nexit $ret\n"
    said = {it.command: str(it.fate) for it in fates(parse(text, dialect), known)}
    assert (said["x"], said["y"], said["d"]) == ("reported", "reported", "reported")
    ((unit,),) = known.units.values()
    assert len({state for state, _ in map(_state_of, unit.summaries)}) <= 2
    # The value that was passed through a function is the one from before it.
    (passed,) = (it.exit for it in fates(parse(text, dialect), known) if it.command == "y")
    assert passed == 2


@pytest.mark.parametrize("dialect", [Dialect.BASH, Dialect.SH])
def test_a_function_that_sets_no_trap_runs_once_with_and_without_one(dialect: Dialect) -> None:
    """FATE-12: the EXIT trap runs at the end of the shell, whoever ends it."""
    known = Known()
    text = "f() { a || exit 3; }\nf\ntrap 'c; exit 0' EXIT\nb\nf\nexit 4\n"
    said = {it.command: it for it in fates(parse(text, dialect), known)}
    assert said["b"].fate == "unnoticed"
    # Behind the trap, a failure in it ends the shell by that one's exit; before it, by its own.
    assert (said["a"].fate, said["a"].exit) == ("stops-silently", 0)
    assert said["a"].others == ((FateKind.STOPS, 1),)
    ((unit,),) = known.units.values()
    assert len({state for state, _ in map(_state_of, unit.summaries)}) == 1


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_chain_of_calls_costs_as_much_as_its_functions(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FATE-12: what callers see of a function does not grow with what it calls."""

    def chain(count: int) -> str:
        functions = ""
        for at in range(count):
            commands = "".join(f"  a{at}_{it} && b{at}_{it} || ret=1\n" for it in range(6))
            call = f"  f{at - 1}\n" if at else ""
            functions += f"f{at}() {{\n{commands}{call}  c{at}\n}}\n"
        return f"{functions}ret=0\nf{count - 1}\nexit $ret\n"

    def cost(count: int) -> int:
        return steps_of(chain(count), Known(), monkeypatch, "grouped")

    assert cost(40) < 2.3 * cost(20)


def test_equal_functions_have_fates_of_their_own() -> None:
    """FATE-2: what is known of one text is that of each place where it stands."""
    text = "set -e\n" + "f() { a; }\n" * 3 + "f\n"
    found = fates(parse(text, Dialect.BASH), Known())
    assert [it.line for it in found if it.command == "a"] == [2, 3, 4]


def said(text: str, dialect: Dialect, **files: str) -> dict[str, tuple[str, str]]:
    """The fate of each command and what decides it; `files` are what can be sourced, by `./NAME`."""
    scripts = {f"./{name}": parse(content, dialect) for name, content in files.items()}
    found = fates(parse(text, dialect), Known(), scripts.get if files else None)
    return {it.command: (str(it.fate), it.because) for it in found}


NOT_LOOKED_INTO = ("unknown", "it runs a file that is not looked into")


@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_a_sourced_file_does_is_unknown(dialect: Dialect) -> None:
    """FATE-1, 12."""
    found = said('set -e\n. ./lib\n. "$lib"\na\neval "$b"\neval c\n', dialect)
    assert found[". ./lib"] == found['. "$lib"'] == NOT_LOOKED_INTO
    assert found['eval "$b"'] == ("unknown", "eval runs what is not written here")
    assert found["a"] == found["eval c"] == ("stops", "errexit is on")
    # Where its exit is looked at, that decides.
    assert said(". ./lib || exit 3\na\n", dialect)[". ./lib"][0] == "stops"
    # A file that is not among those that are known.
    assert said(". ./lib\na\n", dialect, other="set -e\n")[". ./lib"] == NOT_LOOKED_INTO


@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_known_sourced_file_is_looked_into(dialect: Dialect) -> None:
    """FATE-12: its options, functions and traps are those of the script; its commands have no fates here."""
    lib = "set -e\nx\ndie() { y; exit 3; }\n"
    found = said(". ./lib\na\nb || die\nc\n", dialect, lib=lib)
    assert found == {
        ". ./lib": ("stops", "errexit is on"),
        "a": ("stops", "errexit is on"),
        "b": ("stops", "|| die"),
        "c": ("stops", "errexit is on"),
    }
    assert said(". ./lib\na\nb\n", dialect, lib="return 0\nset -e\n")["a"][0] == "unnoticed"
    assert said(". ./lib\na\nb\n", dialect, lib=". ./more\n", more="set -e\n")["a"][0] == "stops"
    # A file that sources itself.
    assert said(". ./lib\na\nb\n", dialect, lib="set -e\n. ./lib\n")["a"][0] == "stops"


def test_a_trap_of_a_sourced_file_holds() -> None:
    lib = "fail() { exit 0; }\ntrap fail ERR\n"
    found = said(". ./lib\na\nb\n", Dialect.BASH, lib=lib)
    assert found["a"] == ("stops-silently", "the ERR trap on line 1 exits")
