"""`zsh-ls why`: what failed last, without the hook of a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.server.conftest import home_in
from tests.server.rpc import ROOT


def at_a_prompt(folder: Path, path: str) -> Callable[..., str]:
    """Runs `zsh-ls` with these arguments in `folder`, with a home of its own; gives its output."""
    environment = {**os.environ, **home_in(folder), "PATH": path, "PYTHONPATH": str(ROOT)}

    def zsh_ls(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "zsh_ls", *arguments],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    return zsh_ls


def test_a_name_that_was_not_found_is_answered_with_one_on_path_that_is_near(
    tmp_path: Path,
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    near = programs / "deploy-shop"
    near.write_text("#!/bin/sh\n")
    near.chmod(0o755)
    zsh_ls = at_a_prompt(tmp_path, f"{programs}:{os.environ['PATH']}")
    zsh_ls("run", "dpeloy-shop now")
    assert "`dpeloy-shop` was not found; `deploy-shop` is near." in zsh_ls("why")
    zsh_ls("run", "quite-another-name now")
    answer = zsh_ls("why")
    assert "`quite-another-name now` failed with exit 127" in answer
    assert " is near" not in answer


def test_what_has_passed_since_it_failed_is_said_to_have_passed(tmp_path: Path) -> None:
    zsh_ls = at_a_prompt(tmp_path, os.environ["PATH"])
    for _ in range(2):
        zsh_ls("run", "test -e there && true")
    assert "It failed 2 times in a row here, and no pass is remembered." in zsh_ls("why")
    (tmp_path / "there").touch()
    zsh_ls("run", "test -e there && true")
    answer = zsh_ls("why")
    assert "It has passed here since: just now." in answer
    assert "no pass is remembered" not in answer


def test_what_timed_out_again_and_again_failed_in_a_row(tmp_path: Path) -> None:
    zsh_ls = at_a_prompt(tmp_path, os.environ["PATH"])
    for _ in range(2):
        zsh_ls("run", "--timeout", "0.2", "sleep 60")
    assert "It failed 2 times in a row here, and no pass is remembered." in zsh_ls("why")


def test_stats_of_a_part_of_a_line_name_the_lines_that_begin_with_it(tmp_path: Path) -> None:
    zsh_ls = at_a_prompt(tmp_path, os.environ["PATH"])
    zsh_ls("run", "quite-another-name exec one")
    assert "lines that begin so: quite-another-name exec one" in zsh_ls(
        "stats", "quite-another-name"
    )
    assert "begin so" not in zsh_ls("stats", "quite-another")
