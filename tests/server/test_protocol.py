"""Every request gets exactly one response; errors say what is wrong, and the server goes on."""

from __future__ import annotations

import json
import os

import pytest

from zsh_ls.server.frames import LARGEST_MESSAGE_BYTES

from .inside import Inside
from .rpc import Message, Peer, framed

REQUEST = {"jsonrpc": "2.0", "id": 7, "method": "zsh/health"}
SLEEP = {"command": "sleep 300"}


def error_of(message: Message) -> tuple[object, int]:
    return message["id"], message["error"]["code"]


def is_alive(peer: Peer) -> bool:
    return peer.call("zsh/health")["status"] == "healthy"


@pytest.mark.parametrize(
    ("message", "msg_id", "code"),
    [
        (b"{", None, -32700),
        (b"", None, -32700),
        (b"\xff\xfe\x00", None, -32700),
        (b'{"jsonrpc":"2.0","id":7,"method":"zsh/run","params":{"timeout":NaN}}', None, -32700),
        (b"[" * 100_000, None, -32700),
        (b'{"a":' * 100_000, None, -32700),
        (b"1" * 5_000, None, -32700),
        ([], None, -32600),
        ([REQUEST, REQUEST], None, -32600),
        (5, None, -32600),
        (None, None, -32600),
        ("zsh/health", None, -32600),
        ({"id": 7, "method": "zsh/health"}, 7, -32600),
        ({**REQUEST, "jsonrpc": "1.0"}, 7, -32600),
        ({**REQUEST, "jsonrpc": 2.0}, 7, -32600),
        ({**REQUEST, "method": 5}, 7, -32600),
        ({**REQUEST, "method": None}, 7, -32600),
        ({"jsonrpc": "2.0", "id": 7}, 7, -32600),
        ({**REQUEST, "id": None}, None, -32600),
        ({**REQUEST, "id": 1.5}, None, -32600),
        ({**REQUEST, "id": True}, None, -32600),
        ({**REQUEST, "id": [7]}, None, -32600),
        ({**REQUEST, "method": "zsh/nope"}, 7, -32601),
        ({**REQUEST, "method": ""}, 7, -32601),
        ({**REQUEST, "method": "textDocument/didOpen"}, 7, -32601),
        ({**REQUEST, "method": "$/cancelRequest"}, 7, -32601),
        ({**REQUEST, "method": "initialize"}, 7, -32600),
        ({**REQUEST, "params": []}, 7, -32602),
        ({**REQUEST, "params": 5}, 7, -32602),
        ({**REQUEST, "method": "zsh/run"}, 7, -32602),
        ({**REQUEST, "method": "zsh/run", "params": None}, 7, -32602),
        ({**REQUEST, "method": "textDocument/diagnostic"}, 7, -32602),
        ({**REQUEST, "method": "textDocument/diagnostic", "params": None}, 7, -32602),
        ({**REQUEST, "method": "textDocument/diagnostic", "params": []}, 7, -32602),
        (
            {**REQUEST, "method": "textDocument/diagnostic", "params": {"textDocument": 1}},
            7,
            -32602,
        ),
        ({**REQUEST, "method": "workspace/diagnostic", "params": {}}, 7, -32602),
        ({**REQUEST, "method": "workspace/executeCommand"}, 7, -32602),
        ({**REQUEST, "method": "workspace/executeCommand", "params": {"command": "x"}}, 7, -32602),
    ],
)
def test_a_message_that_is_none_gets_one_error(
    client: Peer, message: object, msg_id: object, code: int
) -> None:
    client.send(message)
    client.send({**REQUEST, "id": "next"})
    assert error_of(client.until(lambda it: "error" in it)) == (msg_id, code)
    assert client.answer_to("next")["result"]["status"] == "healthy"
    assert client.received == []


