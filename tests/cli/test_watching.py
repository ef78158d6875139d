"""The parts of the full-screen view that need no terminal: keys, what is known, and how it is drawn."""

from __future__ import annotations

import os
import re

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from zsh_ls.cli.watching import keys
from zsh_ls.cli.watching.board import REMAINS_S, Board
from zsh_ls.cli.watching.terminal import Terminal
from zsh_ls.cli.watching.view import Looking, frame
from zsh_ls.model.results import AlanEstimate, OutputPage, PollMeta, Progress, TaskSummary
from zsh_ls.model.words import Origin, Status

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def task(task_id: str = "0000aaaa", command: str = "make test", **more: object) -> TaskSummary:
    made = TaskSummary(task_id, command, Status.RUNNING, 12.0, 100, False, Origin.AGENT)
    return attrs.evolve(made, **more)  # type: ignore[arg-type]


def news(task_id: str = "0000aaaa", **more: object) -> Progress:
    made = Progress(task_id, "make test", Origin.AGENT, Status.RUNNING, "", None, None, 0, 1.0)
    return attrs.evolve(made, **more)  # type: ignore[arg-type]


def plain(board: Board, size: tuple[int, int] = (100, 10), **more: object) -> list[str]:
    return [_COLOUR.sub("", line) for line in frame(board, Looking(**more), "here", size)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"jk", ["j", "k"]),
        (b"\x1b[A\x1bOB\x1b[5~\x1b[6~", ["up", "down", "page up", "page down"]),
        (b"\r\n\x7f\x04", ["enter", "enter", "backspace", "end of file"]),
        (b"\x1b", ["escape"]),
        ("é漢".encode(), ["é", "漢"]),
        (b"\x1b[200~x\x1b[1;5C\x01\t", ["x"]),
    ],
)
def test_keys_are_read_from_what_terminals_send(data: bytes, expected: list[str]) -> None:
    assert keys.Keys().of(data) == expected


def test_a_sign_that_comes_in_two_pieces_is_one_key() -> None:
    pressed = keys.Keys()
    assert [*pressed.of("漢".encode()[:2]), *pressed.of("漢".encode()[2:])] == ["漢"]


def test_a_row_shows_who_runs_what_how_far_it_is_and_what_it_said_last() -> None:
    board = Board()
    assert board.listed([task()], 0) == ["0000aaaa"]
    estimate = AlanEstimate("make *", 47.0, 180.0, 0.25, 12, "template")
    meta = PollMeta(
        0, 0.0, 12.0, estimate, False, 6.0, "Nearing typical completion — poll again soon."
    )
    board.heard(
        news(
            output="one\ntwo\x1b[2J\n", poll_meta=meta, insights={"warning": ["Failing streak: 3."]}
        )
    )
    title, row, last, advice, warning, *_, foot = plain(board)
    assert title == "zsh-ls tasks  1 running  here"
    assert row == f"▸ 0000aaaa  agent      12.0s  {'━' * 5}{'─' * 15}  25%  usually ~47s  make test"
    assert last.strip() == "two [2J"
    assert advice.strip() == "Nearing typical completion — poll again soon."
    assert warning.strip() == "Failing streak: 3."
    assert foot.endswith("q quit")


def test_what_has_ended_stays_in_sight_for_a_while() -> None:
    board = Board()
    board.listed([task()], 0)
    board.heard(news(status=Status.COMPLETED, exit=1))
    board.listed([], 1)
    assert "failed 1" in plain(board)[1]
    board.listed([], 1 + REMAINS_S)
    assert "failed 1" in plain(board)[1]
    board.listed([], 2 + REMAINS_S)
    assert plain(board)[2] == "Nothing runs."


def test_of_what_ended_unheard_the_end_is_asked_for() -> None:
    board = Board()
    board.listed([task(), task("0000bbbb")], 0)
    board.heard(news("0000bbbb", status=Status.KILLED, exit=137))
    assert board.listed([], 1) == ["0000aaaa"]
    assert "killed 137" in plain(board)[2]


def test_the_selection_moves_within_the_list_and_is_always_in_sight() -> None:
    board = Board()
    board.listed([task(f"{n:08x}", f"sleep {n}") for n in range(30)], 0)
    assert board.selected == "00000000"
    for _ in range(40):
        board.move(1)
    assert board.selected == "0000001d"
    assert plain(board)[-2].startswith("▸ 0000001d")
    board.move(-40)
    assert plain(board)[1].startswith("▸ 00000000")
    board.listed([task("0000000f")], 0)
    board.listed([task("0000000f")], REMAINS_S + 1)
    assert board.selected == "0000000f"


hostile = st.text(
    alphabet=st.sampled_from("a b漢\x1b[2J\x9b\r\n\t\x00\u202e\u0301é\U0001f600"), max_size=60
)


@given(hostile, hostile, st.integers(1, 50), st.integers(1, 12))
def test_no_text_of_others_leaves_its_line_or_moves_the_cursor(
    command: str, output: str, columns: int, rows: int
) -> None:
    board = Board()
    board.listed([task(command=command)], 0)
    board.heard(news(output=output, insights={"info": [output]}))
    page = OutputPage("0000aaaa", command, output, 1, 9, 9, 99)
    for looking in (Looking(), Looking(page=page), Looking(prompt=output), Looking(message=output)):
        lines = frame(board, looking, command, (columns, rows))
        assert len(lines) == rows if rows > 1 else len(lines) == 1
        for line in lines:
            text = _COLOUR.sub("", line)
            assert text.isprintable()
            assert cell_len(text) <= columns


def test_only_what_has_changed_is_sent() -> None:
    incoming, outgoing = os.pipe()
    terminal = Terminal(incoming, outgoing)
    terminal.draw(["one", "two"])
    assert b"\x1b[1;1Hone" in os.read(incoming, 10_000)
    terminal.draw(["one", "three"])
    sent = os.read(incoming, 10_000)
    assert b"\x1b[2;1Hthree" in sent
    assert b"one" not in sent
    os.set_blocking(incoming, False)
    terminal.draw(["one", "three"])
    with pytest.raises(BlockingIOError):
        os.read(incoming, 10_000)
    for descriptor in (incoming, outgoing):
        os.close(descriptor)


def test_colours_are_left_out_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    board = Board()
    board.listed([task()], 0)
    assert "\x1b[36m" not in "".join(frame(board, Looking(), "", (80, 5)))
