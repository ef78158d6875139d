"""`zsh-ls why`: what failed last, without the hook of a shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.server.conftest import home_in
from tests.server.rpc import ROOT


def at_a_prompt(folder: Path, path: str) -> Callable[..., str]:
    """Runs `zsh-ls` with these arguments in `folder`, with a home of its own; gives what it prints.

    With `errors`, on standard error.
    """
    environment = {**os.environ, **home_in(folder), "PATH": path, "PYTHONPATH": str(ROOT)}

    def zsh_ls(*arguments: str, errors: bool = False) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "zsh_ls", *arguments],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stderr if errors else done.stdout

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


def test_stats_need_no_quotes_around_a_command(tmp_path: Path) -> None:
    zsh_ls = at_a_prompt(tmp_path, os.environ["PATH"])
    zsh_ls("run", "grep -c x /etc/hostname")
    quoted = zsh_ls("stats", "grep -c x /etc/hostname")
    assert "1 run" in quoted
    assert zsh_ls("stats", "grep", "-c", "x", "/etc/hostname") == quoted
    as_json = json.loads(zsh_ls("stats", "--json", "grep", "-c", "x", "/etc/hostname"))
    assert as_json["runs"] == 1
    assert json.loads(zsh_ls("stats", "grep", "-c", "x", "/etc/hostname", "--json")) == as_json


def test_the_third_wrong_usage_names_where_the_options_are(tmp_path: Path) -> None:
    """MAN-1 on the command line: each run is a process, which ends before a page could be read."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "man" / "man1").mkdir(parents=True)
    program = tmp_path / "bin" / "frobnicate"
    program.write_text("#!/bin/sh\necho 'usage: frobnicate [-v]' >&2\nexit 64\n")
    program.chmod(0o755)
    page = ".TH FROB 1\n.SH OPTIONS\n.TP\n.B \\-v\nSay more.\n"
    (tmp_path / "man" / "man1" / "frobnicate.1").write_text(page)
    started = tmp_path / "man was started"
    man = tmp_path / "bin" / "man"
    man.write_text(f"#!/bin/sh\ntouch '{started}'\nsleep 60\n")
    man.chmod(0o755)
    zsh_ls = at_a_prompt(tmp_path, f"{tmp_path}/bin:{os.environ['PATH']}")
    told = [zsh_ls("run", "frobnicate --bogus", errors=True) for _ in range(3)]
    where = "Options for frobnicate: zsh-ls explain 'frobnicate'"
    assert [where in it for it in told] == [False, False, True]
    assert not started.exists()


def test_stats_of_a_part_of_a_line_name_the_lines_that_begin_with_it(tmp_path: Path) -> None:
    zsh_ls = at_a_prompt(tmp_path, os.environ["PATH"])
    zsh_ls("run", "quite-another-name exec one")
    assert "lines that begin so: quite-another-name exec one" in zsh_ls(
        "stats", "quite-another-name"
    )
    assert "begin so" not in zsh_ls("stats", "quite-another")
