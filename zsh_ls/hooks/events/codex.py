"""The hooks of Codex: its PostToolUse has the output as one text, neither an exit nor a duration."""

from __future__ import annotations

import json

from zsh_ls.hooks.told_run import ToldCommand, ToldRun, object_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

FILE = (".codex", "hooks.json")
FOLDER_VARIABLE = "CODEX_HOME"
TOOL = "Bash"
SHOWS_EXITS = True
_ENTRY = {"type": "command", "command": "zsh-ls hook codex || :", "timeout": 5}
HOOKS: dict[str, list[dict[str, object]]] = {
    "PostToolUse": [{"matcher": f"^{TOOL}$", "hooks": [_ENTRY]}]
}

REWRITE_HOOKS: dict[str, list[dict[str, object]]] = {
    "PreToolUse": [
        {
            "matcher": f"^{TOOL}$",
            "hooks": [{**_ENTRY, "command": "zsh-ls hook codex --rewrite || :"}],
        }
    ]
}


def read(event: Mapping[str, Any]) -> ToldRun | None:
    """The run that an event tells of; None for one of another tool."""
    command = text_of(object_of(event, "tool_input"), "command")
    if event.get("hook_event_name") != "PostToolUse" or event.get("tool_name") != TOOL:
        return None
    if not command:
        return None
    return ToldRun(
        command,
        text_of(event, "cwd"),
        text_of(event, "tool_response"),
        None,
        session=text_of(event, "session_id"),
    )


def answer(_: Mapping[str, Any], words: str) -> dict[str, object]:
    """The answer that adds `words` to what the model reads."""
    return {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": words}}


def asked(event: Mapping[str, Any]) -> ToldCommand | None:
    """The command that an event is about to run; None for another tool."""
    if event.get("hook_event_name") != "PreToolUse" or event.get("tool_name") != TOOL:
        return None
    command = text_of(object_of(event, "tool_input"), "command")
    # Its approval policy is `never` in this mode; of all others the transcript tells.
    never_asks = event.get("permission_mode") == "bypassPermissions"
    transcript = "" if never_asks else text_of(event, "transcript_path")
    call = text_of(event, "tool_use_id")
    return ToldCommand(command, text_of(event, "cwd"), transcript=transcript, call=call)


def asks_first(lines: Iterable[str], call: str) -> bool:
    """Whether Codex asks somebody before it runs the call; `lines` are its transcript's, the last first.

    Its question would show the other command: what it asks about is left as it is. By the policy `on-request`
    it asks where the model wants to leave the sandbox. What the transcript does not tell counts as asked.
    """
    escalates: bool | None = None
    for line in lines:
        if '"turn_context"' not in line and '"function_call"' not in line:
            continue
        try:
            told = json.loads(line)
        except ValueError:
            continue
        payload = object_of(told, "payload") if isinstance(told, dict) else {}
        if payload.get("type") == "function_call" and payload.get("call_id") == call:
            escalates = "require_escalated" in text_of(payload, "arguments")
        elif told.get("type") == "turn_context":
            policy = payload.get("approval_policy")
            return policy != "never" and (policy != "on-request" or escalates is not False)
    return True


def replaced(event: Mapping[str, Any], command: str) -> dict[str, object]:
    """The answer that has `command` run.

    Codex takes no other input without `allow`, by which it means no more than that: its approvals and its
    sandbox judge the new command afterwards (`codex-rs/hooks/src/engine/output_parser.rs`).
    """
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": {**object_of(event, "tool_input"), "command": command},
        }
    }
