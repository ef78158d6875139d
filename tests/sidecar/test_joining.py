"""A sidecar joined over a socket: the same answers, the same faults, and neither's end is the other's."""

from __future__ import annotations

import asyncio
import inspect
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest

from zsh_ls.ipc import ConnectionLost, dial, servers_around
from zsh_ls.ipc.connection import read_message
from zsh_ls.ipc.framing import framed
from zsh_ls.model.agent_run import AgentRun
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.requests import (
    DocumentRange,
    OutputRequest,
    PollRequest,
    RunRequest,
    ScriptRequest,
    SendRequest,
)
from zsh_ls.model.results import Progress
from zsh_ls.model.span import Span
from zsh_ls.model.words import Origin, Status
from zsh_ls.sidecar import Sidecar, SidecarOptions
from zsh_ls.sidecar.interface import SidecarInterface, TaskService
from zsh_ls.sidecar.remote import client, greeting, rpc
from zsh_ls.sidecar.remote.failover import FailoverClient, open_failover_client
from zsh_ls.sidecar.remote.server import Sharing
from zsh_ls.system import programs

from .conftest import settled

UNTIL_END = 60.0


@asynccontextmanager
async def shared(sidecar: Sidecar, options: SidecarOptions) -> AsyncIterator[Sharing]:
    assert options.workspace is not None
    sharing = await Sharing.open(sidecar, [options.workspace], options.places.runtime)
    yield sharing
    await sharing.close()


@pytest.fixture
async def guest(sidecar: Sidecar, options: SidecarOptions) -> AsyncIterator[FailoverClient]:
    async with (
        shared(sidecar, options),
        open_failover_client(options, Path(str(options.workspace))) as found,
    ):
        yield found


async def ended(service: TaskService, task_id: str) -> object:
    return await service.poll(PollRequest(task_id, listen=UNTIL_END, until="end"))


async def test_a_joined_sidecar_gives_the_same_results(
    sidecar: Sidecar, guest: FailoverClient
) -> None:
    there = await guest.run(RunRequest("echo test | grep nope", origin=Origin.AGENT))
    assert guest.is_joined
    assert (there.status, there.exit, there.pipestatus) == (Status.COMPLETED, 1, (0, 1))
    assert there.insights is not None
    assert there.insights["info"][-1] == "grep exit 1 = no match (normal)"
    (listed,) = (await sidecar.tasks(include_ended=True)).tasks
    assert (listed.task_id, listed.origin) == (there.task_id, Origin.AGENT)
    assert await guest.tasks(include_ended=True) == await sidecar.tasks(include_ended=True)
    assert await guest.memory_stats() == await sidecar.memory_stats()
    assert await guest.explain("grep -v x") == await sidecar.explain("grep -v x")


async def test_a_script_that_is_open_in_the_editor_can_be_traced_from_elsewhere(
    sidecar: Sidecar, guest: FailoverClient
) -> None:
    sidecar.open_document("file:///x.zsh", "true\nfalse | true\n", "zsh", 1)
    result = await guest.run_script(ScriptRequest("file:///x.zsh", yield_after=UNTIL_END))
    assert result.lines is not None
    assert [(line.line, line.pipestatus) for line in result.lines] == [(0, (0,)), (1, (1, 0))]


async def test_faults_cross_as_what_they_are(guest: FailoverClient) -> None:
    with pytest.raises(InvalidRequest, match="Unknown task: 00000000"):
        await guest.poll(PollRequest("00000000"))
    with pytest.raises(InvalidRequest, match="command: expected a command, got an empty one"):
        await guest.run(RunRequest(" "))
    result = await guest.run(RunRequest("true"))
    with pytest.raises(RequestRejected, match="has already ended"):
        await guest.send(SendRequest(result.task_id, "x"))


