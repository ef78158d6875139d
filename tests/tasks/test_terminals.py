"""Real terminals, typing, and what the kernel says of who waits for input (RUN-9, POLL-6)."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from zsh_ls.model.words import Status
from zsh_ls.tasks import Engine, Task
from zsh_ls.tasks.process import launch, processes
from zsh_ls.tasks.process import streams as streams_of_process
from zsh_ls.tasks.process.streams import Job, Streams

from .conftest import Run, request_for, whole


async def until(condition: Callable[[], object], within_s: float = 10.0) -> None:
    async with asyncio.timeout(within_s):
        while not condition():
            await asyncio.sleep(0.005)


async def printed(task: Task, what: bytes) -> None:
    async with asyncio.timeout(10):
        while what not in whole(task):
            assert not task.ended, whole(task)
            await task.wait_news(task.output.size_bytes)


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
async def test_a_terminal_is_one_on_all_three_and_controls_the_session(
    run: Run, shell: str
) -> None:
    task = await run(
        "tty; test -t 0 && test -t 1 && test -t 2 && echo all; echo hi >/dev/tty", shell, pty=True
    )
    assert re.match(rb"/dev/pts/\d+\r\nall\r\nhi\r\n\Z", whole(task))
    assert (task.is_pty, task.exit) == (True, 0)


async def test_a_terminal_has_the_size_asked_for_and_takes_another(engine: Engine) -> None:
    text = "trap 'stty size; exit 0' WINCH; stty size; while :; do sleep 0.01; done"
    task = await engine.start(request_for(text, "bash", pty=True, cols=91, rows=17))
    await printed(task, b"17 91")
    task.resize(120, 40)
    await task.wait_end()
    assert whole(task) == b"17 91\r\n40 120\r\n"


async def test_a_key_typed_as_soon_as_a_job_is_told_of_reaches_it(engine: Engine) -> None:
    master, slave = os.openpty()
    for _ in range(10):
        started: asyncio.Queue[Job] = asyncio.Queue()
        streams = Streams(
            frozenset({0}),
            slave,
            True,
            started.put_nowait,
            lambda _: None,
            lambda _: None,
            lambda: None,
        )
        task = await engine.start(request_for("read _; exit 7", "sh", pty=True, streams=streams))
        async with asyncio.timeout(30):
            assert (await started.get()).on_terminal
            await task.send(b"\x03")
            await task.wait_end()
        assert task.exit == 130
    os.close(master)
    os.close(slave)


# A session leader that waits before READY is told, and says if it is the shell to be that waits.
HELD_UP = """
import os, sys
itself = os.getpid()
sys.path.insert(0, {folder!r})
import session_leader as leader
tell = leader._tell
def held_up(reports, number):
    if number == leader.READY:
        if os.getpid() != itself:
            open({mark!r}, "w")
        open({gate!r}).readline()
    tell(reports, number)
leader._tell = held_up
leader.main()
"""


async def test_nothing_is_shown_before_the_terminal_it_is_shown_on_can_be_made_raw(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer to a prompt that was shown before was echoed by that terminal, and by the shell's own."""
    gate, mark, program = tmp_path / "gate", tmp_path / "mark", tmp_path / "leader.py"
    os.mkfifo(gate)
    folder = str(Path(streams_of_process._LEADER).parent)
    program.write_text(HELD_UP.format(folder=folder, gate=str(gate), mark=str(mark)))
    monkeypatch.setattr(streams_of_process, "_LEADER", str(program))
    master, slave = os.openpty()
    shown: list[bytes] = []
    streams = Streams(
        frozenset({0, 1, 2}),
        slave,
        True,
        lambda _: shown.append(whole(task)),
        lambda _: None,
        lambda _: None,
        lambda: None,
    )
    task = await engine.start(request_for("printf prompt", "sh", pty=True, streams=streams))
    await until(lambda: whole(task) or mark.exists())
    opened = os.open(gate, os.O_RDWR)
    os.write(opened, b"go on\n")
    async with asyncio.timeout(30):
        await task.wait_end()
    for descriptor in (opened, master, slave):
        os.close(descriptor)
    assert (shown, whole(task)) == ([b""], b"prompt")


