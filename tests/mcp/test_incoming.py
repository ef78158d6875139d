"""A line that is no message is answered with what is wrong with it; the client does not wait for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .session import by_hand

NO_MESSAGES = [
    ("not json", None, -32700),
    ('{"jsonrpc":"2.0","id":7', None, -32700),
    ("[" * 100_000, None, -32700),
    ("[1,2]", None, -32600),
    ('"x"', None, -32600),
    ('{"jsonrpc":"2.0","id":7}', 7, -32600),
    ('{"jsonrpc":"2.0","id":"seven","method":5}', "seven", -32600),
    ('{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, -32600),
    ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, -32600),
    ('{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
    ('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None, -32600),
    ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}', 7, -32602),
]
HALF = json.dumps(
    {"jsonrpc": "2.0", "id": 7, "method": "tools/call"}
    | {"params": {"name": "zsh", "arguments": {"command": "echo \ud800"}}}
)


def test_what_is_no_message_is_answered(home: dict[str, str], project: Path) -> None:
    with by_hand(home, project) as client:
        assert client.process.stdout
        for line, number, code in NO_MESSAGES:
            client.send(line)
            answer = json.loads(client.process.stdout.readline())
            assert (answer["id"], answer["error"]["code"]) == (number, code), line
        client.send(HALF)
        error = client.answer_to(7)["error"]
        assert error["code"] == -32602
        assert "lone surrogate" in error["message"]
        assert client.call(8, "zsh", command="echo on")["structuredContent"]["output"] == "on\n"


@pytest.mark.parametrize(
    "line", ["", "   ", '{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}']
)
def test_blank_lines_and_notifications_have_no_answer(
    line: str, home: dict[str, str], project: Path
) -> None:
    with by_hand(home, project) as client:
        assert client.process.stdout
        client.send(line)
        client.send({"jsonrpc": "2.0", "id": 9, "method": "ping"})
        assert json.loads(client.process.stdout.readline())["id"] == 9