async def test_two_callers_read_each_on_a_cursor_of_its_own(
    sidecar: Sidecar, guest: FailoverClient
) -> None:
    started = await guest.run(
        RunRequest("print one; read x; print got $x", pty=True, yield_after=0)
    )
    texts = {"guest": started.output, "own": ""}
    for name, service in (("guest", guest), ("own", sidecar)):
        while "one" not in texts[name]:
            polled = await service.poll(PollRequest(started.task_id, listen=UNTIL_END))
            texts[name] += polled.output
    assert texts["guest"] == texts["own"]
    await sidecar.send(SendRequest(started.task_id, "two"))
    for service in (sidecar, guest):
        last = await ended(service, started.task_id)
        assert isinstance(last, type(started))
        assert "got two" in last.output


async def test_counts_of_idle_polls_are_each_callers_own(
    sidecar: Sidecar, guest: FailoverClient
) -> None:
    started = await sidecar.run(RunRequest("sleep 60", yield_after=0))
    for _ in range(3):
        seen = await guest.poll(PollRequest(started.task_id, listen=0))
    assert seen.poll_meta is not None
    assert seen.poll_meta.polls_since_output == 3
    own = await sidecar.poll(PollRequest(started.task_id, listen=0))
    assert own.poll_meta is not None
    assert own.poll_meta.polls_since_output == 1
    killed = await guest.kill(started.task_id)
    assert killed.message == f"Task {started.task_id} killed"


async def test_progress_reaches_both_and_a_tag_is_only_its_senders(
    sidecar: Sidecar, guest: FailoverClient
) -> None:
    here: list[Progress] = []
    there: list[Progress] = []
    sidecar.on_progress(here.append)
    guest.on_progress(there.append)
    await guest.run(RunRequest("print mine", progress=True, tag="1", origin=Origin.AGENT))
    await sidecar.run(RunRequest("print yours", progress=True, tag="1"))
    while len(there) < 2 or there[-1].command != "print yours":
        await asyncio.sleep(0)
    assert {(news.command, news.tag) for news in there} == {
        ("print mine", "1"),
        ("print yours", None),
    }
    # On a busy machine there is more than one piece of news.
    assert {news.tag for news in here if news.command == "print yours"} == {"1"}
    assert "1" not in [news.tag for news in here if news.command == "print mine"]
    assert here[0].origin is Origin.AGENT


