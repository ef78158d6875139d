"""What the analysis says of commands is what the real shells do (FATE-1, 2, 5); and it never fails itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shell.fates import people
from tests.shell.fates.generator import script
from tests.shell.fates.oracle import Laboratory, laboratory
from tests.shell.fates.score import Tally, analysed, answers
from tests.shell.fates.test_oracle import ALL, MEASURED
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import Fate, FateKind, fates, interpreter
from zsh_ls.shell.fates.interpreter import AbstractInterpreter
from zsh_ls.shell.fates.nodes import Known
from zsh_ls.shell.syntax.parser import parse

BOTH = "zsh bash"
CASES = [
    # After a compound command in the same list zsh ignores the exit of what comes last.
    ("zsh", "set -e\n{ a; } && b\nc", {"b": "unnoticed"}),
    ("bash sh", "set -e\n{ a; } && b\nc", {"b": "stops"}),
    ("zsh", "set -e\na || { b; } && c\nd", {"c": "stops"}),
    # zsh looks at no exit of a pipeline that ends in a loop.
    ("zsh", "set -eo pipefail\na | while read -r l; do b; done\nc", {"a": "unnoticed"}),
    ("bash", "set -eo pipefail\na | while read -r l; do b; done\nc", {"a": "stops"}),
    # What a function returns was looked at before, where it comes out of `!` or a compound command.
    ("zsh", "set -e\nf() { if a; then b && true; fi; }\nf\nd", {"b": "unnoticed"}),
    ("zsh", "set -e\nf() { b && true; }\nf\nd", {"b": "stops"}),
    ("bash sh", "set -e\nf() { if a; then b && true; fi; }\nf\nd", {"b": "stops"}),
    ("zsh", "set -e\nf() { a; b; }\n{ c; } && f\nd", {"a": "stops"}),
    # An ERR trap does not run in the process of a job that is one command.
    ("zsh", "trap 'exit 0' ZERR\na &\nwait $!\nb", {"a": "stops-silently"}),
    # In a function, zsh's EXIT trap cannot change the exit of errexit.
    ("zsh", "set -e\ntrap 'exit 0' EXIT\nf() { a; }\nf\nb", {"a": "stops"}),
    ("bash sh", "set -e\ntrap 'exit 0' EXIT\nf() { a; }\nf\nb", {"a": "stops-silently"}),
    # Where errexit is met in a function of zsh, no EXIT trap of the script runs, and in a subshell neither.
    (
        "zsh",
        "set -e\nf() { b || return 0; return 1; }\nTRAPEXIT() { a; }\nf\nc",
        {"a": "unnoticed", "b": "handled"},
    ),
    # An `exit` that zsh meets in a condition takes that along: its EXIT trap minds no failure.
    ("zsh", "set -e\ntrap 'a; b' EXIT\nf() { exit; }\nif f; then c; fi", {"a": "unnoticed"}),
    ("zsh", "set -e\na\n(\ntrap 'b; c' EXIT\nf() { exit; }\nf || d\n)\ne", {"b": "unnoticed"}),
    ("zsh", "set -e\ntrap 'a; b' EXIT\nf() { exit; }\nf", {"a": "handled"}),
    # `${x?}` in its EXIT trap is the exit that the shell then has.
    ("zsh", "f() { : ${x?} || b; }\ntrap f EXIT\nc\nexit 0", {": ${x?}": "reported/stops"}),
    # zsh's `exec` of redirections has the status of the last substitution, which an assignment forgets.
    ("zsh", "set -e\nx=$(a) || true\nexec 3>log\nb", {"x=$(a)": "stops", "a": "stops"}),
    ("zsh", "set -e\nf() { local x=$(a); }\nf\nexec 2>&1\nb", {"a": "stops"}),
    ("zsh", 'set -e\necho "$(a)"\nx=1\nexec 2>&1\nb', {"a": "unnoticed"}),
    ("zsh", 'set -e\necho "$(a)"\nexec 2>&1 || true\nb', {"a": "unnoticed"}),
    ("bash sh", "set -e\nx=$(a) || true\nexec 3>log\nb", {"a": "unnoticed"}),
    # A trap is judged for the failure that stands first in the text, not for the one that is met first.
    ("zsh", "set -e\nf() { b; }\nTRAPZERR() { a; }\nc\nf\nd", {"a": "reported"}),
    ("zsh", "setopt err_return\nTRAPZERR() { a; }\nf() { b; }\nf || c\nf\nd", {"a": "unnoticed"}),
    # A condition around a substitution reaches into it, except in dash.
    ("zsh", "set -e\nif x=$(a; b); then c; fi\nd", {"a": "unnoticed"}),
    ("sh", "set -e\nif x=$(a; b); then c; fi\nd", {"a": "handled"}),
    # Once its ERR trap has run for a status, zsh minds it no more where a function returns it.
    (
        "zsh",
        "set -e\ntrap 'echo no' ZERR\nf() { setopt localoptions no_err_exit; a; }\nf\nb",
        {"a": "unnoticed"},
    ),
    ("zsh", "f() { emulate -L zsh -o err_return; a; b; }\nf || c\nd", {"a": "handled"}),
    ("zsh", "a | b\n(( ${pipestatus[1]} == 0 )) || exit 3\nc", {"a": "stops"}),
    ("bash", 'a | b\nif [ "${PIPESTATUS[0]}" -ne 0 ]; then c; fi\nd', {"a": "handled"}),
    # Whoever leaves a loop by `break` has no second turn.
    (ALL, "for i in 1 2; do if a; then break; fi; done\nb", {"a": "handled"}),
    (ALL, "for i in 1 2; do a || break; done\nb", {"a": "handled"}),
    (ALL, "for i in 1; do a || break; done\nb", {"a": "unnoticed"}),
    (ALL, "for i in 1 2; do a || continue; done\nb", {"a": "unnoticed"}),
    # All statuses of a pipeline, kept in an array.
    (
        "bash",
        'a | b\ns=("${PIPESTATUS[@]}")\nif [ "${s[0]}" -ne 0 ]; then c; fi\nd',
        {"a": "handled", "b": "unnoticed", "c": "unnoticed"},
    ),
    (
        "zsh",
        'a | b\ns=("${pipestatus[@]}")\n[[ ${s[2]} -eq 0 ]] || exit 1\nd',
        {"a": "unnoticed", "b": "stops"},
    ),
    # The ERR trap of a command in an EXIT trap runs beside the other commands there.
    ("bash", "trap 'a' EXIT\ntrap 'b' ERR\nset -E\nc\nd", {"a": "handled"}),
    ("zsh", "trap 'a' EXIT\ntrap 'b' ZERR\nc\nd", {"a": "unnoticed"}),
    # In a function of zsh, an EXIT trap is its own and runs where it ends.
    ("zsh", "f() { trap 'a' EXIT; b; }\nset -e\nf\nc", {"a": "stops", "b": "stops"}),
    (
        "zsh",
        "set -e\nf() { trap 'a; exit 3' EXIT; b; }\nf || d\nc",
        {"a": "reported", "b": "reported"},
    ),
    ("zsh", "trap 'exit 0' EXIT\nf() { exit 3; }\na || f\nb", {"a": "stops-silently"}),
    # Functions that are traps.
    ("zsh", "TRAPEXIT() { a; }\nset -e\nb\nc", {"a": "unnoticed", "b": "stops"}),
    ("zsh", "TRAPZERR() { a; exit 3; }\nb\nc", {"a": "reported", "b": "stops"}),
    ("zsh", "TRAPERR() { a; exit 0; }\nb\nc", {"b": "stops-silently", "c": "stops-silently"}),
    ("zsh", "set -e\nTRAPZERR() { a; }\nb\nc", {"a": "reported/stops", "b": "stops"}),
    # A function that is a trap interrupts the script where it returns anything but 0.
    ("zsh", "set -e\nTRAPZERR() { a; return 0; }\nb\nc", {"b": "stops", "c": "stops"}),
    ("zsh", "TRAPZERR() { return 1; }\nf() { b; c; }\nf\nd", {"b": "stops", "c": "stops"}),
    ("zsh", "TRAPEXIT() { a; return 0; }\nb\nc", {"c": "reported"}),
    ("zsh", "f() { TRAPEXIT() { a || return 1; }; b; }\nf\nc", {"a": "stops", "b": "unnoticed"}),
    (
        "zsh",
        "f() { TRAPEXIT() { a; return 3; }; b; }\nf || c\nd",
        {"a": "reported", "b": "reported"},
    ),
    # Each function has its own; in one, zsh runs no ZERR trap.
    (
        "zsh",
        "f() { TRAPEXIT() { a; }; g; b; }\ng() { c; TRAPEXIT() { d; }; e; }\nf || h\ni",
        {"a": "unnoticed", "b": "handled", "d": "unnoticed"},
    ),
    ("zsh", "TRAPEXIT() { a; }\nTRAPZERR() { b; exit 3; }\nc\nd", {"a": "unnoticed", "c": "stops"}),
    (
        "zsh",
        "trap 'a; return 1' ZERR\nf() { b; c; }\nf\nd",
        {"b": "handled", "c": "unnoticed"},
    ),
    # bash's `select` that ends with its input and not by `break` exits with 1, which errexit passes over.
    (
        "bash",
        "f() {\nselect i in x y; do\na\ndone <<X\n1\nX\n}\nf || b\nc",
        {"a": "unnoticed", "b": "unnoticed"},
    ),
    (
        "bash",
        "set -e\nselect i in x y; do\na || break\ndone <<X\n1\nX\nb",
        {"a": "unnoticed", "b": "stops"},
    ),
    (
        "zsh",
        "f() {\nselect i in x y; do\na\ndone <<X\n1\nX\n}\nf || b\nc",
        {"a": "handled"},
    ),
    # What `always` returns is the status from before it.
    (
        "zsh",
        "f() { { a; return 0; } always { b || return 1; }; c; }\nf || d\ne",
        {"b": "unnoticed"},
    ),
    (
        "bash",
        "set -E\ntrap 'return 1' ERR\nf() { a; b; }\nf\nc",
        {"a": "handled", "b": "unnoticed", "f": "unnoticed"},
    ),
    # A written `return` is looked at, whatever looked at its status before.
    ("zsh", "set -e\nf() { if a; then b && true; fi; return; }\nf\nd", {"b": "stops"}),
    (
        "zsh",
        "set -eo pipefail\nf() { a | while read -r l; do b; done; return $?; }\nf\nc",
        {"a": "stops"},
    ),
    # zsh's flag that stops errexit is of the whole shell, and each item of a list puts it back.
    ("zsh", "set -e\nf() { a; }\n! f\nb", {"a": "handled"}),
    ("zsh", "set -e\nf() { true && { a; }; }\n{ b; } && f\nc", {"a": "stops"}),
    ("zsh", "set -e\nf() { { a && true; }; }\n{ b; } && f\nc", {"a": "unnoticed"}),
    ("zsh", "set -e\n{ a && true; } always { b; }\nc", {"a": "stops", "b": "stops"}),
    ("zsh", "set -e\n{ a && true; } always { { b; }; }\nc", {"a": "unnoticed"}),
    # A shell of its own ends with the last command of the `always` that it ends in.
    ("zsh", "( { a; } always { b; } ) && c\nd", {"a": "unnoticed", "b": "handled"}),
    ("zsh", "repeat 2 do a && break; done\nb", {"a": "handled"}),
    ("zsh", "setopt err_return\nf() { repeat 2 do a; done; }\ng() { f; b; }\ng\nc", {"f": "stops"}),
    # Jobs that an array keeps.
    (
        "bash",
        'p=()\na &\np+=("$!")\nfor i in "${p[@]}"; do wait "$i" || b; done\nc',
        {"a": "handled"},
    ),
    ("bash", "a &\nwait -n || b\nc", {"a": "handled", "b": "unnoticed"}),
    ("bash", "set -e\na &\nwait -n\nc", {"a": "stops"}),
    # An ERR trap that takes itself back before it exits.
    ("zsh bash", "trap 'trap - ERR; exit 3' ERR\na\nb", {"a": "stops", "b": "stops"}),
    ("zsh", "set -eo pipefail\na | v=$(b)\nc", {"a": "stops", "b": "unnoticed"}),
    ("zsh", "set -e\na | v=$(b)\nc", {"a": "unnoticed", "b": "stops"}),
    ("zsh bash", "set -e\ncase $1 in x) a || b;& y) c;; esac\nd", {"a": "handled", "c": "stops"}),
    ("zsh bash", "case $1 in x) a;& y) [ $? -eq 0 ] || b;; esac\nc", {"a": "handled"}),
    # `$status` is `$?` in zsh alone.
    ("bash sh", "status=0\na || status=1\nb\nexit $status", {"a": "reported", "b": "unnoticed"}),
    # zsh keeps traps that are functions in a substitution, and runs that of EXIT at its end.
    ("zsh", "set -e\nTRAPEXIT() { a; }\nv=$(b)\nc", {"a": "stops", "b": "stops"}),
    ("zsh", "TRAPEXIT() { a || return 3; }\nv=$(b) || c\nd", {"a": "handled", "b": "handled"}),
    ("zsh", "TRAPEXIT() { a; return 0; }\nv=$(b) || c\nd", {"a": "unnoticed", "b": "handled"}),
    ("zsh", "set -e\nTRAPEXIT() { a; }\n( b )\nc", {"a": "unnoticed", "b": "stops"}),
    ("zsh", "set -e\n( trap 'a' EXIT; b )\nc", {"a": "stops", "b": "stops"}),
    ("zsh", "set -e\n( trap 'a' EXIT; b; exit 0 )\nc", {"a": "unnoticed", "b": "stops"}),
    # ERR_RETURN ends a function that is a trap, and no more; a written `return` interrupts the script.
    (
        "zsh",
        "setopt err_return\nTRAPZERR() { a; }\nf() { b; }\nf\nd",
        {"a": "unnoticed", "b": "unnoticed"},
    ),
    ("zsh", "setopt err_return\nTRAPZERR() { a || return 1; }\nf() { b; }\nf\nd", {"a": "stops"}),
    # In a trap of bash, `return` without a number has the status from before the trap.
    ("bash", "set -e\nf() { a || return; }\ntrap f EXIT\nb", {"a": "unnoticed", "b": "stops"}),
    # A program that `exec` starts takes the place of the shell, whose traps do not run.
    (ALL, "exec a\nb", {"exec a": "reported/stops"}),
    (ALL, "if a; then exec b; fi\nc", {"a": "handled", "exec b": "reported/stops"}),
    (ALL, "trap 'exit 0' EXIT\na\nexec b", {"exec b": "reported/stops"}),
    (ALL, "( exec a )\nb", {"exec a": "unnoticed"}),
    (ALL, "f() { exec a; }\n( f ) || b\nc", {"exec a": "handled"}),
    # A test of a kept status beside another question.
    (
        "zsh bash",
        'f() { x=$(a) || rc=$?; [[ $rc -eq 0 && -n "$x" ]] || return 1; b; }\nrc=0\nf || c\nd',
        {"a": "handled"},
    ),
    (
        "zsh bash",
        'rc=0\nx=$(a) || rc=$?\nif [[ -z "$x" || $rc -ne 0 ]]; then b; fi\nc',
        {"a": "handled"},
    ),
    ("zsh bash", "rc=0\na || rc=$?\nif (( rc > 0 && rc < 9 )); then b; fi\nc", {"a": "handled"}),
    ("zsh bash", "rc=0\na || rc=$?\nif (( rc > 8 && rc < 99 )); then b; fi\nc", {"a": "unnoticed"}),
    # What leaves a loop of several words in its first turn leaves the next ones out, however it does.
    (ALL, "f() { for i in 1 2; do a || return 0; done; }\nf\nb", {"a": "handled"}),
    (ALL, "f() { for i in 1; do a || return 0; done; }\nf\nb", {"a": "unnoticed"}),
    (ALL, "(\nfor i in 1 2; do a || exit 0; done\n)\nb", {"a": "handled"}),
    (ALL, "v=$(set -e; for i in 1 2; do a; done)\nb", {"a": "handled"}),
    (ALL, "for i in 1 2; do a && exit 0; done\nb", {"a": "handled"}),
    ("zsh", "set -e\nf() { for i in 1 2; do a; done; }\ntrap f EXIT\nb", {"a": "handled"}),
    # An ERR trap is judged for the first failure in the text that leads to it, here that of a command in a
    # function that stands before it, after which the exit is not 0 in any case.
    (BOTH, "f() { a || return; }\ntrap 'b; c' ERR\nf", {"b": "reported", "c": "reported/stops"}),
    (BOTH, "f() { a || return 1; }\ng() { b; c; }\ntrap g ERR\nf", {"b": "reported"}),
    (BOTH, "f() { (a); }\ntrap 'b; c' ERR\nf", {"b": "reported"}),
    (BOTH, "f() { a | b; }\ntrap 'c; d' ERR\nf", {"c": "reported"}),
    (BOTH, "f() { a || return; b; }\ntrap 'c; d' ERR\nx=$(f)", {"c": "reported"}),
    ("zsh", "set -eE\nf() { a; b; }\ntrap 'c; d' ERR\nv=$(f)\ne", {"c": "handled/stops"}),
    ("bash", "set -eE\nf() { a; b; }\ntrap 'c; d' ERR\nv=$(f)\ne", {"c": "unnoticed"}),
    (BOTH, "f() { a & wait $!; }\ntrap 'b; c' ERR\nf", {"b": "reported"}),
    # bash's `wait -n` has the exit of whichever job it comes to know of first.
    ("bash", "a &\nb\nwait\nc &\nwait -n", {"a": "unknown", "c": "unknown", "b": "unnoticed"}),
    # The ERR trap of a command in a DEBUG trap runs beside the other commands there.
    ("bash", "trap 'a' ERR\ntrap 'b' DEBUG\nc\nd", {"b": "handled"}),
]


@pytest.mark.parametrize("dialect", list(Dialect))
def test_each_call_that_comes_back_after_a_failure_inside_has_a_fate(dialect: Dialect) -> None:
    """FATE-2: at each of its places, and one after which the script surely ends has none."""
    text = "say() {\na\nif b; then exit 1; fi\n}\ndie() {\nd\nexit 1\n}\nsay 1\nsay 2\nsay 3\ne || die 1\n"
    said = {it.command for it in fates(parse(text, dialect))}
    assert said >= {"say 1", "say 2", "say 3", "e"}
    assert "die 1" not in said


@pytest.mark.parametrize(
    ("shells", "text", "expected"), [*MEASURED, *CASES], ids=lambda it: str(it)[:60]
)
def test_measured_cases(shells: str, text: str, expected: dict[str, str]) -> None:
    for dialect in map(Dialect, shells.split()):
        said = {fate.command: str(fate.fate) for fate in fates(parse(text, dialect))}
        for command, right in expected.items():
            assert said[command] in right.split("/"), (dialect, command)


def test_a_call_that_only_a_failure_reaches_has_a_fate() -> None:
    text = "f() { setopt localoptions errexit; ! a; b; emulate -L zsh; }\nc && d || f\ne\n"
    # The number of the first unit of a process is 0, which hid what others lacked.
    fates(parse("a", Dialect.ZSH), Known())
    said = {fate.command: str(fate.fate) for fate in fates(parse(text, Dialect.ZSH), Known())}
    assert said["f"] == "unnoticed"


def score(lab: Laboratory, dialect: Dialect, seeds: range) -> tuple[Tally, list[str]]:
    texts = [(script(seed, dialect), dialect) for seed in seeds]
    tally, wrong = Tally(), []
    for seed, found in zip(seeds, answers(lab, texts, analysed), strict=True):
        for answer in found:
            tally.add(answer)
            if not answer.is_right:
                wrong.append(f"{dialect} seed {seed}:{answer.shown()}")
    return tally, wrong


@pytest.mark.parametrize("dialect", list(Dialect))
def test_generated_scripts(dialect: Dialect) -> None:
    with laboratory() as lab:
        tally, wrong = score(lab, dialect, range(12))
    assert tally.total >= 80
    assert tally.right >= 0.985 * tally.total, wrong


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("dialect", list(Dialect))
def test_thousands_of_generated_commands(dialect: Dialect) -> None:
    with laboratory() as lab:
        tally, wrong = score(lab, dialect, range(1000, 1300))
    assert tally.total >= 3000
    assert tally.right >= 0.985 * tally.total, wrong
    assert tally.reversed <= 0.01 * tally.total, wrong


# How many commands of a script are known to be wrong: those of a trap that runs for a failure, `;|`, and an
# exit that the run without failures comes to as well; in `parallel.bash` the oracle is, which gives a loop
# over the numbers of jobs another word.
KNOWN_TO_BE_WRONG = {
    "parallel.bash": 1,
    "migrate.bash": 1,
    "compinit2.zsh": 1,
    "deploy2.zsh": 1,
    "fetch-tools.sh": 2,
}


@pytest.mark.parametrize("path", people.scripts(), ids=lambda path: path.name)
def test_scripts_in_peoples_style(path: Path) -> None:
    verdicts = people.recorded()[path.name]
    wrong = list(people.mistakes(path, verdicts))
    assert len(wrong) <= KNOWN_TO_BE_WRONG.get(path.name, 0), wrong
    unknown = len(list(people.disagreements(path, verdicts))) - len(wrong)
    assert unknown <= max(1, 0.06 * len(verdicts))


@pytest.mark.slow
def test_the_record_is_what_the_shells_say() -> None:
    with laboratory() as lab:
        same, others = 0, []
        for path in people.scripts():
            now = {it["start"]: set(it["right"]) for it in people.judged(lab, path)}
            for it in people.recorded()[path.name]:
                if now.get(it["start"], set()) & set(it["right"]):
                    same += 1
                else:
                    others.append((path.name, it["command"]))
    # Segments of a pipeline and jobs end in any order, and a busy machine shows another one now and then.
    assert len(others) <= 0.02 * same, others


def test_a_fate_says_what_decides_it_and_what_comes_then() -> None:
    """FATE-3."""
    text = "set -e\ngit pull &\nmake | tee log\ncd /srv\n"
    found = {fate.command: fate for fate in fates(parse(text, Dialect.BASH))}
    told = {name: (it.because, it.then_line, it.exit) for name, it in found.items()}
    assert told["git pull"] == ("nobody waits for it", 3, 0)
    assert told["make"] == ("only the last segment's exit counts (no pipefail)", 4, 0)
    assert told["cd /srv"] == ("errexit is on", None, 1)


@pytest.mark.parametrize("dialect", list(Dialect))
def test_entries_stand_where_their_commands_are(dialect: Dialect) -> None:
    for seed in range(100):
        text = script(seed, dialect)
        lines = text.split("\n")
        found = fates(parse(text, dialect))
        assert found
        for fate in found:
            assert text[slice(*fate.span)] == fate.command
            assert lines[fate.line - 1][fate.column - 1 :].startswith(fate.command.split("\n")[0])
        assert len({fate.span for fate in found}) == len(found)


@given(
    st.text(alphabet="ab $(){};|&<>!'\"`\n=[]\\-xfidotrap", max_size=80), st.sampled_from(Dialect)
)
def test_any_text_has_fates(text: str, dialect: Dialect) -> None:
    assert all(isinstance(fate, Fate) for fate in fates(parse(text, dialect)))


@given(st.integers(0, 10_000), st.sampled_from(Dialect), st.integers(0, 400))
def test_broken_scripts_have_fates(seed: int, dialect: Dialect, cut: int) -> None:
    text = script(seed, dialect)
    broken = text[:cut] + text[cut + 7 :]
    assert all(fate.line >= 1 for fate in fates(parse(broken, dialect)))


def test_recursion_and_depth_end() -> None:
    mutual = "f() { a; g; }\ng() { b || f; }\nf\nc"
    assert {fate.command for fate in fates(parse(mutual))} >= {"a", "b", "c"}
    # Every function calls the one before twice: 2**30 ways to the first.
    doubling = "f0() { a; }\n" + "".join(
        f"f{at}() {{ f{at - 1}; f{at - 1}; }}\n" for at in range(1, 31)
    )
    assert len(fates(parse(doubling + "f30\n"))) == 62
    for opening, closing in itertools.product(("( ", "{ ", "if ", "$("), (" )", "")):
        deep = opening * 400 + "a" + closing * 400
        assert isinstance(fates(parse(deep)), tuple)


# Two ways on at each line, and each of them leaves other traps or options behind.
MANY_WAYS: dict[str, Callable[[int], str]] = {
    "traps": lambda n: "".join(
        f"a{at} && trap 'b; c{at}' EXIT; d{at} || trap 'exit {at}' ERR\n" for at in range(n)
    ),
    "nested": lambda n: (
        "".join(f"if a{at}; then b{at} || trap 'c{at}' ERR; f; " for at in range(n // 2))
        + "d; fi" * (n // 2)
        + "\nf() { e || set +e; }"
    ),
    "functions": lambda n: (
        "".join(
            f"f{at}() {{ f{(at + 1) % n} && set +e; f{(at + 7) % n} || trap 'x{at}' ERR; a{at}; }}\n"
            for at in range(n)
        )
        + "f0\n"
    ),
}


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize("kind", MANY_WAYS)
def test_too_many_ways_are_not_followed(
    kind: str, dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FATE-1: where the work has its bound, every command is unknown and says so."""
    script = parse(MANY_WAYS[kind](150), dialect)
    monkeypatch.setattr(interpreter, "WORK_A_COMMAND", 1)
    monkeypatch.setattr(interpreter, "FIRST_WORK", 100)
    found = fates(script)
    assert len(found) >= 300
    assert {it.fate for it in found} == {FateKind.UNKNOWN}
    assert {it.because for it in found} == {"the script can run in more ways than are followed"}


