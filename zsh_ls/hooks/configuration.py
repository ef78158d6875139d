"""What `zsh-ls hook install` writes into an agent's JSON configuration, and takes out again: text to text."""

from __future__ import annotations

import json
from typing import Any

from zsh_ls.lazy import re

from .comments import without_comments

DEFAULT_INDENT = "  "
_INDENT = re.compile(r"\A\s*\{\r?\n([ \t]+)\S")


class NotUnderstood(ValueError):
    """A configuration that is no JSON object, or whose `hooks` are not what the agent takes."""


def installed(text: str | None, hooks: dict[str, list[dict[str, object]]], ours: str) -> str:
    """The configuration with `hooks` added to it; the text itself where they are all there.

    `ours` begins every command that is of zsh-ls: entries of an earlier version are replaced. `None` is
    for a file that is not there. Raises NotUnderstood.
    """
    found = {} if text is None or not text.strip() else _parsed(text)
    wanted = _without(found, ours)
    at_event = wanted.setdefault("hooks", {})
    for event, entries in hooks.items():
        if not isinstance(at_event.setdefault(event, []), list):
            raise NotUnderstood(f"its `hooks.{event}` is no list")
        at_event[event] = [*at_event[event], *entries]
    if text is not None and found == wanted:
        return text
    if text is not None and found and "hooks" not in found:
        added = _added(text, wanted["hooks"])
        if _parsed(added) == wanted:
            return added
    return _written(wanted, text)


def removed(text: str, ours: str, empty: dict[str, object]) -> str | None:
    """The configuration without the entries that run `ours`; None where nothing else was in it.

    `empty` is what an agent's own configuration has at least. Raises NotUnderstood.
    """
    found = _parsed(text)
    rest = _without(found, ours)
    if rest == found:
        return text
    return None if rest in ({}, empty) else _written(rest, text)


def _parsed(text: str) -> dict[str, Any]:
    try:
        found = json.loads(without_comments(text))
    except ValueError as wrong:
        raise NotUnderstood(f"it is not JSON: {wrong}") from None
    if not isinstance(found, dict):
        raise NotUnderstood("it is no JSON object")
    if not isinstance(found.get("hooks", {}), dict):
        raise NotUnderstood("its `hooks` are no object")
    return found


def _without(found: dict[str, Any], ours: str) -> dict[str, Any]:
    """The configuration without the entries of zsh-ls, and without what is empty then."""
    if "hooks" not in found:
        return dict(found)
    hooks: dict[str, Any] = {}
    for event, groups in found["hooks"].items():
        if not isinstance(groups, list):
            hooks[event] = groups
            continue
        kept = [it for it in (_group_without(group, ours) for group in groups) if it is not None]
        if kept or not groups:
            hooks[event] = kept
    rest = {name: value for name, value in found.items() if name != "hooks"}
    if hooks or not found["hooks"]:
        # At its own place among the others.
        return {name: hooks if name == "hooks" else value for name, value in found.items()}
    return rest


def _group_without(group: Any, ours: str) -> Any:
    """A group, or an entry, without the commands of zsh-ls; None where nothing else was in it."""
    if not isinstance(group, dict):
        return group
    if _is_ours(group, ours):
        return None
    entries = group.get("hooks")
    if not isinstance(entries, list):
        return group
    kept = [it for it in entries if not _is_ours(it, ours)]
    if len(kept) == len(entries):
        return group
    return {**group, "hooks": kept} if kept else None


def _is_ours(entry: Any, ours: str) -> bool:
    command = entry.get("command") if isinstance(entry, dict) else None
    return isinstance(command, str) and (command == ours or command.startswith(f"{ours} "))


def _added(text: str, hooks: dict[str, Any]) -> str:
    """The text of an object with `hooks` as its last member; nothing else of it is changed."""
    bare = without_comments(text)
    at = bare.rindex("}")
    last = len(bare[:at].rstrip())
    found = _INDENT.match(text)
    indent, newline = found[1] if found else DEFAULT_INDENT, "\r\n" if "\r\n" in text else "\n"
    lines = json.dumps({"hooks": hooks}, indent=indent, ensure_ascii=False).split("\n")[1:-1]
    inside = f"{text[:last]},{text[last:at].rstrip()}"
    return newline.join([inside, *lines, text[at:]])


def _written(value: dict[str, Any], like: str | None) -> str:
    """The value as JSON, indented as the text that it replaces. Raises NotUnderstood if that has comments."""
    if like is not None and without_comments(like) != like:
        raise NotUnderstood("it has comments, which would be lost")
    found = None if like is None else _INDENT.match(like)
    indent = found[1] if found else DEFAULT_INDENT
    ends = "" if like is not None and like.strip() and not like.endswith("\n") else "\n"
    text = json.dumps(value, indent=indent, ensure_ascii=False) + ends
    return text.replace("\n", "\r\n") if like is not None and "\r\n" in like else text
