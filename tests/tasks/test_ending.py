"""The end of a task, from its shell's wait status, its report and its final status (RUN-2, 3)."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zsh_ls.model.requests import RunnableScript
from zsh_ls.model.words import Status
from zsh_ls.tasks.process import exit_reports
from zsh_ls.tasks.process.ending import TaskEnd, crashed_while_ending, ending_of, expected_exit
from zsh_ls.tasks.process.exit_reports import Report, ask_for_report, find_report

from .behind import KINDS, WAYS, in_turn, rounds_of
from .conftest import Run

COMPLETED, KILLED, TIMEOUT = Status.COMPLETED, Status.KILLED, Status.TIMEOUT


@pytest.mark.parametrize(
    ("wait_status", "verdict", "report", "ending"),
    [
        (0, COMPLETED, Report(0, (1, 0)), TaskEnd(0, (1, 0))),
        (4, COMPLETED, Report(4, (0, 1)), TaskEnd(4, (0, 1))),
        (1, COMPLETED, Report(1, (0,)), TaskEnd(1, (1,))),
        (3, COMPLETED, None, TaskEnd(3, (3,))),
        (-9, COMPLETED, None, TaskEnd(137, (137,), 9)),
        (-15, COMPLETED, Report(0, (1, 0)), TaskEnd(143, (143,), 15)),
        (-11, COMPLETED, Report(0, (1, 0)), TaskEnd(0, (1, 0))),
        (-11, COMPLETED, None, TaskEnd(139, (139,), 11)),
        (0, KILLED, Report(0, (1, 0)), TaskEnd(137, (137,))),
        (-15, TIMEOUT, None, TaskEnd(None, ())),
        (0, TIMEOUT, Report(0, (1, 0)), TaskEnd(None, ())),
    ],
)
def test_an_end_is_told_as_the_contract_says(
    wait_status: int, verdict: Status, report: Report | None, ending: TaskEnd
) -> None:
    assert ending_of(wait_status, verdict, report) == ending


@pytest.mark.parametrize(
    ("names", "exit_status", "report"),
    [
        (["e-0-1-0"], 0, Report(0, (1, 0))),
        (["e-256-0-1"], 0, Report(256, (0, 1))),
        (["e--1-0-1"], 255, Report(-1, (0, 1))),
        (["z-1-0-1"], 1, Report(1, (0, 1))),
        (["z-1-0-1"], 0, None),
        (["z-1-0-1", "e-0-0"], 0, Report(0, (0,))),
        (["z-2-0-2", "z-1-0-1"], 1, Report(1, (0, 1))),
        (["command", "e", "e-x", "e-1", "q-1-1"], 1, None),
        ([], 0, None),
    ],
)
def test_a_report_is_the_exit_hook_s_or_an_error_hook_s_that_agrees(
    names: list[str], exit_status: int, report: Report | None
) -> None:
    assert find_report(names, exit_status) == report


def test_the_report_of_a_shell_that_crashed_while_it_ended_is_believed() -> None:
    assert expected_exit(-11) is None
    assert find_report(["e-3-3"], expected_exit(-11)) == Report(3, (3,))


@pytest.mark.parametrize(
    "text",
    ["trap " + "(" * 300_000, "trap " * 100_000, "type -" + "f" * 300_000 + "!", " " * 300_000],
)
@pytest.mark.parametrize("kind", ["zsh", "bash"])
def test_which_way_a_shell_reports_is_found_in_time_linear_in_the_text(
    kind: str, text: str
) -> None:
    env: dict[bytes, bytes] = {}
    started = time.process_time()
    ask_for_report(kind, f"{text} | cat", "/nowhere/1.", env)
    assert time.process_time() - started < 5  # a quadratic search would take minutes
    assert b"ZSH_LS_HOOKS" in env


DEATHS = {
    "kill -SEGV $$": 11,
    "kill -s SEGV $$": 11,
    "kill -11 $$": 11,
    "kill -IOT $$ || kill -ABRT $$": 6,
    "true | false; kill -SEGV $$": 11,
    "kill -BUS $$": 7,
    "kill -FPE $$": 8,
    "kill -ILL $$": 4,
    "kill -INT $$": 2,
    "kill -TERM $$": 15,
    "kill -USR1 $$": 10,
    "kill -KILL $$": 9,
    "f() { kill -SEGV $$; }; f | cat": 11,
    "trap 'true' EXIT; kill -SEGV $$": 11,
    "trap 'kill -SEGV $$' EXIT; true": 11,
}


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
@pytest.mark.parametrize("text", DEATHS)
async def test_a_shell_that_dies_of_a_signal_of_its_own_reports_that(
    run: Run, shell: str, text: str
) -> None:
    task = await run(text, shell)
    died_of = DEATHS[text]
    assert (task.status, task.signal) == (COMPLETED, died_of)
    assert (task.exit, task.pipestatus) == (128 + died_of, (128 + died_of,))


@pytest.mark.parametrize("kind", ["zsh", "bash"])
async def test_a_traced_script_that_dies_of_a_signal_of_its_own_reports_that(
    run: Run, kind: str
) -> None:
    script = RunnableScript("true\nkill -SEGV $$\n", traces=True)
    task = await run("script", kind, script=script)
    assert (task.exit, task.signal) == (139, 11)


def test_only_a_crash_of_zsh_at_its_end_is_no_death() -> None:
    assert crashed_while_ending(-11, "zsh", "false | true &")
    assert not crashed_while_ending(-11, "bash", "false | true &")
    assert not crashed_while_ending(-15, "zsh", "false | true &")
    assert not crashed_while_ending(-11, "zsh", "kill -SEGV $$")


SOME = [
    "list, zsh",
    "list, bash",
    "list, dash",
    "pipeline, bash",
    "trap that exits, zsh",
    "trap that exits, bash",
    "TERM ignored, zsh",
    "bash in zsh",
    "trap inside job control",
    "make that minds no failure",
    "xargs",
    "find",
]


@pytest.mark.parametrize(
    ("way", "kinds"),
    [
        ("kill", SOME),
        ("-9 of the inner", SOME),
        *(pytest.param(way, list(KINDS), marks=pytest.mark.slow) for way in WAYS),
    ],
)
def test_nothing_that_stands_behind_a_command_is_begun_when_that_is_ended(
    way: str, kinds: list[str], tmp_path: Path
) -> None:
    """`python -m tests.bench ending` does it a thousand times."""
    for number, piece in enumerate(in_turn(kinds, len(kinds), 12)):
        seen = rounds_of(way, piece, tmp_path / str(number))
        assert (seen.late, seen.left) == ([], [])


SIGNS = r"""
    trap TRAPEXIT TRAPZERR zshexit set setopt -r restricted functions typeset -f declare parameters local
    integer float export readonly autoload whence which type err_return ERREXIT errexit emulate source eval
    . | || always verbose -x EXIT ERR DEBUG echo true if done { } ( ) ; & > '
"""


@given(st.lists(st.sampled_from([*SIGNS.split(), " ", "\n", "x", "0"]), max_size=12).map(" ".join))
@example("echo done")
@settings(deadline=None)
def test_a_text_is_passed_over_only_where_a_close_look_finds_nothing_in_it(text: str) -> None:
    for it in (text, text.replace(" ", ""), text.upper()):
        if exit_reports.is_plain(it):
            assert list(exit_reports._ways_of_zsh(it)) == ["exit-hook"]
            assert not exit_reports._minds_our_hook(it)
            assert not exit_reports._RESTRICTED.search(it)
