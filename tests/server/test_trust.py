"""Trust: what is executed, row by row of the table, and what an untrusted workspace gets."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from zsh_ls.server import configuration

from .conftest import home_in
from .inside import Inside
from .rpc import PATIENCE_S, ROOT, Peer, peer
from .shared import place, started, wait_until

ASKED = {"workspace": {"configuration": True}}
CHANGED = "workspace/didChangeConfiguration"
# What is not a plain true or false, as JSON may have it.
ODD: list[Any] = ["false", "true", 0, 1, None, [], [True], {}, {"value": True}, ""]
NOTHING_OF_TRUST: list[Any] = [
    *({"result": [given]} for given in (None, {}, {"timeout": 7}, 5, "x", [], [{"trusted": True}])),
    *({"result": [{"trusted": odd}]} for odd in ODD),
    *({"result": result} for result in ([], None, 5, {"trusted": True})),
    {"error": {"code": -32603, "message": "no"}},
]


async def may_run(inside: Inside) -> bool:
    """Whether a run is executed; if not, it must be refused for lack of trust."""
    answer = await inside.answer_to(inside.ask("zsh/run", {"command": "true"}))
    if "error" not in answer:
        return True
    assert answer["error"]["code"] == -32803
    assert "not trusted" in answer["error"]["message"]
    return False


async def asked(inside: Inside) -> dict[str, Any]:
    """The server's request for settings."""
    return await inside.question("workspace/configuration")


def warnings_of_trust(said: list[Any]) -> list[str]:
    return [it["message"] for it in said if "trusted: expected true or false" in it["message"]]


# -- what initialize says --------------------------------------------------------------------------


# TRUST-1
@pytest.mark.parametrize(
    "options", [{}, {"timeout": 7}, {"zshLs": {}}, {"zshLs": None}, None, 5, []]
)
async def test_a_client_that_says_nothing_of_trust_is_trusted(options: Any) -> None:
    inside = Inside()
    await inside.initialize(**({} if options is None else {"initializationOptions": options}))
    assert await may_run(inside)
    assert warnings_of_trust(await inside.told("window/showMessage")) == []


@pytest.mark.parametrize("wrap", [lambda it: it, lambda it: {"zshLs": it}])
@pytest.mark.parametrize("said", [True, False])
async def test_true_and_false_in_initialize_are_as_said(wrap: Any, said: bool) -> None:
    inside = Inside()
    await inside.initialize(initializationOptions=wrap({"trusted": said, "timeout": 7}))
    assert await may_run(inside) is said
    assert warnings_of_trust(await inside.told("window/showMessage")) == []


@pytest.mark.parametrize("wrap", [lambda it: it, lambda it: {"zshLs": it}])
@pytest.mark.parametrize("odd", ODD, ids=repr)
async def test_any_other_value_in_initialize_is_no_trust_and_said_once(wrap: Any, odd: Any) -> None:
    inside = Inside()
    await inside.initialize(initializationOptions=wrap({"trusted": odd, "timeout": 7}))
    for _ in range(3):
        inside.notify(CHANGED, {"settings": {"zshLs": {"timeout": 8}}})
        assert not await may_run(inside)
    assert len(warnings_of_trust(await inside.told("window/showMessage"))) == 1


async def test_no_trust_in_one_place_is_not_outdone_by_trust_in_another() -> None:
    inside = Inside()
    options = {"trusted": False, "zshLs": {"trusted": True}}
    await inside.initialize(initializationOptions=options)
    assert not await may_run(inside)


# -- what workspace/configuration says -------------------------------------------------------------


@pytest.mark.parametrize("first", [True, False, None])
@pytest.mark.parametrize("said", [True, False])
async def test_true_and_false_in_the_configuration_hold_from_then_on(
    first: bool | None, said: bool
) -> None:
    inside = Inside()
    options = {} if first is None else {"trusted": first}
    await inside.initialize(ASKED, initializationOptions=options)
    running = asyncio.ensure_future(may_run(inside))  # it waits for the answer
    inside.answer(await asked(inside), result=[{"trusted": said}])
    assert await running is said
    for answer in (
        {"result": [None]},
        {"result": [{"timeout": 3}]},
        {"result": [{"trusted": not said}]},
    ):
        inside.notify(CHANGED, {"settings": None})
        inside.answer(await asked(inside), **answer)
        expected = said if "trusted" not in str(answer) else not said
        assert await may_run(inside) is expected


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("answer", NOTHING_OF_TRUST, ids=json.dumps)
async def test_anything_else_leaves_it_as_it_was(first: bool, answer: Any) -> None:
    inside = Inside()
    await inside.initialize(ASKED, initializationOptions={"trusted": first})
    inside.answer(await asked(inside), **answer)
    assert await may_run(inside) is first
    inside.notify(CHANGED, {"settings": None})
    inside.answer(await asked(inside), result=[{"trusted": not first}])
    assert await may_run(inside) is not first
    # From then on: what follows does not bring the first word back.
    inside.notify(CHANGED, {"settings": None})
    inside.answer(await asked(inside), **answer)
    assert await may_run(inside) is not first


