"""`zsh-ls run` between pipes and files: what the command reads and writes passes untouched."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.tasks.survivors import alive_with, eventually

from .conftest import Cli

RUN = f"{shlex.quote(sys.executable)} -m zsh_ls run"
STATUS = "[COMPLETED task_id="
Line = Callable[[str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def line(environment: Mapping[str, str], tmp_path: Path) -> Line:
    """Run a line of bash in which `run` is `zsh-ls run`."""

    def done(text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", f'run() {{ {RUN} "$@"; }}\n{text}'],
            cwd=tmp_path,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return done


# CLI-20
def test_standard_output_holds_the_commands_alone(line: Line) -> None:
    done = line("x=$(run 'printf hash; echo oops >&2; exit 3'); echo \"<$x> $?\"")
    assert done.stdout == "<hash> 3\n"
    assert done.stderr.startswith("oops\n[FAILED task_id=")
    assert done.stderr.count("\n") == 2


# CLI-20
def test_every_byte_passes(cli: Cli, line: Line) -> None:
    raw = "\\000\\377\\033[2J\\r\\007"
    done = line(f"run \"printf '{raw}%.0s' {{1..3}}\" | od -An -c | tr -d ' \\n'")
    assert done.stdout == "\\0377033[2J\\r\\a" * 3
    assert cli("run", "seq 200000").stdout == "".join(f"{n}\n" for n in range(1, 200_001))


@pytest.mark.parametrize("number", [0, 1, 2])
def test_nothing_takes_the_place_of_a_stream_that_was_closed(
    line: Line, tmp_path: Path, number: int
) -> None:
    """A file of ours did, which the command read as its input, or was written into as its output."""
    text = "readlink /proc/$PPID/fd/{0,1,2} >seen; echo printed; echo complained >&2; cat"
    line(f"run '{text}' {number}>&-")
    assert (tmp_path / "seen").read_text().splitlines()[number] == "/dev/null"
    done = line("run 'echo printed; cat' 0<&-")
    assert done.stdout == "printed\n"


# CLI-23
def test_pipes_lead_in_and_out(line: Line) -> None:
    assert line("echo hello | run cat | tr h j").stdout == "jello\n"
    assert line("printf '1\\n2\\n' | { run head -c2; cat; }").stdout == "1\n2\n"


# CLI-23
def test_a_closed_pipe_ends_the_command_as_sigpipe_does(line: Line) -> None:
    done = line("run yes | head -n 1; echo ${PIPESTATUS[@]}")
    assert done.stdout == "y\n141 0\n"
    assert "Traceback" not in done.stderr


# CLI-23
def test_a_reader_that_is_slow_holds_the_command_up(line: Line) -> None:
    """Nothing is lost, and no more is read than passes."""
    done = line("run 'seq 300000; touch over' | { [ -e over ]; echo $?; tail -n 1; }")
    assert done.stdout == "1\n300000\n"


# CLI-23
def test_what_goes_one_way_stays_in_order_and_what_is_apart_stays_apart(line: Line) -> None:
    mixed = "for i in 1 2 3; do echo out$i; echo err$i >&2; done"
    assert line(f"run '{mixed}' 2>&1 | head -n 6").stdout.split() == [
        f"{way}{n}" for n in "123" for way in ("out", "err")
    ]
    done = line(f"run '{mixed}'")
    assert done.stdout.split() == ["out1", "out2", "out3"]
    assert done.stderr.split()[:3] == ["err1", "err2", "err3"]


# CLI-23
def test_what_passed_is_kept(cli: Cli) -> None:
    cli("run", "seq 3; echo oops >&2")
    assert sorted(cli("output").stdout.split()) == ["1", "2", "3", "oops"]


# CLI-24
@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["echo $((1 + 2)) | cat"], "3\n"),
        (["echo", "$((1 + 2))", "a  b", "'", "*"], "$((1 + 2)) a  b ' *\n"),
        (["--", "echo", "--json"], "--json\n"),
        (["echo", "--timeout", "-n"], "--timeout -n\n"),
        (["--env", "A=b c", "--env", "LANG", "echo $A ${LANG-unset}"], "b c unset\n"),
    ],
)
def test_one_argument_is_a_line_and_several_are_words(
    cli: Cli, arguments: list[str], printed: str
) -> None:
    assert cli("run", *arguments).stdout == printed


# CLI-24
def test_a_line_that_was_given_as_one_word_is_found_out(cli: Cli) -> None:
    done = cli("run", "ls -la", "src")
    assert done.returncode == 127
    assert (
        "zsh-ls run: 'ls -la' is one word here; quote the whole line, or no part of it"
        in done.stderr
    )


# CLI-20
def test_what_is_no_news_is_not_said(cli: Cli) -> None:
    for _ in range(3):
        done = cli("run", "true")
        assert done.stdout == ""
        assert done.stderr.startswith(STATUS)
        assert done.stderr.count("\n") == 1
    for _ in range(2):
        done = cli("run", "false; exit 3")
    assert "Retry" not in done.stderr
    done = cli("run", "false; exit 3")
    assert "[warning: A.L.A.N.: Retry #3. Previous 2 all failed." in done.stderr


# CLI-25
def test_brief_is_the_view_for_agents_on_standard_output(cli: Cli) -> None:
    done = cli("run", "--brief", "seq 500; echo oops >&2")
    assert "lines truncated" in done.stdout
    assert "\n[COMPLETED task_id=" in done.stdout
    assert "A.L.A.N." not in done.stdout  # that it is new is no news (ALAN-16)
    assert done.stderr == ""
    whole = json.loads(cli("run", "--brief", "--json", "seq 501 | tail -n 1").stdout)
    assert whole["insights"] == {"info": ["New pattern. No history yet."]}


# CLI-20
def test_a_stop_stops_the_command_and_a_continue_goes_on(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    text = "touch there; i=0; while [ ! -e go ]; do sleep 0.05; done"
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "run", text],
        cwd=tmp_path,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )

    def states() -> set[str]:
        found = [process.pid, *alive_with("touch there; i=0")]
        return {
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in found
        }

    assert eventually((tmp_path / "there").exists, 60)
    os.killpg(process.pid, signal.SIGTSTP)
    assert eventually(lambda: states() == {"T"}, 30)
    os.killpg(process.pid, signal.SIGCONT)
    assert eventually(lambda: "T" not in states(), 30)
    (tmp_path / "go").touch()
    assert process.wait(60) == 0
