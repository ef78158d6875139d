"""What the agents themselves say of the files that are ready-made for them.

`python -m tests.bench manifests`: Claude Code and Gemini CLI validate the plugin, the marketplace and the
extension; Codex CLI installs the plugin from the marketplace and lists the server that came with it;
opencode, which refuses a configuration that is not by its schema, starts the server that is configured. The
agents come from npm (`tests/bench/agent_clis/fetch`). A line says what each was asked, and its verdict.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs

from ._driven_agents import Agent, Claude, Codex, Gemini, Opencode
from .driven import ROOT, _environment

FILES = ROOT / "editors" / "agents"
LIMIT_S = 120
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@attrs.frozen
class Question:
    """Commands of an agent, of which the last one's output has `verdict` where all is well."""

    agent: Agent
    commands: Sequence[Sequence[str]]
    verdict: str


QUESTIONS = (
    Question(Claude(), [["plugin", "validate", f"{FILES / 'plugin'}"]], "Validation passed"),
    Question(Claude(), [["plugin", "validate", f"{ROOT}"]], "Validation passed"),
    Question(
        Codex(),
        [
            ["plugin", "marketplace", "add", f"{ROOT}"],
            ["plugin", "add", "zsh-ls@zsh-ls"],
            ["mcp", "list"],
        ],
        "zsh-ls mcp - - enabled",
    ),
    Question(Gemini(), [["extensions", "validate", f"{FILES / 'gemini'}"]], "success"),
    Question(Opencode(), [["mcp", "list"]], "zsh-ls connected"),
)


def main(_: list[str]) -> int:
    """Ask each agent; 1 where one is not content."""
    subprocess.run([ROOT / "tests" / "bench" / "agent_clis" / "fetch"], check=True)
    discontent = 0
    for question in QUESTIONS:
        said = answer(question)
        is_content = question.verdict in " ".join(said.split())
        discontent += not is_content
        asked = " ".join(question.commands[-1]).replace(f"{ROOT}", ".")
        print(
            f"{question.agent.name}, `{asked}`: {question.verdict if is_content else 'NOT CONTENT'}"
        )
        if not is_content:
            print(said)
    return 1 if discontent else 0


def answer(question: Question) -> str:
    """What the agent says to the last of the commands, in a home of its own."""
    with tempfile.TemporaryDirectory(prefix="zl-", dir="/tmp") as made:
        home, project = Path(made) / "home", Path(made) / "project"
        for folder in (home, home / ".codex", project):
            folder.mkdir()
        shutil.copy(FILES / "opencode.json", project)
        program = list(question.agent.command_line())
        # A script is started by its interpreter.
        program = program[: 2 if program[0] == "node" else 1]
        environment = _environment(home)
        said = ""
        for command in question.commands:
            done = subprocess.run(
                [*program, *command],
                env=environment,
                cwd=project,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=LIMIT_S,
                check=False,
            )
            said = _ESCAPES.sub("", done.stdout).replace("●  ✓ ", "")
    return said