@pytest.mark.parametrize("first", [True, False])
async def test_no_answer_leaves_it_as_it_was(first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration, "PATIENCE_S", 0.05)
    inside = Inside()
    await inside.initialize(ASKED, initializationOptions={"trusted": first})
    await asked(inside)
    assert await may_run(inside) is first


@pytest.mark.parametrize("first", [True, False])
async def test_a_late_answer_changes_nothing_and_is_asked_for_again(
    first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration, "PATIENCE_S", 0.05)
    monkeypatch.setattr(configuration, "MORE_PATIENCE", 1000)
    inside = Inside()
    await inside.initialize(ASKED, initializationOptions={"trusted": first, "timeout": 7})
    question = await asked(inside)
    assert await may_run(inside) is first  # the wait is over: what is answered now is late
    inside.answer(question, result=[{"trusted": not first, "timeout": 9}])
    again = await asked(inside)
    assert await may_run(inside) is first
    if first:
        assert (await inside.call("zsh/run", {"command": "timeout"}))["output"] == "7.0"
    inside.answer(again, result=[{"trusted": not first}])
    async with asyncio.timeout(PATIENCE_S):
        while await may_run(inside) is first:
            await asyncio.sleep(0)


async def test_an_answer_that_was_overtaken_brings_no_trust_back() -> None:
    inside = Inside()
    await inside.initialize(ASKED)
    older = await asked(inside)
    inside.notify(CHANGED, {"settings": None})
    newer = await asked(inside)
    inside.answer(newer, result=[{"trusted": False}])
    assert not await may_run(inside)
    inside.answer(older, result=[{"trusted": True}])
    assert not await may_run(inside)


@pytest.mark.parametrize("odd", ODD, ids=repr)
async def test_what_is_pushed_counts_as_what_is_asked_for(odd: Any) -> None:
    inside = Inside()
    await inside.initialize()
    for given, expected in ((odd, True), (False, False), (odd, False), (True, True)):
        inside.notify(CHANGED, {"settings": {"zshLs": {"trusted": given}}})
        assert await may_run(inside) is expected


WRONG: list[dict[str, Any]] = [
    {"timeout": "soon"}, {"timeout": -1, "shell": 5}, {"nonsense": {"deep": []}}, {"redact": ["("]},
    {"database": "\0", "run": {"cwd": 7}}, {"history": []}, {"manopt": {"enabled": "no"}},
]  # fmt: skip


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("wrong", WRONG, ids=json.dumps)
async def test_what_is_wrong_beside_it_takes_nothing_from_what_is_said_of_trust(
    wrong: dict[str, Any], said: bool
) -> None:
    """In initialize, in the answer to a question and in a push; before and behind the wrong one."""
    for options in ({**wrong, "trusted": said}, {"trusted": said, **wrong}):
        inside = Inside()
        await inside.initialize(ASKED, initializationOptions=options)
        inside.answer(await asked(inside), result=[wrong])
        assert await may_run(inside) is said
        inside.notify(CHANGED, {"settings": None})
        inside.answer(await asked(inside), result=[{**options, "trusted": not said}])
        assert await may_run(inside) is not said
        pushed = Inside()
        await pushed.initialize(initializationOptions={"trusted": not said})
        pushed.notify(CHANGED, {"settings": {"zshLs": options}})
        assert await may_run(pushed) is said


async def test_many_runs_that_wait_for_the_first_answer_all_heed_it() -> None:
    for said in (False, True):
        inside = Inside()
        await inside.initialize(ASKED, initializationOptions={"trusted": not said})
        waiting = [asyncio.ensure_future(may_run(inside)) for _ in range(20)]
        await asyncio.sleep(0)
        inside.answer(await asked(inside), result=[{"trusted": said}, {"trusted": not said}])
        assert await asyncio.gather(*waiting) == [said] * 20


