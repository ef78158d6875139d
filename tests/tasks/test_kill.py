"""Kill and timeout end a task with all its descendants, and nothing else (RUN-2, 10, 11)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from zsh_ls.model.words import Status
from zsh_ls.system.private_folders import passing_folder
from zsh_ls.tasks import Engine
from zsh_ls.tasks.process import processes
from zsh_ls.tasks.supervision import ender, kill, process_tags
from zsh_ls.tasks.supervision.kill import Marks, finder

from .conftest import request_for, whole
from .servers import ENDS, Server, serve
from .survivors import CHAIN as BOUNDED_CHAIN
from .survivors import LEFT_BEHIND, STUBBORN, alive_with, eventually

# Each process of the chain adds a byte to the file.
_HOP = (
    'import os, sys, time\nfile = open(sys.argv[2], "ab", 0)\nwhile True:\n  time.sleep({rest_s})\n'
    '  os.fork() and os._exit(0)\n  os.setsid()\n  file.write(b".")'
)
CHAIN = f"env -i {sys.executable} -c '{_HOP}' 1000.{{token}} {{file}} </dev/null >/dev/null 2>&1 &"
IS_ROOT = os.geteuid() == 0
# For root there is no limit of processes. For others it counts all of a user's, threads as well: tests
# that run side by side are different users.
SOMEBODY = 20_000 + os.getpid() % 40_000
AS_SOMEBODY = [f"as-somebody={SOMEBODY}"] if IS_ROOT else []
# Of all texts together, once each has started what it starts.
PROCESSES_OF_ALL = 22

# Of a test whose clock is put forward: nobody waits for it.
GRACE_S = 60.0


@pytest.fixture
async def quick(tmp_path: object) -> AsyncIterator[Engine]:
    """An engine that waits less before it sends KILL."""
    from zsh_ls.model.clock import SystemClock

    engine = Engine(clock=SystemClock(), spool_root=tmp_path / "outputs", kill_grace_s=0.2)  # type: ignore[operator]
    yield engine
    await engine.close()


@pytest.fixture
async def patient(tmp_path: object) -> AsyncIterator[Engine]:
    """An engine whose grace is long enough for a trap on a machine that is busy with other things."""
    from zsh_ls.model.clock import SystemClock

    engine = Engine(clock=SystemClock(), spool_root=tmp_path / "outputs", kill_grace_s=60.0)  # type: ignore[operator]
    yield engine
    await engine.close()


@pytest.fixture
def token() -> str:
    return f"{secrets.randbelow(10**9):09}"


@pytest.fixture
async def bystander(quick: Engine) -> AsyncIterator[str]:
    """A token of another task, whose processes must be there at the end of the test."""
    other = f"{secrets.randbelow(10**9):09}"
    texts = [*STUBBORN.values(), *LEFT_BEHIND.values()]
    for text in texts:
        await quick.start(request_for(text.replace("{token}", other)))
    assert eventually(lambda: len(alive_with(other)) == PROCESSES_OF_ALL)
    yield other
    assert len(alive_with(other)) == PROCESSES_OF_ALL


def rare_kinds_slow(kinds: Iterable[str]) -> list[object]:
    return [pytest.param(kind, marks=[pytest.mark.slow] * (kind != "all of it")) for kind in kinds]


@pytest.mark.parametrize("kind", rare_kinds_slow(STUBBORN))
async def test_a_killed_task_leaves_nothing_and_others_live_on(
    quick: Engine, token: str, bystander: str, kind: str
) -> None:
    task = await quick.start(request_for(STUBBORN[kind].replace("{token}", token)))
    started = 1 if kind == "plain" else 2  # zsh becomes the last command of its text
    assert eventually(lambda: len(alive_with(token)) >= started)
    assert await task.kill()
    assert alive_with(token) == []
    assert (task.status, task.exit, task.pipestatus) == (Status.KILLED, 137, (137,))


@pytest.mark.parametrize("kind", rare_kinds_slow(LEFT_BEHIND))
async def test_kill_ends_what_outlived_its_shell_once(
    quick: Engine, token: str, bystander: str, kind: str
) -> None:
    task = await quick.start(request_for(LEFT_BEHIND[kind].replace("{token}", token)))
    await task.wait_end()
    assert eventually(lambda: alive_with(token))
    assert await task.kill()
    assert alive_with(token) == []
    assert (task.status, task.exit) == (Status.COMPLETED, 0)
    assert not await task.kill()


async def test_a_background_job_goes_on_filling_the_output_of_its_task(engine: Engine) -> None:
    task = await engine.start(request_for("(while :; do echo more; sleep 0.01; done) & echo first"))
    await task.wait_end()
    seen = task.output.size_bytes
    async with asyncio.timeout(10):
        await task.wait_end()
        while task.output.size_bytes < seen + 50:
            await asyncio.sleep(0.01)
    assert whole(task).startswith((b"first\n", b"more\n"))
    assert await task.kill()


async def test_a_task_that_ended_whole_has_nothing_to_kill(engine: Engine) -> None:
    task = await engine.start(request_for("true"))
    await task.wait_end()
    assert not await task.kill()
    assert task.status is Status.COMPLETED


async def test_term_is_heard_before_kill(engine: Engine) -> None:
    task = await engine.start(
        request_for("trap 'echo goodbye; exit 0' TERM; echo ready; while :; do sleep 0.01; done")
    )
    await task.wait_news(0)
    await task.kill()
    assert b"goodbye" in whole(task)
    assert (task.status, task.exit, task.pipestatus) == (Status.KILLED, 137, (137,))


async def test_a_timed_out_task_keeps_what_it_printed_and_has_no_exit(
    quick: Engine, token: str
) -> None:
    text = f"echo before; sleep 1000.{token} & {STUBBORN['ignores TERM']}".replace("{token}", token)
    task = await quick.start(request_for(text, timeout_s=0.3))
    await task.wait_end()
    assert (task.status, task.exit, task.pipestatus) == (Status.TIMEOUT, None, ())
    assert whole(task) == b"before\n"
    assert eventually(lambda: not alive_with(token))


async def test_a_timeout_is_none_for_what_ends_in_time(engine: Engine) -> None:
    task = await engine.start(request_for("exit 3", timeout_s=60))
    await task.wait_end()
    assert (task.status, task.exit) == (Status.COMPLETED, 3)


def is_stopped(pid: int) -> bool:
    return b") T" in Path(f"/proc/{pid}/stat").read_bytes()


async def test_a_stopped_task_can_be_killed(quick: Engine) -> None:
    task = await quick.start(request_for("echo up; sleep 1000"))
    await task.wait_news(0)
    assert task.pid
    os.kill(task.pid, signal.SIGSTOP)
    async with asyncio.timeout(60):
        while not is_stopped(task.pid):
            await asyncio.sleep(0.01)
    await task.kill()
    assert task.status is Status.KILLED


async def test_what_a_signal_ended_says_so(engine: Engine) -> None:
    task = await engine.start(request_for("echo x; sleep 1000"))
    await task.wait_news(0)
    assert task.pid
    os.kill(task.pid, signal.SIGKILL)
    await task.wait_end()
    assert (task.status, task.exit, task.signal) == (Status.COMPLETED, 137, 9)
    await task.kill()


async def test_the_dead_of_a_task_are_reaped(engine: Engine) -> None:
    others = set(process_tags.children())
    task = await engine.start(request_for("(setsid sh -c 'sleep 0.05; exit 0' &); (sleep 0.02 &)"))
    await task.wait_end()

    async def another() -> None:
        await (await engine.start(request_for("true"))).wait_end()

    async with asyncio.timeout(10):
        while set(process_tags.children()) - others:
            await another()
            await asyncio.sleep(0.01)
    left = set(process_tags.children()) - others
    assert not [pid for pid in left if processes.is_zombie(pid)]


def test_who_got_a_terminals_number_after_the_task_is_spared() -> None:
    """The number of a terminal is given away again as soon as the last process has left it."""
    ours, theirs = os.openpty()
    number = os.ttyname(theirs)
    # It waits without a further exec: while a program is being loaded its outputs do not count yet,
    # and `Popen` returns a moment before that is over.
    command = ["sh", "-c", "echo started; read -r line"]
    stranger = subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, start_new_session=True
    )
    os.close(theirs)
    links = iter([frozenset({number}), frozenset[str]()])
    try:
        assert stranger.stdout is not None
        assert stranger.stdout.readline() == b"started\n"
        found = finder(lambda: Marks({}, frozenset(), next(links, frozenset())))
        assert stranger.pid not in found(processes.table())
        held = finder(lambda: Marks({}, frozenset(), frozenset({number})))
        assert stranger.pid in held(processes.table())
    finally:
        stranger.kill()
        stranger.communicate()
        os.close(ours)


def test_a_process_that_had_the_terminal_of_that_number_before_is_not_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another zsh-ls was sent SIGTERM: it had run something on a terminal just now."""
    monkeypatch.setattr(kill, "_SEEN_FOR_S", 1000.0)
    code = (
        "import os; _, theirs = os.openpty(); print(os.ttyname(theirs), flush=True); input()\n"
        "os.close(theirs); print(flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        number = other.stdout.readline().strip()
        search = finder(lambda: Marks({}, frozenset(), frozenset({number})))
        alive = {other.pid: processes.table()[other.pid]}
        assert search(alive) == {other.pid}
        print(file=other.stdin, flush=True)
        other.stdout.readline()
        assert search(alive) == set()
        other.kill()


def test_a_task_that_is_being_started_is_not_taken_for_one_that_is_ended() -> None:
    """Between fork and exec it holds what this process does: the outputs of all tasks."""
    output, writing = os.pipe()
    starts, start = os.pipe()
    os.set_inheritable(writing, True)
    pipe = os.readlink(f"/proc/self/fd/{output}")
    ended = Marks({}, frozenset(), frozenset({pipe}), spared=frozenset({os.getpid()}))
    child = os.fork()
    if child == 0:
        os.read(starts, 1)
        os.execvp("sleep", ["sleep", "1000"])
    try:
        assert child not in ended.find(processes.table())
        os.write(start, b".")
        assert eventually(lambda: child in ended.find(processes.table()))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for descriptor in (output, writing, starts, start):
            os.close(descriptor)


def test_who_starts_a_task_does_not_count_as_its_process() -> None:
    """It has the task's tag meanwhile, and another ending may look at it then."""
    spared = frozenset({os.getpid()})
    stranger = subprocess.Popen(["sleep", "1000"])
    try:
        with process_tags.ProcessTags().tagging([]) as tag:
            assert tag is not None
            started = Marks({}, frozenset(), frozenset(), frozenset({tag}), spared)
            assert started.find(processes.table()) == set()
        assert started.find(processes.table()) == set()
    finally:
        stranger.kill()
        stranger.wait()


def test_who_has_closed_its_engines_adopts_no_more_orphans() -> None:
    """Nobody reaped them: after hours of tests /proc was full of the dead, and each end took seconds."""
    looks = (
        "import asyncio, os, pathlib, sys\n"
        "from zsh_ls.model.clock import SystemClock\n"
        "from zsh_ls.tasks import Engine\n"
        "from zsh_ls.tasks.supervision.process_tags import is_subreaper\n"
        "async def main():\n"
        "    at = pathlib.Path(sys.argv[1])\n"
        "    one, other = (Engine(clock=SystemClock(), spool_root=at / it) for it in 'ab')\n"
        "    seen = [is_subreaper()]\n"
        "    for engine in (one, other):\n"
        "        await engine.close()\n"
        "        seen.append(is_subreaper())\n"
        "    print(*seen)\n"
        "asyncio.run(main())\n"
    )
    words = [sys.executable, "-c", looks, "/nowhere"]
    seen = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    assert seen.stdout.split() == ["True", "True", "False"]


async def test_orphans_are_reaped_while_their_task_goes_on(engine: Engine) -> None:
    """A build that leaves many must not fill the table of processes."""
    of_other_tests = set(process_tags.children())
    task = await engine.start(request_for("repeat 50 (true &); echo made; exec sleep 1000"))
    await task.wait_news(0)
    async with asyncio.timeout(20):
        while any(map(processes.is_zombie, set(process_tags.children()) - of_other_tests)):
            await asyncio.sleep(0.01)
    assert not task.ended


@pytest.mark.parametrize("rest_s", [0.0, 0.002])
async def test_what_moves_on_before_it_can_be_looked_at_is_ended(
    quick: Engine, token: str, rest_s: float, tmp_path: Path
) -> None:
    """A chain of processes, each in a session of its own and gone when the next one is there."""
    file = tmp_path / "hops"
    file.touch()
    hidden = CHAIN.format(rest_s=rest_s, token=token, file=file)
    task = await quick.start(request_for(f"{hidden} sleep 1000.{token}"))
    # A look at /proc hardly ever meets one of the chain itself.
    assert eventually(lambda: file.stat().st_size > 10, 60.0)
    assert await task.kill()
    hops = file.stat().st_size
    for _ in range(20):
        assert alive_with(token) == []
    assert file.stat().st_size == hops


def test_the_dead_whom_nobody_reaps_are_looked_at_once_and_the_latest_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Init may leave thousands of them: read in each look, they took it half a second."""
    dead = [os.posix_spawnp("true", ["true"], os.environ) for _ in range(20)]
    for pid in dead:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    living = os.posix_spawnp("sleep", ["sleep", "1000"], os.environ)
    read: list[int] = []

    def stat(pid: int) -> processes.Process | None:
        read.append(pid)
        return processes.stat(pid)

    monkeypatch.setattr(process_tags, "stat", stat)
    ours = {*dead, living}
    others = set(process_tags.children()) - ours
    newcomers = process_tags.Newcomers(spared=others, others=[*others, *dead[:1]])
    monkeypatch.setattr(newcomers, "reap", lambda: None)
    taken: list[int] = []
    try:
        with newcomers.catching(lambda process: taken.append(process.pid)):
            first = newcomers.look(0.0)
            assert (read[0], taken) == (living, [living])
            looked_at = len(read)
            while not newcomers.look(0.0):
                pass
    finally:
        os.kill(living, signal.SIGKILL)
        for pid in ours:
            os.waitpid(pid, 0)
    assert not first
    assert looked_at > 1
    counted = Counter(pid for pid in read if pid in dead[1:])
    assert set(counted.values()) == {1}
    assert len(counted) == len(dead) - 1


async def test_kill_is_sent_however_long_a_listing_takes(
    quick: Engine, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where one took longer than the patience, what ignored TERM stayed: 2 of 1,000 on a busy machine."""
    monkeypatch.setattr(ender, "PATIENCE_S", 0.0)
    task = await quick.start(request_for(f"trap '' TERM; sleep 1000.{token}; sleep 1000.{token}"))
    assert eventually(lambda: len(alive_with(token)) == 2)
    await task.kill()
    assert eventually(lambda: not alive_with(token))


def test_the_grace_begins_when_all_have_been_told(
    token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine it was over when TERM was sent: 3 of 200 traps did not clean up."""
    cleaned = tmp_path / "cleaned"
    text = f"trap 'sleep 0.1; echo > {cleaned}; exit' TERM; sleep 1000.{token}; sleep 1000.{token}"
    shell = subprocess.Popen(["bash", "-c", text], start_new_session=True)
    listed, passed_s = processes.table, [0.0]

    def slowly_listed() -> processes.Table:
        passed_s[0] = 2 * GRACE_S
        return listed()

    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed_s[0], sleep=time.sleep)
    try:
        assert eventually(lambda: len(alive_with(token)) == 2)
        monkeypatch.setattr(processes, "table", slowly_listed)
        monkeypatch.setattr(ender, "time", clock)
        nobody = process_tags.Newcomers(spared=range(1 << 22), others=range(1 << 22))
        ender.end_now(lambda alive: processes.descendants([shell.pid], alive), GRACE_S, nobody)
        assert cleaned.exists()
        assert not alive_with(token)
    finally:
        shell.kill()
        shell.wait()


async def test_who_stops_waiting_for_the_end_of_tasks_keeps_no_other_from_it(
    patient: Engine, token: str
) -> None:
    """The thread that ends processes died of a result that it could not set any more."""
    task = await patient.start(request_for(f"trap '' TERM; sleep 1000.{token}; sleep 1000.{token}"))
    assert eventually(lambda: len(alive_with(token)) == 2)
    assert task.pid is not None
    closing = asyncio.ensure_future(patient.close(grace_s=0.3))
    while not is_stopped(task.pid):
        await asyncio.sleep(0)
    closing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await closing
    await task.wait_end()
    async with asyncio.timeout(30):
        assert not await task.kill()
    assert alive_with(token) == []


@pytest.mark.slow
@pytest.mark.parametrize("tasks", [1, 20])
def test_twenty_chains_at_once_are_ended_and_answered(tasks: int) -> None:
    """Under a limit of processes, which counts the dead as well: they use up no others' numbers."""
    text = f"{BOUNDED_CHAIN} " * (20 // tasks) + "sleep 1000.{token}"
    limit = 400 if IS_ROOT else processes_of_this_user() + 400
    with folder_for_somebody() as folder:
        server = serve(
            folder,
            "kill",
            f"processes={limit}",
            *AS_SOMEBODY,
            commands=[("zsh", text)] * tasks,
        )
        # A shell that meets the limit itself cannot start its sleep and has ended before: False.
        assert len(server.kill_all()) == tasks
        for _ in range(20):
            assert server.left() == []
        ENDS["end of input"](server)
        server.forget()


async def test_a_trap_s_own_commands_are_left_alone_in_the_grace(
    patient: Engine, tmp_path: Path
) -> None:
    cleaned = tmp_path / "cleaned"
    text = f"trap 'sleep 0.3; date >{cleaned}; exit 3' TERM; echo ready; sleep 1000"
    for shell in ("zsh", "bash"):
        task = await patient.start(request_for(text, shell))
        await task.wait_news(0)
        await task.kill()
        assert cleaned.read_text()
        cleaned.unlink()


async def test_an_exit_trap_of_bash_cleans_up(patient: Engine, tmp_path: Path) -> None:
    cleaned = tmp_path / "cleaned"
    text = f"trap 'sleep 0.3; date >{cleaned}' EXIT; echo ready; sleep 1000"
    task = await patient.start(request_for(text, "bash"))
    await task.wait_news(0)
    await task.kill()
    assert cleaned.read_text()


async def test_a_time_limit_gives_the_grace_too(patient: Engine, tmp_path: Path) -> None:
    cleaned = tmp_path / "cleaned"
    text = f"trap 'sleep 0.3; date >{cleaned}; exit 3' TERM; sleep 1000"
    task = await patient.start(request_for(text, timeout_s=0.3))
    await task.wait_end()
    assert task.status is Status.TIMEOUT
    assert eventually(cleaned.exists)


async def test_a_job_with_a_trap_is_told_by_term_alone(patient: Engine, tmp_path: Path) -> None:
    """The end of a shell with job control sends HUP to its jobs that are stopped."""
    cleaned = tmp_path / "cleaned"
    inner = f'trap "date >{cleaned}; exit 3" TERM; echo ready; sleep 1000'
    task = await patient.start(request_for(f"set -m; bash -c '{inner}'; true", "bash"))
    await task.wait_news(0)
    await task.kill()
    assert cleaned.read_text()
    assert b"Stopped" not in whole(task)


# What a shell does to start a command, held up at one point: it blocks TERM, and its trap waits for the
# command. What holds it up stands in place of HOLD.
_STARTS = """
import os, signal, sys
def trap(*_):
    os.waitpid(command, 0)
    open(sys.argv[1], "w").write("x")
    sys.exit(3)
open("/proc/self/comm", "w").write("bash")
signal.signal(signal.SIGCONT, lambda *_: None)
signal.signal(signal.SIGTERM, trap)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
print("ready", flush=True)
HOLD
command = os.posix_spawnp("sleep", ["sleep", "1000"], os.environ, setsigmask=[])
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
os.waitpid(command, 0)
"""
_HOLDS = {
    "until it is stopped and goes on": "signal.pause()",
    "until it has been told": "while not signal.sigpending(): pass",
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh"])
async def test_a_shell_with_a_trap_is_not_stopped_between_its_look_for_signals_and_a_fork(
    patient: Engine, tmp_path: Path, shell: str
) -> None:
    """In bash 2 of 200 began one more command without TERM, for which the trap waited."""
    rounds = int(os.environ.get("ZSH_LS_ROUNDS", "40"))
    killing = tmp_path / "killing"
    step = tmp_path / "step"
    step.write_text(f"#!/bin/sh\n[ -e {killing} ] && exec sleep 1000\nexit 0\n")
    step.chmod(0o755)
    text = f"trap 'echo trapped; exit 3' TERM; echo begun; while :; do {step}; done"
    for _ in range(rounds):
        task = await patient.start(request_for(text, shell))
        await task.wait_news(0)
        killing.touch()
        async with asyncio.timeout(30):  # half of the grace, which what had no TERM would take
            await task.kill()
        killing.unlink()
        assert b"trapped\n" in whole(task)


@pytest.mark.parametrize("hold", _HOLDS)
async def test_a_trap_need_not_wait_for_what_was_just_being_started(
    patient: Engine, tmp_path: Path, hold: str
) -> None:
    cleaned = tmp_path / "cleaned"
    program = tmp_path / "program.py"
    program.write_text(_STARTS.replace("HOLD", _HOLDS[hold]))
    text = f"exec {sys.executable} {program} {cleaned}"
    task = await patient.start(request_for(text))
    await task.wait_news(0)
    async with asyncio.timeout(50):
        await task.kill()
    assert cleaned.read_text()


async def test_who_waits_for_its_childs_exec_is_not_waited_for(
    patient: Engine, tmp_path: Path
) -> None:
    """As dash does, with TERM blocked: nothing reaches it before its child goes on."""
    opened, cleaned, program = (tmp_path / name for name in ("fifo", "cleaned", "program.py"))
    os.mkfifo(opened)
    program.write_text(
        "import os, signal, sys\n"
        f"def trap(*_): open({str(cleaned)!r}, 'w').write('x'); sys.exit(3)\n"
        "signal.signal(signal.SIGTERM, trap)\n"
        "print('ready', flush=True)\n"
        f"on = [(os.POSIX_SPAWN_OPEN, 0, {str(opened)!r}, os.O_RDONLY, 0)]\n"
        "os.waitpid(os.posix_spawn('/bin/sleep', ['sleep', '1000'], {}, file_actions=on), 0)\n"
    )
    task = await patient.start(request_for(f"exec {sys.executable} {program}"))
    await task.wait_news(0)
    assert task.pid is not None
    async with asyncio.timeout(50):
        while not (children := process_tags.children(task.pid)):
            await asyncio.sleep(0.005)
        killing = asyncio.ensure_future(task.kill())
        while not is_stopped(children[0]):
            await asyncio.sleep(0)
        with await asyncio.to_thread(opened.open, "w"):
            await killing
    assert cleaned.read_text()


async def test_with_no_descriptors_left_kill_and_timeout_still_work(
    engine: Engine, token: str
) -> None:
    killed = await engine.start(request_for(f"sleep 1000.{token}; sleep 1000.{token}"))
    timed_out = await engine.start(request_for(f"sleep 1000.{token}; true", timeout_s=1.0))
    assert eventually(lambda: len(alive_with(token)) >= 2)
    taken: list[int] = []
    with all_descriptors(taken):
        async with asyncio.timeout(60):
            assert await killed.kill()
            await timed_out.wait_end()
    assert taken
    assert (killed.status, timed_out.status) == (Status.KILLED, Status.TIMEOUT)
    assert eventually(lambda: not alive_with(token))


@contextlib.contextmanager
def all_descriptors(taken: list[int]) -> Iterator[None]:
    """This process may open no more files within; `taken` are those that were opened until then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few_more = max(int(name) for name in os.listdir("/proc/self/fd")) + 64
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, few_more), hard))
    try:
        with contextlib.suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_with_no_processes_left_kill_still_works() -> None:
    """Neither a thread nor a process can be had by the server when it is asked."""
    with folder_for_somebody() as folder:
        server = serve(folder, "kill", "no-more-processes", *AS_SOMEBODY)
        assert all(server.kill_all())
        assert server.left() == []
        ENDS["end of input"](server)
        server.forget()
        assert server.outer.returncode == 0


def test_with_no_processes_left_a_time_limit_still_ends_its_run() -> None:
    """Neither a thread nor a process can be had by the server when the time is up."""
    with folder_for_somebody() as folder:
        how = ["timeout=2", "no-more-processes", *AS_SOMEBODY]
        commands = list(STUBBORN.values())
        server = serve(folder, *how, commands=commands, is_ready=lambda: True)
        assert set(server.ends()) == {Status.TIMEOUT}
        assert eventually(lambda: not server.left())
        ENDS["end of input"](server)
        server.forget()
        assert server.outer.returncode == 0


@contextlib.contextmanager
def a_fork_bomb(how: str, is_ready: Callable[[int, int], bool]) -> Iterator[Server]:
    """A server with one run, which has all the processes its user may have; it goes in order.

    `is_ready` is asked with the user and the number of processes that the user may have.
    """
    bomb = "f() { f 1000.{token} | f & }; f; sleep 1000.{token}"
    user = SOMEBODY if IS_ROOT else os.getuid()
    limit = 60 if IS_ROOT else processes_of_this_user() + 60
    with folder_for_somebody() as folder:
        server = serve(
            folder,
            how,
            f"processes={limit}",
            *AS_SOMEBODY,
            commands=[("bash", bomb)],
            is_ready=lambda: is_ready(user, limit),
        )
        yield server
        ENDS["end of input"](server)
        server.forget()


@pytest.mark.slow
def test_a_fork_bomb_that_leaves_no_processes_is_ended_by_its_time_limit() -> None:
    with a_fork_bomb("timeout=2", lambda *_: True) as server:
        assert server.ends() == [Status.TIMEOUT]
        assert eventually(lambda: not server.left())


@pytest.mark.slow
def test_a_fork_bomb_is_killed() -> None:
    with a_fork_bomb("kill", lambda user, most: processes_of_this_user(user) > most - 5) as server:
        assert all(server.kill_all())
        assert server.left() == []


# Programs that hide from who ends them, for at most four minutes each. `{{token}}` is in their command lines.
_HIDING = {
    "chains in sessions of their own, without environment and output, that take TERM": """
import os, signal, sys, time
end = time.monotonic() + 240
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
if sys.argv[2:] != ["bare"]:
    os.closerange(0, 20)
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:], "bare"], {})
while time.monotonic() < end:
    try:
        if os.fork():
            os._exit(0)
        os.setsid()
    except OSError:
        pass
    time.sleep(0.002)
""",
    "threads up to the limit, and children of each": """
import os, signal, threading, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
end = time.monotonic() + 240
def more():
    while time.monotonic() < end:
        try:
            pid = os.fork()
        except OSError:
            time.sleep(0.01)
            continue
        if not pid:
            time.sleep(0.05)
            os._exit(0)
        os.waitpid(pid, 0)
try:
    while True:
        threading.Thread(target=more).start()
except RuntimeError:
    pass
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("hiding", _HIDING)
def test_who_hides_is_ended_as_well(hiding: str) -> None:
    """Under a limit of processes of another user."""
    limit = 200 if IS_ROOT else processes_of_this_user() + 200
    user = SOMEBODY if IS_ROOT else os.getuid()
    already = processes_of_this_user(user)
    # Root's own Python lies where nobody else may go.
    python = "/usr/bin/python3" if IS_ROOT else shlex.quote(sys.executable)
    program = f"{python} -SEc {shlex.quote(_HIDING[hiding])} 1000.{{token}}"
    text = f"for i in {{1..20}}; do {program} & done; sleep 1000.{{token}}"
    with folder_for_somebody() as folder:
        server = serve(
            folder,
            "kill",
            f"processes={limit}",
            *AS_SOMEBODY,
            commands=[("bash", text)],
            is_ready=lambda: processes_of_this_user(user) > already + 50,
        )
        assert server.kill_all() == [True]
        assert server.left() == []
        ENDS["end of input"](server)
        server.forget()


@contextlib.contextmanager
def folder_for_somebody() -> Iterator[Path]:
    """A folder whose path others can enter."""
    folder = Path(passing_folder("zl-"))
    folder.chmod(0o755)
    try:
        yield folder / "served"
    finally:
        shutil.rmtree(folder)


def processes_of_this_user(user: int | None = None) -> int:
    """How many there are, threads counted as well."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == (os.getuid() if user is None else user):
                count += len(os.listdir(f"/proc/{name}/task"))
    return count


def test_a_number_that_was_given_away_again_is_not_signalled() -> None:
    """A process that was seen before is recognized by its pid and its start time."""
    stranger = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    try:
        there = processes.stat(stranger.pid)
        assert there
        seen = there._replace(started=there.started - 1)
        assert processes.send(seen, signal.SIGKILL)
        looks = iter([{stranger.pid: seen}])
        real = processes.table
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(processes, "table", lambda: next(looks, None) or real())
            nobody = process_tags.Newcomers(spared=range(1 << 22), others=range(1 << 22))
            ender.end_now(
                lambda alive: {stranger.pid} if alive[stranger.pid] == seen else set(), 0.1, nobody
            )
        assert stranger.poll() is None
        there = processes.stat(stranger.pid)
        assert there
        assert not there.is_stopped
        assert processes.send(there, signal.SIGKILL)
        assert stranger.wait() == -signal.SIGKILL
    finally:
        stranger.kill()
        stranger.wait()
