"""The hooks of Claude Code: PostToolUse comes after an exit of 0, PostToolUseFailure after any other."""

from __future__ import annotations

from zsh_ls.hooks.told_run import ToldCommand, ToldRun, object_of, seconds_of, text_of
from zsh_ls.lazy import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = (".claude", "settings.json")
FOLDER_VARIABLE = "CLAUDE_CONFIG_DIR"
TOOL = "Bash"
SHOWS_EXITS = True
TIMEOUT_S = 5
LONGEST_WAIT_S = 86_400
# Two forms: that of its documentation, and that of the tool's own text.
_EXIT = re.compile(
    r"\A(?:Exit code|Command (?:exited with|failed with)[a-z -]* code) (\d{1,3})\b:?"
)
_TIMED_OUT = re.compile(r"\b(?:Command )?timed out after\b")
_ENTRY = {"type": "command", "command": "zsh-ls hook claude || :", "timeout": TIMEOUT_S}
# It runs beside the agent until a detached run has ended, and only for commands that may start one.
_WAKE = {
    "type": "command",
    "command": "zsh-ls hook claude --wake",
    "if": "Bash(zsh-ls run *)",
    "asyncRewake": True,
    "timeout": LONGEST_WAIT_S,
}
HOOKS: dict[str, list[dict[str, object]]] = {
    "PostToolUse": [{"matcher": TOOL, "hooks": [_ENTRY, _WAKE]}],
    "PostToolUseFailure": [{"matcher": TOOL, "hooks": [_ENTRY]}],
}

REWRITE_HOOKS: dict[str, list[dict[str, object]]] = {
    "PreToolUse": [
        {"matcher": TOOL, "hooks": [{**_ENTRY, "command": "zsh-ls hook claude --rewrite || :"}]}
    ]
}


def read(event: Mapping[str, Any]) -> ToldRun | None:
    """The run that an event tells of; None for one of another tool, or one that was interrupted."""
    name = event.get("hook_event_name")
    given = object_of(event, "tool_input")
    command = text_of(given, "command")
    if event.get("tool_name") != TOOL or not command:
        return None
    if name == "PostToolUse":
        response = object_of(event, "tool_response")
        if response.get("interrupted") is True or given.get("run_in_background") is True:
            return None
        output = "\n".join(filter(None, (text_of(response, it) for it in ("stdout", "stderr"))))
        # What Claude Code explains itself (`No matches found`) had another exit, which it does not tell.
        status = None if text_of(response, "returnCodeInterpretation") else 0
        return _run(event, command, output, status)
    if name == "PostToolUseFailure" and event.get("is_interrupt") is not True:
        error = text_of(event, "error")
        found = _EXIT.match(error)
        output = error[found.end() :].lstrip() if found else error
        status = int(found[1]) if found else None
        timed_out = found is None and _TIMED_OUT.search(error) is not None
        return _run(event, command, output, status, timed_out=timed_out)
    return None


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
        text_of(event, "cwd"),
        output,
        status,
        duration_s=seconds_of(event, "duration_ms"),
        timed_out=timed_out,
        session=text_of(event, "session_id"),
    )


def answer(event: Mapping[str, Any], words: str) -> dict[str, object]:
    """The answer that adds `words` to what Claude reads."""
    name = event["hook_event_name"]
    return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": words}}


def asked(event: Mapping[str, Any]) -> ToldCommand | None:
    """The command that an event is about to run; None for another tool, and for the background."""
    given = object_of(event, "tool_input")
    if event.get("hook_event_name") != "PreToolUse" or event.get("tool_name") != TOOL:
        return None
    if given.get("run_in_background") is True:
        return None
    return ToldCommand(text_of(given, "command"), text_of(event, "cwd"))


def replaced(event: Mapping[str, Any], command: str) -> dict[str, object]:
    """The answer that has `command` run; without a decision Claude Code asks as it would have."""
    given = {**object_of(event, "tool_input"), "command": command}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": given}}
