"""The agents that the benchmarks drive: how each is configured and started, and what it says it ran."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

CLIS = Path(__file__).parent.parent.parent / ".cache" / "agent-clis" / "node_modules"
Told = list[tuple[str, int | None]]


class Agent(Protocol):
    """What a benchmark asks of an agent; `agent` is its name for `zsh-ls hook`."""

    name: str
    agent: str
    mcp_tool: str

    def configure(self, home: Path, base_url: str, *, mcp: Sequence[str] | None) -> None:
        """Write its configuration: a rule that refuses a command, and the MCP server, where there is one."""

    def environment(self, base_url: str) -> Mapping[str, str]:
        """What it reads of its environment besides."""

    def call(self, command: str) -> tuple[str, dict[str, Any]]:
        """A call of its own shell tool."""

    def command_line(self) -> list[str]:
        """How it is started for one prompt."""

    def told(self, events: list[dict[str, Any]], read: Sequence[str]) -> Told:
        """The commands it ran, with their exits; `read` is what its model read of each call."""


class Codex:
    """`codex exec`, without its sandbox, which containers often cannot have."""

    name = "Codex CLI"
    agent = "codex"

    def configure(self, home: Path, base_url: str, *, mcp: Sequence[str] | None) -> None:
        """Write its configuration, and a rule that forbids a command."""
        folder = home / ".codex"
        (folder / "rules").mkdir(parents=True, exist_ok=True)
        (folder / "rules" / "default.rules").write_text(
            'prefix_rule(pattern=["terraform"], decision="forbidden")\n'
        )
        server = ""
        if mcp:
            server = f"[mcp_servers.zsh-ls]\ncommand = {json.dumps(mcp[0])}\nargs = {json.dumps(mcp[1:])}\n"
            server += 'required = true\ndefault_tools_approval_mode = "approve"\n'
        (folder / "config.toml").write_text(
            'model = "scripted"\nmodel_provider = "scripted"\n'
            f'[model_providers.scripted]\nname = "scripted"\nbase_url = "{base_url}"\n'
            'wire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n' + server
        )

    def call(self, command: str) -> tuple[str, dict[str, Any]]:
        """A call of its own shell tool."""
        return "exec_command", {"cmd": command, "yield_time_ms": 30_000, "login": False}

    def environment(self, _: str) -> Mapping[str, str]:
        """Nothing: its configuration has it."""
        return {}

    mcp_tool = "mcp__zsh_ls.zsh"

    def command_line(self) -> list[str]:
        """How it is started for one prompt."""
        program = next((CLIS / "@openai").glob("codex-*/vendor/*/bin/codex"))
        options = ["--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
        return [str(program), "exec", *options, "--sandbox", "danger-full-access", "go on"]

    def told(self, events: list[dict[str, Any]], _: Sequence[str]) -> Told:
        """The commands it ran, with their exits."""
        items = [it["item"] for it in events if it.get("type") == "item.completed"]
        runs = [it for it in items if it.get("type") == "command_execution"]
        return [(it["command"], it.get("exit_code")) for it in runs]


class Opencode:
    """`opencode run`."""

    name = "opencode"
    agent = "opencode"

    def configure(self, home: Path, base_url: str, *, mcp: Sequence[str] | None) -> None:
        """Write its configuration, and a rule that denies a command."""
        folder = home / ".config" / "opencode"
        folder.mkdir(parents=True, exist_ok=True)
        model = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": base_url, "apiKey": "none"},
            "models": {"scripted": {"name": "scripted"}},
        }
        server = {"type": "local", "command": mcp, "enabled": True}
        config = {
            "model": "scripted/scripted",
            "autoupdate": False,
            "share": "disabled",
            "provider": {"scripted": model},
            "permission": {"bash": {"*": "allow", "terraform *": "deny"}},
            **({"mcp": {"zsh-ls": server}} if mcp else {}),
        }
        (folder / "opencode.json").write_text(json.dumps(config))

    def call(self, command: str) -> tuple[str, dict[str, Any]]:
        """A call of its own shell tool."""
        return "bash", {"command": command, "description": "Runs it"}

    def environment(self, _: str) -> Mapping[str, str]:
        """Nothing: its configuration has it."""
        return {}

    mcp_tool = "zsh-ls_zsh"

    def command_line(self) -> list[str]:
        """How it is started for one prompt."""
        program = next(CLIS.glob("opencode-*/bin/opencode"))
        return [str(program), "run", "--format", "json", "go on"]

    def told(self, events: list[dict[str, Any]], _: Sequence[str]) -> Told:
        """The commands it ran, with their exits."""
        states = [it["part"]["state"] for it in events if it.get("type") == "tool_use"]
        return [
            (it["input"].get("command", ""), (it.get("metadata") or {}).get("exit"))
            for it in states
            if it.get("status") == "completed"
        ]


class Claude:
    """`claude --print`."""

    name = "Claude Code"
    agent = "claude"
    mcp_tool = "mcp__zsh-ls__zsh"
    _servers = ""

    def configure(self, home: Path, _: str, *, mcp: Sequence[str] | None) -> None:
        """Write its configuration, and a rule that denies a command."""
        folder = home / ".claude"
        folder.mkdir(parents=True, exist_ok=True)
        rules = {"allow": ["Bash", "mcp__zsh-ls"], "deny": ["Bash(terraform:*)"]}
        (folder / "settings.json").write_text(json.dumps({"permissions": rules}, indent=2))
        self._servers = ""
        if mcp:
            server = {"command": mcp[0], "args": mcp[1:]}
            self._servers = json.dumps({"mcpServers": {"zsh-ls": server}})

    def environment(self, base_url: str) -> Mapping[str, str]:
        """Where its model is, and that it speaks to nobody else."""
        return {
            "ANTHROPIC_BASE_URL": base_url.removesuffix("/v1"),
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
        }

    def call(self, command: str) -> tuple[str, dict[str, Any]]:
        """A call of its own shell tool."""
        return "Bash", {"command": command, "description": "Runs it"}

    def command_line(self) -> list[str]:
        """How it is started for one prompt."""
        program = next((CLIS / "@anthropic-ai").glob("claude-code-linux-*/claude"))
        servers = ["--mcp-config", self._servers] if self._servers else []
        return [
            str(program),
            "-p",
            "go on",
            "--output-format",
            "stream-json",
            "--verbose",
            *servers,
        ]

    def told(self, events: list[dict[str, Any]], _: Sequence[str]) -> Told:
        """The commands it ran, with their exits; none of those whose exit it explains instead."""
        commands: dict[str, str] = {}
        ran: Told = []
        for event in events:
            if event.get("type") not in ("assistant", "user"):
                continue
            for part in event["message"]["content"]:
                if part.get("type") == "tool_use" and part["name"] == "Bash":
                    commands[part["id"]] = part["input"]["command"]
                elif part.get("type") == "tool_result" and part["tool_use_id"] in commands:
                    command = commands[part["tool_use_id"]]
                    status = re.match(r"Exit code (\d+)", str(part["content"]))
                    if status:
                        ran.append((command, int(status[1])))
                    elif not part.get("is_error"):
                        given = event.get("tool_use_result") or {}
                        explained = given.get("returnCodeInterpretation")
                        ran.append((command, None if explained else 0))
        return ran


class Gemini:
    """`gemini --prompt`."""

    name = "Gemini CLI"
    agent = "gemini"
    mcp_tool = "mcp_zsh-ls_zsh"

    def configure(self, home: Path, _: str, *, mcp: Sequence[str] | None) -> None:
        """Write its configuration, and a policy that denies a command."""
        folder = home / ".gemini"
        (folder / "policies").mkdir(parents=True, exist_ok=True)
        settings: dict[str, Any] = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "model": {"name": "gemini-2.5-pro"},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False},
        }
        if mcp:
            server = {"command": mcp[0], "args": mcp[1:], "trust": True}
            settings["mcpServers"] = {"zsh-ls": server}
        (folder / "settings.json").write_text(json.dumps(settings, indent=2))
        (folder / "policies" / "own.toml").write_text(
            '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 100\n'
            "allowRedirection = true\n"
            '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "terraform"\n'
            'decision = "deny"\npriority = 200\n'
        )

    def environment(self, base_url: str) -> Mapping[str, str]:
        """Where its model is."""
        return {
            "GOOGLE_GEMINI_BASE_URL": base_url.removesuffix("/v1"),
            "GEMINI_API_KEY": "none",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }

    def call(self, command: str) -> tuple[str, dict[str, Any]]:
        """A call of its own shell tool."""
        return "run_shell_command", {"command": command, "description": "Runs it"}

    def command_line(self) -> list[str]:
        """How it is started for one prompt."""
        program = CLIS / "@google" / "gemini-cli" / "bundle" / "gemini.js"
        return ["node", str(program), "-p", "go on", "--output-format", "stream-json"]

    def told(self, events: list[dict[str, Any]], read: Sequence[str]) -> Told:
        """The commands it ran, with their exits."""
        commands = [
            it["parameters"].get("command", "") for it in events if it.get("type") == "tool_use"
        ]
        said = [it["status"] == "success" for it in events if it.get("type") == "tool_result"]
        exits = [re.search(r"^Exit Code: (\d+)$", it, re.MULTILINE) for it in read]
        return [
            (command, int(status[1]) if status else 0)
            for command, status, has_run in zip(commands, exits, said, strict=False)
            if has_run
        ]


AGENTS: tuple[Agent, ...] = (Claude(), Codex(), Gemini(), Opencode())
