"""An agent's rules that name commands by their text, read from the configuration that holds them (HOOK-2).

Whether a rule allows, asks or denies makes no difference here: what it names is left as it is.
"""

from __future__ import annotations

import json
import re

from .comments import without_comments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


class NotReadable(ValueError):
    """A configuration in which rules may stand that are not understood: no command is rewritten then."""


class Rule:
    """What one rule names, as a pattern of its agent; `text` is the rule as written."""

    def __init__(self, text: str, pattern: str) -> None:
        self.text = text
        self._named = re.compile(pattern, re.DOTALL)

    def names(self, command: str) -> bool:
        """Whether the rule speaks of this command."""
        return self._named.fullmatch(command) is not None


def _of_glob(text: str, glob: str) -> Iterator[Rule]:
    """A rule with `*` for any text; one that speaks of every command names none."""
    glob = " ".join(glob.split())
    if not glob.strip("*: "):
        return
    # `npm test:*`, `npm test *`: with arguments or without.
    head = re.sub(r"(?::\*| \*)$", "", glob)
    end = r"(?:[\s:].*)?" if head != glob else ""
    yield Rule(text, ".*".join(re.escape(it) for it in head.split("*")) + end)


def _of_prefix(text: str, prefix: str) -> Iterator[Rule]:
    prefix = " ".join(prefix.split())
    if prefix:
        yield Rule(text, re.escape(prefix) + r"(?:\s.*)?")


def _within(tool: str, entries: object) -> Iterator[tuple[str, str]]:
    """The rules of a list that speak of `tool`, and what is in their parentheses."""
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, str) and entry.startswith(f"{tool}(") and entry.endswith(")"):
            yield entry, entry[len(tool) + 1 : -1]


def of_claude(text: str) -> list[Rule]:
    """The rules of a `settings.json` of Claude Code, and the commands it keeps out of its sandbox."""
    found = _object(text)
    permissions, sandbox = _inner(found, "permissions"), _inner(found, "sandbox")
    rules: list[Rule] = []
    for list_name in ("allow", "ask", "deny"):
        for entry, glob in _within("Bash", permissions.get(list_name)):
            rules += _of_glob(entry, glob)
    for glob in _texts(sandbox.get("excludedCommands")):
        rules += _of_glob(f"excludedCommands: {glob}", glob)
    return rules


def of_gemini(text: str) -> list[Rule]:
    """The rules of a `settings.json` of Gemini CLI."""
    found = _object(text)
    tools = _inner(found, "tools")
    rules: list[Rule] = []
    lists = [tools.get(it) for it in ("core", "allowed", "exclude", "confirmationRequired")]
    lists += [found.get(it) for it in ("coreTools", "allowedTools", "excludeTools")]
    for entries in lists:
        for tool in ("run_shell_command", "ShellTool"):
            for entry, prefix in _within(tool, entries):
                rules += _of_prefix(entry, prefix)
    return rules


def of_gemini_policy(text: str) -> list[Rule]:
    """The rules of a policy file of Gemini CLI (TOML)."""
    import tomllib  # noqa: PLC0415  only where somebody has such a file

    try:
        entries = tomllib.loads(text).get("rule", [])
    except tomllib.TOMLDecodeError as wrong:
        raise NotReadable(str(wrong)) from None
    rules: list[Rule] = []
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict):
            continue
        for prefix in _texts(entry.get("commandPrefix")):
            rules += _of_prefix(f"commandPrefix = {prefix!r}", prefix)
        for name in ("commandRegex", "argsPattern"):
            if pattern := entry.get(name):
                rules.append(_of_regex(f"{name} = {pattern!r}", pattern))
    return rules


def _of_regex(text: str, pattern: object) -> Rule:
    if not isinstance(pattern, str):
        raise NotReadable(f"{text} is no text")
    try:
        return Rule(text, f".*(?:{pattern}).*")
    except re.error as wrong:
        raise NotReadable(f"{text}: {wrong}") from None


def of_codex(text: str) -> list[Rule]:
    """The `prefix_rule`s of a rules file of Codex (Starlark, of which these are Python, too)."""
    import ast  # noqa: PLC0415  only where somebody has such a file

    try:
        calls = [it for it in ast.walk(ast.parse(text)) if isinstance(it, ast.Call)]
        rules: list[Rule] = []
        for call in calls:
            if not isinstance(call.func, ast.Name) or call.func.id != "prefix_rule":
                continue
            given = {it.arg: it.value for it in call.keywords}
            pattern = given.get("pattern") or call.args[0]
            words = ast.literal_eval(pattern)
            said = "(?:" + r")\s+(?:".join(
                "|".join(re.escape(it) for it in ([word] if isinstance(word, str) else word))
                for word in words
            )
            rules.append(Rule(ast.unparse(call), f"{said})(?:\\s.*)?"))
    except (SyntaxError, ValueError, TypeError, IndexError) as wrong:
        raise NotReadable(str(wrong)) from None
    return rules


def of_cursor(text: str) -> list[Rule]:
    """The rules of `permissions.json`, `cli-config.json` or `cli.json` of Cursor."""
    found = _object(text)
    rules: list[Rule] = []
    for glob in _texts(found.get("terminalAllowlist")):
        rules += _of_prefix(f"terminalAllowlist: {glob}", glob.removesuffix(":*").removesuffix("*"))
    permissions = _inner(found, "permissions")
    for list_name in ("allow", "deny"):
        for entry, glob in _within("Shell", permissions.get(list_name)):
            bare = glob.replace(":", " ")
            rules += _of_glob(entry, bare if "*" in bare else f"{bare} *")
    return rules


def of_opencode(permissions: Iterable[object]) -> list[Rule]:
    """The rules of opencode's `permission` objects, as its plugin is told them.

    Raises NotReadable where it would ask about commands that no rule names: its answer "always" is kept
    for the first words of what it asked about, and no hook is told of that.
    """
    rules: list[Rule] = []
    for permission in permissions:
        for kind, value in _decisions(permission):
            if value == "ask" and kind.strip("* ") == "":
                raise NotReadable(f"it asks before each command: {json.dumps(permission)}")
            rules += _of_glob(f"bash: {json.dumps({kind: value})}", kind)
    return rules


def _decisions(permission: object) -> Iterator[tuple[str, object]]:
    """Patterns of shell commands and what is decided of them, in either form that opencode knows."""
    if isinstance(permission, str):
        yield "*", permission
    elif isinstance(permission, dict):
        for name in ("*", "bash"):
            of_tool = permission.get(name)
            yield from of_tool.items() if isinstance(of_tool, dict) else [("*", of_tool)]
    elif isinstance(permission, list):
        for entry in permission:
            if isinstance(entry, dict) and entry.get("permission") in ("*", "bash"):
                yield str(entry.get("pattern")), entry.get("action")


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(without_comments(text)) if text.strip() else {}
    except ValueError as wrong:
        raise NotReadable(f"it is not JSON: {wrong}") from None
    if not isinstance(found, dict):
        raise NotReadable("it is no JSON object")
    return found


def _inner(found: dict[str, Any], name: str) -> dict[str, Any]:
    value = found.get(name)
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    entries = value if isinstance(value, list) else [value]
    return [it for it in entries if isinstance(it, str)]
