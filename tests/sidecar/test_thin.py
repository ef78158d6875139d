"""The thin client: what it asks of a server, and what comes back, is the JSON that frontends write."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.ipc import ConnectionLost, servers_around
from zsh_ls.ipc.framing import framed
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.received_result import ReceivedResult
from zsh_ls.model.requests import OutputRequest
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Sidecar, SidecarOptions
from zsh_ls.sidecar.remote import thin
from zsh_ls.sidecar.to_json import to_json

from .test_joining import shared

Asked = Callable[[thin.ThinClient], Any]


async def asked(options: SidecarOptions, ask: Asked) -> Any:
    """What `ask` gives, which blocks: a thread asks, while the server is in this one."""

    def work() -> Any:
        server = thin.join(options.places.runtime, Path(str(options.workspace)))
        assert server is not None
        try:
            return ask(server)
        finally:
            server.close()

    return await asyncio.to_thread(work)


# CLI-45
async def test_what_crosses_is_what_frontends_write(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with shared(sidecar, options):
        request = {"command": "echo a | grep b", "yield_after": 60, "origin": "cli"}
        ended = await asked(options, lambda it: it.call("run", request=request))
        assert (ended["exit"], ended["pipestatus"]) == (1, [0, 1])
        assert ended["insights"]["info"][-1] == "grep exit 1 = no match (normal)"
        assert {"project", "from_line"} <= ended.keys()  # null, as on the wire
        assert not {"error", "signal", "poll_meta", "lines"} & ended.keys()
        result = ReceivedResult(ended)
        assert (result.status, result.error, result.is_cut) == (Status.COMPLETED, None, False)
        listed = await asked(options, lambda it: it.call("tasks", include_ended=True))
        here = to_json(await sidecar.tasks(include_ended=True))
        assert [*listed["tasks"][0]] == [*here["tasks"][0]]
        wanted = {"task_id": ended["task_id"]}
        page = await asked(options, lambda it: it.call("output", request=wanted))
        assert page == to_json(await sidecar.output(OutputRequest(ended["task_id"])))


# CLI-45
async def test_errors_are_those_of_the_server(sidecar: Sidecar, options: SidecarOptions) -> None:
    async with shared(sidecar, options):
        with pytest.raises(InvalidRequest, match="Unknown task"):
            await asked(options, lambda it: it.call("poll", request={"task_id": "00000000"}))
        with pytest.raises(InvalidRequest, match="Unknown method"):
            await asked(options, lambda it: it.call("close"))


# ALAN-7
async def test_commands_are_shown_without_their_secrets(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with shared(sidecar, options):
        secret = "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwx' x"
        shown = await asked(options, lambda it: it.shown([secret, "true", " hidden"]))
    assert "abcdefgh" not in shown[0]
    assert shown[1:] == ["true", "(not kept)"]


# CLI-45
async def test_while_it_waits_news_and_descriptors_are_heard(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    heard: list[str] = []
    reading, writing = os.pipe()

    def ask(server: thin.ThinClient) -> Any:
        server.subscribe("on_progress", lambda it: heard.append(it["tag"]))
        server.watch(reading, lambda: heard.append(os.read(reading, 1).decode()))
        os.write(writing, b"x")
        request = {"command": "true", "progress": True, "tag": "mine", "yield_after": 60}
        server.post("tasks")  # nobody waits for its answer
        ended = server.call("run", request=request)
        while "mine" not in heard:  # news may come after the answer
            server.call("tasks")
        return ended

    async with shared(sidecar, options):
        assert (await asked(options, ask))["exit"] == 0
    os.close(reading)
    os.close(writing)
    assert heard[0] == "x"


@contextmanager
def beside(path: Path, answers: bytes | None) -> Iterator[None]:
    """A newer server beside the one at `path`: it answers the greeting so, or not at all."""
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path.with_name(f"{path.name.partition('-')[0]}-other.sock")))
        other.listen()
        if answers is None:
            yield
            return
        loop = asyncio.get_running_loop()
        other.setblocking(False)

        async def answer() -> None:
            guest, _ = await loop.sock_accept(other)
            with guest:
                await loop.sock_recv(guest, 1000)
                await loop.sock_sendall(guest, answers)

        answering = loop.create_task(answer())
        yield
        assert answering.done()


# CLI-45
@pytest.mark.parametrize(
    ("answers", "told"),
    [
        (
            framed({"id": 1, "error": {"code": "refused", "message": "restart it"}}),
            "is not joined: restart it",
        ),
        (framed({"id": 1, "result": {}})[:3], ""),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", ""),
        (None, "is not joined: it does not answer"),
    ],
    ids=["another version", "ends within its answer", "no server of ours", "silent"],
)
async def test_a_server_that_cannot_be_joined_is_passed_over(
    sidecar: Sidecar,
    options: SidecarOptions,
    *,
    answers: bytes | None,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if answers is None:
        monkeypatch.setattr(thin, "PATIENCE_S", 0.05)
    async with shared(sidecar, options):
        (path,) = servers_around(options.places.runtime, Path(str(options.workspace)))
        with beside(path, answers):
            listed = await asked(options, lambda it: it.call("tasks"))
    assert listed == {"tasks": [], "count": 0}
    assert told in caplog.text


# CLI-45
async def test_a_server_that_goes_is_said_to_have_gone(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async with shared(sidecar, options) as sharing:
        request = {"command": "sleep 60", "yield_after": 600}
        waiting = asyncio.ensure_future(asked(options, lambda it: it.call("run", request=request)))
        while not (await sidecar.tasks()).count:
            await asyncio.sleep(0.01)
        await sharing.close()
        with pytest.raises(ConnectionLost):
            await waiting
