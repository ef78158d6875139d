"""Each fate says what decides it, in the manual's terms, which line runs next and the script's exit."""

from __future__ import annotations

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import Fate, fates
from zsh_ls.shell.syntax.parser import parse

ALL = "zsh bash sh"
IGNORED = "errexit is ignored"
# Shells, a script, a command of it, and why it has its fate.
CASES = [
    (ALL, "set -e\na\nb", "a", "errexit is on"),
    ("zsh", "setopt err_return\nf() { a; b; }\nf", "a", "ERR_RETURN is on"),
    (
        "bash sh",
        "f() { a; : ${x?}; }\ntrap f EXIT\nb",
        ": ${x?}",
        "a variable that is not set ends the shell",
    ),
    (ALL, "a\nb\nc", "a", "nothing looks at its exit (errexit is off)"),
    (ALL, "a\nb", "b", "the script ends with its exit"),
    (ALL, "set -e\na && b\nc", "a", "&& skips b"),
    (ALL, "a || true\nb", "a", "|| true"),
    (ALL, "a || exit 3\nb", "a", "|| exit 3"),
    (ALL, "a || { b; c; }\nd", "a", "|| { … }"),
    (ALL, "! a\nb", "a", "! turns its exit round"),
    (ALL, "if a; then b; fi\nc", "a", "it is the condition of the if on line 1"),
    (ALL, "\nif z; then y; elif a; then b; fi", "a", "it is the condition of the elif on line 2"),
    (ALL, "if ! a; then b; fi\nc", "a", "it is the condition of the if on line 1"),
    (ALL, "b\nif a; then x=1; fi\nc", "a", "the if on line 2 runs the same commands either way"),
    (ALL, "if ! a; then x=1; fi\nc", "a", "the if on line 1 runs the same commands either way"),
    (ALL, "until a; do b; done\nc", "a", "it is the condition of the until on line 1"),
    (
        ALL,
        "set -e\ndeploy() { a; b; }\nif deploy; then c; fi\nd",
        "a",
        f"{IGNORED} inside a condition (deploy is called in the if on line 3)",
    ),
    (
        ALL,
        "set -e\ng() { a; b; }\nf() { g; b; }\nif c; then\nf || d\nfi",
        "a",
        f"{IGNORED} before || (f is called on line 5)",
    ),
    (ALL, "set -e\n{ a; b; } && c\nd", "a", f"{IGNORED} before && (on line 2)"),
    (
        ALL,
        "set -e\nwhile a; b; do c; done\nd",
        "a",
        f"{IGNORED} inside a condition (the while on line 2)",
    ),
    (ALL, "set -e\nf() { a; b; }\n! f\nd", "a", f"{IGNORED} after ! (f is called on line 3)"),
    (
        "zsh",
        "setopt err_return\nf() { { a; b; } && c; }\nf\nd",
        "a",
        "ERR_RETURN is ignored before && (on line 2)",
    ),
    (
        "zsh",
        "set -e\n{ a; } && b\nc",
        "b",
        f"{IGNORED} in the rest of a list after a compound command",
    ),
    (ALL, "set -e\na | b\nc", "a", "only the last segment's exit counts (no pipefail)"),
    (
        "zsh bash",
        "set -eo pipefail\na | b\nc",
        "a",
        "errexit is on, and with pipefail its exit is the pipeline's",
    ),
    ("zsh bash", "set -o pipefail\na | b\nc", "a", "nothing looks at its exit (errexit is off)"),
    ("zsh bash", "set -o pipefail\na | b || exit 2\nc", "a", "|| exit 2"),
    (
        "zsh",
        "set -eo pipefail\na | while read l; do b; done\nc",
        "a",
        "zsh minds no exit of a pipeline that ends in a compound command",
    ),
    (ALL, "set -e\na &\nb", "a", "nobody waits for it"),
    (ALL, "set -e\na &\nwait $!\nb", "a", "wait $! on line 3 depends on its exit"),
    ("zsh bash", "set -e\nlocal v=$(a)\nb", "a", "local's own exit replaces it"),
    (ALL, "set -e\nexport v=$(a)\nb", "a", "export's own exit replaces it"),
    (ALL, 'set -e\necho "$(a)"\nb', "a", "echo's own exit replaces it"),
    (ALL, "set -e\nx=$(a) y=$(b)\nc", "a", "only the last substitution's exit counts"),
    (ALL, "set -e\nx=$(a)\nc", "a", "errexit is on"),
    (ALL, "x=$(a)\nc", "a", "nothing looks at its exit (errexit is off)"),
    ("bash", "set -e\nx=$(a; b)\nc", "a", "$( ) does not inherit errexit (no inherit_errexit)"),
    (
        ALL,
        "for i in $(a); do b; done\nc",
        "a",
        "the exit of a substitution in the words of the loop is lost",
    ),
    (
        "zsh bash",
        '[[ -n "$(a)" ]]\nb',
        "a",
        "the exit of a substitution in the words of a test is lost",
    ),
    (
        ALL,
        "a\nrc=$?\nb\nif [ $rc -ne 0 ]; then exit 1; fi\nc",
        "a",
        "the if on line 4 depends on its exit",
    ),
    (ALL, "a\nrc=$?\nb\nexit $rc", "a", "exit $rc on line 4 depends on its exit"),
    ("zsh bash", "\ntrap 'exit 3' ERR\na\nb", "a", "the ERR trap on line 2 exits"),
    (
        ALL,
        "trap 'exit 0' EXIT\na || exit 3\nb",
        "a",
        "the EXIT trap on line 1 ends with an exit of its own",
    ),
    (
        ALL,
        "set -e\nf() { a && b; }\nc\nf\nd",
        "a",
        "errexit is on, and f on line 4 returns its exit",
    ),
    (ALL, "( set -e; a; b )\nc", "a", "errexit is on"),
    (ALL, "( set -e; a )\nc", "a", "nothing looks at its exit (errexit is off)"),
    ("zsh bash", 'trap "$x" ERR\na\nb', "a", "the ERR trap is computed, so it may exit or go on"),
]


