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
