"""`zsh-ls run` and `zsh-ls output`: what they print, how they exit, what Ctrl-C does."""

from __future__ import annotations

import json
import os
import pty
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.tasks.survivors import alive_with, eventually
from zsh_ls.cli import INTERRUPTED, main

from .conftest import Cli


def through_a_shell(
    line: str, environment: Mapping[str, str], *words: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """A command of ours behind what `line` does first, which ends in `exec "$@"`."""
    return subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, "-m", "zsh_ls", *words],
        env=environment,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_with_bytes_that_are_no_characters_is_remembered(cli: Cli) -> None:
    """It ran, and ended in a traceback instead."""
    command = os.fsdecode(b"printf '\xff' | od -An -c")
    done = cli("run", command)
    assert (done.stdout, done.stderr.count("\n")) == (" 377\n", 1)
    assert "printf '\\xff' | od -An -c" in cli("tasks", "--all").stdout


def test_a_run_shows_its_output_its_status_and_what_it_means(cli: Cli) -> None:
    done = cli("run", "--brief", "echo test | grep nope")
    assert done.returncode == 1
    assert re.fullmatch(
        r"\[FAILED task_id=[0-9a-f]{8} elapsed=\d+\.\ds exit=1 pipestatus=\[0,1\]\]\n"
        r"\[info: A\.L\.A\.N\.: grep exit 1 = no match \(normal\)\]\n",
        done.stdout,
    )
    assert done.stderr == ""


# CLI-26
def test_no_shell_but_its_own_is_started_for_a_run(cli: Cli, tmp_path: Path) -> None:
    started = tmp_path / "started"
    for name in ("zsh", "bash", "sh"):
        shell = tmp_path / name
        shell.write_text(f'#!/bin/sh\necho "{name} $1" >> {started}\nexec /bin/{name} "$@"\n')
        shell.chmod(0o755)
    done = cli(
        "run", "--shell", "bash", "echo here", env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    )
    assert done.stdout == "here\n"
    assert started.read_text() == "bash -c\n"


# RUN-17
def test_without_a_terminal_a_run_does_not_wait_for_an_editor(cli: Cli, tmp_path: Path) -> None:
    """vim reads its standard error at the end of its input: a pipe that never ends."""
    done = cli("run", f"vim -u NONE {tmp_path}/notes; exit 7")
    assert done.returncode == 7
    assert "vim was ended: it waited for keys" in done.stderr


# CLI-1
@pytest.mark.slow
@pytest.mark.parametrize(("command", "status"), [("true", 0), ("exit 42", 42), ("kill -9 $$", 137)])
def test_the_exit_status_is_the_commands_own(cli: Cli, command: str, status: int) -> None:
    assert cli("run", command).returncode == status


@pytest.mark.slow
def test_a_timeout_exits_124(cli: Cli) -> None:
    done = cli("run", "--timeout", "0.3", "sleep 100")
    assert done.returncode == 124
    assert "[error] Command timed out after 0.3s" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("limit", [[], ["--timeout", "0"], ["--timeout", "900"]])
def test_a_run_has_no_time_limit_whatever_that_of_agents_is(cli: Cli, limit: list[str]) -> None:
    short = {"NEVERHANG_TIMEOUT_DEFAULT": "0.2", "NEVERHANG_TIMEOUT_MAX": "0.2"}
    done = cli("run", *limit, "sleep 1; echo over", env=short)
    assert done.returncode == 0
    assert done.stdout.startswith("over\n")
    assert "Time limit" not in done.stderr


@pytest.mark.slow
def test_the_terminal_session_is_remembered_from_run_to_run(cli: Cli) -> None:
    for _ in range(2):
        cli("run", "false; exit 3")
    again = cli("run", "--brief", "false; exit 3")
    assert "Retry #3. Previous 2 all failed. Different approach?" in again.stdout


@pytest.mark.slow
def test_json_is_the_whole_result(cli: Cli) -> None:
    result = json.loads(cli("run", "--json", "print hi | cat").stdout)
    assert (result["output"], result["pipestatus"], result["origin"]) == ("hi\n", [0, 0], "cli")
    assert result["verbosity"]["full_output"] is None
    assert "error" not in result


