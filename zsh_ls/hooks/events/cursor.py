"""The hooks of Cursor: postToolUse has the tool's result as JSON within a text, perhaps with its exit.

A call that failed or was stopped at its limit comes as postToolUseFailure, with a message alone; what is
answered to that Cursor does not read, but the run is remembered.
"""

from __future__ import annotations

import json

from zsh_ls.hooks.told_run import ToldCommand, ToldRun, exit_of, object_of, seconds_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = (".cursor", "hooks.json")
FOLDER_VARIABLE = ""
TOOL = "Shell"
SHOWS_EXITS = True
HOOKS: dict[str, list[dict[str, object]]] = {
    event: [{"command": "zsh-ls hook cursor || :", "matcher": TOOL, "timeout": 5}]
    for event in ("postToolUse", "postToolUseFailure")
}

REWRITE_HOOKS: dict[str, list[dict[str, object]]] = {
    "preToolUse": [{"command": "zsh-ls hook cursor --rewrite || :", "matcher": TOOL, "timeout": 5}]
}


def read(event: Mapping[str, Any]) -> ToldRun | None:
    """The run that an event tells of; None for one of another tool, or of what did not run to its end."""
    given = object_of(event, "tool_input")
    command = text_of(given, "command")
    if event.get("tool_name") != TOOL or not command:
        return None
    if event.get("hook_event_name") == "postToolUse":
        told = _result(event.get("tool_output"))
        texts = (text_of(told, it) for it in ("output", "stdout", "stderr"))
        return _run(event, command, "\n".join(filter(None, texts)), exit_of(told.get("exitCode")))
    kind = event.get("failure_type")
    if (
        event.get("hook_event_name") != "postToolUseFailure"
        or event.get("is_interrupt") is True
        or kind not in ("error", "timeout")
    ):
        return None
    return _run(event, command, text_of(event, "error_message"), None, timed_out=kind == "timeout")


def _run(
    event: Mapping[str, Any],
    command: str,
    output: str,
    status: int | None,
    *,
    timed_out: bool = False,
) -> ToldRun:
    return ToldRun(
        command,
        _folder(event, object_of(event, "tool_input")),
        output,
        status,
        duration_s=seconds_of(event, "duration"),
        timed_out=timed_out,
        session=text_of(event, "conversation_id"),
    )


def _folder(event: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    roots = event.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    return text_of(given, "working_directory") or text_of(event, "cwd") or root


def _result(output: object) -> Mapping[str, Any]:
    """What `tool_output` holds; a text that is no JSON is the output itself."""
    if isinstance(output, str):
        try:
            output = json.loads(output)
        except ValueError:
            return {"output": output}
    return output if isinstance(output, dict) else {}


def answer(_: Mapping[str, Any], words: str) -> dict[str, object]:
    """The answer that adds `words` to what the model reads."""
    return {"additional_context": words}


def asked(event: Mapping[str, Any]) -> ToldCommand | None:
    """The command that an event is about to run; None for another tool, and for the background."""
    given = object_of(event, "tool_input")
    if event.get("hook_event_name") != "preToolUse" or event.get("tool_name") != TOOL:
        return None
    if given.get("is_background") is True:
        return None
    return ToldCommand(text_of(given, "command"), _folder(event, given))


def replaced(event: Mapping[str, Any], command: str) -> dict[str, object]:
    """The answer that has `command` run; it says nothing of a permission."""
    return {"updated_input": {**object_of(event, "tool_input"), "command": command}}
