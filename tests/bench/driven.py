"""Agents themselves, driven by a model that follows a script: what a hook changes for them.

`python -m tests.bench driven [--write]`, or `agents --driven`: Claude Code, Codex CLI, Gemini CLI and
opencode run the same commands in their own shell without a hook, with the hook after a command, with
`--rewrite`, and by the tool of the MCP server. The table has the calls made, the bytes that the model was
given to read, the commands whose exit was the one without a hook, the failures hidden by a pipe or `||` that
were told, and the commands that the agent's own rules stopped. The agents come from npm
(`tests/bench/agent_clis/fetch`); `--write` puts the table into docs/agents.md. `--crash` shows instead what
each form makes of a program that a signal ends.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from tests.server.conftest import home_in

from ._driven_agents import AGENTS, Agent, Claude
from ._scripted_model import Script, ScriptedModel

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "agents.md"
MARKS = ("<!-- table of tests.bench driven -->", "<!-- end of driven -->")
LIMIT_S = 900.0
FILES = {
    "suite.test.mjs": """import test from "node:test";
import assert from "node:assert";
for (let at = 1; at <= 400; at++) test(`shelf holds ${at}`, () => {});
test("lock is refused", () => assert.strictEqual(200, 403));
""",
    "build.sh": 'for n in $(seq 400); do echo "[$n/400] cc -c part$n.c"; done; echo "Build succeeded."\n',
    "broken.sh": "echo 'part7.c:3:5: error: expected expression' >&2; echo '1 error generated.'; exit 1\n",
    "killed.sh": "exit 137\n",
    "Makefile": "all:\n\tsh broken.sh\n",
}


@attrs.frozen
class Step:
    """A command; `hides` is what must be told of it where its exit hides a failure."""

    command: str
    hides: str = ""
    is_refused: bool = False


STEPS = (
    Step("sh build.sh"),
    Step("node --test suite.test.mjs"),
    Step("node --test suite.test.mjs 2>&1 | tail -30", "lock is refused"),
    Step("make all 2>&1 | tail -2", "make"),
    Step("make all || true", "make"),
    Step("sh killed.sh"),
    Step("grep -c absent build.sh"),
    Step("cat Makefile"),
    Step("cd . && sh broken.sh"),
    Step("frobnicate --all"),
    Step("terraform apply", is_refused=True),
)


CRASH = Step("python3 -c 'import os; os.kill(os.getpid(), 11)'")


@attrs.frozen
class Driven:
    """What a session of one agent came to."""

    read: tuple[str, ...]
    """What the model read of each call."""
    exits: tuple[int | None, ...]
    ran: tuple[str, ...]
    """The commands as the agent says it ran them."""
    said: str


FORMS: dict[str, Sequence[str] | None] = {
    "its own shell": None,
    "with the hook": (),
    "with the hook, `--rewrite`": ("--rewrite",),
}
BY_MCP = "`zsh-ls mcp`"


def drive(
    agent: Agent, options: Sequence[str] | None, steps: Sequence[Step], *, mcp: bool
) -> Driven:
    """One session of an agent; `options` are those of `hook install`, None for no hook at all."""
    with tempfile.TemporaryDirectory(prefix="zl-", dir="/tmp") as made:
        home, project = Path(made) / "home", Path(made) / "project"
        for folder in (home, project):
            folder.mkdir()
        for name, text in FILES.items():
            (project / name).write_text(text)
        environment = _environment(home)
        call: Callable[[str], tuple[str, dict[str, Any]]] = agent.call
        if mcp:
            call = lambda command: (agent.mcp_tool, {"command": command, "yield_after": 60})  # noqa: E731
        script = Script([call(step.command) for step in steps])
        with ScriptedModel(script) as model:
            agent.configure(home, model.base_url, mcp=[_zsh_ls(), "mcp"] if mcp else None)
            if options is not None:
                install = [_zsh_ls(), "hook", "install", agent.agent, *options]
                subprocess.run(
                    install, env=environment, cwd=project, check=True, capture_output=True
                )
            done = subprocess.run(
                agent.command_line(),
                env={**environment, **agent.environment(model.base_url)},
                cwd=project,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=LIMIT_S,
                check=False,
            )
        events = [json.loads(it) for it in done.stdout.split("\n") if it.startswith("{")]
        told = agent.told(events, script.read)
        ran, exits = tuple(it for it, _ in told), tuple(it for _, it in told)
        return Driven(tuple(script.read), exits, ran, done.stdout + done.stderr)


def wakes() -> str:
    """What Claude Code's model reads once a detached run has ended, after it had said that it was done."""
    agent = Claude()
    with tempfile.TemporaryDirectory(prefix="zl-", dir="/tmp", ignore_cleanup_errors=True) as made:
        home, project = Path(made) / "home", Path(made) / "project"
        for folder in (home, project):
            folder.mkdir()
        (project / "late.sh").write_text(
            "sleep 4; echo 'a.c:3:5: error: expected expression'; exit 4\n"
        )
        environment = _environment(home)
        script = Script([agent.call("zsh-ls run --detach 'sh late.sh'")])
        with ScriptedModel(script) as model:
            agent.configure(home, model.base_url, mcp=None)
            install = [_zsh_ls(), "hook", "install", agent.agent]
            subprocess.run(install, env=environment, cwd=project, check=True, capture_output=True)
            program = agent.command_line()[0]
            streams = ["--input-format", "stream-json", "--output-format", "stream-json"]
            with subprocess.Popen(
                [program, "-p", *streams, "--verbose"],
                env={**environment, **agent.environment(model.base_url)},
                cwd=project,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as process:
                assert process.stdin is not None
                assert process.stdout is not None
                limit = threading.Timer(LIMIT_S, process.kill)
                limit.start()
                said = {"type": "user", "message": {"role": "user", "content": "go on"}}
                process.stdin.write(json.dumps(said) + "\n")
                process.stdin.flush()
                ended = (it for it in process.stdout if json.loads(it)["type"] == "result")
                # The turn that it was asked for, and the one that it was woken for.
                next(ended, None)
                next(ended, None)
                limit.cancel()
                process.kill()
        found = re.search(r"The detached run .*?\[.*?\]", "\n".join(script.read), re.DOTALL)
        return found[0] if found else "it was not woken"


def _zsh_ls() -> str:
    return str(Path(sys.executable).parent / "zsh-ls")


def _environment(home: Path) -> Mapping[str, str]:
    own = home_in(home)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {
        **{it: os.environ[it] for it in ("LANG", "TERM") if it in os.environ},
        **own,
        "HOME": str(home),
        "CODEX_HOME": str(home / ".codex"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "PATH": path,
        "SHELL": "/bin/bash",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
    }


def main(arguments: list[str]) -> int:
    """Print the table."""
    subprocess.run([ROOT / "tests" / "bench" / "agent_clis" / "fetch"], check=True)
    if "--crash" in arguments:
        for row in crashes():
            print(row, flush=True)
        return 0
    rows = []
    for row in table():
        print(row, flush=True)
        rows.append(row)
    print(f"Claude Code is woken with: {wakes()}")
    if "--write" in arguments:
        before, _, rest = PAGE.read_text().partition(MARKS[0])
        PAGE.write_text(
            "\n".join([before + MARKS[0], *rows, MARKS[1] + rest.partition(MARKS[1])[2]])
        )
    return 0


def crashes() -> Iterator[str]:
    """What each form makes of a program that a signal ends, and how long the agent waits for it."""
    for agent in AGENTS:
        for form, options in {**FORMS, BY_MCP: None}.items():
            began = time.monotonic()
            driven = drive(agent, options, [CRASH], mcp=form == BY_MCP)
            took_s = time.monotonic() - began
            read = " ".join(" ".join(driven.read).split())[:120]
            yield f"{agent.name}, {form}: {took_s:.0f} s with its start: {read}"


def table() -> Iterator[str]:
    """What each form came to for each agent, as rows of Markdown, each once it is known."""
    hidden = [step for step in STEPS if step.hides]
    names = "calls | bytes read | exits the same | hidden failures told | refused"
    yield from (f"| {len(STEPS)} commands | {names} |", "|---|---|---|---|---|---|")
    for agent in AGENTS:
        plain: dict[str, int | None] = {}
        for form, options in FORMS.items():
            driven = drive(agent, options, STEPS, mcp=False)
            exits = exits_of(driven)
            plain = plain or exits
            same = sum(exits.get(it) == status for it, status in plain.items())
            told = sum(is_told(driven, step) for step in hidden)
            refused = sum(step.command not in exits for step in STEPS if step.is_refused)
            size = sum(len(it.encode()) for it in driven.read)
            yield (
                f"| {agent.name}, {form} | {len(driven.read)} | {size:,} | {same} of {len(plain)}"
                f" | {told} of {len(hidden)} | {refused} of {sum(it.is_refused for it in STEPS)} |"
            )
        driven = drive(agent, None, STEPS[:-1], mcp=True)
        told = sum(is_told(driven, step) for step in hidden)
        size = sum(len(it.encode()) for it in driven.read)
        yield (
            f"| {agent.name}, {BY_MCP} | {len(driven.read)} | {size:,} | | {told} of {len(hidden)} | |"
        )


def exits_of(driven: Driven) -> dict[str, int | None]:
    """The exit of each of the script's commands, whichever form of it the agent ran."""
    found: dict[str, int | None] = {}
    for ran, status in zip(driven.ran, driven.exits, strict=True):
        flat = ran.replace("'\"'\"'", "'")
        step = max((it.command for it in STEPS if it.command in flat), key=len, default=None)
        if step is not None:
            found[step] = status
    return found


def is_told(driven: Driven, step: Step) -> bool:
    """Whether the model read that a failure was hidden, beyond what the command printed."""
    text = driven.read[STEPS.index(step)]
    ours = ("zsh-ls: ", "A.L.A.N.:", "masked by", '"insights"')
    lines = [it for it in text.split("\n") if any(sign in it for sign in ours)]
    return any("hides a failure" in it or "exited" in it or "masked" in it for it in lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
