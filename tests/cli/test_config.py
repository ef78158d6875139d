"""`config.toml`: what is set there holds on the command line; `zsh-ls config` says so (CLI-40)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import home_in
from tests.server.rpc import ROOT


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**home_in(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}


def written(home: dict[str, str], text: str) -> Path:
    path = Path(home["XDG_CONFIG_HOME"]) / "zsh-ls" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def zsh_ls(
    home: dict[str, str], *arguments: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zsh_ls", *arguments],
        env={**os.environ, **home, **variables, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def settings(done: subprocess.CompletedProcess[str]) -> dict[str, tuple[Any, str]]:
    return {it["name"]: (it["value"], it["source"]) for it in json.loads(done.stdout)["settings"]}


# CLI-40
def test_the_file_holds_before_variables_and_these_before_defaults(home: dict[str, str]) -> None:
    path = written(home, 'timeoutMax = 50\nshell = "bash"\n[history]\nhints = false\n')
    done = zsh_ls(
        home, "config", "--json", NEVERHANG_TIMEOUT_MAX="70", NEVERHANG_TIMEOUT_DEFAULT="7"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["file"] == str(path)
    found = settings(done)
    assert found["timeoutMax"] == (50, "config.toml")
    assert found["shell"] == ("bash", "config.toml")
    assert found["history.hints"] == (False, "config.toml")
    assert found["NEVERHANG_TIMEOUT_DEFAULT"] == (7, "NEVERHANG_TIMEOUT_DEFAULT")
    assert found["trace.hints"] == (True, "default")
    text = zsh_ls(home, "config").stdout.splitlines()
    assert text[0] == str(path)
    assert [line.split() for line in text if "history.hints" in line] == [
        ["history.hints", "false", "(config.toml)"]
    ]


def test_what_is_set_there_holds_for_runs(home: dict[str, str]) -> None:
    written(home, 'timeout = 0.2\nshell = "bash"\n')
    done = zsh_ls(home, "run", "echo $BASH_VERSION | cut -c1; sleep 60")
    assert (done.returncode, done.stdout) == (124, "5\n")
    assert "Command timed out after 0.2s" in done.stderr


def test_wrong_and_unknown_settings_are_told_and_lose_nothing(home: dict[str, str]) -> None:
    path = written(
        home,
        'timout = 5\ntimeout = "soon"\nredact = ["(", "corp-[0-9]+"]\n'
        '[history]\nhints = 1\nwarnings = true\n[colour]\nof = "sky"\n',
    )
    done = zsh_ls(home, "config", "--json")
    assert done.returncode == 1
    found = settings(done)
    assert found["history.warnings"] == (True, "config.toml")
    assert found["history.hints"] == (True, "default")
    assert found["timeout"] == (None, "default")
    assert found["redact"] == (["corp-[0-9]+"], "config.toml")
    problems = json.loads(done.stdout)["problems"]
    assert problems[:2] == [
        f"{path}: timout: there is no such setting; did you mean timeout?",
        f"{path}: colour.of: there is no such setting; `zsh-ls config` lists them",
    ]
    assert len(problems) == 5
    ran = zsh_ls(home, "run", "true")
    assert ran.returncode == 0
    assert ran.stderr.splitlines()[:5] == [f"zsh-ls: {it}" for it in problems]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"timeout = \n", "no TOML, so nothing in it holds: Invalid value (at line 1, column 11)"),
        (b"shell = '\xff'\n", "no TOML, so nothing in it holds: "),
    ],
)
def test_a_file_that_cannot_be_read_changes_nothing(
    home: dict[str, str], content: bytes, said: str
) -> None:
    path = written(home, "")
    path.write_bytes(content)
    done = zsh_ls(home, "run", "print hi")
    assert (done.returncode, done.stdout) == (0, "hi\n")
    assert done.stderr.startswith(f"zsh-ls: {path}: {said}")


def test_a_file_that_others_can_write_to_is_not_read(home: dict[str, str]) -> None:
    path = written(home, "timeout = 5\n")
    path.chmod(0o666)
    done = zsh_ls(home, "config", "--json")
    assert settings(done)["timeout"] == (None, "default")
    assert json.loads(done.stdout)["problems"] == [
        f"{path}: not read, for another user can write to it"
    ]


def test_without_a_file_the_place_for_it_is_told(home: dict[str, str]) -> None:
    done = zsh_ls(home, "config")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].endswith("/zsh-ls/config.toml (not there)")