def polls_of(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> asyncio.Semaphore:
    """Released once for each poll that has arrived at `sidecar`."""
    arrived, poll = asyncio.Semaphore(0), sidecar.poll

    async def counted(*args: Any, **more: Any) -> Any:
        arrived.release()
        return await poll(*args, **more)

    monkeypatch.setattr(sidecar, "poll", counted)
    return arrived


async def test_cancelling_a_joined_request_ends_the_waiting_not_the_task(
    sidecar: Sidecar, guest: FailoverClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = await guest.run(RunRequest("sleep 60", yield_after=0))
    arrived = polls_of(sidecar, monkeypatch)
    waiting = asyncio.ensure_future(ended(guest, started.task_id))
    await arrived.acquire()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    (listed,) = (await sidecar.tasks()).tasks
    assert listed.status is Status.RUNNING
    assert (await guest.kill(started.task_id)).success


async def test_a_joined_sidecar_obeys_the_servers_trust(
    sidecar: Sidecar, guest: FailoverClient
) -> None:
    running = await guest.run(RunRequest("cat", interactive=True, yield_after=0))
    sidecar.configure(attrs.evolve(sidecar.settings, trusted=False))
    with pytest.raises(RequestRejected, match="not trusted"):
        await guest.run(RunRequest("true"))
    with pytest.raises(RequestRejected, match="not trusted"):
        await guest.send(SendRequest(running.task_id, "rm"))
    assert (await guest.kill(running.task_id)).success


async def test_who_joined_starts_nothing_of_an_untrusted_workspace_by_itself(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    program = Path(str(options.workspace)) / "probe"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    below = attrs.evolve(options, workspace=str(program.parent / "below"))
    async with shared(sidecar, options), open_failover_client(below, program.parent) as guest:
        assert programs.find(str(program)) == str(program)
        sidecar.configure(attrs.evolve(sidecar.settings, trusted=False))
        programs.distrust(())  # both are one process here: what the guest does is looked at
        await guest.health()
        async with asyncio.timeout(UNTIL_END):
            while programs.find(str(program)) is not None:
                await asyncio.sleep(0)
    programs.distrust(())


async def test_colours_are_for_the_caller_that_wants_them(options: SidecarOptions) -> None:
    coloured = attrs.evolve(options, colour=True)
    service = await Sidecar.open(coloured)
    async with (
        shared(service, options),
        open_failover_client(options, Path(str(options.workspace))) as guest,
    ):
        assert "\x1b" in (await service.run(RunRequest("false"))).formatted
        assert "\x1b" not in (await guest.run(RunRequest("false"))).formatted
    await service.close()


async def test_news_alone_is_for_the_caller_that_wants_it(options: SidecarOptions) -> None:
    service = await Sidecar.open(options)
    wants_it = attrs.evolve(options, only_news=True)
    async with (
        shared(service, options),
        open_failover_client(wants_it, Path(str(options.workspace))) as guest,
    ):
        assert guest.is_joined
        assert (await service.run(RunRequest("false"))).insights is not None
        assert (await guest.run(RunRequest("false"))).insights is None
    await service.close()


async def test_when_the_server_goes_waiting_requests_are_told_and_the_next_stands_alone(
    sidecar: Sidecar, options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    sharing = await Sharing.open(sidecar, [str(options.workspace)], options.places.runtime)
    async with open_failover_client(options, Path(str(options.workspace))) as guest:
        started = await guest.run(RunRequest("sleep 60", yield_after=0))
        arrived = polls_of(sidecar, monkeypatch)
        waits = [asyncio.ensure_future(ended(guest, started.task_id)) for _ in range(3)]
        for _ in waits:
            await arrived.acquire()
        await sharing.close()
        for wait in waits:
            with pytest.raises(ConnectionLost, match="has gone"):
                await wait
        assert (await guest.run(RunRequest("print alone"))).output == "alone\n"
        assert not guest.is_joined
        assert [task.task_id for task in (await sidecar.tasks()).tasks] == [started.task_id]


async def test_a_guest_that_leaves_leaves_its_task_running(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with (
        shared(sidecar, options),
        open_failover_client(options, Path(str(options.workspace))) as guest,
    ):
        await guest.run(RunRequest("sleep 60", yield_after=0))
    (listed,) = (await sidecar.tasks()).tasks
    assert listed.status is Status.RUNNING


async def test_without_a_server_it_stands_alone(options: SidecarOptions) -> None:
    async with open_failover_client(settled(options), Path(str(options.workspace))) as alone:
        result = await alone.run(RunRequest("print here"))
        assert (result.output, alone.is_joined) == ("here\n", False)
        page = await alone.output(OutputRequest(result.task_id))
        assert page.output == "here\n"


async def test_one_that_stood_alone_joins_when_a_server_comes_and_keeps_what_it_began(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with open_failover_client(options, Path(str(options.workspace))) as found:
        heard: list[Progress] = []
        found.on_progress(heard.append)
        own = await found.run(RunRequest("read x; print own $x", interactive=True, yield_after=0))
        async with shared(sidecar, options):
            there = await found.run(RunRequest("print there", progress=True))
            assert found.is_joined
            assert (await found.tasks()).tasks[0].task_id == own.task_id
            assert (await found.tasks(include_ended=True)).count == 2
            assert (await sidecar.tasks(include_ended=True)).tasks[0].task_id == there.task_id
            assert (await found.send(SendRequest(own.task_id, "x"))).success
            end = await found.poll(PollRequest(own.task_id, listen=UNTIL_END, until="end"))
            assert end.output == "own x\n"
            assert (await found.poll(PollRequest(there.task_id))).status is Status.COMPLETED
            commands = {own.command, there.command}
            while {news.command for news in heard if news.status is not Status.RUNNING} != commands:
                await asyncio.sleep(0)
        with pytest.raises(ConnectionLost):
            await found.poll(PollRequest(there.task_id))
        with pytest.raises(InvalidRequest, match="Unknown task"):
            await found.poll(PollRequest("00000000"))


async def test_a_folder_inside_the_workspace_joins_and_one_beside_it_does_not(
    sidecar: Sidecar, options: SidecarOptions, tmp_path: Path
) -> None:
    inside = Path(str(options.workspace)) / "a" / "b"
    inside.mkdir(parents=True)
    async with shared(sidecar, options):
        for folder, joins in ((inside, True), (tmp_path, False)):
            async with open_failover_client(options, folder) as found:
                await found.tasks()
                assert found.is_joined is joins


async def test_a_server_that_does_not_answer_is_passed_over(
    sidecar: Sidecar, options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PATIENCE_S", 0.05)
    place = Path(str(options.workspace))
    async with shared(sidecar, options):
        (answers,) = servers_around(options.places.runtime, place)
        with socket.socket(socket.AF_UNIX) as stuck:
            stuck.bind(str(answers.with_name(f"{answers.name.partition('-')[0]}-stuck.sock")))
            stuck.listen()
            shunned: set[Path] = set()
            joined = await client.join(options.places.runtime, place, shunned=shunned)
            assert joined is not None
            assert await joined.tasks() == await sidecar.tasks()
            assert [path.name[-10:] for path in shunned] == ["stuck.sock"]
            await joined.close()


async def test_another_version_is_not_joined_and_says_nothing_before_it_is_greeted(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with shared(sidecar, options):
        (path,) = servers_around(options.places.runtime, Path(str(options.workspace)))
        connection = await dial(path)
        assert connection is not None
        serving = asyncio.ensure_future(connection.serve())
        with pytest.raises(RequestRejected, match="Say hello first"):
            await connection.request("tasks", {})
        with pytest.raises(RequestRejected, match="restart whichever is older"):
            await connection.request("hello", {"speaks": "0.0.1/0"})
        with pytest.raises(RequestRejected, match="Say hello first"):
            await connection.request("run", {"request": {"command": "true"}})
        await connection.request("hello", {"speaks": greeting.RPC_VERSION})
        for method, params in (
            ("close", {}),
            ("__init__", {}),
            ("poll", {"request": 7}),
            ("poll", {"x": 1}),
        ):
            with pytest.raises(InvalidRequest):
                await connection.request(method, params)
        connection.close()
        await serving


async def test_a_guest_that_does_not_read_holds_up_nobody_and_gets_it_all_later(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with shared(sidecar, options):
        (path,) = servers_around(options.places.runtime, Path(str(options.workspace)))
        reader, writer = await asyncio.open_unix_connection(path)
        hello = {"speaks": greeting.RPC_VERSION}
        writer.write(framed({"id": 1, "method": "hello", "params": hello}))
        assert await read_message(reader) is not None
        writer.write(framed({"method": "subscribe", "params": {"news": "on_progress"}}))
        writer.write(framed({"id": 2, "method": "tasks", "params": {}}))
        assert await read_message(reader) is not None
        # More than the kernel, the streams and the connection hold: the rest is joined.
        command = (
            "seq 100000; sleep 0.15; seq 100000; sleep 0.15; seq 400000; sleep 0.15; print the end"
        )
        result = await sidecar.run(RunRequest(command, yield_after=0))
        await ended(sidecar, result.task_id)
        heard = ""
        while "the end" not in heard:
            message = await read_message(reader)
            assert message is not None
            heard += rpc.unpacked(message["params"]["value"], Progress).output
        assert heard.count("\n") == 600_001
        writer.close()


async def test_whatever_is_asked_is_answered_once_and_never_breaks_anything(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    chance = random.Random(7)
    values = [None, True, -1, 0.5, 1e400, "x", "", "\x00", [], {}, {"task_id": "x"}, {"command": 3}]
    names = [*sorted(rpc.REMOTE_METHODS), "hello", "close", "open_document", "x"]

    def params() -> dict[str, object]:
        keys = ["request", "task_id", "caller", "command", "query", "uri", "action", "cols"]
        return {key: chance.choice(values) for key in chance.sample(keys, chance.randrange(4))}

    async with (
        shared(sidecar, options),
        open_failover_client(options, Path(str(options.workspace))) as guest,
    ):
        (path,) = servers_around(options.places.runtime, Path(str(options.workspace)))
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(
            framed({"id": 0, "method": "hello", "params": {"speaks": greeting.RPC_VERSION}})
        )
        for number in range(1, 1001):
            name = chance.choice(names)
            writer.write(framed({"id": number, "method": name, "params": params()}))
        answers = [await read_message(reader) for _ in range(1001)]
        assert sorted(answer["id"] for answer in answers if answer) == list(range(1001))
        codes = {answer["error"]["code"] for answer in answers if answer and "error" in answer}
        assert codes == {"bad_request", "refused"}
        assert (await guest.tasks()).count == 0
        writer.close()


async def test_a_guest_that_has_left_is_forgotten(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with shared(sidecar, options):
        async with open_failover_client(options, Path(str(options.workspace))) as guest:
            guest.on_progress(lambda _: None)
            started = await guest.run(RunRequest("sleep 60", yield_after=0))
            assert len(sidecar._listeners) == 1
        while sidecar._listeners:
            await asyncio.sleep(0)
        assert sidecar._runs.get(started.task_id)._pollers == {}


def test_every_coroutine_of_the_protocol_can_be_called_from_elsewhere() -> None:
    public = {name for name in vars(TaskService) if not name.startswith("_")}
    assert public == {*rpc.REMOTE_METHODS, *rpc.NEWS, "is_trusted"}
    assert {"on_progress": Progress, "on_insights_changed": str, greeting.TRUST: bool} == rpc.NEWS
    for implementation in (Sidecar, client.RemoteSidecar, FailoverClient):
        for name in public - {"is_trusted"}:
            declared, given = getattr(TaskService, name), getattr(implementation, name)
            assert inspect.signature(given).parameters.keys() >= (
                inspect.signature(declared).parameters.keys()
            )


async def test_every_method_of_the_protocol_crosses(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    place = Path(str(options.workspace))
    uri = "file:///x.zsh"
    sidecar.open_document(uri, "cd /tmp\ngrep x f\n", "zsh", 1)
    async with shared(sidecar, options):
        joined = await client.join(options.places.runtime, place)
        assert joined is not None
        remote: TaskService = joined
        here: TaskService = sidecar
        line = DocumentRange(uri, Span(8, 16), 1)
        missed = await remote.run(RunRequest("false", document=line, yield_after=UNTIL_END))
        assert missed.exit == 1
        started = await remote.run(RunRequest("cat", pty=True, yield_after=0))
        task_id = started.task_id
        assert (await remote.send(SendRequest(task_id, "hello"))).success
        assert (await remote.resize(task_id, 100, 30)).success
        assert (await remote.tasks()).count == 1
        await remote.interrupt(task_id)
        assert (await remote.poll(PollRequest(task_id, listen=UNTIL_END, until="end"))).exit == 130
        with pytest.raises(RequestRejected, match="has already ended"):
            await remote.kill(task_id)
        page = OutputRequest(task_id)
        assert await remote.output(page) == await here.output(page)
        traced = await remote.run_script(ScriptRequest(uri, yield_after=UNTIL_END))
        assert traced.lines is not None
        assert await remote.command_stats("cat") == await here.command_stats("cat")
        assert await remote.memory_stats() == await here.memory_stats()
        assert await remote.circuit() == await here.circuit()
        assert await remote.health() == await here.health()
        assert await remote.explain("grep -v x") == await here.explain("grep -v x")
        assert await remote.why_failed() == await here.why_failed()
        assert await remote.ask("what is running") == await here.ask("what is running")
        said = await remote.insights_for(uri)
        assert said
        assert said == await here.insights_for(uri)
        assert await remote.hints_for(uri) == await here.hints_for(uri)
        assert await remote.failures(uri) == await here.failures(uri)
        told = AgentRun("make; true", str(place), "make: *** [all] Error 2", exit=0)
        assert (await remote.record_agent_run(told)).lines
        assert await remote.record_agent_run(told) == await here.record_agent_run(told)
        assert remote.is_trusted
        await joined.close()


def test_what_only_a_sidecar_of_this_process_offers_is_on_no_other() -> None:
    own = {name for name in vars(SidecarInterface) if not name.startswith("_")} - {"close"}
    assert "hover" in own
    for elsewhere in (client.RemoteSidecar, FailoverClient):
        assert not [name for name in own if hasattr(elsewhere, name)]