@pytest.mark.slow
def test_without_zsh_bash_stands_in_and_says_so(cli: Cli, tmp_path: Path) -> None:
    for name in ("bash", "sh", "ls", "wc", "cat"):
        found = subprocess.run(
            ["which", name], capture_output=True, text=True, check=True
        ).stdout.strip()
        (tmp_path / name).symlink_to(found)
    done = cli("run", "ls /nowhere | wc -l", env={"PATH": str(tmp_path)})
    assert done.returncode == 0
    assert "pipestatus=[2,0]" in done.stderr
    assert "zsh is not installed; bash stands in." in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", ""], "zsh-ls: COMMAND: expected a command, got an empty one"),
        (["run", "--cwd", "/nowhere", "true"], "zsh-ls: --cwd: expected a folder that is there"),
        (
            ["run", "--shell", "fish", "true"],
            "zsh-ls: --shell: expected zsh, bash, sh or an absolute path",
        ),
        (
            ["run", "--timeout=-1", "true"],
            "zsh-ls: --timeout: expected 0 (no limit) or more seconds, got -1",
        ),
        (["output", "00000000"], "zsh-ls: Unknown task: 00000000"),
        (["output"], "zsh-ls: TASK: no task of this workspace has ended yet; name one"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exits_125(
    cli: Cli, arguments: list[str], message: str
) -> None:
    done = cli(*arguments)
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["run", "true"], ["tasks", "--all"], ["why"], ["history", "--here"]]
)
def test_in_a_folder_that_was_removed_one_line_says_so(
    environment: Mapping[str, str], tmp_path: Path, words: list[str]
) -> None:
    """It was a traceback."""
    line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    done = through_a_shell(line, environment, *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        125,
        "zsh-ls: the current folder does not exist any more\n",
    )


@pytest.mark.slow
def test_history_is_had_in_a_folder_that_was_removed(
    cli: Cli, environment: Mapping[str, str], tmp_path: Path
) -> None:
    """Ctrl-R is this command; it was `[Errno 2] No such file or directory`."""
    assert cli("run", "echo remembered").returncode == 0
    line = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    done = through_a_shell(line, environment, "history", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "echo remembered" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("descriptors", "status", "said"),
    [
        (5, 125, "zsh-ls: Too many open files"),
        (18, 125, "zsh-ls: Too many open files"),
        # The shell cannot be started: as env(1) ends where a program cannot be.
        (22, 126, "[error] "),
        (24, 126, "[error] "),
    ],
)
def test_where_the_system_refuses_a_descriptor_one_line_says_so(
    environment: Mapping[str, str], descriptors: int, status: int, said: str
) -> None:
    """It was a traceback, or twice that logging could not write."""
    line = f'ulimit -n {descriptors} && exec "$@"'
    done = through_a_shell(line, environment, "run", "true")
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(said)
    assert "Too many open files" in done.stderr
    assert "Logging error" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("line", "status"), [("seq 10", 1), ("seq 200000; exit 3", None)])
