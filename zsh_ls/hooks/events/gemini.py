"""The hooks of Gemini CLI: AfterTool has the text that the model reads, with any exit other than 0 in it."""

from __future__ import annotations

import posixpath

from zsh_ls.hooks.told_run import ToldCommand, ToldRun, exit_of, object_of, text_of
from zsh_ls.lazy import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FILE = (".gemini", "settings.json")
FOLDER_VARIABLE = ""
TOOL = "run_shell_command"
SHOWS_EXITS = True
TIMEOUT_MS = 5000
_ENTRY = {
    "type": "command",
    "name": "zsh-ls",
    "command": "zsh-ls hook gemini || :",
    "timeout": TIMEOUT_MS,
}
HOOKS: dict[str, list[dict[str, object]]] = {"AfterTool": [{"matcher": TOOL, "hooks": [_ENTRY]}]}
REWRITE_HOOKS: dict[str, list[dict[str, object]]] = {
    "BeforeTool": [
        {
            "matcher": TOOL,
            "hooks": [{**_ENTRY, "command": "zsh-ls hook gemini --rewrite || :"}],
        }
    ]
}
# Gemini CLI runs every command with it, but on Windows.
SHELL = "bash"
_EXIT = re.compile(r"^Exit Code: (\d{1,3}|\(none\))$", re.MULTILINE)
_REDIRECTION = re.compile(r"[<>]")
_OUTPUT = re.compile(r"^Output: ?(?:\(empty\)$)?", re.MULTILINE)
# What follows the output in that text.
_BEHIND = re.compile(
    r"^(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): .*\Z",
    re.MULTILINE | re.DOTALL,
)
# A command that ended otherwise has no exit of its own.
_NOT_ENDED = re.compile(r"^Signal: (?!\(none\))|\ACommand (?:was|timed|is|moved)\b", re.MULTILINE)


def read(event: Mapping[str, Any]) -> ToldRun | None:
    """The run that an event tells of; None for one of another tool."""
    if event.get("hook_event_name") != "AfterTool" or event.get("tool_name") != TOOL:
        return None
    given = object_of(event, "tool_input")
    command = text_of(given, "command")
    if not command:
        return None
    text = _text(object_of(event, "tool_response").get("llmContent"))
    found = list(_EXIT.finditer(text))
    began = _OUTPUT.search(text)
    output = _BEHIND.sub("", text[began.end() if began else 0 :])
    status: int | None = None
    if found and found[-1][1] != "(none)":
        status = exit_of(int(found[-1][1]))
    elif began and not _NOT_ENDED.search(text):
        status = 0
    folder = text_of(event, "cwd")
    # `dir_path` may be relative, to the workspace.
    folder = posixpath.join(folder, text_of(given, "dir_path") or text_of(given, "directory"))
    return ToldRun(
        command, posixpath.normpath(folder), output, status, session=text_of(event, "session_id")
    )


def _text(content: object) -> str:
    """The text of a `llmContent`: one, or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    return "\n".join(
        it if isinstance(it, str) else text_of(it, "text")
        for it in parts
        if isinstance(it, (str, dict))
    )


def answer(_: Mapping[str, Any], words: str) -> dict[str, object]:
    """The answer that adds `words` to what the model reads."""
    return {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": words}}


def asked(event: Mapping[str, Any]) -> ToldCommand | None:
    """The command that an event is about to run; None for another tool, and for the background."""
    given = object_of(event, "tool_input")
    if event.get("hook_event_name") != "BeforeTool" or event.get("tool_name") != TOOL:
        return None
    if given.get("is_background") is True:
        return None
    command = text_of(given, "command")
    # It asks about these also where its rules allow all, and it asks about what the hook makes of them.
    if _REDIRECTION.search(command):
        return None
    return ToldCommand(command, text_of(event, "cwd"), shell=SHELL)


def replaced(_: Mapping[str, Any], command: str) -> dict[str, object]:
    """The answer that has `command` run, which is what its rules and its question are about then."""
    changed = {"command": command}
    return {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": changed}}
