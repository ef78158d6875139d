"""One row of the full-screen history, in terminals of any width."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from zsh_ls.cli.picking.listing import FOLDER_WIDTH
from zsh_ls.cli.picking.screen_row import screen_row
from zsh_ls.model.recall import HistoryLine
from zsh_ls.model.words import Origin, Outcome

NOW = 1_790_000_000.0
COMMANDS = [
    "make",
    "git log --oneline --graph --decorate --all | head -n 20 && git status --short",
    "echo '日本語のテキスト 한국어' > ノート.txt && cat ノート.txt",
    "",
]
FOLDERS = [
    "",
    "/w",
    "/home/me/projects/shop/packages/server",
    "/データ/プロジェクト/とても長い名前",
]


def row(command: str, folder: str, width: int) -> str:
    line = HistoryLine(command, 0, Outcome.SUCCESS, 1.5, NOW - 5, folder, folder, Origin.TERMINAL)
    return screen_row(line, NOW, width)


# PROMPT-2
@pytest.mark.parametrize("width", [1, 12, 25, 40, 59, 60, 80, 100, 200])
@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_row_fits_its_terminal_and_the_folder_ends_at_its_edge(
    command: str, folder: str, width: int
) -> None:
    shown = row(command, folder, width)
    assert cell_len(shown) <= max(width, 6)
    if folder and width >= 80:
        assert cell_len(shown) == width
        assert shown.endswith(folder[-5:])


# PROMPT-2
def test_where_there_is_little_room_the_line_comes_before_its_folder_and_its_times() -> None:
    command = "docker compose up --build"
    assert row(command, FOLDERS[2], 44) == f"   0   1.5s   5s  {command}"
    assert row(command, FOLDERS[2], 30) == f"   0 {command}"
    assert row(command, FOLDERS[2], 60) == f"   0   1.5s   5s  {command}  …ackages/server"
    assert row(command, FOLDERS[2], 15) == "   0 docker co…"


# PROMPT-2
def test_a_long_line_leaves_its_folder_the_right_edge() -> None:
    shown = row(COMMANDS[1], FOLDERS[2], 100)
    assert shown.endswith(f"…  …{FOLDERS[2][-FOLDER_WIDTH + 1 :]}")