# WIRE-2
def test_an_error_names_the_field_and_holds_the_same_as_an_answer(client: Peer) -> None:
    error = client.refusal("zsh/run", {"command": "true", "timeout": "7"})
    assert error["code"] == -32602
    assert error["message"] == 'params.timeout: expected a number, got "7"'
    answer = error["data"]["answer"]
    assert answer["kind"] == "error"
    assert answer["text"].startswith("[SUMMARY]\nFailed to execute: zsh/run\n\n[DETAILS]\n")
    assert error["message"] in answer["text"]


def test_params_of_the_standard_are_refused_by_the_name_lsp_gives_them(client: Peer) -> None:
    error = client.refusal("textDocument/diagnostic", {"textDocument": {"uri": 5}})
    assert error["message"] == "params.textDocument.uri: expected a string, got 5"


def test_a_refusal_is_no_fault_of_the_params(client: Peer) -> None:
    error = client.refusal("zsh/run", {"command": "refuse"})
    assert (error["code"], error["message"]) == (-32803, "NEVERHANG: Circuit OPEN")
    assert error["data"]["answer"]["kind"] == "error"


def test_what_breaks_inside_is_answered_without_paths_or_tracebacks(client: Peer) -> None:
    error = client.refusal("zsh/run", {"command": "crash"})
    assert error["code"] == -32603
    assert "KeyError" in error["message"]
    assert not {"/", "Traceback", "line"} & set(error["message"].replace("zsh/run", "").split())
    assert "data" not in error
    assert is_alive(client)


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH: %d\n\n",
        b"Content-Type: x\r\nContent-Length:%d\r\n\r\n",
    ],
)
def test_headers_may_be_written_in_any_way(client: Peer, header: bytes) -> None:
    content = json.dumps(REQUEST).encode()
    client.send_bytes(header % len(content) + content)
    assert client.answer_to(7)["result"]["status"] == "healthy"


@pytest.mark.parametrize("length", [b"-5", b"x", b"", b"99999999999999999999", b"1e3"])
def test_a_bad_length_is_a_parse_error_and_no_deafness(client: Peer, length: bytes) -> None:
    client.send_bytes(b"Content-Length: " + length + b"\r\n\r\n{}")
    assert is_alive(client)
    assert [error_of(it) for it in client.received] == [(None, -32700)]


