"""`zsh-ls trace`: the script's own output, then its lines with their counts, statuses and times."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Cli

pytestmark = pytest.mark.slow
# Where the clock of a process is replaced by one that stands still.
HELD = ROOT / "tests" / "transcripts" / "held"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "build.zsh"
    path.write_text("#!/bin/zsh\necho out $1\nfor i in 1 2; do\n  false | true\ndone\nexit 3\n")
    return path


# CLI-8
def test_the_script_is_shown_with_its_figures_and_its_own_exit(cli: Cli, script: Path) -> None:
    done = cli("trace", str(script), "--an-argument")
    assert done.returncode == 3
    output, _, listing = done.stdout.partition("\n\n")
    assert output.startswith("out --an-argument\n[FAILED task_id=")
    rows = {
        line.partition("│")[2].strip(): line.partition("│")[0].split()
        for line in listing.splitlines()
    }
    assert rows["false | true"][:3] == ["2×", "✓", "1|0"]
    assert rows["exit 3"][:2] == ["✗", "3"]
    assert "\x1b" not in done.stdout


def test_a_profile_follows_no_link_out_of_the_project(
    cli: Cli, script: Path, tmp_path: Path
) -> None:
    """Whoever wrote the project chose where `profile.json` leads."""
    kept, planted = tmp_path / "kept", tmp_path / "project" / "profile.json"
    kept.write_text("mine\n")
    planted.symlink_to(kept)
    done = cli("trace", "--speedscope", "profile.json", str(script))
    assert (done.returncode, kept.read_text()) == (3, "mine\n")
    assert f"profile.json: a link leads out of the project, to {kept}" in done.stderr
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project" / "build").symlink_to(tmp_path / "elsewhere")
    done = cli("trace", "--speedscope", "build/../kept", str(script))
    assert (done.returncode, kept.read_text()) == (3, "mine\n")
    assert f"a link leads out of the project, to {kept}" in done.stderr
    cli("trace", "--speedscope", "../kept", str(script))
    assert "speedscope" in kept.read_text()
    planted.unlink()
    planted.symlink_to("within.json")
    cli("trace", "--speedscope", "profile.json", str(script))
    assert "speedscope" in (tmp_path / "project" / "within.json").read_text()


def test_a_traced_script_has_no_time_limit(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "slow.zsh"
    path.write_text("sleep 1\necho over\n")
    short = {"NEVERHANG_TIMEOUT_DEFAULT": "0.2", "NEVERHANG_TIMEOUT_MAX": "0.2"}
    done = cli("trace", str(path), env=short)
    assert (done.returncode, done.stdout.partition("\n")[0]) == (0, "over")
    assert cli("trace", "--timeout", "0.2", str(path)).returncode == 124
    assert cli("trace", "--timeout", "-1", str(path)).returncode == 125


def test_json_is_the_result_of_the_wire(cli: Cli, script: Path) -> None:
    done = cli("trace", "--json", str(script))
    result = json.loads(done.stdout)
    assert (result["traced"], result["exit"], result["origin"]) == (True, 3, "trace")
    assert [(line["line"], line["count"]) for line in result["lines"]] == [
        (1, 1),
        (2, 1),
        (3, 2),
        (5, 1),
    ]


def test_no_shares_are_shown_of_a_run_that_took_no_time(
    cli: Cli, script: Path, tmp_path: Path
) -> None:
    clock = tmp_path / "clock"
    clock.write_bytes(struct.pack("d", 0.0))
    held = {"HELD_CLOCK": str(clock), "PYTHONPATH": os.pathsep.join([str(HELD), str(ROOT)])}
    done = cli("trace", str(script), env=held)
    assert (done.returncode, done.stderr) == (3, "")
    assert "elapsed=0.0s" in done.stdout
    assert "6 │ exit 3" in done.stdout
    assert "Where the time went" not in done.stdout


def test_what_cannot_be_traced_says_so(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "x.sh"
    script.write_text("#!/bin/sh\necho a\n")
    done = cli("trace", str(script))
    assert done.returncode == 0
    assert "Not traced: sh has nothing to trace lists with" in done.stdout


def test_a_missing_script_is_one_clear_line(cli: Cli, tmp_path: Path) -> None:
    done = cli("trace", str(tmp_path / "nowhere.zsh"))
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr.endswith("nowhere.zsh: No such file or directory\n")


def test_ctrl_c_reaches_the_script_first_and_what_ran_is_shown(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    script = tmp_path / "x.zsh"
    script.write_text("#!/bin/zsh\ntrap 'echo cleaned; exit 7' INT\necho ready\nsleep 1000\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "trace", str(script)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.kill(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 7
    assert "cleaned" in rest
    assert "✓" in rest
