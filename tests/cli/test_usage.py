"""What a person who mistypes or asks for help is told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from zsh_ls.cli import NO_WINDOWS, main

from .conftest import Cli

pytestmark = pytest.mark.slow


# CLI-27
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("rnu", "zsh-ls: there is no command 'rnu'; did you mean run?\n"),
        ("xyzzy", "zsh-ls: there is no command 'xyzzy'; `zsh-ls help` lists them\n"),
    ],
)
def test_a_mistyped_command_suggests_the_near_one(cli: Cli, typed: str, told: str) -> None:
    done = cli(typed, "true")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


# CLI-27
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "--timeout", "soon", "true"), "--timeout: expected a number, got 'soon'\n"),
        (("history", "--limit", "1.5"), "--limit: expected a whole number, got '1.5'\n"),
    ],
)
def test_what_is_no_number_is_told_in_words(cli: Cli, words: tuple[str, ...], told: str) -> None:
    done = cli(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(told)


# CLI-27
def test_help_is_a_command_too(cli: Cli) -> None:
    assert cli("help").stdout == cli("--help").stdout == cli().stdout
    assert cli("help", "run").stdout == cli("run", "--help").stdout
    assert cli("-V").stdout == cli("--version").stdout == "zsh-ls 0.1.0\n"


def test_on_windows_one_line_says_where_it_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(["run", "true"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"{NO_WINDOWS}\n")
    assert main(["--version"]) == 0


def test_nothing_that_windows_lacks_is_loaded_before_that_line() -> None:
    code = (
        "import sys; before = set(sys.modules); sys.platform = 'win32'\n"
        "from zsh_ls.cli import main; main(['run', 'true'])\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {it for it in loaded if it.startswith("zsh_ls")} == {"zsh_ls", "zsh_ls.cli"}
    assert not loaded & {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}


# CLI-27
@pytest.mark.parametrize("arguments", [["rules"], ["help"], ["parse", "-"], ["stats", "--json"]])
def test_a_closed_pipe_ends_a_command_quietly(
    environment: Mapping[str, str], arguments: list[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "zsh_ls", *arguments],
        env=dict(environment),
        input="echo hi\n",
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode in (0, 141)
    assert done.stderr == ""


# CLI-27
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--verion"], "zsh-ls: there is no option '--verion'; did you mean --version?\n"),
        (
            ["--json", "stats"],
            (
                "zsh-ls stats: there is no option '--json'; options stand after the command: "
                "`zsh-ls stats --json`\n"
            ),
        ),
        (["-v"], "zsh-ls: there is no option '-v'; did you mean -V?\n"),
        (
            ["run", "--timout", "3", "ls"],
            "zsh-ls run: there is no option '--timout'; did you mean --timeout?\n",
        ),
        (
            ["stats", "--frob"],
            "zsh-ls stats: there is no option '--frob'; see `zsh-ls stats --help`\n",
        ),
    ],
)
def test_a_mistyped_option_suggests_the_near_one(cli: Cli, words: list[str], told: str) -> None:
    done = cli(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


# CLI-27
@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["session", "shw"], "show"),
        (["circuit", "rest"], "reset"),
        (["team", "stauts"], "status"),
        (["completion", "zhs"], "zsh"),
        (["check", "--format", "jsn", "x"], "json"),
        (["hook", "cluade"], "claude"),
    ],
)
def test_a_mistyped_word_of_a_command_has_its_near_one_named(
    words: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert f"did you mean {meant}?" in capsys.readouterr().err
