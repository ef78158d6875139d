"""However the server goes, no process of a task is left (RUN-10).

Each way is tried 20 times; `ZSH_LS_ROUNDS=100 python -m pytest tests/tasks/test_orphans.py` tries it
more often, and `python -m tests.bench orphans` says how long it takes.
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zsh_ls.tasks.process import processes
from zsh_ls.tasks.supervision import cgroup

from .servers import ENDS, STUCK, End, reapers_of, serve, signals
from .survivors import CHAINS, alive_with, eventually

ROUNDS = int(os.environ.get("ZSH_LS_ROUNDS", "20"))
AT_ONCE = 5
# The promise is one second, which `python -m tests.bench orphans` measures. Here only that all of it
# ends: five servers at once on a busy machine were seen to take more than five.
GONE_AFTER_S = 1.0
SLACK_S = 30.0
STUCK_AFTER_S = 4.0


def leaves_nothing(end: End, folder: Path, *how: str, within_s: float = GONE_AFTER_S) -> None:
    server = serve(folder, *how)
    end(server)
    assert server.seconds_until_nothing_is_left(within_s + SLACK_S) < float("inf")
    server.forget()


@pytest.mark.parametrize("how", ["end of input", "-9 of the inner"])
def test_nothing_outlives_the_server(how: str, tmp_path: Path) -> None:
    leaves_nothing(ENDS[how], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("how", ENDS)
def test_nothing_outlives_the_server_in_many_rounds(how: str, tmp_path: Path) -> None:
    def once(number: int) -> None:
        leaves_nothing(ENDS[how], tmp_path / str(number))

    with ThreadPoolExecutor(AT_ONCE) as servers:
        list(servers.map(once, range(ROUNDS)))


@pytest.mark.slow
@pytest.mark.parametrize("how", STUCK)
def test_a_half_that_is_stopped_does_not_keep_the_tasks_of_the_other(
    how: str, tmp_path: Path
) -> None:
    leaves_nothing(STUCK[how], tmp_path, within_s=STUCK_AFTER_S + GONE_AFTER_S)


@pytest.mark.parametrize("how", STUCK)
def test_one_that_is_stopped_is_not_taken_for_one_that_is_busy(how: str, tmp_path: Path) -> None:
    """For that one 4 s were waited, in which twenty chains left 10,000 dead that nobody reaped: 6 to 48 s."""
    server = serve(tmp_path, "no-cgroup", "patient", commands=[CHAINS])
    STUCK[how](server)
    assert server.seconds_until_nothing_is_left(SLACK_S) < float("inf")
    server.forget()


@pytest.mark.slow
@pytest.mark.parametrize("how", STUCK)
def test_the_dead_that_a_stopped_half_gathered_delay_no_end(how: str, tmp_path: Path) -> None:
    server = serve(tmp_path, "no-cgroup", "patient", commands=[CHAINS])
    adopter = server.inner if "inner is stopped" in how else server.outer.pid
    signals(signal.SIGSTOP, adopter)
    if adopter == server.inner:
        children = Path(f"/proc/{adopter}/task/{adopter}/children")
        assert eventually(lambda: len(children.read_bytes().split()) > 2000, SLACK_S)
    STUCK[how](server)
    assert server.seconds_until_nothing_is_left(SLACK_S) < float("inf")
    server.forget()


@pytest.mark.slow
@pytest.mark.parametrize("stuck", ["stuck", "deaf"])
def test_a_server_that_is_stuck_does_not_outlive_its_editor_s_process(
    tmp_path: Path, stuck: str
) -> None:
    """Its loop is, or even its threads: a call into C that keeps the interpreter to itself."""
    server = serve(tmp_path, stuck)
    signals(signal.SIGKILL, server.outer.pid)
    within_s = GONE_AFTER_S + STUCK_AFTER_S + SLACK_S
    assert server.seconds_until_nothing_is_left(within_s) < float("inf")
    server.forget()
    assert eventually(lambda: processes.stat(server.inner) is None)


@pytest.mark.slow
@pytest.mark.parametrize("how", [*STUCK, "-9 of both", "-9 of the reaper and the outer"])
def test_without_a_cgroup_nothing_is_left_either(how: str, tmp_path: Path) -> None:
    within_s = GONE_AFTER_S + (STUCK_AFTER_S if how in STUCK else 0)
    for number in range(5):
        folder = tmp_path / str(number)
        leaves_nothing({**ENDS, **STUCK}[how], folder, "no-cgroup", within_s=within_s)


@pytest.mark.parametrize("rounds", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_a_reaper_that_was_killed_is_replaced(tmp_path: Path, rounds: int) -> None:
    for number in range(rounds):
        server = serve(tmp_path / str(number), "no-cgroup")
        signals(signal.SIGKILL, server.reaper)
        assert eventually(
            lambda server=server: (  # type: ignore[misc]
                reapers_of(server.outer.pid, server.inner) - {server.reaper}
            )
        )
        signals(signal.SIGKILL, server.outer.pid, server.inner)
        assert server.seconds_until_nothing_is_left(GONE_AFTER_S + SLACK_S) < float("inf")
        server.forget()


@pytest.mark.slow
@pytest.mark.parametrize("stuck", ["stuck", "deaf", "stopped"])
def test_the_outer_process_notices_that_the_editor_has_gone(tmp_path: Path, stuck: str) -> None:
    """Its end of the pipe is closed, and the server, whose it is to read, does nothing about it."""
    server = serve(tmp_path, stuck, *(["patient"] if stuck == "stopped" else []))
    if stuck == "stopped":
        signals(signal.SIGSTOP, server.inner)
    ENDS["end of input"](server)
    within_s = GONE_AFTER_S + STUCK_AFTER_S + SLACK_S
    assert server.seconds_until_nothing_is_left(within_s) < float("inf")
    server.forget()
    assert eventually(lambda: processes.stat(server.inner) is None)


def test_a_server_without_its_reaper_ends_as_ever(tmp_path: Path) -> None:
    server = serve(tmp_path, commands=["sleep 1000.{token}"])
    signals(signal.SIGKILL, server.reaper)
    ENDS["end of input"](server)
    server.forget()
    assert server.outer.returncode == 0
    assert not server.left()


@pytest.mark.parametrize("pattern", ["zsh_ls", "zsh-ls", "zsh", "python", "serving"])
def test_who_kills_the_server_by_name_does_not_reach_all_three(
    tmp_path: Path, pattern: str
) -> None:
    server = serve(tmp_path, commands=["sleep 1000.{token}"])
    assert not matches(server.reaper, pattern)
    named = [pid for pid in (server.outer.pid, server.inner) if matches(pid, pattern)]
    signals(signal.SIGKILL, *named)
    signals(signal.SIGKILL, *({server.outer.pid, server.inner} - set(named)))
    assert server.seconds_until_nothing_is_left(GONE_AFTER_S + SLACK_S) < float("inf")
    server.forget()


def matches(pid: int, pattern: str) -> bool:
    """Whether `pkill pattern` or `pkill -f pattern` would reach it."""
    names = (Path(f"/proc/{pid}/{name}").read_bytes() for name in ("comm", "cmdline"))
    return any(re.search(pattern.encode(), name) for name in names)


def test_what_all_three_left_when_killed_at_once_is_ended_by_the_next_server(
    tmp_path: Path,
) -> None:
    """Only if a cgroup can be made; otherwise such a process survives (docs/design.md)."""
    if not (group := cgroup.own_group(os.getpid())):
        pytest.skip("no cgroup can be made here")
    cgroup.remove(group)
    server = serve(tmp_path)
    signals(signal.SIGKILL, server.outer.pid, server.inner, server.reaper)
    server.forget()
    other = serve(tmp_path, commands=["sleep 1000.{token}"])
    assert server.seconds_until_nothing_is_left(GONE_AFTER_S + SLACK_S) < float("inf")
    assert other.left()
    ENDS["end of input"](other)
    other.forget()


def test_a_stranger_with_the_number_of_a_shell_that_ended_is_spared(tmp_path: Path) -> None:
    """The kernel gives numbers away again, and the reaper has known many."""
    told = tmp_path / "shell"
    server = serve(
        tmp_path,
        commands=[f"echo $$ >{told}.new; mv {told}.new {told}; setsid sleep 1000.{{token}} &"],
    )
    assert eventually(told.exists)
    shell = int(told.read_text())
    assert eventually(lambda: processes.stat(shell) is None)
    stranger = with_number(shell)
    try:
        signals(signal.SIGKILL, server.outer.pid, server.inner)
        assert server.seconds_until_nothing_is_left(GONE_AFTER_S + SLACK_S) < float("inf")
        server.forget()
        assert eventually(lambda: processes.stat(server.reaper) is None)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def with_number(pid: int) -> subprocess.Popen[bytes]:
    """A process with that number, the leader of its session."""
    last = Path("/proc/sys/kernel/ns_last_pid")
    for _ in range(100):
        try:
            last.write_text(str(pid - 1))
        except OSError:
            pytest.skip("only root may choose the number of a process")
        process = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        if process.pid == pid:
            return process
        process.kill()
        process.wait()
    pytest.skip("another process was always faster")


@pytest.mark.slow
@pytest.mark.parametrize("how", ENDS)
def test_twenty_chains_are_ended_without_a_cgroup(how: str, tmp_path: Path) -> None:
    """Their dead were read and reaped as fast as they came: 25 s, and 44 s on a busy machine.

    `python -m tests.bench orphans 5 chains` says how long it takes.
    """
    server = serve(tmp_path, "no-cgroup", commands=[CHAINS])
    ENDS[how](server)
    assert server.seconds_until_nothing_is_left(SLACK_S) < float("inf")
    server.forget()


def test_what_fails_after_the_servers_end_is_told() -> None:
    program = (
        "import sys\nfrom zsh_ls.tasks.supervision.supervisor import supervise\n"
        "def last(): raise OSError('the disk is full')\n"
        "supervise(last)\nsys.exit(3)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 3
    assert done.stderr == "zsh-ls: after the server's end: OSError: the disk is full\n"


def test_a_server_reaps_what_its_tasks_left_dead(tmp_path: Path) -> None:
    done = tmp_path / "done"
    server = serve(tmp_path, commands=[f"repeat 50 (true &); >{done}; exec sleep 1000.{{token}}"])
    assert eventually(done.exists)
    children = Path(f"/proc/{server.inner}/task/{server.inner}/children")
    assert eventually(
        lambda: not any(processes.is_zombie(int(pid)) for pid in children.read_text().split())
    )
    ENDS["end of input"](server)
    server.forget()
    assert server.outer.returncode == 0


# Its process ends between the start of a task's shell and whatever it does next.
DIES_WHILE_IT_STARTS = """
import asyncio, os, shutil, signal, sys, time
from pathlib import Path
from zsh_ls.tasks.supervision import supervisor

