"""The files in which an agent keeps rules about commands, read anew for each command (HOOK-2)."""

from __future__ import annotations

import glob
import os
from pathlib import Path

from zsh_ls.hooks import rules
from zsh_ls.system.bounded_files import NotRead, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from zsh_ls.hooks.told_run import ToldCommand

    Reader = Callable[[str], list[rules.Rule]]

LONGEST_BYTES = 4 << 20
MOST_ANCESTORS = 12
# Rules that are given to Claude Code itself, where no file has them.
# Of a transcript: what it says of a call stands at its end, of the turn at most so far above.
LONGEST_LOOK_BYTES = 16 << 20
BLOCK_BYTES = 64 << 10
_GIVEN = (b"--allowed", b"--disallowed", b"--settings", b"--permission-prompt-tool")
_MANAGED = ("/etc/claude-code", "/Library/Application Support/ClaudeCode")


def rules_around(agent: str, folder: str, permissions: object = None) -> list[rules.Rule]:
    """All rules of the agent that hold for `folder`; `permissions` are those that it told itself.

    Raises NotReadable where some may not be known.
    """
    if agent == "opencode":
        if not isinstance(permissions, list):
            raise rules.NotReadable("its permissions are not known")
        return rules.of_opencode(permissions)
    if agent == "claude" and _was_given_rules():
        raise rules.NotReadable("it was started with rules of its own")
    found: list[rules.Rule] = []
    for path, reader in _files(agent, folder):
        try:
            text = read_bytes(Path(path), LONGEST_BYTES).decode("utf-8")
            found += reader(text)
        except (NotRead, UnicodeDecodeError, rules.NotReadable) as problem:
            if os.path.exists(path):
                raise rules.NotReadable(f"{path}: {problem}") from None
    return found


def asks_first(told: ToldCommand) -> bool:
    """Whether Codex asks somebody before it runs a command, by its transcript; False where it keeps none."""
    from zsh_ls.hooks.events import codex

    try:
        with open(told.transcript, "rb") as file:
            return codex.asks_first(_lines_backwards(file), told.call)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _lines_backwards(file: BinaryIO) -> Iterator[str]:
    """The lines of a file from its end, no further back than LONGEST_LOOK_BYTES."""
    at = file.seek(0, os.SEEK_END)
    lowest = max(0, at - LONGEST_LOOK_BYTES)
    rest = b""
    while at > lowest:
        size_bytes = min(BLOCK_BYTES, at - lowest)
        at = file.seek(at - size_bytes)
        first, *others = (file.read(size_bytes) + rest).split(b"\n")
        for line in reversed(others):
            yield line.decode("utf-8", "replace")
        rest = first
    yield rest.decode("utf-8", "replace")


def _files(agent: str, folder: str) -> Iterator[tuple[str, Reader]]:
    """The files that may hold rules, whether they are there or not."""
    home = os.path.expanduser("~")
    above = list(_with_folders_above(folder))
    if agent == "claude":
        yield from _files_of_claude(home, above)
    elif agent == "codex":
        own = os.environ.get("CODEX_HOME") or f"{home}/.codex"
        for place in dict.fromkeys([own, "/etc/codex", *(f"{it}/.codex" for it in above)]):
            for path in sorted(glob.glob(f"{glob.escape(place)}/rules/*.rules")):
                yield path, rules.of_codex
    elif agent == "gemini":
        places = [f"{home}/.gemini", "/etc/gemini-cli", *(f"{it}/.gemini" for it in above)]
        for place in dict.fromkeys(places):
            yield f"{place}/settings.json", rules.of_gemini
            for path in sorted(glob.glob(f"{glob.escape(place)}/policies/*.toml")):
                yield path, rules.of_gemini_policy
    elif agent == "cursor":
        for place in dict.fromkeys([f"{home}/.cursor", *(f"{it}/.cursor" for it in above)]):
            for name in ("permissions.json", "cli-config.json", "cli.json"):
                yield f"{place}/{name}", rules.of_cursor


def _files_of_claude(home: str, above: list[str]) -> Iterator[tuple[str, Reader]]:
    own = os.environ.get("CLAUDE_CONFIG_DIR") or f"{home}/.claude"
    project = os.environ.get("CLAUDE_PROJECT_DIR")
    places = [own, *(f"{it}/.claude" for it in [*above, *([project] if project else [])])]
    for place in dict.fromkeys(places):
        for name in ("settings.json", "settings.local.json", "remote-settings.json"):
            yield f"{place}/{name}", rules.of_claude
    for place in _MANAGED:
        for path in [
            f"{place}/managed-settings.json",
            *sorted(glob.glob(f"{place}/managed-settings.d/*.json")),
        ]:
            yield path, rules.of_claude


def _with_folders_above(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _was_given_rules() -> bool:
    """Whether a process above this one was started with rules for commands; where that can be seen."""
    process = os.getppid()
    for _ in range(MOST_ANCESTORS):
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            status = Path(f"/proc/{process}/stat").read_bytes()
        except OSError:
            return False
        if any(word.startswith(_GIVEN) for word in words):
            return True
        process = int(status.rpartition(b")")[2].split()[1])
        if process <= 1:
            return False
    return False
