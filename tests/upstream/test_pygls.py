"""What pygls leaves undone and `server/protocol.py` does in its place (docs/upstream.md).

Each test shows a fault with pygls alone. One that fails tells that pygls has mended it: then that part of
ours can go, and its paragraph in docs/upstream.md with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

pytestmark = pytest.mark.slow

INITIALIZE = {"id": 1, "method": "initialize", "params": {"capabilities": {}}}
INITIALIZED = {"method": "initialized", "params": {}}
ALIVE = {"id": 99, "method": "test/echo", "params": {"someText": "alive"}}


def framed(message: Any, header: str = "Content-Length") -> bytes:
    content = json.dumps({"jsonrpc": "2.0", **message} if isinstance(message, dict) else message)
    return f"{header}: {len(content)}\r\n\r\n{content}".encode()


def talk(*pieces: bytes, until: int | None = 99) -> tuple[list[dict[str, Any]], int]:
    """Send all pieces, wait for the answer to `until`, close the pipe; all messages and the exit status."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.upstream.stock_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(b"".join(pieces))
        process.stdin.flush()
        messages: list[dict[str, Any]] = []
        while until is not None and not any(message.get("id") == until for message in messages):
            messages.append(read_message(process.stdout))
        process.stdin.close()
        while message := read_message(process.stdout):
            messages.append(message)
    return messages, process.returncode


def read_message(stream: IO[bytes]) -> dict[str, Any]:
    """The next message, an empty one at the end."""
    length = 0
    while (line := stream.readline()).strip():
        if line.startswith(b"Content-Length: "):
            length = int(line.split()[1])
    return json.loads(stream.read(length)) if length else {}


def asked(*messages: Any) -> dict[Any, dict[str, Any]]:
    """The answers by id, of a session that is initialized, asked these things, and alive after them."""
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


def test_busy_threads_keep_the_next_message_from_being_read(tmp_path: Path) -> None:
    """The pool that runs threaded handlers also reads: with all of it busy nobody is heard."""
    until = {"someText": str(tmp_path / "go")}
    slow = [{"id": 100 + i, "method": "test/slow", "params": until} for i in range(64)]
    answers = asked(*slow, {"id": 5, "method": "test/touch", "params": until})
    assert answers[100]["result"] == "nobody came"
