"""What a client sends, line by line; what is no message gets its answer here.

The SDK drops a line that it cannot read, and whoever sent it would wait for ever.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from mcp_types import JSONRPCNotification, jsonrpc_message_adapter

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF = "half of a character (a lone surrogate) cannot be sent"


async def messages(
    lines: AsyncIterator[str], answer: Callable[[str], Awaitable[None]]
) -> AsyncIterator[str]:
    """The lines that are messages; each other one is answered with what is wrong with it."""
    async for line in lines:
        if not line.strip():
            continue
        if _is_message(line):
            yield line
        elif fault := fault_of(line):
            await answer(json.dumps(fault, separators=(",", ":")) + "\n")


def _is_message(line: str) -> bool:
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return False
    # With an id of another type the SDK takes a request for a notification.
    is_notification = isinstance(message, JSONRPCNotification)
    return not (is_notification and '"id"' in line and "id" in json.loads(line))


def fault_of(line: str) -> dict[str, Any] | None:
    """The error that answers a line that is no message; None for a notification, which has no answer."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        return _error(None, PARSE_ERROR, f"Parse error: {wrong}")
    if not isinstance(message, dict):
        return _error(None, INVALID_REQUEST, "Invalid request: expected an object")
    number = message.get("id")
    if type(number) not in (int, str):
        if "id" not in message and isinstance(message.get("method"), str):
            return None
        return _error(None, INVALID_REQUEST, "Invalid request: id: expected a number or a string")
    if isinstance(number, str) and _SURROGATE.search(number):
        return _error(None, INVALID_REQUEST, f"Invalid request: id: {_HALF}")
    if message.get("jsonrpc") != "2.0":
        return _error(number, INVALID_REQUEST, 'Invalid request: jsonrpc: expected "2.0"')
    if not isinstance(message.get("method"), str):
        return _error(number, INVALID_REQUEST, "Invalid request: method: expected a string")
    if _SURROGATE.search(json.dumps(message, ensure_ascii=False)):
        return _error(number, INVALID_PARAMS, f"Invalid params: {_HALF}")
    return _error(number, INVALID_PARAMS, "Invalid params: expected an object")


def _error(number: object, code: int, reason: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": reason}}