def main():
    from zsh_ls.model.clock import SystemClock
    from zsh_ls.tasks import Engine, StartRequest, engine

    def dies(*_):
        while not Path(sys.argv[2], "begun").exists():
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGKILL)

    async def start():
        found = Engine(clock=SystemClock(), spool_root=Path(sys.argv[2], "outputs"))
        supervisor.register = dies
        shell = shutil.which("sh")
        request = StartRequest(command=sys.argv[3], shell="sh", shell_path=shell, cwd="/")
        await found.start(request)

    asyncio.run(start())

if sys.argv[1] == "serve":
    supervisor.supervise()
    main()
else:
    with supervisor.reaper_left():
        main()
"""


@pytest.mark.parametrize("how", ["serve", "run"])
@pytest.mark.parametrize("command", ["sleep 1000.{token}; true", "env -i sleep 1000.{token}; true"])
def test_a_process_that_dies_while_it_starts_a_shell_leaves_nothing(
    how: str, command: str, tmp_path: Path
) -> None:
    """`zsh-ls run 'kill -9 $PPID; sleep 5; touch F'` went on to its end, 6 of 27 times."""
    token = f"{secrets.randbelow(10**9):09}"
    text = f"touch '{tmp_path}/begun'; " + command.replace("{token}", token)
    words = [how, str(tmp_path), text]
    subprocess.run([sys.executable, "-c", DIES_WHILE_IT_STARTS, *words], check=False)
    assert (tmp_path / "begun").exists()
    assert eventually(lambda: not alive_with(token))
