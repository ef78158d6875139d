"""Tests of results as text: the example of the contract, each status line, each colour."""

from __future__ import annotations

import re

import attrs
import pytest

from zsh_ls.insights.display import formatted, insight_lines, status_line
from zsh_ls.model.insight import Insight
from zsh_ls.model.results import Annotations, TaskResult
from zsh_ls.model.words import Level, Origin, Status

RESULT = TaskResult(
    task_id="3f9a01bc",
    command="echo test | grep nope",
    shell="zsh",
    cwd="/home/me/project",
    status=Status.COMPLETED,
    success=False,
    exit=1,
    pipestatus=(0, 1),
    output="",
    from_line=None,
    to_line=None,
    new_bytes=0,
    elapsed_seconds=0.3,
    has_stdin=False,
    is_pty=False,
    origin=Origin.EDITOR,
    annotations=Annotations(0.3),
    formatted="",
    project=None,
)
SUCCESS = attrs.evolve(RESULT, exit=0, pipestatus=(0,), success=True)
RUNNING = attrs.evolve(RESULT, status=Status.RUNNING, exit=None, pipestatus=None, success=None)


def test_a_result_reads_as_the_protocol_page_shows_it() -> None:
    result = attrs.evolve(
        RESULT,
        insights={"info": ["New pattern. No history yet.", "grep exit 1 = no match (normal)"]},
    )
    assert formatted(result, colour=False) == (
        "[FAILED task_id=3f9a01bc elapsed=0.3s exit=1 pipestatus=[0,1]]\n"
        "[info: A.L.A.N.: New pattern. No history yet. | grep exit 1 = no match (normal)]"
    )


# RUN-5
@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"exit": 0, "pipestatus": (0,)}, "[COMPLETED task_id=3f9a01bc elapsed=0.3s exit=0]"),
        (
            {"exit": 0, "pipestatus": (1, 0)},
            "[COMPLETED task_id=3f9a01bc elapsed=0.3s exit=0 pipestatus=[1,0]]",
        ),
        ({"exit": 2, "pipestatus": (2,)}, "[FAILED task_id=3f9a01bc elapsed=0.3s exit=2]"),
        (
            {"status": Status.KILLED, "exit": 137, "pipestatus": (137,)},
            "[KILLED task_id=3f9a01bc elapsed=0.3s exit=137]",
        ),
        (
            {"status": Status.TIMEOUT, "exit": None, "pipestatus": None},
            "[TIMEOUT task_id=3f9a01bc elapsed=0.3s]",
        ),
        (
            {"status": Status.ERROR, "exit": None, "pipestatus": None, "elapsed_seconds": 0.04},
            "[ERROR task_id=3f9a01bc elapsed=0.0s]",
        ),
        (
            {"status": Status.RUNNING, "exit": None, "pipestatus": None, "has_stdin": True},
            "[RUNNING task_id=3f9a01bc elapsed=0.3s stdin=yes]",
        ),
        (
            {"status": Status.RUNNING, "exit": None, "pipestatus": None},
            "[RUNNING task_id=3f9a01bc elapsed=0.3s stdin=no]",
        ),
    ],
)
def test_the_status_line_says_status_time_and_exit(changes: dict[str, object], line: str) -> None:
    assert status_line(attrs.evolve(RESULT, **changes), colour=False) == line  # type: ignore[arg-type]


def test_a_running_task_says_how_to_go_on() -> None:
    assert formatted(RUNNING, colour=False).splitlines() == [
        "[RUNNING task_id=3f9a01bc elapsed=0.3s stdin=no]",
        "Use zsh_poll to continue, zsh_send to input, zsh_kill to stop.",
    ]


# RUN-7
def test_a_silent_success_shows_that_there_was_no_output() -> None:
    result = attrs.evolve(SUCCESS, insights={"info": ["No output produced."]}, output=" \n")
    assert formatted(result, colour=False).splitlines() == [
        "(no output)",
        "[COMPLETED task_id=3f9a01bc elapsed=0.3s exit=0]",
        "[info: A.L.A.N.: No output produced.]",
    ]


def test_a_result_whose_output_came_earlier_is_not_called_silent() -> None:
    assert "(no output)" not in formatted(SUCCESS, colour=False)
    assert "(no output)" not in formatted(RESULT, colour=False)


# RUN-6
def test_output_comes_first_then_the_error_then_the_status_line() -> None:
    result = attrs.evolve(
        RESULT,
        status=Status.TIMEOUT,
        exit=None,
        pipestatus=None,
        output="one\ntwo\n",
        error="Command timed out after 120s",
        insights={"warning": ["Failing streak: 3. Same approach?"]},
    )
    assert formatted(result, colour=False) == (
        "one\ntwo\n"
        "[error] Command timed out after 120s\n"
        "[TIMEOUT task_id=3f9a01bc elapsed=0.3s]\n"
        "[warning: A.L.A.N.: Failing streak: 3. Same approach?]"
    )


