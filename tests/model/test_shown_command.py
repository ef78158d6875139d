"""Commands as they are shown; the plugins of the editors are held to the same cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zsh_ls.model.shown_command import shown_command

FOLDER, HOME = "/home/ada/work/project", "/home/ada"
CASES = json.loads((Path(__file__).parents[1] / "data/shown_commands/cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda it: it["why"])
def test_a_command_is_shown_by_its_names(case: dict[str, object]) -> None:
    command, most = str(case["command"]), int(str(case["most"]))
    assert shown_command(command, most, folder=FOLDER, home=HOME) == case["shown"]


def test_without_a_folder_or_a_home_paths_are_as_they_are() -> None:
    assert shown_command("zsh /home/ada/x.zsh", 60) == "zsh /home/ada/x.zsh"
    assert shown_command("ls /x", 60, folder="/", home="") == "ls /x"