def test_what_cannot_be_written_to_a_full_disk_is_said_and_is_no_success(
    environment: Mapping[str, str], line: str, status: int | None
) -> None:
    """Half a file with exit 0 was the end of it."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "zsh_ls", "run", line],
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "zsh-ls: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode != 0
    assert status is None or done.returncode == status


@pytest.mark.slow
@pytest.mark.parametrize("stream", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_run_whose_streams_are_closed_ends_as_its_command(
    environment: Mapping[str, str], stream: str
) -> None:
    """Without a standard output it ended by a traceback."""
    line = f'exec "$@" {stream}'
    done = through_a_shell(line, environment, "run", "echo hi; exit 7")
    assert (done.returncode, "Traceback" in done.stderr) == (7, False)


def test_a_wrong_variable_is_reported_and_does_not_stop_the_run(cli: Cli) -> None:
    done = cli("run", "true", env={"NEVERHANG_TIMEOUT_DEFAULT": "soon"})
    assert done.returncode == 0
    assert "NEVERHANG_TIMEOUT_DEFAULT: expected a number" in done.stderr


# CLI-3
@pytest.mark.slow
def test_the_whole_output_of_a_past_run_comes_back_by_line_and_by_byte(cli: Cli) -> None:
    cli("run", "printf '\\033[31m'; seq 1 2000")
    assert cli("output").stdout == "".join(f"{n}\n" for n in range(1, 2001))
    assert cli("output", "--lines", "1999:").stdout == "1999\n2000\n"
    assert cli("output", "--lines", "7:8").stdout == "7\n8\n"
    assert cli("output", "--raw", "--lines", "1:1").stdout == "\x1b[31m1\n"


@pytest.mark.slow
def test_a_long_output_is_cut_and_says_how_to_get_the_whole(cli: Cli, tmp_path: Path) -> None:
    done = cli("run", "--brief", "seq 1 500")
    assert "; whole: zsh-ls output " in done.stdout.splitlines()[0]
    assert "lines truncated" in done.stdout
    whole = "".join(f"{n}\n" for n in range(1, 501))
    assert whole in cli("ask", "show full output").stdout
    assert cli("output").stdout == whole
    assert list((tmp_path / "project").iterdir()) == []


@pytest.mark.slow
def test_colours_are_for_terminals_and_never_with_no_color(environment: Mapping[str, str]) -> None:
    def on_a_terminal(**extra: str) -> bytes:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "zsh_ls", "run", "false"]
        process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**environment, "TERM": "xterm", **extra},
        )
        os.close(theirs)
        printed = b""
        try:
            while data := os.read(ours, 4096):
                printed += data
        except OSError:
            pass
        process.wait(60)
        os.close(ours)
        return printed

    assert b"\x1b[31m[FAILED\x1b[0m" in on_a_terminal()
    assert b"\x1b" not in on_a_terminal(NO_COLOR="1")


def test_ctrl_c_reaches_the_command_first(environment: Mapping[str, str], tmp_path: Path) -> None:
    """Ctrl-C comes once nothing is being printed: zsh repeats a line whose writing SIGINT interrupts."""
    loops = tmp_path / "loops"
    script = f"trap 'echo interrupted; exit 7' INT; echo ready; : >{loops}; while :; do :; done"
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "run", "--timeout", "60", script],
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert eventually(loops.exists, 60)
    process.send_signal(signal.SIGINT)
    printed, told = process.communicate(timeout=60)
    assert (process.returncode, printed) == (7, "ready\ninterrupted\n")
    assert told.startswith("[FAILED ")


# RUN-10
@pytest.mark.parametrize("way", [["run"], ["run", "--shared"], ["trace"]], ids=" ".join)
def test_nothing_is_left_of_a_command_whose_zsh_ls_is_killed(
    environment: Mapping[str, str], tmp_path: Path, way: list[str]
) -> None:
    """As `timeout -s KILL`, an agent or a build server does when a command takes too long."""
    token = f"{secrets.randbelow(10**9):09}"
    text = f"setsid sleep 1000.{token} & sleep 1000.{token}; sleep 1000.{token}"
    script = tmp_path / "waits.zsh"
    script.write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", *way, str(script) if way == ["trace"] else text],
        cwd=tmp_path,
        env=dict(environment),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    sleeping = f"sleep\0001000.{token}"
    assert eventually(lambda: len(alive_with(sleeping)) == 2, 60)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert eventually(lambda: not alive_with(token), 30)


def test_a_run_leaves_no_process_of_its_own_behind(environment: Mapping[str, str]) -> None:
    """No zombie either: in a container there may be no process that reaps it."""
    looks = (
        "import os, subprocess, sys\n"
        "from zsh_ls.tasks.supervision.process_tags import become_subreaper, children\n"
        "become_subreaper()\n"
        "subprocess.run([sys.executable, '-m', 'zsh_ls', 'run', 'true'], stdout=subprocess.DEVNULL)\n"
        "print(children())"
    )
    left = subprocess.run(
        [sys.executable, "-c", looks],
        env=dict(environment),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert left.stdout == "[]\n"


def test_ctrl_c_while_it_starts_is_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zsh_ls.cli._run", interrupted)
    assert main(["run", "true"]) == INTERRUPTED
    assert capsys.readouterr() == ("", "")
