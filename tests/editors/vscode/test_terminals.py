"""What runs in VS Code's own terminals is learnt, once, and never the text of a line with a leading space."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import World
from zsh_ls.alan.terminal import spool_beside
from zsh_ls.cli.terminal import text_for

from .studio import REAL_EDITOR, Studio

pytestmark = REAL_EDITOR

RC = {"zsh": ".zshrc", "fish": ".config/fish/config.fish", "bash": ".bashrc"}


def write_rc(studio: Studio, shell: str, text: str) -> None:
    rc = studio.environment.home / RC[shell]
    rc.parent.mkdir(parents=True, exist_ok=True)
    rc.write_text(text)


def database(studio: Studio) -> Path:
    return Path(studio.environment.env["XDG_DATA_HOME"], "zsh-ls", "alan.db")


def rows(studio: Studio, part: str) -> list[dict[str, Any]]:
    """The runs of terminals with this in their text."""
    found = query(database(studio), "SELECT * FROM observations ORDER BY created_at")
    texts = [it for it in found if it["origin"] == "terminal" and it["command_preview"]]
    return [it for it in texts if part in it["command_preview"]]


async def typed(studio: Studio, shell: str, *lines: str) -> Any:
    """The exits of lines that were typed into a new terminal, once memory knows of them.

    The server takes what terminals tell in its order, so that when it has taken one more run it has taken
    these, and an answer from memory comes after they are written.
    """
    program, folder = shutil.which(shell), str(studio.environment.project)
    ended = await studio.host.ask("typed", program, folder, lines)
    last = {"command": " true", "exit": 0, "cwd": folder, "duration_s": 0}
    await studio.host.ask("command", "zsh.terminalRun", last)
    await studio.host.ask("command", "zsh.stats", {})
    return ended


@pytest.mark.parametrize("shell", ["zsh", "fish"])
async def test_what_runs_in_a_terminal_is_learnt(studio: Studio, shell: str) -> None:
    """PROMPT-3, ALAN-7."""
    write_rc(studio, shell, "")
    seven, last = f"sh -c 'exit 7' {shell}", f"true {shell}"
    ended = await typed(studio, shell, seven, f" echo Qx7canary{shell}", last)
    assert ended == [7, 0, 0]
    [row] = rows(studio, seven)
    assert (row["exit_code"], row["session_id"][:4]) == (7, "cli-")
    assert rows(studio, "Qx7canary") == []
    assert f"Qx7canary{shell}".encode() not in database(studio).read_bytes()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
async def test_a_shell_with_the_hook_is_not_learnt_from_twice(studio: Studio, shell: str) -> None:
    """PROMPT-3."""
    write_rc(studio, shell, text_for(shell, ctrl_r=False))
    lines = [f"true once-{number}-{shell}" for number in range(3)]
    await typed(studio, shell, *lines)
    World.on_file(database(studio)).store.import_terminal_runs(spool_beside(database(studio)))
    assert len(rows(studio, f"-{shell}")) == len(lines)


@pytest.mark.parametrize("control", ["", "ignoreboth"])
async def test_of_bash_no_text_is_kept(studio: Studio, control: str) -> None:
    """ALAN-7: VS Code's script for bash tells of no leading space."""
    write_rc(studio, "bash", f"HISTCONTROL={control}\n")
    exit_status = 43 + len(control)
    ended = await typed(studio, "bash", f" bash -c 'exit {exit_status}' Qx7canarybash")
    assert ended == [exit_status]
    found = query(database(studio), f"SELECT * FROM observations WHERE exit_code = {exit_status}")
    assert [(it["origin"], it["command_preview"]) for it in found] == [("terminal", None)]
    assert b"Qx7canarybash" not in database(studio).read_bytes()