def fate_of(text: str, command: str, dialect: Dialect) -> Fate:
    (fate,) = (it for it in fates(parse(text, dialect)) if it.command == command)
    return fate


@pytest.mark.parametrize(
    ("shells", "text", "command", "because"), CASES, ids=lambda it: str(it)[:40]
)
def test_because_names_what_decides(shells: str, text: str, command: str, because: str) -> None:
    """FATE-3."""
    for dialect in map(Dialect, shells.split()):
        assert fate_of(text, command, dialect).because == because, dialect


# A script, a command of it, which line runs after its failure, and the script's exit.
NEXT = [
    ("set -e\na\nb", "a", None, 1),
    ("a\nb\nc", "a", 2, 0),
    ("a\nb", "b", None, 1),
    ("a ||\nb\nc", "a", 2, 0),
    ("a &&\nb\nc", "a", 3, 0),
    ("a |\nb\nc", "a", 3, 0),
    ("if a\nthen b\nelse c\nfi\nd", "a", 3, 0),
    ("a || exit 3\nb", "a", 1, 3),
    ("f() {\na\nb\n}\nc\nf\nf\nd", "b", 7, 0),
    ("trap 'a' EXIT\nset -e\nb\nc", "b", 1, 1),
    ("a\nrc=$?\nb\nexit $rc", "a", 2, 1),
]


@pytest.mark.parametrize(("text", "command", "then_line", "status"), NEXT)
def test_what_is_next(text: str, command: str, then_line: int | None, status: int) -> None:
    """FATE-3."""
    for dialect in Dialect:
        fate = fate_of(text, command, dialect)
        assert (fate.then_line, fate.exit) == (then_line, status), dialect


def test_an_unknown_fate_has_no_exit() -> None:
    """FATE-3."""
    fate = fate_of('trap "$x" ERR\na\nb', "a", Dialect.BASH)
    assert (fate.fate, fate.exit) == ("unknown", None)
