"""docs/agents.md and the ready-made configurations name tools that exist and a command that starts."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from zsh_ls.mcp.tools import all_tools

from .session import ROOT, environment

AGENTS = ROOT / "editors" / "agents"
CONFIGURATIONS = [
    AGENTS / "claude-code.mcp.json",
    AGENTS / "cline.mcp_settings.json",
    AGENTS / "codex.config.toml",
    AGENTS / "gemini-cli.settings.json",
    AGENTS / "vscode.mcp.json",
    AGENTS / "zed.settings.json",
]
PAGE = (ROOT / "docs" / "agents.md").read_text()


def entry_of(path: Path) -> dict[str, Any]:
    """The one server in a configuration; agents call the list of servers differently."""
    text = path.read_text()
    read = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    [servers] = read.values()
    [(name, entry)] = servers.items()
    assert name == "zsh-ls"
    found: dict[str, Any] = entry
    return found


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: path.name)
def test_a_configuration_names_the_server(path: Path) -> None:
    entry = entry_of(path)
    assert (entry["command"], entry["args"]) == ("zsh-ls", ["mcp"])
    assert path.name in PAGE


# What clients call the limit of one call, in which unit; without it they end a call after a minute.
PATIENCE_S = 600
LIMITS = {
    "cline.mcp_settings.json": ("timeout", 1),
    "codex.config.toml": ("tool_timeout_sec", 1),
    "gemini-cli.settings.json": ("timeout", 1_000),
    "opencode.json": ("timeout", 1_000),
    "zed.settings.json": ("timeout", 1),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_client_with_a_limit_of_its_own_waits_as_long_as_a_call_may_take(name: str) -> None:
    field, of_a_second = LIMITS[name]
    read = json.loads((AGENTS / name).read_text()) if name == "opencode.json" else None
    entry = read["mcp"]["zsh-ls"] if read else entry_of(AGENTS / name)
    assert entry[field] == PATIENCE_S * of_a_second


@pytest.mark.slow
async def test_the_configured_server_starts(home: dict[str, str], project: Path) -> None:
    entry = entry_of(CONFIGURATIONS[0])
    command = shutil.which(entry["command"])
    assert command is not None, "zsh-ls is not installed"
    started = StdioServerParameters(
        command=command, args=entry["args"], env=environment(home), cwd=str(project)
    )
    async with stdio_client(started) as streams, ClientSession(*streams) as agent:
        assert (await agent.initialize()).server_info.name == "zsh-ls"


def test_the_page_names_every_tool_and_the_output_policy() -> None:
    assert not [name for name in all_tools() if f"`{name}" not in PAGE]
    assert "Test failure output is never truncated" in PAGE