@pytest.mark.slow
def test_a_message_over_the_limit_is_refused_and_what_follows_is_heard(client: Peer) -> None:
    size = LARGEST_MESSAGE_BYTES + 1
    client.send_bytes(b"Content-Length: %d\r\n\r\n" % size)
    for _ in range(size // (1 << 20) + 1):
        client.send_bytes(b"x" * (1 << 20))
    assert is_alive(client)
    assert [error_of(it) for it in client.received] == [(None, -32700)]


def test_a_message_of_megabytes_is_taken_and_answered(client: Peer) -> None:
    command = "true " + "x" * 8_000_000
    assert client.call("zsh/run", {"command": command})["command"] == command
    assert len(client.call("zsh/run", {"command": "big 4000000"})["output"]) == 4_000_000


async def test_requests_before_initialize_are_refused_and_it_still_works_after() -> None:
    inside = Inside()
    assert (await inside.refusal("zsh/run", {"command": "true"}))["code"] == -32002
    assert (await inside.refusal("shutdown"))["code"] == -32002
    inside.notify("initialized", {})
    await inside.initialize()
    assert (await inside.call("zsh/health"))["status"] == "healthy"


@pytest.mark.parametrize("params", [None, [], 5, {}, {"capabilities": 5}, {"capabilities": None}])
async def test_a_first_initialize_that_does_not_fit_is_refused_and_may_be_repeated(
    params: object,
) -> None:
    inside = Inside()
    assert (await inside.refusal("initialize", params))["code"] == -32602
    await inside.initialize()
    assert (await inside.call("zsh/health"))["status"] == "healthy"


async def test_damaged_capabilities_are_absent_ones() -> None:
    inside = Inside()
    damaged = {
        "textDocument": 5,
        "window": [],
        "workspace": {"diagnostics": 1},
        "general": {"positionEncodings": "x"},
    }
    result = await inside.initialize(
        damaged,
        rootUri=5,
        workspaceFolders={"a": 1},
        initializationOptions=[1],
        processId="x",
    )
    assert result["capabilities"]["positionEncoding"] == "utf-16"
    assert (await inside.call("zsh/health"))["status"] == "healthy"


async def test_requests_after_shutdown_are_refused() -> None:
    inside = Inside()
    await inside.initialize()
    await inside.call("shutdown")
    assert (await inside.refusal("zsh/health"))["code"] == -32600
    assert (await inside.refusal("shutdown"))["code"] == -32600


async def test_shutdown_answers_what_was_waiting() -> None:
    inside = Inside()
    await inside.initialize()
    waiting = inside.ask("zsh/run", SLEEP)
    await inside.call("shutdown")
    assert (await inside.answer_to(waiting))["error"]["code"] == -32800


def test_an_id_in_use_is_refused_and_the_first_is_answered_too(client: Peer) -> None:
    client.send({**REQUEST, "method": "zsh/run", "params": {"command": "sleep 0.2"}})
    client.send(REQUEST)
    said = [client.answer_to(7), client.answer_to(7)]
    assert [it["error"]["code"] for it in said if "error" in it] == [-32600]
    assert [it["result"]["status"] for it in said if "result" in it] == ["completed"]
    client.send(REQUEST)
    assert client.answer_to(7)["result"]["status"] == "healthy"


def test_ids_are_told_apart_by_their_kind(client: Peer) -> None:
    client.send({**REQUEST, "id": 1})
    client.send({**REQUEST, "id": "1"})
    assert {type(client.read(10)["id"]) for _ in range(2)} == {int, str}  # type: ignore[index]


def test_a_cancelled_request_is_answered_once_as_cancelled(client: Peer) -> None:
    waiting = client.ask("zsh/run", SLEEP)
    client.notify("$/cancelRequest", {"id": waiting})
    assert client.answer_to(waiting)["error"]["code"] == -32800
    assert is_alive(client)
    assert client.received == []


def test_a_request_cancelled_in_the_same_breath_is_answered_once(client: Peer) -> None:
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 7}}
    client.send_bytes(framed({**REQUEST, "id": 7}) + framed(cancel) * 3)
    assert client.answer_to(7)["error"]["code"] == -32800
    assert is_alive(client)
    assert client.received == []


@pytest.mark.parametrize("params", [None, [], {}, {"id": None}, {"id": 99}, {"id": [1]}, 5])
def test_a_cancellation_of_nothing_is_ignored(client: Peer, params: object) -> None:
    client.notify("$/cancelRequest", params)
    assert is_alive(client)
    assert client.received == []


@pytest.mark.parametrize(
    "answer",
    [
        {"id": 99, "result": None},
        {"id": None, "result": 5},
        {"id": [1], "result": 5},
        {"id": 99, "error": 5},
        {"result": 5},
        {"error": {}},
    ],
)
def test_answers_to_questions_never_asked_are_dropped(client: Peer, answer: Message) -> None:
    waiting = client.ask("zsh/run", {"command": "sleep 0.1"})
    client.send({"jsonrpc": "2.0", **answer})
    client.send({"jsonrpc": "2.0", **answer, "id": waiting})
    assert client.answer_to(waiting)["result"]["status"] == "completed"
    assert client.received == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        (
            "textDocument/didChange",
            {"textDocument": {"uri": "file:///a", "version": 1}, "contentChanges": []},
        ),
        ("textDocument/didChange", {"textDocument": 5}),
        ("textDocument/didOpen", None),
        ("textDocument/didClose", {"textDocument": {"uri": "file:///never"}}),
        ("workspace/didChangeConfiguration", []),
        ("window/workDoneProgress/cancel", {"token": None}),
        ("zsh/run", SLEEP),
        ("nobody/knows", {}),
        ("$/setTrace", {"value": "verbose"}),
    ],
)
def test_notifications_that_cannot_be_taken_are_dropped(
    client: Peer, method: str, params: object
) -> None:
    client.notify(method, params)
    assert is_alive(client)
    assert client.received == []


