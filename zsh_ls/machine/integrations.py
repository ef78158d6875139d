"""What this user has that zsh-ls works with: editors, a shell that tells it what runs, agents with its hook.

Nothing is started, and of a file only whether it names zsh-ls is looked at.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from zsh_ls.system.bounded_files import MIB, NotRead, read_bytes

EDITORS: Mapping[str, str] = {
    "code": "VS Code",
    "codium": "VSCodium",
    "nvim": "Neovim",
    "hx": "Helix",
    "emacs": "Emacs",
}
# Where a shell's start-up files and agents' settings stand below the home folder.
SHELLS: Mapping[str, tuple[str, ...]] = {
    "zsh": (".zshrc", ".config/zsh/.zshrc"),
    "bash": (".bashrc", ".bash_profile"),
    "fish": (".config/fish/config.fish",),
}
AGENTS: Mapping[str, tuple[str, ...]] = {
    "claude": (".claude/settings.json",),
    "codex": (".codex/hooks.json", ".codex/config.toml"),
    "gemini": (".gemini/settings.json",),
    "opencode": (".config/opencode/opencode.json", ".config/opencode/plugin/zsh-ls.js"),
    "cursor": (".cursor/hooks.json",),
}


def editors() -> list[str]:
    """The editors on the path, by the names people call them."""
    return [name for program, name in EDITORS.items() if shutil.which(program)]


def shells_with_hook(home: Path) -> list[str]:
    """The shells whose start-up file takes the code of `zsh-ls init`."""
    return [name for name, files in SHELLS.items() if _any_names(home, files, b"zsh-ls init")]


def agents_with_hook(home: Path) -> list[str]:
    """The agents whose settings name `zsh-ls hook`."""
    return [name for name, files in AGENTS.items() if _any_names(home, files, b"zsh-ls hook")]


def mcp_sdk() -> str | None:
    """The version of the SDK that `zsh-ls mcp` needs, None where it is not installed."""
    try:
        return version("mcp")
    except PackageNotFoundError:
        return None


def _any_names(home: Path, files: tuple[str, ...], text: bytes) -> bool:
    return any(text in _content(home / file) for file in files)


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path, MIB)
    except NotRead:
        return b""
