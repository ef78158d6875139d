"""Which commands run through `zsh-ls run --brief` where that is asked for, and which are left (HOOK-2)."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.cli.agent_rules import rules_around
from zsh_ls.hooks import rules
from zsh_ls.hooks.events import AGENTS
from zsh_ls.hooks.rewriting import rewritten, switches_off

RECORDED = Path(__file__).parent / "recorded_before"
CASES = [
    (agent, case)
    for agent in AGENTS
    for case in json.loads((RECORDED / f"{agent}.json").read_text())
]


def anything(_: str) -> bool:
    return True


# HOOK-2
@pytest.mark.parametrize(
    ("agent", "case"), CASES, ids=[f"{agent}: {it['name']}" for agent, it in CASES]
)
def test_what_an_event_before_a_command_is_answered(agent: str, case: dict[str, Any]) -> None:
    spoken = importlib.import_module(f"zsh_ls.hooks.events.{agent}")
    event = case["event"]
    told = spoken.asked(event)
    command = None
    if told is not None:
        assert told.folder == "/work/shop"
        try:
            known = rules_around(agent, "/nowhere", told.permissions) if agent == "opencode" else []
            command = rewritten(told.command, "bash", known, anything)
        except rules.NotReadable:
            pass
    assert (spoken.replaced(event, command) if command else None) == case["answer"]


# HOOK-2
@pytest.mark.parametrize("agent", AGENTS)
def test_an_answer_never_decides_about_a_permission(agent: str) -> None:
    """Codex takes no other command without `allow`, and means no more by it than that."""
    spoken = importlib.import_module(f"zsh_ls.hooks.events.{agent}")
    answer = spoken.replaced({"tool_input": {"command": "make"}}, "zsh-ls run --brief make")
    inner = answer.get("hookSpecificOutput", answer)
    decided = {"permission", "decision", "permissionDecision"} & set(inner)
    assert decided == ({"permissionDecision"} if agent == "codex" else set())


# HOOK-2
@pytest.mark.parametrize(
    "command",
    [
        "make",
        "npm test",
        "A=1 make -j4 2>&1 >/dev/null",
        "pytest -q | tail -3",
        "(make all)",
        "for n in 1 2; do make $n; done",
        "if make; then pytest; fi",
        "node --test 'a b.mjs'",
        "./run --fast",
        "time cargo build",
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_what_builds_and_tests_is_run_the_other_way(command: str, shell: str) -> None:
    import shlex

    form = rewritten(command, shell, [], anything)
    assert form is not None
    assert shlex.split(form) == ["zsh-ls", "run", "--brief", "--shell", shell, command]


LEFT = {
    "changes the agent's shell": (
        "cd api && make",
        "export A=1",
        "A=1",
        "source env.sh",
        ". env.sh",
        "set -e; make",
        "f() { make; }; f",
        "alias m=make; m",
        "eval make",
        "exec make",
    ),
    "interactive": (
        "vim a",
        "python3",
        "top",
        "docker run -it image",
        "less a",
        "select x in 1; do make; done",
    ),
    "in the background": ("make &", "nohup make", "make & wait", "setsid make"),
    "zsh-ls already": ("zsh-ls run make", "/opt/bin/zsh-ls run --brief make"),
    "not understood": ("make ||", "echo 'a", "make <<E\na\nE", "", "   ", "-x", "make \0"),
    "judged by its name": (
        "rm -rf build && make",
        "timeout 5 rm -r x",
        "sudo make install",
        "git push",
        "bash -c 'make; git push'",
        "curl x | make",
        "chmod +x run && ./run",
    ),
    "let pass by its name": ("ls -l", "cat Makefile", "grep -c a b", "pwd; date"),
    "hides what is judged": (
        "make $(git push)",
        "make `rm x`",
        "make <(cat x)",
        "make > out",
        "cat /etc/passwd | make",
    ),
    "by a variable": ("$CC a.c", "~/run"),
}


# HOOK-2
@pytest.mark.parametrize("command", [it for commands in LEFT.values() for it in commands], ids=repr)
def test_what_is_left_as_it_is(command: str) -> None:
    assert rewritten(command, "bash", [], anything) is None


def test_a_function_of_the_agents_own_shell_is_left() -> None:
    assert rewritten("deploy all", "bash", [], lambda _: None) is None


CLAUDE = json.dumps(
    {
        "permissions": {
            "allow": ["Bash(npm run lint:*)", "Bash", "Bash(make test)", "Read(a)"],
            "ask": ["Bash(* --publish)"],
            "deny": ["Bash(terraform *)"],
        },
        "sandbox": {"excludedCommands": ["docker:*"]},
    }
)


# HOOK-2
@pytest.mark.parametrize(
    ("read", "text", "named", "not_named"),
    [
        (
            rules.of_claude,
            CLAUDE,
            (
                "npm run lint",
                "npm run lint --fix | tail",
                "make test",
                "env -i terraform plan",
                "x --publish",
                "docker build .",
            ),
            ("npm run build", "make tests", "make"),
        ),
        (
            rules.of_codex,
            'prefix_rule(pattern=["go", ["test", "vet"]], decision="prompt")',
            ("go test ./...", "nice go vet"),
            ("go build", "go testing"),
        ),
        (
            rules.of_gemini,
            '{"tools": {"allowed": ["run_shell_command(npm test)"], "exclude": ["ShellTool(make)"]}}',
            ("npm test", "make -j4"),
            ("npm testing", "cmake"),
        ),
        (
            rules.of_gemini_policy,
            '[[rule]]\ncommandPrefix = ["npm", "make "]\n[[rule]]\ncommandRegex = "deploy|ship"\n',
            ("npm test", "make", "just deploy"),
            ("pnpm test", "cmake ."),
        ),
        (
            rules.of_cursor,
            '{"terminalAllowlist": ["npm:*"], "permissions": {"deny": ["Shell(make)"]}}',
            ("npm test", "make all"),
            ("pnpm test", "cmake"),
        ),
    ],
    ids=["claude", "codex", "gemini", "gemini policies", "cursor"],
)
def test_what_a_rule_names_is_left(
    read: Callable[[str], list[rules.Rule]],
    text: str,
    named: tuple[str, ...],
    not_named: tuple[str, ...],
) -> None:
    known = read(text)
    assert [it for it in named if rewritten(it, "bash", known, anything)] == []
    assert [it for it in not_named if not rewritten(it, "bash", known, anything)] == []


# HOOK-2
@pytest.mark.parametrize(
    ("rule", "is_off"),
    [
        ("Bash(zsh-ls:*)", True),
        ("Bash(zsh-ls run *)", True),
        ("Bash(zsh-ls run --brief --shell bash:*)", True),
        ("Bash(zsh-ls output *)", False),
        ("Bash(zsh-ls run --brief --shell bash 'make')", False),
        ("Bash(*)", False),
    ],
)
def test_a_rule_for_all_that_zsh_ls_runs_switches_it_off(rule: str, is_off: bool) -> None:
    known = rules.of_claude(json.dumps({"permissions": {"allow": [rule]}}))
    assert (switches_off(known) is not None) is is_off


# HOOK-2
@pytest.mark.parametrize(
    ("agent", "name", "text"),
    [
        ("claude", ".claude/settings.json", "{"),
        ("codex", ".codex/rules/own.rules", "prefix_rule(pattern=words())"),
        ("gemini", ".gemini/policies/own.toml", "[[rule"),
        ("cursor", ".cursor/cli.json", "[]"),
    ],
)
def test_rules_that_cannot_be_read_are_said_to_be_unknown(
    agent: str, name: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(rules.NotReadable, match=path.name):
        rules_around(agent, str(tmp_path / "below"))