def test_of_a_task_that_ran_when_trust_went_the_output_is_had_and_it_can_be_killed(
    tmp_path: Path,
) -> None:
    with peer(env=home_in(tmp_path)) as server:
        server.initialize(initializationOptions={"trusted": True})
        asks = {"command": "echo begun; cat; touch sent", "interactive": True, "yield_after": 0}
        task = server.call("zsh/run", {**asks, "cwd": str(tmp_path), "shell": "sh"})["task_id"]
        of_task = {"task_id": task}
        while "begun" not in server.call("zsh/poll", {**of_task, "full_output": True})["output"]:
            """It has not printed yet; each poll waits for news."""
        server.notify(CHANGED, {"settings": {"zshLs": {"trusted": False}}})
        for method, params in (
            ("zsh/send", {**of_task, "input": "x", "eof": True}),
            ("zsh/run", {"command": "true"}),
        ):
            assert "not trusted" in server.refusal(method, params)["message"], method
        assert server.call("zsh/output", of_task)["output"] == "begun\n"
        assert server.call("zsh/poll", {**of_task, "listen": 0})["status"] == "running"
        assert server.call("zsh/kill", of_task)["exit"] == 137
        assert not (tmp_path / "sent").exists()


# -- what an untrusted workspace gets --------------------------------------------------------------


@pytest.fixture
def untrusted(tmp_path: Path) -> Iterator[tuple[Peer, Path, Path]]:
    """A real server in an untrusted workspace full of traps, and the folder in which they leave marks."""
    project, marks = tmp_path / "project", tmp_path / "marks"
    for folder in (project / "bin", marks):
        folder.mkdir(parents=True)
    for name in ("zsh", "bash", "sh", "dash", "man", "nvidia-smi", "git", "uname", "python3", "ps"):
        trap = project / "bin" / name
        trap.write_text(f'#!/bin/sh\n: > "{marks}/{name}"\n')
        trap.chmod(0o755)
    for name in (".zshenv", "evil.sh"):
        (project / name).write_text(f': > "{marks}/{name}"\n')
    # Modules that the server and its watchers import, early or late.
    for name in ("attrs", "cattrs", "pygls", "sqlite3", "psutil", "asyncio", "platformdirs"):
        (project / f"{name}.py").write_text(f"open({str(marks / name)!r}, 'w')\nraise SystemExit\n")
    environment = home_in(tmp_path) | {
        "PATH": f"{project}/bin:bin::{os.environ['PATH']}",
        "BASH_ENV": f"{project}/evil.sh",
        "ENV": f"{project}/evil.sh",
        "ZDOTDIR": str(project),
        "PYTHONPATH": f"{ROOT}:.:{project}",
    }
    # A desktop starts it: no terminal, so that the login shell would be asked for the environment.
    command = ["env", "-u", "TERM", f"--chdir={project}", sys.executable, "-m", "zsh_ls", "serve"]
    with peer(command, environment) as found:
        said = found.initialize(rootUri=project.as_uri(), initializationOptions={"trusted": False})
        shells = said["capabilities"]["experimental"]["zshLs"]["shells"]
        assert set(shells) >= {"bash", "sh"}
        yield found, project, marks


# TRUST-2
def test_nothing_of_an_untrusted_workspace_is_started_and_reading_works(
    untrusted: tuple[Peer, Path, Path],
) -> None:
    server, project, marks = untrusted
    uri = (project / "script.bash").as_uri()
    server.open(uri, "#!/bin/bash\nsource ./evil.sh\ncd /nowhere\nls | wc -l\nfi\n")
    told = server.news(
        "textDocument/publishDiagnostics",
        lambda it: (
            it["uri"] == uri and any("syntax" in one["message"] for one in it["diagnostics"])
        ),
    )
    assert told["diagnostics"]
    at = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 0}}
    server.call("textDocument/hover", at)
    server.call("textDocument/completion", at)
    server.call("textDocument/definition", {**at, "position": {"line": 1, "character": 10}})
    lenses = server.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert [it["command"]["command"] for it in lenses] == ["zsh.failures"]
    assert server.call("zsh/health")["shells"]["bash"]
    for query in ("gpu memory", "how much memory is free", "what failed last", "install docker"):
        server.call("zsh/ask", {"query": query})
    assert server.call("zsh/explain", {"command": "ls -l"})["summary"]
    assert server.call("zsh/stats")["observations"] == 0
    document = {"textDocument": {"uri": uri}}
    for method, params in (
        ("zsh/run", {"command": "true"}),
        ("zsh/run", {"command": "true", "origin": "agent"}),
        ("zsh/runScript", document),
        ("zsh/runScript", {**document, "trace": False}),
        ("zsh/send", {"task_id": "0", "input": "x"}),
        ("workspace/executeCommand", {"command": "zsh.run", "arguments": [{"command": "true"}]}),
        ("workspace/executeCommand", {"command": "zsh.runScript", "arguments": [document]}),
    ):
        error = server.refusal(method, params)
        assert (error["code"], "not trusted" in error["message"]) == (-32803, True), method
    server.leave()
    assert list(marks.iterdir()) == []