def test_what_no_run_comes_to_is_unknown_and_says_so() -> None:
    """FATE-7: one entry a command, also behind an `exit`."""
    said = {it.command: it for it in fates(parse("a\nexit 0\nb | c\n", Dialect.BASH))}
    assert said["a"].fate is FateKind.UNNOTICED
    assert {said["b"].fate, said["c"].fate} == {FateKind.UNKNOWN}
    assert said["b"].because.startswith("nothing runs it")


def test_functions_that_are_defined_twice_have_all_their_fates() -> None:
    """FATE-2."""
    text = "set -e\nif a; then f() { b; }; else f() { c | d; }; fi\nf() { e; }\nf\n"
    said = {it.command: str(it.fate) for it in fates(parse(text, Dialect.BASH))}
    assert {name: said.get(name) for name in "bcde"} == {
        "b": "stops",
        "c": "unnoticed",
        "d": "stops",
        "e": "stops",
    }


def test_calls_of_deep_functions_end() -> None:
    body = "{ " * 120 + "{inner}" + "; }" * 120
    text = "f0() { a; }\n" + "".join(
        f"f{at}() {{ {body.replace('{inner}', f'f{at - 1} || b')}; }}\n" for at in range(1, 70)
    )
    found = fates(parse(text + "f69\n", Dialect.BASH))
    assert len(found) == 2 * 69 + 2


