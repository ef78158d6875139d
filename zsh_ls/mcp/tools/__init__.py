"""The tools, one module each; to add one, write its module and name it here."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from zsh_ls.mcp.tool import Tool

_MODULES = (
    "zsh",
    "zsh_poll",
    "zsh_send",
    "zsh_kill",
    "zsh_tasks",
    "zsh_output",
    "zsh_ask",
    "zsh_why",
    "zsh_explain",
    "zsh_check",
    "zsh_rehearse",
    "zsh_health",
    "zsh_alan_stats",
    "zsh_alan_query",
    "zsh_neverhang_status",
    "zsh_neverhang_reset",
)


def all_tools() -> dict[str, Tool]:
    """Every tool by its name, in the order agents see them."""
    modules = (cast(Tool, import_module(f"{__name__}.{name}")) for name in _MODULES)
    return {tool.NAME: tool for tool in modules}
