"""Faults of pygls, each reproduced with pygls alone (docs/upstream.md says what we do instead).

If one of these tests fails, pygls has mended that fault: the code of ours that stands in for it can go, and
its row in docs/upstream.md.
"""

from __future__ import annotations

import fcntl
import json
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from lsprotocol import converters, types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

pytestmark = pytest.mark.slow

INITIALIZE = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
INITIALIZED = {"method": "initialized", "params": {}}
ALIVE = {"id": 99, "method": "test/echo", "params": {"someText": "alive"}}


def framed(message: Any, header: str = "Content-Length") -> bytes:
    content = json.dumps({"jsonrpc": "2.0", **message} if isinstance(message, dict) else message)
    return f"{header}: {len(content)}\r\n\r\n{content}".encode()


@contextmanager
def stock_server() -> Iterator[tuple[IO[bytes], IO[bytes], subprocess.Popen[bytes]]]:
    """A server of pygls: what it reads, what it writes, its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.upstream.stock_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process, open(process.stdout.fileno(), "rb", closefd=False) as output:
        try:
            yield process.stdin, output, process
        finally:
            process.kill()


def talk(*pieces: bytes, until: int | None = 99) -> tuple[list[dict[str, Any]], int]:
    """Send all pieces, wait for the response `until`, close the pipe; all messages and the exit status."""
    with stock_server() as (to_server, from_server, process):
        to_server.write(b"".join(pieces))
        messages: list[dict[str, Any]] = []
        while until is not None and not any(message.get("id") == until for message in messages):
            messages.append(read_message(from_server))
        to_server.close()
        while message := read_message(from_server):
            messages.append(message)
        return messages, process.wait()


def wait_for(condition: Callable[[], object], patience_s: float = 60.0) -> bool:
    """Whether `condition` comes true in time."""
    end = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def read_message(stream: IO[bytes]) -> dict[str, Any]:
    """The next message; an empty one at the end of the stream."""
    length = 0
    while (line := stream.readline()).strip():
        if line.startswith(b"Content-Length: "):
            length = int(line.split()[1])
    return json.loads(stream.read(length)) if length else {}


def asked(*messages: Any) -> dict[Any, dict[str, Any]]:
    """The responses by id, of a session that is initialized, sent these messages, and still alive."""
    told, _ = talk(framed(INITIALIZE), framed(INITIALIZED), *map(framed, messages), framed(ALIVE))
    return {
        message["id"]: message for message in told if "id" in message and "method" not in message
    }


@pytest.mark.parametrize(
    "params", [{"count": "x"}, {}, None, [1]], ids=["type", "missing", "null", "list"]
)
def test_params_that_do_not_fit_are_never_answered(params: Any) -> None:
    assert 5 not in asked({"id": 5, "method": "test/count", "params": params})


def test_a_request_without_params_is_never_answered() -> None:
    assert 5 not in asked({"id": 5, "method": "test/lines"})


def test_types_are_coerced_in_silence() -> None:
    params = {"someText": 5, "isLoud": "false"}
    answers = asked({"id": 5, "method": "test/echo", "params": params})
    assert answers[5]["result"] == {"text": "5", "loud": True}


def test_unknown_and_snake_case_fields_are_dropped_in_silence() -> None:
    answers = asked({"id": 5, "method": "test/echo", "params": {"some_text": "x", "sometext": "y"}})
    assert answers[5]["result"]["text"] == "nothing"


def test_fields_of_custom_results_are_camel_cased() -> None:
    answers = asked({"id": 5, "method": "test/typed", "params": {"someText": "x"}})
    assert answers[5]["result"] == {"someText": "x"}


def test_a_result_that_is_no_json_is_never_answered() -> None:
    answers = asked({"id": 5, "method": "test/object", "params": {}})
    assert 5 not in answers


def test_params_that_hold_a_key_jsonrpc_are_never_answered() -> None:
    inner = {"someText": "x", "note": {"jsonrpc": "2.0"}}
    assert 5 not in asked({"id": 5, "method": "test/echo", "params": inner})


def test_malformed_json_and_batches_get_no_error_answer() -> None:
    told, _ = talk(
        framed(INITIALIZE),
        b"Content-Length: 5\r\n\r\n{nope",
        framed([{"jsonrpc": "2.0", "id": 5, "method": "test/echo"}]),
        framed(ALIVE),
    )
    assert [message["id"] for message in told if message.get("id") is not None] == [1, 99]
    assert not [message for message in told if "error" in message]


def test_a_header_in_lower_case_makes_the_server_deaf() -> None:
    told, _ = talk(framed(INITIALIZE), framed(ALIVE, "content-length"), framed(ALIVE), until=1)
    assert [message["id"] for message in told if "id" in message] == [1]


def test_a_wrong_length_makes_the_server_deaf() -> None:
    too_long = framed(ALIVE).replace(b"Content-Length: ", b"Content-Length: 1")
    alive = [framed({**ALIVE, "id": number}) for number in range(10, 30)]
    told, _ = talk(framed(INITIALIZE), too_long, *alive, until=1)
    assert [message["id"] for message in told if "id" in message] == [1]


def test_a_length_of_many_digits_ends_the_server() -> None:
    told, status = talk(framed(INITIALIZE), b"Content-Length: %b\r\n\r\n" % (b"9" * 5_000), until=1)
    assert [message["id"] for message in told] == [1]
    assert status == 1


def test_one_wrong_capability_leaves_initialize_unanswered() -> None:
    wrong = {**INITIALIZE, "params": {"capabilities": {"textDocument": 5}}}
    told, _ = talk(framed(wrong), framed(ALIVE))
    assert [message["id"] for message in told if "id" in message] == [99]


def test_a_response_with_the_id_of_a_clients_request_answers_it(tmp_path: Path) -> None:
    slow = {"id": 5, "method": "test/slow", "params": {"someText": str(tmp_path / "go")}}
    answers = asked(slow, {"id": 5, "result": "of the client's own"})
    assert answers[5]["result"] == "of the client's own"


def test_a_late_response_is_shown_as_an_error_of_the_server() -> None:
    question = {"id": 5, "method": "test/ask", "params": {}}
    with stock_server() as (to_server, from_server, _):
        to_server.write(framed(INITIALIZE) + framed(INITIALIZED) + framed(question))
        while read_message(from_server).get("id") != 5:
            pass
        to_server.write(framed({"id": "asked", "result": None}))
        assert read_message(from_server)["method"] == "window/showMessage"


def test_a_cancelled_command_goes_on(tmp_path: Path) -> None:
    params = {"command": "test.wait", "arguments": [str(tmp_path)]}
    command = {"id": 5, "method": "workspace/executeCommand", "params": params}
    cancel = {"method": "$/cancelRequest", "params": {"id": 5}}
    with stock_server() as (to_server, from_server, _):
        to_server.write(b"".join(map(framed, (INITIALIZE, INITIALIZED, command, cancel))))
        while (answer := read_message(from_server)).get("id") != 5:
            pass
        assert answer["error"]["code"] == -32800
        (tmp_path / "go").touch()
        assert wait_for((tmp_path / "done").exists)


def test_a_client_that_does_not_read_stops_the_server(tmp_path: Path) -> None:
    """The event loop itself waits in `write`."""
    made = tmp_path / "made"
    long = {"id": 5, "method": "test/long", "params": {}}
    touch = {"id": 6, "method": "test/touch", "params": {"someText": str(made)}}
    with stock_server() as (to_server, from_server, _):

        def is_full() -> bool:
            buffer = fcntl.ioctl(from_server.fileno(), termios.FIONREAD, bytes(4))
            return bool(struct.unpack("i", buffer)[0] >= 60_000)

        to_server.write(framed(INITIALIZE) + framed(INITIALIZED) + framed(long))
        assert wait_for(is_full)
        to_server.write(framed(touch))
        assert not wait_for(made.exists, 1.0)
        while read_message(from_server).get("id") != 5:
            pass
        assert wait_for(made.exists)


def test_a_request_after_shutdown_is_never_answered() -> None:
    shut_down = framed({"id": 5, "method": "shutdown"})
    told, _ = talk(framed(INITIALIZE), framed(INITIALIZED), shut_down, framed(ALIVE), until=5)
    assert 99 not in [message.get("id") for message in told]


def test_a_request_before_initialize_is_carried_out() -> None:
    told, _ = talk(framed(ALIVE))
    assert told[0]["result"]["text"] == "alive"


def test_leaving_without_shutdown_exits_with_zero() -> None:
    leaving = framed({"method": "exit"})
    _, status = talk(framed(INITIALIZE), framed(INITIALIZED), leaving, until=1)
    assert status == 0  # the specification says 1


def test_lines_end_where_the_protocol_says_they_do_not() -> None:
    document = {"uri": "file:///x", "languageId": "zsh", "version": 1, "text": "a\fb\u2028c\nd"}
    answers = asked(
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": 5, "method": "test/lines", "params": {}},
    )
    assert answers[5]["result"] == 4  # the specification counts 2


def test_an_insertion_beyond_the_last_line_lands_before_its_last_letter() -> None:
    document = TextDocument("file:///x", "abc")
    beyond = types.Position(0, 99)
    document.apply_change(types.TextDocumentContentChangePartial(types.Range(beyond, beyond), "X"))
    assert document.source == "abXc"  # the specification says: at the end of the line


def test_an_error_without_an_id_says_none_instead_of_null() -> None:
    error = types.ResponseErrorMessage(error=types.ResponseError(-32700, "Parse Error"))
    assert "id" not in converters.get_converter().unstructure(error)  # JSON-RPC wants null


def test_a_bound_method_cannot_be_registered() -> None:
    class Handlers:
        async def answer(self, params: Any) -> None: ...

    server = LanguageServer("stock", "1")
    with pytest.raises(AttributeError):
        server.feature("test/bound")(Handlers().answer)


async def test_a_handler_of_any_object_is_given_the_server_too() -> None:
    server = LanguageServer("stock", "1")

    @server.feature("test/any")
    async def answer(*args: object) -> int:
        return len(args)

    @server.feature("test/one")
    async def answer_one(params: object, *others: object) -> bool:
        return params is server

    assert await server.protocol.fm.features["test/one"]("params")
    assert await server.protocol.fm.features["test/any"]("params") == 2


def test_busy_threads_keep_the_next_message_from_being_read(tmp_path: Path) -> None:
    """The pool that runs threaded handlers also reads messages: while all of it is busy none is read."""
    until = {"someText": str(tmp_path / "go")}
    slow = [{"id": 100 + i, "method": "test/slow", "params": until} for i in range(64)]
    answers = asked(*slow, {"id": 5, "method": "test/touch", "params": until})
    assert answers[100]["result"] == "nobody came"
