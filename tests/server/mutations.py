"""Random valid and invalid messages, and how many responses each must get."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

URI = "file:///tmp/mutated.zsh"
NO_ANSWER = object()
SEEDS: tuple[dict[str, Any], ...] = (
    {
        "method": "zsh/run",
        "params": {"command": "true", "env": {"A": None}, "timeout": 5, "pty": False},
    },
    {
        "method": "zsh/run",
        "params": {"command": "progress 2", "workDoneToken": "t", "origin": "agent"},
    },
    {"method": "zsh/run", "params": {"command": "crash", "document": {"uri": URI, "range": {}}}},
    {"method": "zsh/poll", "params": {"task_id": "0000aaaa", "listen": 0, "until": "end"}},
    {"method": "zsh/kill", "params": {"task_id": "ffffffff"}},
    {"method": "zsh/send", "params": {"task_id": "0000aaaa", "input": "x\u0003", "newline": False}},
    {"method": "zsh/output", "params": {"from_line": 1, "to_line": 2, "raw": True}},
    {
        "method": "zsh/explain",
        "params": {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1}},
    },
    {"method": "zsh/health", "params": {}},
    {
        "method": "workspace/executeCommand",
        "params": {"command": "zsh.run", "arguments": [{"command": "true"}]},
    },
    {
        "method": "textDocument/diagnostic",
        "params": {"textDocument": {"uri": URI}, "previousResultId": "x"},
    },
    {
        "method": "workspace/diagnostic",
        "params": {"previousResultIds": [{"uri": URI, "value": "1"}]},
    },
    {
        "method": "textDocument/hover",
        "params": {"textDocument": {"uri": URI}, "position": {"line": 0}},
    },
)
ITEM = {"uri": URI, "languageId": "zsh", "version": 1, "text": "bad\n"}
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 9}}
CHANGE = {
    "textDocument": {"uri": URI, "version": 2},
    "contentChanges": [{"range": EVERYTHING, "text": "bad\r\n"}],
}
NOTICES: tuple[dict[str, Any], ...] = (
    {"method": "$/cancelRequest", "params": {"id": 1}},
    {"method": "textDocument/didOpen", "params": {"textDocument": ITEM}},
    {"method": "textDocument/didChange", "params": CHANGE},
    {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}},
    {
        "method": "workspace/didChangeConfiguration",
        "params": {"settings": {"zshLs": {"timeout": 5}}},
    },
    {"method": "window/workDoneProgress/cancel", "params": {"token": "t"}},
    {"result": None},
)
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 2**70, "", "x" * 5_000, "\ud800", [], {}, [None], {"jsonrpc": "2.0"}, [[]] * 50,
)  # fmt: skip


def message(number: int, rng: random.Random) -> bytes:
    """A random message, valid or not; few requests have an id that was used before."""
    if rng.random() < 0.2:
        found = {"jsonrpc": "2.0", **copy.deepcopy(rng.choice(NOTICES))}
        if found["method" if "method" in found else "result"] == "$/cancelRequest":
            found["params"]["id"] = max(0, number - rng.randrange(5))
    else:
        msg_id = number if rng.random() < 0.95 else max(0, number - rng.randrange(10))
        found = {"jsonrpc": "2.0", "id": msg_id, **copy.deepcopy(rng.choice(SEEDS))}
    for _ in range(rng.choice((0, 0, 1, 1, 2, 4))):
        spoil(found, rng)
    content = json.dumps(found).encode()
    return _spoil_bytes(content, rng) if rng.random() < 0.15 else content


def spoil(found: Any, rng: random.Random) -> None:
    """Change, remove or add one value at a random depth."""
    while found and isinstance(found, dict | list):
        keys = list(found) if isinstance(found, dict) else list(range(len(found)))
        key = rng.choice(keys)
        if isinstance(found[key], dict | list) and found[key] and rng.random() < 0.7:
            found = found[key]
            continue
        action = rng.randrange(4)
        if action == 0:
            del found[key]
        elif action == 1 and isinstance(found, dict):
            found[rng.choice(("x", "comand", "", "params", "jsonrpc"))] = copy.deepcopy(
                rng.choice(VALUES)
            )
        else:
            found[key] = copy.deepcopy(rng.choice(VALUES))
        return


def _spoil_bytes(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content))
    return rng.choice((
        content[:at],
        content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :],
        content[:at] + rng.randbytes(4) + content[at:],
        b"[" + content + b"," + content + b"]",
        content + b"}",
    ))  # fmt: skip


def answered_to(content: bytes) -> object:
    """The id of the one response that `content` must get; NO_ANSWER if it must get none."""
    try:
        found = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    msg_id = found.get("id") if isinstance(found, dict) else None
    usable = msg_id if type(msg_id) in (int, str) else None
    if not isinstance(found, dict) or found.get("jsonrpc") != "2.0":
        return usable
    if "method" not in found:
        return NO_ANSWER if found.keys() & {"result", "error"} else usable
    is_notice = "id" not in found and isinstance(found["method"], str)
    return NO_ANSWER if is_notice else usable


def _refuse(constant: str) -> None:
    raise ValueError(constant)
