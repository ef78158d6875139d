"""What is written plainly is read as `argparse` reads it, and without loading it."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tests.cli.conftest import ROOT
from zsh_ls.cli import _load, _names, full_parser
from zsh_ls.cli.plain_arguments import plain_arguments

TEXT = (
    "make ls -la -x -1 - -- --json --js --here --brief --shell --shell=bash zsh --timeout 5 --timeout=2.5 "
    "x=1 --env A=1 --env=B=2 --session s --cwd /tmp --detach --shared --all --watch --limit 3 --help -h "
    "-V list show reset status text --format --format=json --rule r claude install --project --dry-run"
)
WORDS = [*TEXT.split(), "", "a line; of shell", "-a b", "--no such"]


@pytest.fixture(scope="module")
def parser():  # type: ignore[no-untyped-def]
    return full_parser()


# CLI-26
@pytest.mark.parametrize("command", _names())
def test_words_are_read_as_argparse_reads_them(command, parser):  # type: ignore[no-untyped-def]
    module = _load(command)
    choose = random.Random(command)
    for _ in range(400):
        words = [choose.choice(WORDS) for _ in range(choose.randrange(5))]
        found = plain_arguments(command, module, words)
        if found is None:
            continue
        if "--" in words:
            continue  # see below
        arguments, unknown = parser.parse_known_args([command, *words])
        assert not unknown, words
        assert vars(found) == vars(arguments), words


# CLI-26
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("run", ["true"]),
        ("run", ["--brief", "make", "-k", "test", "--", "x"]),
        ("run", ["--env", "A=1", "--timeout=5", "--session", "s", "a line; of it"]),
        ("stats", []),
        ("stats", ["--here", "make test"]),
        ("explain", ["ls", "-la"]),
        ("ask", ["what", "does", "-p", "do"]),
        ("tasks", ["--all", "--json"]),
        ("config", []),
        ("check", ["src", "a.sh"]),
        ("why", ["1a2b3c4d"]),
        ("session", ["show", "s"]),
    ],
)
def test_what_is_usual_is_plain(command: str, words: list[str]) -> None:
    assert plain_arguments(command, _load(command), words) is not None


# CLI-24
@pytest.mark.parametrize(
    ("words", "line", "rest"),
    [
        (["grep", "--", "-v", "F"], "grep", ["--", "-v", "F"]),
        (["--", "grep", "--", "-v"], "grep", ["--", "-v"]),
        (["--brief", "--", "--odd", "x"], "--odd", ["x"]),
        (["--", "ls"], "ls", []),
    ],
)
def test_two_dashes_of_the_command_itself_are_its_own(
    words: list[str], line: str, rest: list[str]
) -> None:
    found = plain_arguments("run", _load("run"), words)
    assert found is not None
    assert (found.line, found.rest) == (line, rest)


# CLI-26
@pytest.mark.parametrize("command", ["run", "stats", "explain", "ask", "tasks", "config"])
def test_a_frequent_command_is_declared_without_argparse(command: str) -> None:
    text = (
        f"import sys; from zsh_ls.cli import _load; _load({command!r}); "
        "sys.exit('argparse' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", text], cwd=ROOT, check=True)
