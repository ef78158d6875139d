"""`zsh-ls forget`: which runs it removes, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from zsh_ls.cli.commands.forget import moment


def known(cli: Cli, command: str) -> bool:
    return bool(json.loads(cli("stats", command, "--json").stdout)["known"])


# CLI-7
@pytest.mark.slow
def test_a_command_is_forgotten_and_another_stays(cli: Cli) -> None:
    cli("run", "true one")
    cli("run", "echo two")
    done = cli("forget", "true one")
    assert (done.returncode, done.stdout) == (0, "1 run forgotten\n")
    assert not known(cli, "true one")
    assert known(cli, "echo two")


@pytest.mark.slow
def test_runs_since_a_moment_and_all_runs_are_forgotten(cli: Cli) -> None:
    cli("run", "true one")
    assert cli("forget", "--since", "0s").stdout == "0 runs forgotten\n"
    assert cli("forget", "--since", "1h").stdout == "1 run forgotten\n"
    cli("run", "true one")
    refused = cli("forget", "--all")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "zsh-ls: forget --all asks on a terminal; without one, say --yes\n"
    assert known(cli, "true one")
    assert cli("forget", "--all", "--yes").stdout == "1 run forgotten\n"
    assert not known(cli, "true one")


@pytest.mark.slow
def test_a_project_is_told_and_forgotten_by_itself(cli: Cli, tmp_path: Path) -> None:
    """ALAN-13: what ran in another folder is neither counted nor forgotten."""
    (tmp_path / "other" / ".git").mkdir(parents=True)
    (tmp_path / "other" / "src").mkdir()
    other = str(tmp_path / "other")
    cli("run", "true one")
    cli("run", "--cwd", f"{other}/src", "true one")

    def runs(*arguments: str) -> int:
        return int(json.loads(cli("stats", "--json", *arguments).stdout)["observations"])

    assert (runs(), runs("--here")) == (2, 1)
    assert cli("forget", "--project", f"{other}/src").stdout == f"1 run of {other} forgotten\n"
    assert (runs(), runs("--here")) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), ("--since", "yesterday"), ("x", "--all")])
def test_wrong_arguments_are_refused_and_forget_nothing(
    cli: Cli, arguments: tuple[str, ...]
) -> None:
    cli("run", "true one")
    done = cli("forget", *arguments)
    assert done.returncode not in (0, 1)
    assert done.stderr
    assert known(cli, "true one")


def test_a_moment_is_a_span_or_a_time() -> None:
    assert moment("2h", 10_000.0) == 2800.0
    assert moment("2026-11-20T09:30+00:00", 0.0) == 1_795_167_000.0
    assert moment("soon", 0.0) is None


@pytest.mark.slow
@pytest.mark.parametrize("words", [("forget", "true one"), ("import", "zsh-history")])
def test_a_disk_that_takes_nothing_more_is_one_line_and_nothing_is_lost(
    cli: Cli, environment: Mapping[str, str], words: tuple[str, ...], tmp_path: Path
) -> None:
    history = tmp_path / "history"
    history.write_text(": 1700000000:1;make all\n")
    cli("run", "true one")
    given = (*words, str(history)) if words[0] == "import" else words
    # The kernel's own refusal: no file of the process may grow.
    full = ["prlimit", "--fsize=40000", sys.executable, "-m", "zsh_ls", *given]
    # Nor may Python's own: it would leave the beginning of a module it has compiled.
    own = {**environment, "PYTHONDONTWRITEBYTECODE": "1"}
    failed = subprocess.run(full, env=own, capture_output=True, text=True, check=False)
    assert failed.returncode in (1, 125)
    assert failed.stderr.startswith("zsh-ls: ")
    assert failed.stderr.count("\n") == 1
    assert known(cli, "true one")
    assert cli(*given).returncode == 0
    assert known(cli, "true one") == (words[0] == "import")