# -- joined processes ------------------------------------------------------------------------------


@pytest.fixture
def home_and_project(tmp_path: Path) -> Iterator[tuple[dict[str, str], Path]]:
    with place(tmp_path) as found:
        yield found


@pytest.fixture
def editors(
    home_and_project: tuple[dict[str, str], Path],
) -> Iterator[Callable[[bool], Peer]]:
    """Starts a server for the project, trusted or not, and waits for its socket."""
    home, project = home_and_project
    found: list[Peer] = []

    def start(trusted: bool) -> Peer:
        found.append(started(home, project, options={"trusted": trusted}))
        return found[-1]

    yield start
    for one in found:
        one.end()


def test_an_editors_own_server_takes_no_trust_from_another(editors: Callable[[bool], Peer]) -> None:
    for trusted in (True, False, True, False):
        first, second = editors(trusted), editors(not trusted)
        for server, may in ((first, trusted), (second, not trusted)):
            answer = server.answer_to(server.ask("zsh/run", {"command": "true"}))
            assert ("result" in answer) is may
        first.end()
        second.end()


def test_run_shared_in_an_untrusted_workspace_runs_nothing(
    editors: Callable[[bool], Peer], home_and_project: tuple[dict[str, str], Path]
) -> None:
    home, project = home_and_project
    command = [sys.executable, "-m", "zsh_ls", "run", "--shared", "touch ran"]

    def shared() -> subprocess.CompletedProcess[str]:
        environment = os.environ | home | {"PYTHONPATH": str(ROOT)}
        return subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )

    editor = editors(False)
    told = shared()
    assert (told.returncode, "not trusted" in told.stderr) == (125, True)
    assert not (project / "ran").exists()
    editor.end()
    assert shared().returncode == 0  # the person's own terminal, which joined nobody
    assert (project / "ran").exists()


# TRUST-3
def test_an_agent_that_joined_an_untrusted_server_runs_nothing_when_it_goes(
    editors: Callable[[bool], Peer], home_and_project: tuple[dict[str, str], Path]
) -> None:
    home, project = home_and_project
    editor = editors(False)
    with agent(home, project) as mcp:
        assert "not trusted" in mcp.run("touch ran")
        end_for_good(editor)
        # The call that finds the server gone says so; the next stands alone.
        replies = [mcp.run("touch ran") for _ in range(5)]
        assert all("not trusted" in reply for reply in replies if "has gone" not in reply)
        assert sum("has gone" in reply for reply in replies) <= 1
        assert not (project / "ran").exists()
        # A server that is trusted brings its own trust along.
        other = editors(True)
        wait_until(lambda: "not trusted" not in mcp.run("touch ran"))
        assert (project / "ran").exists()
        # … and takes it along when it is withdrawn, just before the end.
        (project / "ran").unlink()
        other.notify(CHANGED, {"settings": {"zshLs": {"trusted": False}}})
        assert other.refusal("zsh/run", {"command": "true"})["code"] == -32803
        end_for_good(other)
        replies = [mcp.run("touch ran") for _ in range(5)]
        assert all("not trusted" in reply for reply in replies if "has gone" not in reply)
        assert not (project / "ran").exists()


def end_for_good(editor: Peer) -> None:
    """Kill the server and wait until all its processes have ended."""
    outer = psutil.Process(editor.process.pid)
    all_of_it = [outer, *outer.children(recursive=True)]
    outer.kill()
    editor.process.wait(PATIENCE_S)
    _, alive = psutil.wait_procs(all_of_it, timeout=PATIENCE_S)
    assert alive == []


class agent:  # noqa: N801  used as a function is
    """An agent's MCP connection, message by message."""

    def __init__(self, home: dict[str, str], project: Path) -> None:
        environment = os.environ | home | {"PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "zsh_ls", "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=project,
            env=environment,
        )
        self._last_id = 0

    def __enter__(self) -> agent:
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        self._ask("initialize", {**hello, "clientInfo": {"name": "test", "version": "1"}})
        self._send({"method": "notifications/initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, command: str) -> str:
        """The answer that an agent gets to a run."""
        answer = self._ask("tools/call", {"name": "zsh", "arguments": {"command": command}})
        return json.dumps(answer)

    def _ask(self, method: str, params: object) -> Any:
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == self._last_id:
                return message
        raise EOFError

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()
