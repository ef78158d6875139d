"""Tool calls: arguments are checked, results masked, and errors returned as results."""

from __future__ import annotations

from typing import Any

import mcp_types as types

from zsh_ls.model.errors import InvalidRequest, SidecarError
from zsh_ls.sidecar.from_json import MISFITS, params_of, problems
from zsh_ls.sidecar.redact import redacted, redacted_beside_the_loop
from zsh_ls.sidecar.to_json import to_json

from .tool import LEFT_OUT, Said, Tool, ToolCall


async def answered(tool: Tool, arguments: object, call: ToolCall) -> types.CallToolResult:
    """The result of a tool; errors are results with `is_error`."""
    try:
        said = await tool.answer(call, _arguments(tool, arguments))
    except SidecarError as fault:
        return refused(str(fault))
    return await _result(said)


def refused(reason: str) -> types.CallToolResult:
    """A result that is an error with this text."""
    content = types.TextContent(type="text", text=redacted(reason))
    return types.CallToolResult(content=[content], is_error=True)


def _arguments(tool: Tool, given: object) -> Any:
    try:
        return params_of(tool.Arguments, given)
    except MISFITS as wrong:
        raise InvalidRequest(problems(wrong, is_ours=True).replace("params.", "")) from None


async def _result(said: Said) -> types.CallToolResult:
    told = None
    if said.annotations is not None:
        told = types.Annotations.model_validate(to_json(said.annotations))
    shown = {"text": said.text, "result": _structured(said.result)}
    masked = await redacted_beside_the_loop(shown)
    content = types.TextContent(type="text", text=masked["text"], annotations=told)
    return types.CallToolResult(
        content=[content], structured_content=masked["result"], is_error=False
    )


def _structured(result: object) -> dict[str, Any]:
    return {name: value for name, value in to_json(result).items() if name not in LEFT_OUT}
