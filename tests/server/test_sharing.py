"""One task list: an editor and processes that joined its server see, use and stop each other's tasks."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from zsh_ls.ipc import ConnectionLost
from zsh_ls.ipc.connection import LOST
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import PollRequest, RunRequest, SendRequest
from zsh_ls.model.words import Origin, Status
from zsh_ls.sidecar import SidecarOptions
from zsh_ls.sidecar.config import Places
from zsh_ls.sidecar.remote.failover import FailoverClient, open_failover_client
from zsh_ls.tasks.process.environment import WITHOUT_TERMINAL

from .rpc import PATIENCE_S, ROOT, Peer, peer
from .shared import place, server_of, sockets, started, wait_until

pytestmark = pytest.mark.slow

UNTIL_END_S = 60.0
# Ids, times, and what history says: the second run has one more behind it.
_VOLATILE = re.compile(
    r"task_id=\w+|zsh-ls output \w+|elapsed=[\d.]+s|\[(info|warning): .*\]\n"
    r'|"(task_id|origin|elapsed_seconds|formatted|insights|annotations)": (".*?"|[\d.]+|\{.*?\}),? ?'
)


@pytest.fixture(scope="module")
def shared_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, str], Path]]:
    with place(tmp_path_factory.mktemp("home")) as found:
        yield found


@pytest.fixture(scope="module")
def _veteran(shared_place: tuple[dict[str, str], Path]) -> Iterator[Peer]:
    found = started(*shared_place, {"window": {"workDoneProgress": True}})
    yield found
    assert found.leave() == 0


@pytest.fixture
def home(shared_place: tuple[dict[str, str], Path]) -> dict[str, str]:
    return shared_place[0]


@pytest.fixture
def project(shared_place: tuple[dict[str, str], Path]) -> Path:
    return shared_place[1]


@pytest.fixture
def editor(_veteran: Peer) -> Iterator[Peer]:
    """An editor that the tests of this module share; each test ends its tasks."""
    yield _veteran
    assert _veteran.call("zsh/tasks")["count"] == 0
    _veteran.received.clear()


def options(home: dict[str, str], project: Path) -> SidecarOptions:
    places = Places(
        Path(home["XDG_DATA_HOME"]) / "zsh-ls" / "alan.db",
        Path(home["XDG_STATE_HOME"]) / "zsh-ls" / "outputs",
        Path(home["XDG_RUNTIME_DIR"]) / "zsh-ls",
    )
    return SidecarOptions(session="agent", workspace=str(project), places=places)


@pytest.fixture
async def agent(editor: Peer, home: dict[str, str], project: Path) -> AsyncIterator[FailoverClient]:
    async with open_failover_client(options(home, project), project) as found:
        assert found.is_joined
        yield found


def shared_run(home: dict[str, str], project: Path, *arguments: str) -> subprocess.Popen[str]:
    return run(home, project, "--shared", *arguments)


def run(home: dict[str, str], project: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "run", *arguments],
        cwd=project,
        env={**os.environ, **home, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


async def test_the_editor_sees_types_into_and_stops_what_the_agent_runs(
    editor: Peer, agent: FailoverClient
) -> None:
    talk = await agent.run(
        RunRequest(
            "print hi; read x; print got $x; sleep 60", pty=True, yield_after=0, origin=Origin.AGENT
        )
    )
    news = editor.news("zsh/progress", lambda it: it["task_id"] == talk.task_id)
    assert (news["origin"], news["status"]) == ("agent", "running")
    (listed,) = editor.call("zsh/tasks")["tasks"]
    assert (listed["task_id"], listed["origin"]) == (talk.task_id, "agent")
    assert editor.call("zsh/send", {"task_id": talk.task_id, "input": "hello"})["success"]
    seen = await agent.poll(PollRequest(talk.task_id, listen=UNTIL_END_S))
    while "got hello" not in seen.output:
        seen = await agent.poll(PollRequest(talk.task_id, listen=UNTIL_END_S))
    assert "got hello" in editor.call("zsh/output", {"task_id": talk.task_id})["output"]
    assert editor.call("zsh/kill", {"task_id": talk.task_id})["exit"] == 137
    end = await agent.poll(PollRequest(talk.task_id, listen=UNTIL_END_S, until="end"))
    assert (end.status, end.error) == (Status.KILLED, "Command was killed")


# KEEP-2
async def test_the_agent_sees_types_into_and_stops_what_the_editor_runs(
    editor: Peer, agent: FailoverClient
) -> None:
    has_heard = asyncio.Event()
    agent.on_progress(lambda news: "got hello" not in news.output or has_heard.set())
    command = "read x; print got $x; sleep 60"
    talk = editor.call("zsh/run", {"command": command, "pty": True, "yield_after": 0})
    (listed,) = (await agent.tasks()).tasks
    assert (listed.task_id, listed.origin) == (talk["task_id"], Origin.EDITOR)
    await agent.send(SendRequest(talk["task_id"], "hello"))
    await has_heard.wait()
    polled = editor.call("zsh/poll", {"task_id": talk["task_id"], "full_output": True})
    assert "got hello" in polled["output"]
    assert (await agent.kill(talk["task_id"])).success
    until_end = {"task_id": talk["task_id"], "until": "end", "listen": UNTIL_END_S}
    assert editor.call("zsh/poll", until_end)["status"] == "killed"


async def test_progress_of_an_agents_task_has_a_place_in_the_editor_and_its_cancel_kills(
    editor: Peer, agent: FailoverClient
) -> None:
    task = await agent.run(RunRequest("print hi; sleep 60", yield_after=0, origin=Origin.AGENT))
    token = f"zsh-ls-{task.task_id}"
    asked = editor.until(
        lambda it: (
            it.get("method") == "window/workDoneProgress/create" and it["params"]["token"] == token
        )
    )
    editor.send({"jsonrpc": "2.0", "id": asked["id"], "result": None})
    begun = editor.news("$/progress", lambda it: it["token"] == token)
    assert begun["value"]["title"] == "agent: print hi; sleep 60"
    editor.notify("window/workDoneProgress/cancel", {"token": begun["token"]})
    end = await agent.poll(PollRequest(task.task_id, listen=UNTIL_END_S, until="end"))
    assert end.status is Status.KILLED


async def test_two_pollers_of_one_task_each_get_all_of_it(
    editor: Peer, agent: FailoverClient
) -> None:
    command = "for n in 1 2 3 4 5; do print $n; sleep 0.05; done"
    task = await agent.run(RunRequest(command, yield_after=0))
    texts = {"agent": task.output, "editor": ""}
    running = True
    while running:
        mine = await agent.poll(PollRequest(task.task_id, listen=UNTIL_END_S))
        yours = editor.call("zsh/poll", {"task_id": task.task_id, "listen": UNTIL_END_S})
        texts["agent"] += mine.output
        texts["editor"] += yours["output"]
        running = mine.status is Status.RUNNING or yours["status"] == "running"
    assert texts["agent"] == texts["editor"] == "1\n2\n3\n4\n5\n"


@pytest.mark.slow
async def test_a_server_killed_at_once_leaves_its_guests_whole(tmp_path: Path) -> None:
    with place(tmp_path) as (home, project):
        editor = started(home, project)
        async with open_failover_client(options(home, project), project) as agent:
            task = await agent.run(RunRequest("sleep 60", yield_after=0))
            until_end = PollRequest(task.task_id, listen=UNTIL_END_S)
            waits = [asyncio.ensure_future(agent.poll(until_end)) for _ in range(3)]
            await agent.tasks()
            terminal = shared_run(home, project, "print ready; sleep 60")
            assert terminal.stdout is not None
            assert terminal.stdout.readline() == "ready\n"
            os.kill(server_of(editor), signal.SIGKILL)
            for wait in waits:
                with pytest.raises(ConnectionLost, match="has gone"):
                    await wait
            said = terminal.communicate(timeout=PATIENCE_S)[1]
            assert (terminal.returncode, said) == (125, f"zsh-ls: {LOST}\n")
            alone = await agent.run(RunRequest("print alone"))
            assert (alone.output, agent.is_joined) == ("alone\n", False)
        editor.end()
        (stale,) = sockets(home)
        after = started(home, project)
        assert len(sockets(home) - {stale}) == len(sockets(home)) == 1
        async with open_failover_client(options(home, project), project) as found:
            assert found.is_joined
        assert after.leave() == 0
        assert sockets(home) == set()


def test_a_guest_killed_at_once_leaves_its_task_with_the_server(
    editor: Peer, home: dict[str, str], project: Path
) -> None:
    guest = shared_run(home, project, "print ready; sleep 60")
    assert guest.stdout is not None
    assert guest.stdout.readline() == "ready\n"
    guest.kill()
    guest.communicate()
    (listed,) = editor.call("zsh/tasks")["tasks"]
    assert (listed["command"], listed["origin"]) == ("print ready; sleep 60", "cli")
    assert editor.call("zsh/kill", {"task_id": listed["task_id"]})["success"]


def test_a_shared_run_is_live_in_this_terminals_folder_and_environment(
    editor: Peer, home: dict[str, str], project: Path
) -> None:
    inside = project / "inside"
    inside.mkdir()
    fifo = project / "go"
    os.mkfifo(fifo)
    command = f"print $PWD $HERE; print -n half; read x < {fifo}; print ' and' $x; exit 3"
    guest = shared_run({**home, "HERE": "mine"}, inside, command)
    assert guest.stdout is not None
    assert guest.stdout.readline() == f"{inside} mine\n"
    assert editor.call("zsh/tasks")["count"] == 1
    fifo.write_text("rest\n")
    assert guest.stdout.read() == "half and rest\n"
    assert guest.communicate(timeout=PATIENCE_S)[1].startswith("[FAILED task_id=")
    assert guest.returncode == 3


@pytest.mark.slow
@pytest.mark.parametrize("on_terminal", [False, True])
def test_a_shared_run_waits_in_no_editor_of_this_terminal_but_on_a_terminal(
    editor: Peer, home: dict[str, str], project: Path, on_terminal: bool
) -> None:
    assert editor.call("zsh/health")["status"] == "healthy"
    theirs = dict.fromkeys(WITHOUT_TERMINAL, "theirs")
    shown = "; ".join(f"print -r -- {name}=${name}" for name in WITHOUT_TERMINAL)
    guest = shared_run({**home, **theirs}, project, *["--pty"] * on_terminal, shown)
    printed = guest.communicate(timeout=PATIENCE_S)[0]
    for name, value in (theirs if on_terminal else WITHOUT_TERMINAL).items():
        assert f"{name}={value}\n" in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("true",),
        ("print -n half",),
        ("echo test | grep nope",),
        ("seq 500; false",),
        ("kill -TERM $$",),
        ("--timeout", "0.3", "sleep 60"),
        ("--pty", "[[ -t 1 ]] && stty size && echo $PWD"),
        ("--shell", "bash", "echo $BASH_VERSION | cut -c1"),
        ("--cwd", "/", "pwd"),
        ("--json", "seq 3"),
        ("--brief", "seq 3"),
        ("--brief", "seq 5000"),
        ("--brief", "sh -c 'echo error: it broke; exit 2' || true"),
        ("--brief", "pytest() { seq -f 'rain on day %g' 9000; return 1; }; pytest"),
        ("",),
        ("--cwd", "/nowhere", "true"),
    ],
    ids=" ".join,
)
def test_a_shared_run_gives_what_a_run_alone_gives(
    editor: Peer, home: dict[str, str], project: Path, arguments: tuple[str, ...]
) -> None:
    def told(*words: str) -> tuple[int, str, str]:
        with run(home, project, *words, *arguments) as done:
            said = done.communicate(timeout=PATIENCE_S)
        return done.returncode, *(_VOLATILE.sub("", text) for text in said)

    alone = told()
    assert told("--shared") == alone
    assert len(alone[1]) <= 48_001 or "--brief" not in arguments


@pytest.mark.slow
def test_ctrl_c_reaches_a_shared_command_first_then_ends_it(
    editor: Peer, home: dict[str, str], project: Path
) -> None:
    polite = "trap 'print interrupted; exit 7' INT; print ready; while :; do sleep 0.05; done"
    stubborn = "trap 'print not yet' INT; print ready; while :; do sleep 0.05; done"
    for command, interrupts, exit_status in ((polite, 1, 7), (stubborn, 2, 137)):
        guest = shared_run(home, project, command)
        assert guest.stdout is not None
        assert guest.stdout.readline() == "ready\n"
        guest.send_signal(signal.SIGINT)
        said = guest.stdout.readline()
        if interrupts == 2:
            guest.send_signal(signal.SIGINT)
        guest.communicate(timeout=PATIENCE_S)
        assert (said.strip(), guest.returncode) == (
            "interrupted" if interrupts == 1 else "not yet",
            exit_status,
        )
        assert editor.call("zsh/tasks")["count"] == 0


@pytest.mark.slow
def test_the_command_line_lists_what_the_editor_runs(
    editor: Peer, home: dict[str, str], project: Path
) -> None:
    ended = editor.call("zsh/run", {"command": "false"})
    task = editor.call("zsh/run", {"command": "sleep 60", "yield_after": 0})
    known = {ended["task_id"]: "completed", task["task_id"]: "running"}

    def listed(*arguments: str, cwd: Path = project) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "zsh_ls", "tasks", *arguments],
            cwd=cwd,
            env={**os.environ, **home, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )

    assert f"{task['task_id']}  running" in listed().stdout
    (one,) = json.loads(listed("--json").stdout)["tasks"]
    assert (one["task_id"], one["origin"], one["is_pty"]) == (task["task_id"], "editor", False)
    both = json.loads(listed("--json", "--all").stdout)["tasks"]
    assert known.items() <= {found["task_id"]: found["status"] for found in both}.items()
    elsewhere = listed("--json", cwd=project.parent)
    assert json.loads(elsewhere.stdout) == {"tasks": [], "count": 0}
    assert elsewhere.stderr.startswith("zsh-ls: no server runs for this folder")
    editor.call("zsh/kill", {"task_id": task["task_id"]})


async def test_no_guest_runs_anything_in_a_workspace_that_is_not_trusted(tmp_path: Path) -> None:
    with place(tmp_path) as (home, project), peer(env=home) as editor:
        editor.initialize(rootUri=project.as_uri(), initializationOptions={"trusted": False})
        wait_until(lambda: sockets(home))
        message = editor.refusal("zsh/run", {"command": "true"})["message"]
        async with open_failover_client(options(home, project), project) as agent:
            assert agent.is_joined
            with pytest.raises(RequestRejected) as refused:
                await agent.run(RunRequest("true"))
            assert str(refused.value) == message


# KEEP-1
def test_the_socket_is_private_and_no_port_is_opened(editor: Peer, home: dict[str, str]) -> None:
    (path,) = sockets(home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    inodes = {
        os.readlink(link).removeprefix("socket:[").removesuffix("]")
        for link in Path(f"/proc/{server_of(editor)}/fd").iterdir()
        if os.readlink(link).startswith("socket:[")
    }
    for table in ("tcp", "tcp6", "udp", "udp6"):
        rows = Path(f"/proc/net/{table}").read_text().splitlines()[1:]
        assert inodes.isdisjoint(row.split()[9] for row in rows)
