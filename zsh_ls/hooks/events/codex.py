"""The hooks of Codex: its PostToolUse has the output as one text, neither an exit nor a duration."""

from __future__ import annotations

from zsh_ls.hooks.told_run import ToldRun, object_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = (".codex", "hooks.json")
FOLDER_VARIABLE = "CODEX_HOME"
TOOL = "Bash"
_ENTRY = {"type": "command", "command": "zsh-ls hook codex || :", "timeout": 5}
HOOKS: dict[str, list[dict[str, object]]] = {
    "PostToolUse": [{"matcher": f"^{TOOL}$", "hooks": [_ENTRY]}]
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
