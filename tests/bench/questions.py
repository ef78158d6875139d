"""Which questions agents put before they run a command, with and without a hook.

`python -m tests.bench questions`: agents are driven by a model that follows a script, in modes in which they
ask. Of Codex CLI and opencode everything is allowed once. Claude Code and Gemini CLI are started without
anybody who could answer: what they would ask about they refuse, and tell the model so. A row says how many
questions came and whether they, the commands in them and their order are those of the agent without a hook.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import threading
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ._driven_agents import CLIS, Agent, Claude, Codex, Gemini, Opencode
from ._scripted_model import Script, ScriptedModel
from .driven import FILES, FORMS, ROOT, _environment, _zsh_ls

COMMANDS = (
    "make all",
    "node --test suite.test.mjs",
    "node --test suite.test.mjs 2>&1 | tail -3",
    "sh build.sh",
    "cat Makefile",
    "git status",
    "cd . && sh broken.sh",
)
LIMIT_S = 300
ESCALATED = {"sandbox_permissions": "require_escalated", "justification": "it writes elsewhere"}
# Of Codex the approval policy and the sandbox, with what is said in each call.
POLICIES: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "`untrusted`": ("untrusted", "danger-full-access", {}),
    "`on-request`, out of the sandbox": ("on-request", "workspace-write", ESCALATED),
    "`on-request`": ("on-request", "danger-full-access", {}),
}
PERMISSIONS: Mapping[str, object] = {
    '`"bash": "ask"`': "ask",
    '`"make *": "ask"`': {"*": "allow", "make *": "ask"},
    '`"*": "ask"`, `"make *": "allow"`': {"*": "ask", "make *": "allow"},
}
# Of Claude Code the `permissions` of its settings, of Gemini CLI the rules of a policy file.
CLAUDE_RULES: Mapping[str, object] = {
    "no rules": {},
    '`"ask": ["Bash(make:*)"]`': {"allow": ["Bash"], "ask": ["Bash(make:*)"]},
    '`"allow": ["Bash(node:*)"]`': {"allow": ["Bash(node:*)"]},
    '`"allow": ["Bash"]`': {"allow": ["Bash"]},
}
GEMINI_RULES: Mapping[str, str] = {
    "`node` allowed": 'commandPrefix = "node"\ndecision = "allow"\npriority = 100\n',
    "all allowed": 'decision = "allow"\npriority = 100\n',
    "all allowed, redirections too": (
        'decision = "allow"\npriority = 100\nallowRedirection = true\n'
    ),
}
# Gemini CLI has two words for it where nobody can answer; no rule here denies anything.
_WOULD_ASK = re.compile(
    r"requires approval|haven't granted it|requires user confirmation|denied by policy"
)


def refused_by(agent: Claude | Gemini, options: Sequence[str] | None, rules: object) -> list[str]:
    """The commands that an agent refuses where nobody can answer its question, in order."""
    with _Prepared(agent, None) as (home, project, environment):
        script = Script([agent.call(it) for it in COMMANDS])
        with ScriptedModel(script) as model:
            agent.configure(home, model.base_url, mcp=None)
            if isinstance(agent, Claude):
                (home / ".claude" / "settings.json").write_text(json.dumps({"permissions": rules}))
            else:
                rule = f'[[rule]]\ntoolName = "run_shell_command"\n{rules}'
                (home / ".gemini" / "policies" / "own.toml").write_text(rule)
            if options is not None:
                install = [_zsh_ls(), "hook", "install", agent.agent, *options]
                subprocess.run(
                    install, env=environment, cwd=project, check=True, capture_output=True
                )
            subprocess.run(
                agent.command_line(),
                env={**environment, **agent.environment(model.base_url)},
                cwd=project,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LIMIT_S,
                check=False,
            )
        assert len(script.read) == len(COMMANDS), script.read
    return [
        command
        for command, read in zip(COMMANDS, script.read, strict=True)
        if _WOULD_ASK.search(read[-2_000:])
    ]


def asked_by_codex(
    options: Sequence[str] | None, policy: str, sandbox: str, said: Mapping[str, str]
) -> list[str]:
    """The commands in the questions of a session of Codex's app server, in order."""
    agent, asked = Codex(), []
    calls = [agent.call(it) for it in COMMANDS]
    with _Prepared(agent, options) as (home, project, environment):
        script = Script([(name, {**arguments, **said}) for name, arguments in calls])
        with ScriptedModel(script) as model:
            agent.configure(home, model.base_url, mcp=None)
            program = next((CLIS / "@openai").glob("codex-*/vendor/*/bin/codex"))
            pipe = subprocess.PIPE
            process = subprocess.Popen(
                [program, "app-server"], env=environment, cwd=project, stdin=pipe, stdout=pipe,
                stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            assert process.stdin is not None
            assert process.stdout is not None
            limit = threading.Timer(LIMIT_S, process.kill)
            limit.start()

            def send(**message: object) -> None:
                assert process.stdin is not None
                process.stdin.write(json.dumps(message) + "\n")
                process.stdin.flush()

            send(id=1, method="initialize", params={"clientInfo": {"name": "test", "version": "1"}})
            start = {"cwd": str(project), "approvalPolicy": policy, "sandbox": sandbox}
            start["config"] = {"bypass_hook_trust": True}
            for line in process.stdout:
                message = json.loads(line)
                if "method" in message and "id" in message:
                    asked.append(_typed(str(message["params"].get("command"))))
                    send(id=message["id"], result={"decision": "accept"})
                elif message.get("id") == 1:
                    send(method="initialized")
                    send(id=2, method="thread/start", params=start)
                elif message.get("id") == 2:
                    given = [{"type": "text", "text": "go on"}]
                    thread = message["result"]["thread"]["id"]
                    send(id=3, method="turn/start", params={"threadId": thread, "input": given})
                elif message.get("method") == "turn/completed":
                    break
            limit.cancel()
            process.kill()
            process.wait()
        assert len(script.read) == len(COMMANDS), script.read
    return asked


def _typed(command: str) -> str:
    """A command as Codex shows it, without the shell that it is run by."""
    return command.removeprefix("/bin/bash -c ").strip("'\"")


def asked_by_opencode(options: Sequence[str] | None, permission: object) -> list[str]:
    """The commands in the questions of a session of opencode's server, in order."""
    agent, asked = Opencode(), []
    with _Prepared(agent, options) as (home, project, environment):
        script = Script([agent.call(it) for it in COMMANDS])
        with ScriptedModel(script) as model:
            agent.configure(home, model.base_url, mcp=None)
            path = home / ".config" / "opencode" / "opencode.json"
            config = {**json.loads(path.read_text()), "permission": {"bash": permission}}
            path.write_text(json.dumps(config))
            program = next(CLIS.glob("opencode-*/bin/opencode"))
            process = subprocess.Popen(
                [program, "serve"], env=environment, cwd=project, stdout=subprocess.PIPE, text=True
            )
            assert process.stdout is not None
            limit = threading.Timer(LIMIT_S, process.kill)
            limit.start()
            try:
                url = next(it.split()[-1] for it in process.stdout if "listening on" in it)
                session = _post(f"{url}/session", {})["id"]
                events = urllib.request.urlopen(f"{url}/event", timeout=LIMIT_S)
                prompt = {"parts": [{"type": "text", "text": "go on"}]}
                speaking = threading.Thread(
                    target=lambda: _quietly(f"{url}/session/{session}/message", prompt)
                )
                speaking.start()
                for line in events:
                    event = json.loads(line[6:]) if line.startswith(b"data: ") else {}
                    told = event.get("properties", {})
                    if event.get("type") == "permission.asked":
                        asked += told.get("patterns") or [str(told.get("metadata"))]
                        answer = f"{url}/session/{session}/permissions/{told['id']}"
                        _quietly(answer, {"response": "once"})
                    elif event.get("type") == "session.idle":
                        break
            finally:
                limit.cancel()
                process.kill()
                process.wait()
            speaking.join(LIMIT_S)
        assert len(script.read) == len(COMMANDS), script.read
    return asked


def _post(url: str, body: object) -> dict[str, Any]:
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
        found = json.loads(answer.read() or b"{}")
    return found if isinstance(found, dict) else {}


def _quietly(url: str, body: object) -> None:
    with suppress(OSError):
        _post(url, body)


class _Prepared:
    """A home and a project for one session, with the hook installed where there are options."""

    def __init__(self, agent: Agent, options: Sequence[str] | None) -> None:
        self._agent, self._options = agent, options
        self._made = tempfile.TemporaryDirectory(
            prefix="zl-", dir="/tmp", ignore_cleanup_errors=True
        )

    def __enter__(self) -> tuple[Path, Path, Mapping[str, str]]:
        home, project = (Path(self._made.name) / it for it in ("home", "project"))
        for folder in (home, project):
            folder.mkdir()
        for name, text in FILES.items():
            (project / name).write_text(text)
        environment = _environment(home)
        if self._options is not None:
            install = [_zsh_ls(), "hook", "install", self._agent.agent, *self._options]
            subprocess.run(install, env=environment, cwd=project, check=True, capture_output=True)
        return home, project, environment

    def __exit__(self, *_: object) -> None:
        self._made.cleanup()


def rows() -> Iterator[str]:
    """The table, as rows of Markdown."""
    yield f"| of {len(COMMANDS)} commands | questions | the same, with the hook | the same, `--rewrite` |"
    yield "|---|---|---|---|"
    forms = list(FORMS.values())
    for name, allowed in CLAUDE_RULES.items():
        found = [refused_by(Claude(), options, allowed) for options in forms]
        yield _row(f"{Claude.name}, {name}", found)
    for name, rule in GEMINI_RULES.items():
        found = [refused_by(Gemini(), options, rule) for options in forms]
        yield _row(f"{Gemini.name}, {name}", found)
    for name, policy in POLICIES.items():
        found = [asked_by_codex(options, *policy) for options in forms]
        yield _row(f"{Codex.name}, {name}", found)
    for name, permission in PERMISSIONS.items():
        found = [asked_by_opencode(options, permission) for options in forms]
        yield _row(f"{Opencode.name}, {name}", found)


def _row(name: str, found: Sequence[Sequence[str]]) -> str:
    plain, *others = found
    same = " | ".join("yes" if it == plain else f"no: {list(it)}" for it in others)
    return f"| {name} | {len(plain)} | {same} |"


def main(_: list[str]) -> int:
    """Print the table."""
    subprocess.run([ROOT / "tests" / "bench" / "agent_clis" / "fetch"], check=True)
    for row in rows():
        print(row, flush=True)
    return 0