def test_an_object_named_jsonrpc_within_params_is_just_an_object(client: Peer) -> None:
    error = client.refusal("zsh/run", {"command": "true", "env": {"jsonrpc": "2.0"}, "jsonrpc": 1})
    assert error["message"].startswith("params.jsonrpc: unknown field")
    assert client.call("zsh/run", {"command": "true", "env": {"jsonrpc": "2.0"}})["exit"] == 0


def test_a_stray_print_cannot_reach_the_wire(client: Peer) -> None:
    assert client.call("zsh/run", {"command": "print"})["exit"] == 0
    assert is_alive(client)


# WIRE-3
async def test_every_request_is_also_a_command() -> None:
    inside = Inside()
    capabilities = (await inside.initialize())["capabilities"]
    said = capabilities["experimental"]["zshLs"]
    commands = capabilities["executeCommandProvider"]["commands"]
    assert said["version"] == 1
    assert [method.replace("/", ".") for method in said["methods"]] == commands
    assert {"zsh.run", "zsh.poll", "zsh.kill", "zsh.send", "zsh.resize", "zsh.tasks"} <= {*commands}
    run = {"command": "zsh.run", "arguments": [{"command": "true"}]}
    assert (await inside.call("workspace/executeCommand", run))["command"] == "true"
    health = {"command": "zsh.health"}
    assert (await inside.call("workspace/executeCommand", health))["status"] == "healthy"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (None, "params.command: a required field is missing"),
        ([], "params.command: a required field is missing"),
        ([{"command": 5}], "params.command: expected a string, got 5"),
        (["true"], 'params: expected an object, got "true"'),
        ([{}, {}], "params.arguments: expected a list with one object"),
        ({"command": "true"}, "params.arguments: expected a list with one object"),
    ],
)
def test_commands_are_refused_in_the_same_words(client: Peer, arguments: object, said: str) -> None:
    params = {"command": "zsh.run", "arguments": arguments}
    error = client.refusal("workspace/executeCommand", params)
    assert error["code"] == -32602
    assert error["message"].startswith(said)


# WIRE-1
def test_two_thousand_requests_wait_at_once_and_all_are_answered(client: Peer) -> None:
    client.send_bytes(
        b"".join(
            framed({**REQUEST, "id": n, "method": "zsh/run", "params": {"command": "sleep 0.2"}})
            for n in range(2_000)
        )
    )
    answered = [client.until(lambda it: "result" in it)["id"] for _ in range(2_000)]
    assert sorted(answered) == [*range(2_000)]


def test_a_client_that_does_not_read_is_answered_when_it_does(client: Peer) -> None:
    count = 40
    client.send_bytes(
        b"".join(
            framed({**REQUEST, "id": n, "method": "zsh/run", "params": {"command": "big 1000000"}})
            for n in range(count)
        )
    )
    # The loop is not held up by a full pipe: it still reads and answers what comes later.
    client.send({**REQUEST, "id": "late"})
    assert client.answer_to("late")["result"]["status"] == "healthy"
    assert {client.until(lambda it: "result" in it)["id"] for _ in range(count)} == {*range(count)}


def test_what_a_server_is_told_before_it_stands_is_heard(stranger: Peer) -> None:
    params = {"processId": os.getpid(), "capabilities": {}}
    first = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    notice = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
    stranger.send_bytes(framed(first) + framed(notice) + framed({**REQUEST, "id": 2}))
    assert "capabilities" in stranger.answer_to(1)["result"]
    assert stranger.answer_to(2)["result"]["status"] == "healthy"
