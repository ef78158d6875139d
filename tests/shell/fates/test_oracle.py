"""The oracle says of measured cases what was measured, leaves nothing behind, is the same twice (FATE-6)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.shell.fates.generator import script
from tests.shell.fates.oracle import Laboratory, laboratory, right_of_all
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates.copies import Copies
from zsh_ls.shell.syntax.parser import parse

ALL = "zsh bash sh"


@pytest.fixture(scope="module")
def lab() -> Iterator[Laboratory]:
    with laboratory() as made:
        yield made


# Shells, script, and the fates of commands by their text; `a/b` where either is right.
MEASURED = [
    (ALL, "set -e\na\nb", {"a": "stops", "b": "stops/reported"}),
    (ALL, "a\nb", {"a": "unnoticed", "b": "reported/stops"}),
    (ALL, "a && b\nc", {"a": "handled", "b": "unnoticed"}),
    (ALL, "a || b\nc", {"a": "handled", "b": "unnoticed"}),
    (ALL, "a || true\nc", {"a": "unnoticed"}),
    (ALL, "set -e\na || exit 0\nb", {"a": "stops-silently"}),
    (ALL, "a || { echo no; exit 1; }\nb", {"a": "stops"}),
    (ALL, "if a; then b; fi\nc", {"a": "handled"}),
    (ALL, "if ! a; then exit; fi\nb", {"a": "stops-silently"}),
    (ALL, "a | b\nc", {"a": "unnoticed", "b": "unnoticed"}),
    ("zsh bash", "set -eo pipefail\na | b\nc", {"a": "stops", "b": "stops"}),
    (ALL, "set -e\na &\nwait\nb", {"a": "unnoticed"}),
    (ALL, "set -e\na & wait $!\nb", {"a": "stops"}),
    # The status of a list after `exit` is that of the command before it.
    (ALL, "a || { echo no; exit; }\nb", {"a": "stops-silently"}),
    ("zsh bash", "trap 'exit' ERR\na\nb", {"a": "stops"}),
    ("zsh bash", "trap 'echo no; exit' ERR\na\nb", {"a": "stops-silently"}),
    # errexit skips the `always` block, ERR_RETURN runs it.
    ("zsh", "set -e\n{ a; b; } always { c; }\nd", {"a": "stops", "c": "stops"}),
    (
        "zsh",
        "setopt err_return\nf() { { a; b; } always { c; }; d; }\nf || g\nh",
        {"a": "handled"},
    ),
    ("zsh", "set -e\nf() { emulate -L zsh; a; b; }\nf\nc", {"a": "unnoticed", "b": "stops"}),
    ("zsh", "setopt err_return\nf() { a; b; }\nif f; then c; fi\nd", {"a": "handled"}),
    ("zsh", "set -e\nf() { a; b; }\nif f; then c; fi\nd", {"a": "unnoticed", "b": "handled"}),
    ("zsh bash", "( set -e; a; b ) || c\nd", {"a": "unnoticed", "b": "handled"}),
    # Who inherits errexit in a substitution.
    ("zsh sh", "set -e\nx=$(a; b)\nc", {"a": "stops", "b": "stops"}),
    ("bash", "set -e\nx=$(a; b)\nc", {"a": "unnoticed", "b": "stops"}),
    ("bash", "set -e\nshopt -s inherit_errexit\nx=$(a; b)\nc", {"a": "stops"}),
    (ALL, "set -e\nx=$(a) y=$(b)\nc", {"a": "unnoticed", "b": "stops"}),
    (ALL, "set -e\ns=$(( $(a) + $(b) ))\nc", {"a": "unnoticed", "b": "stops"}),
    ("zsh bash", "set -e\nf() { local v=$(a); b; }\nf\nc", {"a": "unnoticed", "b": "stops"}),
    (ALL, "set -e\nexport V=$(a)\nb", {"a": "unnoticed"}),
    (ALL, 'set -e\necho "$(a)"\nb', {"a": "unnoticed"}),
    ("zsh", "a | { b || exit 1; }\nc", {"b": "stops"}),
    ("bash sh", "a | { b || exit 1; }\nc", {"b": "unnoticed"}),
    ("bash", "shopt -s lastpipe\na | { b || exit 1; }\nc", {"b": "stops"}),
    (ALL, "set -e\nf() { a; return 0; }\nf || b\nc", {"a": "unnoticed"}),
    # Each call of a function, the worst told.
    (ALL, "set -e\nf() { a; }\nf || true\nf\nb", {"a": "unnoticed"}),
    (ALL, "f() { a || return 1; b; }\nf || exit 3\nc", {"a": "stops", "b": "stops"}),
    (ALL, "a; rc=$?\nif [ $rc -ne 0 ]; then exit $rc; fi\nb", {"a": "stops"}),
    (ALL, "a\nif [ $? -ne 0 ]; then b; fi\nc", {"a": "handled", "b": "unnoticed"}),
    # A loop that would not end runs once; one whose condition fails is left out.
    (ALL, "while a; do b; done\nc", {"a": "handled", "b": "unnoticed"}),
    (ALL, "until a; do b; done\nc", {"a": "handled", "b": "unnoticed"}),
    (ALL, "while true; do a && break; b; done\nc", {"a": "handled", "b": "unnoticed"}),
    (ALL, "for i in 1 2; do a || break; b; done\nc", {"a": "handled"}),
    (ALL, "case $1 in x) a || exit 1;; y) b;; esac\nc", {"a": "stops", "b": "unnoticed"}),
    (ALL, "set -e\ncat <<X\n$(a)\nX\nb", {"a": "unnoticed"}),
    (ALL, "trap 'a; b' EXIT\nc", {"a": "unnoticed", "c": "reported/stops"}),
    (ALL, "set -e\nunused() { a; b; }\nc", {"a": "stops"}),
]


@pytest.mark.parametrize(
    ("shells", "text", "fates"), MEASURED, ids=[text for _, text, _ in MEASURED]
)
def test_what_was_measured(lab: Laboratory, shells: str, text: str, fates: dict[str, str]) -> None:
    for dialect in map(Dialect, shells.split()):
        said = {
            text[slice(*verdict.place.span)]: "/".join(sorted(verdict.right))
            for verdict in lab.judge(text, dialect)
        }
        expected = {name: "/".join(sorted(fate.split("/"))) for name, fate in fates.items()}
        assert {name: said.get(name) for name in fates} == expected, dialect


@pytest.mark.parametrize("dialect", list(Dialect))
def test_generated_scripts_are_good_and_the_same_each_time(dialect: Dialect) -> None:
    for seed in range(300):
        text = script(seed, dialect)
        assert text == script(seed, dialect)
        assert not [it for it in parse(text, dialect).problems if it.fatal], text
        copy = Copies.of(text, dialect).text_of()
        assert not [it for it in parse(copy, dialect).problems if it.fatal], copy


def test_what_is_right_of_each_call_is_right_of_all() -> None:
    both = frozenset({"reported", "stops"})
    assert right_of_all([both, both]) == both
    assert right_of_all([both, frozenset({"reported"})]) == {"reported"}
    assert right_of_all([both, frozenset({"handled"})]) == {"reported", "handled"}
    assert right_of_all([both, frozenset({"unnoticed"})]) == {"unnoticed"}


def test_nothing_is_left_behind(lab: Laboratory) -> None:
    before = sorted(path.name for path in lab.folder.iterdir())
    # A job that outlives its script, and a file that the script writes.
    lab.judge("a > out.txt\nwhile true; do b > out; done &\nc", Dialect.BASH)
    assert sorted(path.name for path in lab.folder.iterdir()) == before
    assert not Path("out.txt").exists()
    assert not running_in(lab.folder)


KILLED = """
import sys
from tests.shell.fates import oracle
from zsh_ls.model.syntax import Dialect

oracle.SECONDS, oracle.GRACE = 60, -58
with oracle.laboratory() as lab:
    lab.judge("(for ((;;)); do :; done) & for ((;;)); do a; done", Dialect.BASH)
"""


@pytest.mark.slow
def test_scripts_end_also_where_the_oracle_is_killed(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", KILLED], env=environment) as oracle:
        # The script, its job, and what ends both: a loop without a condition has no turn that is the last.
        eventually(lambda: len(running_in(tmp_path)) >= 3)
        assert oracle.poll() is None
        oracle.kill()
    eventually(lambda: not running_in(tmp_path))


def running_in(folder: Path) -> list[bytes]:
    """The command lines of processes that name a folder."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            with suppress(OSError):
                found.append((process / "cmdline").read_bytes())
    return [it for it in found if os.fsencode(folder) in it]


def eventually(holds: Callable[[], bool]) -> None:
    """Wait for what is to be, a minute at most."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
