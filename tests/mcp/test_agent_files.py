"""The generated files for agents are what their readers take; that they are not stale another test holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate
from ruamel.yaml import YAML

from tools.docgen import agent_files
from tools.releasing.names import NAMES
from zsh_ls import __version__
from zsh_ls.hooks.events import claude, codex, gemini
from zsh_ls.mcp.tools import all_tools

from .session import ROOT

AGENTS = ROOT / "editors" / "agents"
PAGE = (ROOT / "docs" / "agents.md").read_text()
# What the registry's schema of 2025-12-11 asks of the fields that are used.
NAMED = {"type": "object", "required": ["type", "name"], "properties": {"type": {"const": "named"}}}
POSITIONAL = {
    "type": "object",
    "required": ["type", "value"],
    "properties": {"type": {"const": "positional"}},
}
SERVER = {
    "type": "object",
    "required": ["name", "description", "version", "packages"],
    "properties": {
        "name": {"pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "repository": {"required": ["url", "source"]},
        "packages": {
            "items": {
                "additionalProperties": False,
                "required": ["registryType", "identifier", "version", "transport"],
                "properties": {
                    "registryType": {"const": "pypi"},
                    "registryBaseUrl": {"const": "https://pypi.org"},
                    "identifier": {"const": NAMES["pypi"]},
                    "version": {"const": __version__},
                    "runtimeHint": {"enum": ["uvx"]},
                    "runtimeArguments": {"items": NAMED},
                    "packageArguments": {"items": POSITIONAL},
                    "transport": {"properties": {"type": {"const": "stdio"}}},
                },
            }
        },
    },
}
MANIFEST = {
    "type": "object",
    "required": ["name", "version", "description"],
    "properties": {
        "name": {"pattern": "^[a-z0-9-]+$"},
        "version": {"const": __version__},
        "author": {"required": ["name"]},
    },
}
PLUGIN = AGENTS / "plugin"


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def front_matter(path: Path) -> tuple[dict[str, Any], str]:
    _, fields, text = path.read_text().split("---\n", 2)
    return YAML(typ="safe").load(fields), text


def test_the_registry_entry_keeps_to_its_schema_and_the_readme_has_its_name() -> None:
    entry = read(AGENTS / "server.json")
    validate(entry, SERVER)
    assert f"<!-- mcp-name: {entry['name']} -->" in (ROOT / "README.md").read_text()
    [package] = entry["packages"]
    assert package["runtimeArguments"][0]["value"].startswith("mcp>=")


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_plugin_names_files_that_it_has(agent: str) -> None:
    manifest = read(PLUGIN / f".{agent}-plugin" / "plugin.json")
    validate(manifest, MANIFEST)
    named = [value for value in manifest.values() if str(value).startswith("./")]
    assert named
    assert all((PLUGIN / it).exists() for it in named)
    assert [it.name for it in (PLUGIN / f".{agent}-plugin").iterdir()] == ["plugin.json"]


def test_the_marketplace_leads_to_the_plugin() -> None:
    [plugin] = read(ROOT / ".claude-plugin" / "marketplace.json")["plugins"]
    assert (ROOT / plugin["source"] / ".claude-plugin" / "plugin.json").exists()


def test_the_hooks_are_those_that_are_installed() -> None:
    assert read(PLUGIN / "hooks" / "claude.json")["hooks"] == claude.HOOKS
    assert read(PLUGIN / "hooks" / "codex.json")["hooks"] == codex.HOOKS
    assert read(AGENTS / "gemini" / "hooks" / "hooks.json")["hooks"] == gemini.HOOKS


def test_every_file_starts_the_same_server() -> None:
    expected = ["zsh-ls", "mcp"]
    assert read(AGENTS / "opencode.json")["mcp"]["zsh-ls"]["command"] == expected
    goose = YAML(typ="safe").load((AGENTS / "goose.config.yaml").read_text())
    entries = [
        read(PLUGIN / ".mcp.json")["mcpServers"]["zsh-ls"],
        read(AGENTS / "gemini" / "gemini-extension.json")["mcpServers"]["zsh-ls"],
    ]
    assert all([it["command"], *it["args"]] == expected for it in entries)
    assert [
        goose["extensions"]["zsh-ls"]["cmd"],
        *goose["extensions"]["zsh-ls"]["args"],
    ] == expected
    tried = read(AGENTS / "claude-code.uvx.mcp.json")["mcpServers"]["zsh-ls"]
    assert [tried["command"], *tried["args"]] == ["uvx", "--from", "zsh-ls[mcp]", *expected]


# What goose's own code reads of an extension that is a program: ExtensionConfig of
# crates/goose/src/agents/extension.rs.
GOOSE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["type", "name", "description", "cmd", "args", "enabled"],
    "properties": {
        "type": {"const": "stdio"},
        "name": {"type": "string"},
        "description": {"type": "string"},
        "cmd": {"type": "string"},
        "args": {"type": "array", "items": {"type": "string"}},
        "envs": {"type": "object"},
        "timeout": {"type": "integer", "minimum": 1},
        "enabled": {"type": "boolean"},
    },
}
# The same of opencode's published schema, https://opencode.ai/config.json: McpLocalConfig.
OPENCODE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["type", "command"],
    "properties": {
        "type": {"const": "local"},
        "command": {"type": "array", "items": {"type": "string"}},
        "enabled": {"type": "boolean"},
        # In milliseconds; for every request, of which the longest is a call.
        "timeout": {"type": "integer", "minimum": 1},
    },
}
# What Zed's own code reads of a context server that is a program: ContextServerSettingsContent of
# crates/settings_content/src/project.rs. The `source` of older versions is migrated away.
ZED = {
    "type": "object",
    "additionalProperties": False,
    "required": ["command"],
    "properties": {
        "command": {"type": "string"},
        "args": {"type": "array", "items": {"type": "string"}},
        "env": {"type": "object"},
        "timeout": {"type": "integer", "minimum": 1},
        "enabled": {"type": "boolean"},
        "remote": {"type": "boolean"},
    },
}
# What goose reads of a plugin: crates/goose/src/plugins/formats/open_plugins.rs.
GOOSE_PLUGIN = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {
            "pattern": "^[a-z0-9](?:[a-z0-9]|[.-](?![.-]))*(?<![.-])$",
            "minLength": 1,
            "maxLength": 64,
        },
        "version": {"type": "string"},
    },
}


def test_zed_is_configured_by_what_it_reads() -> None:
    validate(read(AGENTS / "zed.settings.json")["context_servers"]["zsh-ls"], ZED)


def test_the_plugin_is_one_of_goose_too() -> None:
    """It installs none without a skill, and would run the hooks of a `hooks.json` as its own."""
    validate(read(PLUGIN / ".plugin" / "plugin.json"), GOOSE_PLUGIN)
    assert (PLUGIN / "skills" / "zsh-ls" / "SKILL.md").exists()
    assert not (PLUGIN / "hooks" / "hooks.json").exists()


def test_the_configurations_of_goose_and_opencode_keep_to_what_these_read() -> None:
    """Goose is not on npm or PyPI, so that nothing but this can be asked of it here."""
    goose = YAML(typ="safe").load((AGENTS / "goose.config.yaml").read_text())
    validate(goose["extensions"]["zsh-ls"], GOOSE)
    opencode = read(AGENTS / "opencode.json")
    assert opencode.keys() == {"$schema", "mcp"}
    validate(opencode["mcp"]["zsh-ls"], OPENCODE)


# HOOK-4
def test_every_agent_reads_the_same_policy_of_tools_that_exist() -> None:
    policy = agent_files.policy()
    assert "Test failure output is never truncated" in policy
    assert "zsh-ls output TASK" in policy
    assert set(re.findall(r"`(zsh(?:_\w+)?)`", policy)) <= set(all_tools())
    readers = [
        "AGENTS.md",
        "gemini/GEMINI.md",
        "plugin/skills/zsh-ls/SKILL.md",
        "cursor.zsh-ls.mdc",
    ]
    assert all((AGENTS / it).read_text().endswith(policy) for it in readers)


@pytest.mark.parametrize("name", ["plugin/skills/zsh-ls/SKILL.md", "cursor.zsh-ls.mdc"])
def test_a_skill_says_when_it_is_of_use(name: str) -> None:
    fields, text = front_matter(AGENTS / name)
    assert fields["description"] == agent_files.WHEN
    assert len(fields["description"]) <= 1024
    assert fields.get("name", "zsh-ls") == "zsh-ls"
    assert text.strip()


def test_the_page_names_every_file() -> None:
    files = [Path(it).relative_to("editors/agents") for it in agent_files.files() if "agents" in it]
    assert not [it for it in files if str(it) not in PAGE and str(it.parts[0]) + "/" not in PAGE]
