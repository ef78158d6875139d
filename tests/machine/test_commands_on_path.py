"""Tests of the programs on PATH: nothing that may exist is reported as missing."""

from __future__ import annotations

import os
from pathlib import Path

from zsh_ls.machine.commands_on_path import CommandsOnPath


def program(folder: Path, name: str, mode: int = 0o755) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("")
    (folder / name).chmod(mode)


def test_programs_of_all_folders_are_found(tmp_path: Path) -> None:
    program(tmp_path / "a", "one")
    program(tmp_path / "b", "two")
    program(tmp_path / "b", "no-program", 0o644)
    (tmp_path / "b" / "folder").mkdir()
    (tmp_path / "b" / "link").symlink_to(tmp_path / "a" / "one")
    (tmp_path / "b" / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b" / "loop").symlink_to("loop")
    found = CommandsOnPath().programs(f"{tmp_path}/a:{tmp_path}/b:{tmp_path}/never")
    assert found == ({"one", "two", "link"}, True)


def test_a_new_program_is_seen(tmp_path: Path) -> None:
    commands = CommandsOnPath()
    program(tmp_path / "a", "one")
    assert commands.programs(f"{tmp_path}/a").names == {"one"}
    program(tmp_path / "a", "two")
    os.utime(tmp_path / "a", ns=(0, 12345))
    assert commands.programs(f"{tmp_path}/a").names == {"one", "two"}


def test_what_cannot_be_listed_leaves_it_open_what_is_missing(tmp_path: Path) -> None:
    program(tmp_path / "a", "one")
    commands = CommandsOnPath()
    for path in (None, "", f"{tmp_path}/a:", f"{tmp_path}/a:bin", f"{tmp_path}/a:/\0"):
        assert not commands.programs(path).complete
    assert commands.programs(f"{tmp_path}/a:bin").names == {"one"}
