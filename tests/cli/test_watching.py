"""The parts of the full-screen view that need no terminal: what is known, and the text that is drawn."""

from __future__ import annotations

import attrs
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.answers.build import build
from zsh_ls.answers.form import Sections
from zsh_ls.cli.watching import view
from zsh_ls.cli.watching.board import REMAINS_S, Board
from zsh_ls.model.answer import Answer, ProposedCommand
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.results import AlanEstimate, OutputPage, PollMeta, Progress
from zsh_ls.model.words import Origin, Status


def task(task_id: str = "0000aaaa", command: str = "make test", **more: object) -> TaskSummary:
    made = TaskSummary(task_id, command, Status.RUNNING, 12.0, 100, False, Origin.AGENT)
    return attrs.evolve(made, **more)  # type: ignore[arg-type]


def news(task_id: str = "0000aaaa", **more: object) -> Progress:
    made = Progress(task_id, "make test", Origin.AGENT, Status.RUNNING, "", None, None, 0, 1.0)
    return attrs.evolve(made, **more)  # type: ignore[arg-type]


def listed(board: Board) -> list[str]:
    """The lines of the list."""
    return view.task_list(board)[0].plain.split("\n")


def test_a_row_shows_who_runs_what_how_far_it_is_and_what_it_printed_last() -> None:
    board = Board()
    assert board.update_from_list([task()], 0) == ["0000aaaa"]
    estimate = AlanEstimate("make *", 47.0, 180.0, 0.25, 12, "template", "project")
    meta = PollMeta(
        0, 0.0, 12.0, estimate, False, 6.0, "Nearing typical completion — poll again soon."
    )
    board.update_from_progress(
        news(
            output="one\ntwo\x1b[2J\n", poll_meta=meta, insights={"warning": ["Failing streak: 3."]}
        )
    )
    row, last, advice, warning = listed(board)
    assert view.title(board, "here").plain == "zsh-ls tasks  1 running  here"
    assert row == f"▸ 0000aaaa  agent      12.0s  {'━' * 5}{'─' * 15}  25%  usually ~47s  make test"
    assert last.strip() == "two [2J"
    assert advice.strip() == "Nearing typical completion."
    assert warning.strip() == "Failing streak: 3."
    assert view.foot("", "", view.LIST_KEYS).plain.endswith("q quit")


def test_an_ended_task_stays_listed_for_a_while() -> None:
    board = Board()
    board.update_from_list([task()], 0)
    board.update_from_progress(news(status=Status.COMPLETED, exit=1))
    board.update_from_list([], 1)
    assert "failed 1" in listed(board)[0]
    board.update_from_list([], 1 + REMAINS_S)
    assert "failed 1" in listed(board)[0]
    board.update_from_list([], 2 + REMAINS_S)
    assert listed(board) == ["", "Nothing runs."]


def test_a_task_whose_end_was_not_reported_is_polled() -> None:
    board = Board()
    board.update_from_list([task(), task("0000bbbb")], 0)
    board.update_from_progress(news("0000bbbb", status=Status.KILLED, exit=137))
    assert board.update_from_list([], 1) == ["0000aaaa"]
    assert "killed 137" in listed(board)[1]


def test_what_outlived_the_server_is_running_again_once_the_next_one_lists_it() -> None:
    board = Board()
    board.update_from_list([task(), task("0000bbbb", detached=True)], 0)
    board.lose(list(board.rows), 1)
    assert view.title(board, "here").plain == "zsh-ls tasks  1 running  here"
    assert "killed" in listed(board)[0]
    board.update_from_list([task(), task("0000bbbb", detached=True)], 2)
    assert view.title(board, "here").plain == "zsh-ls tasks  2 running  here"
    board.update_from_list([task()], 3)
    board.update_from_list([task()], 4 + REMAINS_S)
    assert len(listed(board)) == 1


def test_the_selection_moves_within_the_list() -> None:
    board = Board()
    board.update_from_list([task(f"{n:08x}", f"sleep {n}") for n in range(30)], 0)
    assert board.selected == "00000000"
    for _ in range(40):
        board.move(1)
    assert board.selected == "0000001d"
    assert listed(board)[-1].startswith("▸ 0000001d")
    assert view.task_list(board)[1:] == (29, 1)
    board.move(-40)
    assert listed(board)[0].startswith("▸ 00000000")
    assert view.task_list(board)[1:] == (0, 1)
    board.update_from_list([task("0000000f")], 0)
    board.update_from_list([task("0000000f")], REMAINS_S + 1)
    assert board.selected == "0000000f"


hostile = st.text(
    alphabet=st.sampled_from("a b漢\x1b[2J\x9b\r\n\t\x00\u202e\u0301é\U0001f600"), max_size=60
)


@given(hostile, hostile)
def test_no_untrusted_text_leaves_its_line_or_moves_the_cursor(command: str, output: str) -> None:
    board = Board()
    board.update_from_list([task(command=command)], 0)
    board.update_from_progress(news(output=output, insights={"info": [output]}))
    shown = [
        view.title(board, command),
        view.heading(board.rows["0000aaaa"]),
        view.foot(output, "", view.LIST_KEYS),
        view.foot("", output, view.LIST_KEYS),
    ]
    assert all(text.plain.isprintable() for text in shown)
    lines, first, count = view.task_list(board)
    assert (first, count) == (0, len(lines.plain.split("\n")))
    page = view.output(OutputPage("0000aaaa", command, output, 1, 9, 9, 99))
    assert len(page.plain.split("\n")) == len(output.removesuffix("\n").split("\n"))
    for text in (lines, page):
        assert text.plain.replace("\n", "").isprintable()


def test_an_answer_is_drawn_as_the_full_screen_view_has_it() -> None:
    given = build(
        "template",
        Sections("Running swapon to check.", "**Why**", (ProposedCommand("swapon --show"),)),
    )
    drawn = view.answer(given)
    assert (
        drawn.plain
        == "[SUMMARY]\nRunning swapon to check.\n\n[DETAILS]\nWhy\n\n[COMMANDS]\n$ swapon --show"
    )
    styled = {drawn.plain[it.start : it.end]: str(it.style) for it in drawn.spans}
    assert styled["[SUMMARY]"] == "bold"
    assert "on" in styled["$ swapon --show"]


@given(hostile)
def test_an_answer_with_hostile_text_moves_no_cursor(told: str) -> None:
    given_answer = Answer("deterministic", "x", text=f"[SUMMARY]\nx {told}")
    assert view.answer(given_answer).plain.replace("\n", "").isprintable()
