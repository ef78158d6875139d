"""The ready-made files for agents in `editors/agents`: manifests, configurations, the policy.

The hooks are those that `zsh-ls hook install` writes, the policy is `agent_policy.md` beside this
module, names and addresses are those of a release (`tools/releasing/names.toml`).

Formats, as read in November 2026: server.json by modelcontextprotocol/registry (schema of 2025-12-11),
plugins of Claude Code by code.claude.com/docs/en/plugins-reference, of Codex by its plugins'
`.codex-plugin/plugin.json`, extensions of Gemini CLI by geminicli.com/docs/extensions, opencode by
opencode.ai/config.json, goose by its `config.yaml` and `.plugin/plugin.json` (Open Plugins; block/goose,
crates/goose/src/plugins), rules of Cursor by cursor.com/docs/rules.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from tools.releasing.names import NAMES
from zsh_ls import __version__
from zsh_ls.hooks.events import claude, codex, gemini

ROOT = Path(__file__).parent.parent.parent
FOLDER = "editors/agents"
NAME = "zsh-ls"
# At most 100 characters, as the registry has it.
DESCRIPTION = (
    "Runs shell commands, remembers them, tells every exit of a pipeline and what it means."
)
WHEN = (
    "How to run shell commands with zsh-ls: exits behind pipes, waiting without polls, and output that is "
    "never cut where a test failed. Use it whenever commands, builds or tests are run."
)
SERVER: Mapping[str, object] = {"command": "zsh-ls", "args": ["mcp"]}
# Nothing is installed beforehand; the extra has the SDK.
WITH_UVX = ["--from", f"{NAMES['pypi']}[mcp]", "zsh-ls", "mcp"]
SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
# One call may wait for a task's end: longer than most clients wait by themselves.
PATIENCE_S = 600
OPENCODE_SERVER: Mapping[str, object] = {
    "type": "local",
    "command": ["zsh-ls", "mcp"],
    "enabled": True,
    "timeout": PATIENCE_S * 1000,
}


def files() -> dict[str, Callable[[], str]]:
    """What each generated file holds, by its path from the root."""
    below: dict[str, Callable[[], str]] = {
        "server.json": server_json,
        "claude-code.uvx.mcp.json": lambda: as_json(
            {"mcpServers": {NAME: {"type": "stdio", "command": "uvx", "args": WITH_UVX}}}
        ),
        "AGENTS.md": lambda: f"## Running commands: zsh-ls\n\n{policy()}",
        "cursor.zsh-ls.mdc": lambda: with_front_matter(
            {"description": WHEN, "alwaysApply": True}, policy()
        ),
        "opencode.json": lambda: as_json(
            {
                "$schema": "https://opencode.ai/config.json",
                "mcp": {NAME: OPENCODE_SERVER},
            }
        ),
        "goose.config.yaml": goose,
        "plugin/.claude-plugin/plugin.json": lambda: as_json(
            about() | {"hooks": "./hooks/claude.json"}
        ),
        "plugin/.codex-plugin/plugin.json": lambda: as_json(
            about()
            | {"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/codex.json"}
        ),
        "plugin/.plugin/plugin.json": lambda: as_json(about()),
        "plugin/.mcp.json": lambda: as_json({"mcpServers": {NAME: SERVER}}),
        "plugin/hooks/claude.json": lambda: as_json({"hooks": claude.HOOKS}),
        "plugin/hooks/codex.json": lambda: as_json({"hooks": codex.HOOKS}),
        "plugin/skills/zsh-ls/SKILL.md": lambda: with_front_matter(
            {"name": NAME, "description": WHEN}, f"# Running commands with zsh-ls\n\n{policy()}"
        ),
        "gemini/gemini-extension.json": lambda: as_json(
            {
                "name": NAME,
                "version": __version__,
                "description": DESCRIPTION,
                "contextFileName": "GEMINI.md",
                "mcpServers": {NAME: {**SERVER, "timeout": PATIENCE_S * 1000}},
            }
        ),
        "gemini/GEMINI.md": lambda: f"# Running commands with zsh-ls\n\n{policy()}",
        "gemini/hooks/hooks.json": lambda: as_json({"hooks": gemini.HOOKS}),
    }
    above = {".claude-plugin/marketplace.json": marketplace}
    return above | {f"{FOLDER}/{name}": text for name, text in below.items()}


def policy() -> str:
    """What an agent is to do, as a list in Markdown."""
    return Path(__file__).with_name("agent_policy.md").read_text()


def server_json() -> str:
    """The entry of the MCP registry; its name also stands in the README, where the registry looks for it."""
    owner, repository = NAMES["repository"].removeprefix("https://github.com/").split("/")
    package = {  # `uvx --with SDK zsh-ls@VERSION mcp`: clients add name and version themselves
        "registryType": "pypi",
        "registryBaseUrl": "https://pypi.org",
        "identifier": NAMES["pypi"],
        "version": __version__,
        "runtimeHint": "uvx",
        "runtimeArguments": [{"type": "named", "name": "--with", "value": sdk()}],
        "packageArguments": [{"type": "positional", "value": "mcp"}],
        "transport": {"type": "stdio"},
    }
    return as_json(
        {
            "$schema": SERVER_SCHEMA,
            "name": f"io.github.{owner}/{repository}",
            "description": DESCRIPTION,
            "version": __version__,
            "repository": {"url": NAMES["repository"], "source": "github"},
            "websiteUrl": NAMES["site"],
            "packages": [package],
        }
    )


def sdk() -> str:
    """The requirement of the extra `mcp`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    [requirement] = project["optional-dependencies"]["mcp"]
    return str(requirement)


def about() -> dict[str, object]:
    """What the manifests of Claude Code and Codex begin with, and all that goose reads of one."""
    return {
        "name": NAME,
        "version": __version__,
        "description": DESCRIPTION,
        "author": {"name": "The zsh-ls authors", "url": NAMES["repository"]},
        "homepage": NAMES["site"],
        "repository": NAMES["repository"],
        "license": "MIT",
        "keywords": ["zsh", "bash", "shell", "pipestatus", "tests"],
    }


def marketplace() -> str:
    """What Claude Code reads of a repository that has a plugin: `/plugin marketplace add OWNER/NAME`."""
    plugin = {"name": NAME, "source": f"./{FOLDER}/plugin", "description": DESCRIPTION}
    owner = {"name": "The zsh-ls authors"}
    return as_json({"name": NAME, "description": DESCRIPTION, "owner": owner, "plugins": [plugin]})


def goose() -> str:
    """The entry of goose's `config.yaml`."""
    entry = {
        "enabled": True,
        "type": "stdio",
        "name": NAME,
        "description": DESCRIPTION,
        "cmd": "zsh-ls",
        "args": ["mcp"],
        "envs": {},
        "timeout": PATIENCE_S,
    }
    lines = (f"    {key}: {json.dumps(value)}\n" for key, value in entry.items())
    return f"extensions:\n  {NAME}:\n{''.join(lines)}"


def with_front_matter(fields: Mapping[str, str | bool], text: str) -> str:
    """Markdown that begins with fields in YAML, of which JSON is a part."""
    lines = "".join(f"{name}: {json.dumps(value)}\n" for name, value in fields.items())
    return f"---\n{lines}---\n\n{text}"


def as_json(value: object) -> str:
    """Indented JSON with a final newline."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