LONG: dict[str, Callable[[int], str]] = {
    "plain": lambda n: "set -e\n" + "".join(f"a{at} b c\n" for at in range(n)),
    "conditions": lambda n: (
        "set -e\n" + "".join(f"if a{at}; then b | c; else d || exit 1; fi\n" for at in range(n))
    ),
    "functions": lambda n: "".join(f"f{at}() {{ a && b; c; }}\nf{at}\n" for at in range(n)),
    "uncalled": lambda n: "".join(f"f{at}() {{ a && b; c; }}\n" for at in range(n)),
    "calls": lambda n: "f() { a; b || c; }\n" + "f\n" * n,
    "chain": lambda n: (
        "f0() { a; }\n"
        + "".join(f"f{at}() {{ f{at - 1}; }}\n" for at in range(1, n))
        + f"f{n - 1}\n"
    ),
    "flags": lambda n: "fail=0\n" + "".join(f"a{at} || fail=1\n" for at in range(n)) + "exit $fail",
    "statuses": lambda n: "".join(
        f"a{at}; rc{at}=$?\nif [ $rc{at} -ne 0 ]; then b; fi\n" for at in range(n)
    ),
    "jobs": lambda n: (
        "".join(f"a{at} &\np{at}=$!\n" for at in range(n))
        + "".join(f"wait $p{at}\n" for at in range(n))
    ),
}


@pytest.mark.parametrize("kind", LONG)
def test_the_work_grows_with_the_length(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    step = AbstractInterpreter.step
    made: list[AbstractInterpreter] = []
    make = AbstractInterpreter.__init__

    def counted(*arguments: Any) -> Any:
        nonlocal steps
        steps += 1
        return step(*arguments)

    def noted(self: AbstractInterpreter, *arguments: Any) -> None:
        made.append(self)
        make(self, *arguments)

    monkeypatch.setattr(AbstractInterpreter, "step", counted)
    monkeypatch.setattr(AbstractInterpreter, "__init__", noted)
    used = []
    for length in (120, 480):
        steps = 0
        found = fates(parse(LONG[kind](length), Dialect.BASH))
        assert len(found) > length // 2
        assert not any(it.fate is FateKind.UNKNOWN for it in found)
        used.append((steps, made[-1].work))
        # People's scripts are far from the bound of the work.
        assert made[-1].work <= 35 * len(found)
    assert used[1][0] <= 6 * used[0][0], used
    assert used[1][1] <= 6 * used[0][1], used