def test_a_poll_numbers_its_lines() -> None:
    result = attrs.evolve(RUNNING, output="a\n\nc\n", from_line=801, to_line=803)
    text = formatted(result, colour=False, numbered=True)
    assert text.splitlines()[:3] == ["801: a", "802: ", "803: c"]


def test_output_without_a_last_newline_still_stands_on_lines_of_its_own() -> None:
    result = attrs.evolve(SUCCESS, output="prompt> ")
    assert formatted(result, colour=False).startswith("prompt> \n[COMPLETED")


def test_blank_lines_of_the_output_stay() -> None:
    result = attrs.evolve(SUCCESS, output="\n\na\n\n")
    assert formatted(result, colour=False).startswith("\n\na\n\n[COMPLETED")


def insights(*pairs: tuple[str, str]) -> list[Insight]:
    return [Insight(Level(level), message) for level, message in pairs]


def test_insights_of_one_level_share_a_line_and_warnings_come_first() -> None:
    several = insights(("info", "a"), ("warning", "b"), ("info", "c"), ("warning", "d"))
    assert insight_lines(several) == [
        "[warning: A.L.A.N.: b | d]",
        "[info: A.L.A.N.: a | c]",
    ]


def test_a_level_without_insights_has_no_line() -> None:
    assert insight_lines([]) == []
    assert insight_lines(insights(("info", "a"))) == ["[info: A.L.A.N.: a]"]


def test_an_option_table_starts_on_its_own_line() -> None:
    table = "Options for grep:\n  -e PATTERNS\n  -v"
    assert insight_lines(insights(("info", "a"), ("info", table), ("info", "b"))) == [
        "[info: A.L.A.N.: a | b]",
        "[info: A.L.A.N.: Options for grep:\n  -e PATTERNS\n  -v]",
    ]


def coloured(**changes: object) -> str:
    return formatted(attrs.evolve(RESULT, **changes), colour=True)  # type: ignore[arg-type]


# ALAN-12
@pytest.mark.parametrize(
    ("changes", "colour", "word"),
    [
        ({"exit": 0, "pipestatus": (0,)}, 32, "COMPLETED"),
        ({}, 31, "FAILED"),
        ({"status": Status.RUNNING, "exit": None}, 36, "RUNNING"),
        ({"status": Status.TIMEOUT, "exit": None}, 33, "TIMEOUT"),
        ({"status": Status.KILLED, "exit": 137}, 31, "KILLED"),
        ({"status": Status.ERROR, "exit": None}, 31, "ERROR"),
    ],
)
def test_each_status_word_has_its_colour(
    changes: dict[str, object], colour: int, word: str
) -> None:
    assert f"\x1b[{colour}m[{word}\x1b[0m" in coloured(**changes)


@pytest.mark.parametrize(
    ("code", "colour"),
    [
        *[(0, 32), (1, 31), (2, 31), (126, 31), (127, 31), (128, 31)],
        *[(129, 33), (137, 33), (141, 33), (192, 33), (193, 31), (254, 31), (255, 33)],
    ],
)
def test_each_exit_has_its_colour(code: int, colour: int) -> None:
    text = coloured(exit=code, pipestatus=(0, code))
    assert f"exit=\x1b[{colour}m{code}\x1b[0m" in text
    assert f"pipestatus=[\x1b[32m0\x1b[0m,\x1b[{colour}m{code}\x1b[0m]" in text


def test_insights_errors_and_silence_have_their_colours() -> None:
    text = coloured(
        exit=0,
        error="gone",
        insights={"warning": ["w"], "info": ["No output produced.", "T:\n  -a"]},
    )
    assert "\x1b[2m(no output)\x1b[0m\n\x1b[31m[error]\x1b[0m gone\n" in text
    assert "\n\x1b[33m[warning: A.L.A.N.: w]\x1b[0m\n" in text
    assert "\n\x1b[2m[info: A.L.A.N.: No output produced.]\x1b[0m\n" in text
    assert text.endswith("\x1b[2m[info: A.L.A.N.: T:\n  -a]\x1b[0m")


def test_colour_adds_nothing_but_escape_codes() -> None:
    result = attrs.evolve(RESULT, output="out\n", insights={"info": ["x"], "warning": ["y"]})
    plain = re.sub(r"\x1b\[\d*m", "", formatted(result, colour=True))
    assert plain == formatted(result, colour=False)


def test_output_itself_is_never_coloured() -> None:
    result = attrs.evolve(SUCCESS, output="plain\n")
    assert formatted(result, colour=True).startswith("plain\n")
