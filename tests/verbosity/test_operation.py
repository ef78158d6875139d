"""Tests of the operation of a command line, determined from its text alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.verbosity.operation import read_command
from zsh_ls.verbosity.programs import MAX_PROGRAMS, programs

from .executions import DATA

LABELLED = [
    tuple(line.split(" | ", 1))
    for name in ("operations.txt", "operations-later.txt")
    for line in (DATA / name).read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def _share(counted: list[bool]) -> float:
    return sum(counted) / len(counted)


def test_a_thousand_labelled_commands_are_what_they_are() -> None:
    found = [(label, read_command(command).operation) for label, command in LABELLED]
    assert all(label == "test" for label, operation in found if operation == "test")
    assert _share([operation == "test" for label, operation in found if label == "test"]) >= 0.97
    assert _share([operation == label for label, operation in found]) >= 0.98


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("sudo -u ci env CI=1 timeout -k 5 60 nice -n 5 pytest -q", ["pytest"]),
        ("bash -lc 'cd x && pytest'", ["cd", "pytest"]),
        ("docker compose -f ci.yml run --rm -e A=1 web bash -c 'npm test'", ["npm"]),
        ("kubectl -n ns exec -it pod -c app -- sh -c 'make check'", ["make"]),
        ("ssh -p 22 user@host 'cd app && make test'", ["cd", "make"]),
        ("find . -name '*.py' -exec pytest {} \\;", ["pytest"]),
        ("ls *.py | xargs -n 1 pytest", ["ls", "pytest"]),
        ("npx --yes cross-env A=1 jest", ["jest"]),
        ("uv run --with x python -m coverage run -m pytest", ["pytest"]),
        ("cargo watch -x test", ["cargo"]),
        ("git bisect run npm test", ["npm"]),
        ("nix develop -c pytest", ["pytest"]),
        ("for d in */; do (cd $d && go test ./...); done", ["cd", "go"]),
        ("out=$(pytest 2>&1); echo $out", ["pytest", "echo"]),
        ("bash <<EOF\npytest\nEOF\n", ["bash", "pytest"]),
        ("t() { pytest; }", []),
        ("t() { pytest; }; t", ["pytest", "t"]),
        ("case test in pytest) echo x;; esac", ["echo"]),
        ("git commit -m 'npm test'", ["git"]),
        ("# pytest", []),
    ],
)
def test_programs_are_seen_through_what_wraps_them(command: str, names: list[str]) -> None:
    assert [program.name for program in programs(command)] == names


@pytest.mark.parametrize(
    ("command", "hidden"),
    [
        ("pytest", False),
        ("cd x && pytest", False),
        ("make && pytest", False),
        ("(cd x && pytest)", False),
        ("pytest && echo ok", False),
        ("pytest | tail -5", True),
        ("pytest || true", True),
        ("pytest; echo done", True),
        ("for d in a b; do pytest; done", True),
        ("if pytest; then echo x; fi", True),
        ("pytest & wait", True),
        ("! pytest", True),
        ("bash -c 'pytest; true'", True),
        ("bash -c 'pytest'", False),
        ("(pytest); echo x", True),
        ("echo $(pytest)", True),
    ],
)
def test_it_is_known_whether_a_failure_reaches_the_exit(command: str, hidden: bool) -> None:
    assert read_command(command).hidden is hidden


@given(st.text(alphabet="pytest |;&$(){}'\"`\\\n<>=-![]#\0\ud800", max_size=60))
def test_any_text_is_some_operation(text: str) -> None:
    assert read_command(text).operation


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text", ["bash -c " * 5_000, "(" * 20_000, "a;" * 50_000, "sudo " * 20_000]
)
def test_endless_commands_are_read_in_bounded_time(text: str) -> None:
    assert len(programs(text)) <= MAX_PROGRAMS
