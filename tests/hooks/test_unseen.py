"""A command whose exit and whose output both reach nobody is told as not known (HOOK-1, FATE)."""

from __future__ import annotations

import pytest

from zsh_ls.hooks.news import news_of
from zsh_ls.hooks.signs import may_have_failed, may_hide_output
from zsh_ls.model.agent_run import AgentRun


# HOOK-1
@pytest.mark.parametrize(
    ("command", "named", "file"),
    [
        ("pytest > out.txt; echo finished", "pytest > out.txt", "out.txt"),
        ("pytest -q &> log\nls", "pytest -q &> log", "log"),
        ("(cd lib && npm test) > 't e.log' 2>&1; date", "npm test", "t e.log"),
        ("cargo test >/dev/null 2>&1 || true", "cargo test >/dev/null 2>&1", "/dev/null"),
        ("go test ./... | sort > sorted; echo on", "go test ./...", "sorted"),
        ("make all > build.log 2>&1; echo built", "make all > build.log 2>&1", "build.log"),
        ("tsc -p . >> t.txt 2>&1; echo typed", "tsc -p . >> t.txt 2>&1", "t.txt"),
        ("ruff check . >| lint; echo linted", "ruff check . >| lint", "lint"),
        ('timeout 60 pytest > "$log"; x=1', 'timeout 60 pytest > "$log"', "$log"),
        ("{ pytest; } > out 2>/dev/null; echo $?; echo on", "", ""),
        ("pytest > out; rc=$?; echo $rc", "", ""),
        ("pytest > out.txt 2>&1; tail -3 out.txt", "", ""),
        ("pytest > out && echo passed; date", "", ""),
        ("pytest > out || echo failed; date", "", ""),
        ("if pytest > out; then date; fi", "", ""),
        ("pytest > out & wait $!; date", "", ""),
        ("! pytest > out; date", "", ""),
        ("set -e; pytest > out; date", "", ""),
        ("pytest > out", "", ""),
        ("pytest 2> err; date", "", ""),
        ("pytest > out | cat", "", ""),
        ("make > log; date", "", ""),
        ("ls > list; date", "", ""),
        ("pytest --version > v; date", "", ""),
        ("pytest >&2; date", "", ""),
        ("pytest > /dev/tty; date", "", ""),
        ("unfinished ' > quote; date", "", ""),
    ],
)
def test_whether_it_succeeded_is_not_known(command: str, named: str, file: str) -> None:
    run = AgentRun(command, "/", "finished\n", exit=0)
    told = news_of(run)
    if not named:
        assert told == ()
        return
    assert may_have_failed(run.output, run.exit, command)
    [line] = told
    assert line.startswith(f"Exit 0 does not say whether `{named}` succeeded: ")
    assert line.endswith(
        f"; its output is in {file}.".replace("is in /dev/null", "was thrown away")
    )


# HOOK-1
@pytest.mark.parametrize(
    ("output", "exit_status"),
    [("Tests: 3 passed, 3 total\nTest Suites: 1 passed, 1 total\n", 0), ("on\n", 3)],
)
def test_what_the_output_or_the_exit_says_needs_no_word(output: str, exit_status: int) -> None:
    run = AgentRun("npx jest > out.txt; echo on", "/", output, exit=exit_status)
    assert not any("does not say" in it for it in news_of(run))


# HOOK-1
def test_where_the_agent_tells_no_exit_the_sentence_speaks_of_the_exit() -> None:
    [line] = news_of(AgentRun("pytest > out.txt; echo finished", "/", "finished\n"))
    assert line.startswith("The exit does not say whether `pytest > out.txt` succeeded: nothing ")


@pytest.mark.parametrize("command", ["make 2>&1 | tail -5", "npm test 2>&1; echo $?", "x >&2; y"])
def test_what_goes_to_another_stream_is_not_looked_at(command: str) -> None:
    """Most lines of agents have one, and to look at a line loads the parser and the fates."""
    assert not may_hide_output(command)