async def test_a_terminal_s_size_is_not_that_of_another_one(run: Run) -> None:
    base = {"PATH": os.environ["PATH"], "COLUMNS": "33", "LINES": "3", "TERM": "dumb"}
    task = await run("echo $TERM ${COLUMNS-unset}; stty size", "sh", pty=True, base_env=base)
    assert whole(task) == b"xterm-256color unset\r\n24 80\r\n"


async def test_control_c_is_not_lost_while_the_terminal_is_being_set_up(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shell is a moment later than its terminal, and a key pressed on nobody's terminal is nobody's."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    held_up = ("/bin/sh", "-c", f"read _ <{gate}; {launch._WITH_TERMINAL[2]}")
    monkeypatch.setattr(launch, "_WITH_TERMINAL", held_up)
    task = await engine.start(request_for("cat", "zsh", pty=True))
    task.interrupt()
    # For reading as well: nobody may be left to read it.
    opened = os.open(gate, os.O_RDWR)
    os.write(opened, b"go on\n")
    async with asyncio.timeout(20):
        await task.wait_end()
    os.close(opened)
    assert (task.status, task.exit) == (Status.COMPLETED, 130)


async def test_control_c_reaches_the_foreground_job_alone(engine: Engine) -> None:
    task = await engine.start(request_for("sleep 1000; echo went on $?", "bash", pty=True))
    await until(lambda: sleeps_below(task))
    await task.send(b"\x03")
    await task.wait_end()
    assert task.exit == 130 or b"went on 130" in whole(task)


def sleeps_below(task: Task) -> bool:
    children = Path(f"/proc/{task.pid}/task/{task.pid}/children").read_text().split()
    return any(Path(f"/proc/{pid}/comm").read_text() == "sleep\n" for pid in children)


async def test_a_job_of_its_own_is_interrupted_without_its_shell(engine: Engine) -> None:
    task = await engine.start(request_for("set -m; sleep 1000; echo went on $?", "bash", pty=True))
    await until(lambda: sleeps_below(task) and is_in_foreground(task))
    await task.send(b"\x03")
    await task.wait_end()
    assert task.exit == 130 or b"went on 130" in whole(task)


def is_in_foreground(task: Task) -> bool:
    """Whether the shell has handed the terminal to its job."""
    assert task.pid
    shell = processes.stat(task.pid)
    return shell is not None and shell.foreground != shell.group


@pytest.mark.parametrize("shell", ["zsh", "bash"])
async def test_a_program_that_minds_control_c_ends_with_its_own_exit(
    engine: Engine, shell: str
) -> None:
    """As in the shell alone, which becomes its last command, or lives on like bash."""
    # Not `print`: a handler may come while it is at work, and must not enter it again.
    minds = "signal.signal(2, lambda *_: os.write(1, b'caught')); os.write(1, b'ready')"
    program = f"import os, signal, sys; {minds}; sys.stdin.read(); sys.exit(5)"
    task = await engine.start(request_for(f'python3 -c "{program}"', shell, pty=True))
    await printed(task, b"ready")
    # A signal between Python's last look for one and its blocking read is handled after the read.
    await until(task.waiting_for_input)
    await task.send(b"\x03")
    await printed(task, b"caught")
    await task.send(b"", eof=True)
    await task.wait_end()
    assert (task.exit, task.pipestatus, task.signal) == (5, (5,), None)


async def test_a_password_is_read_without_echo(engine: Engine) -> None:
    task = await engine.start(request_for("read -s 'p?Password: '; print; print got $p", pty=True))
    await printed(task, b"Password: ")
    await until(task.waiting_for_input)
    await task.send(b"secret\n")
    await task.wait_end()
    assert whole(task) == b"Password: \r\ngot secret\r\n"


async def test_a_pipeline_on_a_terminal_still_reports_its_segments(run: Run) -> None:
    task = await run("false | true", pty=True)
    assert (task.exit, task.pipestatus) == (0, (1, 0))


async def test_end_of_input_ends_what_reads_a_terminal(engine: Engine) -> None:
    task = await engine.start(request_for("cat", pty=True))
    await until(task.waiting_for_input)
    await task.send(b"whole line\npart", eof=True)
    await task.wait_end()
    assert (task.exit, whole(task).replace(b"\r", b"").count(b"part")) == (0, 2)


async def test_input_stays_open_where_interactive(engine: Engine) -> None:
    task = await engine.start(request_for("read a; read b; print -r -- $b $a", interactive=True))
    assert task.has_stdin
    await task.send(b"one\n")
    await task.send(b"two\n")
    await task.wait_end()
    assert whole(task) == b"two one\n"
    assert not task.has_stdin


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
async def test_input_is_empty_otherwise(run: Run, shell: str) -> None:
    task = await run("cat; read x; echo end $?", shell)
    assert whole(task) == b"end 1\n"
    assert not task.has_stdin


@pytest.mark.parametrize("pty", [False, True])
async def test_nothing_typed_is_lost_however_slowly_it_is_read(engine: Engine, pty: bool) -> None:
    text = "stty -echo raw 2>/dev/null; echo ready; head -c 300000 | (sleep 0.1; sha256sum)"
    task = await engine.start(request_for(text, interactive=not pty, pty=pty))
    await printed(task, b"ready")
    data = b"".join(b"%07d\n" % number for number in range(50_000))
    for start in range(0, len(data), 70_001):
        await task.send(data[start : start + 70_001])
    await task.wait_end()
    assert hashlib.sha256(data[:300_000]).hexdigest().encode() in whole(task)


async def test_text_given_at_the_start_is_fed_whole(run: Run) -> None:
    task = await run("wc -c", stdin="x" * 5_000_000)
    assert whole(task).strip() == b"5000000"
    task = await run("true", stdin="x" * 5_000_000)
    assert task.exit == 0


@pytest.mark.parametrize(
    "text",
    [
        "read x",
        "cat",
        "read -q",
        "print before; cat | cat",
        "(sleep 0; head -c 1)",
        "bash -c 'read -e x'",
        "python3 -c 'input()'",
        "python3 -c 'import getpass; getpass.getpass()'",
        "python3 -c 'import select, sys; select.select([sys.stdin], [], [])'",
    ],
)
async def test_who_reads_a_terminal_waits_for_input(engine: Engine, text: str) -> None:
    task = await engine.start(request_for(text, pty=True))
    await until(task.waiting_for_input)
    assert not task.ended


@pytest.mark.parametrize(
    "text", ["read x", "cat", "while read x; do :; done", "head -c 5 | cat", "sh -c 'read x'"]
)
async def test_who_reads_an_open_input_waits_for_it(engine: Engine, text: str) -> None:
    task = await engine.start(request_for(text, interactive=True))
    await until(task.waiting_for_input)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("sleep 1000", "pty"),
        ("sleep 1000 | cat", "interactive"),
        ("print -n 'Password: '; sleep 1000", "pty"),
        ("while :; do :; done", "pty"),
        ("sleep 1000 | read x", "interactive"),
        (
            "python3 -c 'import socket; s = socket.create_server((\"127.0.0.1\", 0)); s.accept()'",
            "pty",
        ),
    ],
)
async def test_who_is_busy_or_asleep_does_not_wait_for_input(
    engine: Engine, text: str, how: str
) -> None:
    task = await engine.start(request_for(f"print ready; {text}", **{how: True}))
    await printed(task, b"ready")
    for _ in range(20):
        assert not task.waiting_for_input()
        await asyncio.sleep(0.005)


async def test_a_task_that_ended_waits_for_nothing(run: Run) -> None:
    task = await run("true", pty=True)
    assert not task.waiting_for_input()
    assert task.status is Status.COMPLETED
