"""ALAN-7: a command that is not to be kept is in no message, list, title or file of any frontend.

A text is run through every frontend; then everything that anybody else was told, every title of our
own processes and every byte on disk is looked through for it. A plain command is run the same way
and has to be found, or the looking would prove nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.session import session
from zsh_ls.shell.redaction.redact import MARKER
from zsh_ls.shell.template.identity import NOT_KEPT

from .rpc import ROOT, Peer
from .shared import place, started, wait_until

pytestmark = pytest.mark.slow
Place = tuple[dict[str, str], Path]
SHELLS = ("zsh", "bash", "sh")
HIDDEN = "Qx7canary4Zk"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Place]:
    with place(tmp_path) as found:
        yield found


@pytest.fixture
def editor(here: Place) -> Iterator[Peer]:
    found = started(*here, {"window": {"workDoneProgress": True}})
    yield found
    found.end()


class Told:
    """Everything that any frontend was sent or has printed, by frontend."""

    def __init__(self) -> None:
        self.by: dict[str, str] = {}

    def note(self, source: str, said: object) -> None:
        self.by[source] = self.by.get(source, "") + f"{said}\n"

    def those_with(self, text: str) -> set[str]:
        return {source for source, said in self.by.items() if text in said}


def cli(here: Place, *arguments: str) -> str:
    home, project = here
    done = subprocess.run(
        [sys.executable, "-m", "zsh_ls", *arguments],
        cwd=project,
        env={**os.environ, **home, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    return done.stdout + done.stderr


def titles(root: int) -> str:
    """The command lines of a process and its descendants, without those of the shells that run commands."""
    shown, left = [], [root]
    while left:
        pid = left.pop()
        try:
            left += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if Path(words[0]).name not in SHELLS:
            shown.append(" ".join(words).strip())
    return "\n".join(shown)


def on_disk(*folders: Path) -> dict[str, str]:
    return {
        f"disk {path.name}": path.read_bytes().decode("latin-1") + path.name
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }


def ended(editor: Peer, task: str, told: Told) -> None:
    told.note("poll", editor.call("zsh/poll", {"task_id": task, "listen": 30, "until": "end"}))


def run_on(editor: Peer, here: Place, run: dict[str, Any], told: Told) -> None:
    """Run it until its durations are known, and once more to kill it."""
    for _ in range(4):  # how long it usually takes is known then
        quick = run["command"].replace("read -r x", ":")
        told.note("run", editor.call("zsh/run", {"command": quick}))
    told.note("zsh/history", editor.call("zsh/history", {}))
    told.note("history", cli(here, "history"))
    told.note("zsh/why", editor.call("zsh/why"))
    told.note("why", cli(here, "why"))
    told.note("team", cli(here, "team", "show", "--clear"))
    again = editor.call("zsh/run", run)
    told.note("run", again)
    told.note("kill", editor.call("zsh/kill", {"task_id": again["task_id"]}))


async def everything_said(editor: Peer, here: Place, command: str, plain: str) -> Told:
    """Run `command`, which reads a line and fails, by the editor, an agent and the command line."""
    told, (home, project) = Told(), here
    run = {"command": command, "interactive": True, "yield_after": 0.2, "workDoneToken": "t1"}
    first = editor.call("zsh/run", run)
    told.note("run", first)
    told.note("progress title", editor.news("$/progress"))
    told.note("zsh/tasks", editor.call("zsh/tasks"))
    told.note("titles", titles(editor.process.pid))
    told.note("tasks", cli(here, "tasks"))
    told.note("tasks --json", cli(here, "tasks", "--json"))
    async with session(home, project) as agent:

        async def tool(name: str, **arguments: Any) -> Any:
            answer = await agent.call_tool(name, arguments)
            told.note(f"agent {name}", answer.content)
            told.note(f"agent {name}", answer.structured_content)
            return answer

        await tool("zsh_tasks")
        await tool("zsh_poll", task_id=first["task_id"])
        editor.call("zsh/send", {"task_id": first["task_id"], "input": "go"})
        ended(editor, first["task_id"], told)
        await tool("zsh", command=command)
        told.note("run --shared", cli(here, "run", "--shared", command))
        told.note("run", cli(here, "run", "--json", command))
        for answer in QUESTIONS:
            told.note("zsh/ask", editor.call("zsh/ask", {"query": answer}))
            told.note("ask", cli(here, "ask", answer))
            await tool("zsh_ask", query=answer)
        editor.call("zsh/run", {"command": plain})
        told.note("zsh/tasks --all", editor.call("zsh/tasks", {"all": True}))
        told.note("tasks --all", cli(here, "tasks", "--all"))
        told.note("zsh/output", editor.call("zsh/output", {"task_id": first["task_id"]}))
        told.note("output", cli(here, "output", first["task_id"]))
        await tool("zsh_output", task_id=first["task_id"])
        run_on(editor, here, run, told)
        await tool("zsh_why")
        told.note("zsh/stats", editor.call("zsh/stats", {}))
        told.note("zsh/stats of it", editor.call("zsh/stats", {"command": command})["recent"])
        told.note("stats", cli(here, "stats"))
        await tool("zsh_alan_stats")
        hanging = command.replace("read -r x; exit 3", "sleep 60")
        for _ in range(3):
            editor.call("zsh/run", {"command": hanging, "timeout": 0.5})
        told.note("refusal", editor.refusal("zsh/run", {"command": hanging}))
        told.note("zsh/circuit", editor.call("zsh/circuit", {}))
        told.note("circuit", cli(here, "circuit"))
        told.note("health", editor.call("zsh/health"))
        await tool("zsh_neverhang_status")
        await tool("zsh_health")
    told.note("the wire", editor.received)
    editor.leave()
    for name, text in on_disk(Path(home["HOME"]), Path(home["XDG_RUNTIME_DIR"])).items():
        told.note(name, text)
    return told


QUESTIONS = ("what failed last", "what ran last", "show full output", "what fails most")
QUESTIONS += ("which commands are slow", "what runs most")
LISTS = {
    "zsh/tasks",
    "tasks",
    "zsh/tasks --all",
    "tasks --all",
    "zsh/output",
    "zsh/circuit",
    "circuit",
}
LISTS |= {"agent zsh_tasks", "agent zsh_output", "progress title", "zsh/ask", "zsh/stats of it"}


# The second would be in the template of its command, which keeps the names of programs.
@pytest.mark.parametrize("said", [f": {HIDDEN}", f"{HIDDEN}() {{ : }}; {HIDDEN} --now"])
async def test_a_command_that_begins_with_a_space_is_told_nowhere(
    editor: Peer, here: Place, capfd: pytest.CaptureFixture[str], said: str
) -> None:
    command = f" {said}; read -r x; exit 3"
    told = await everything_said(editor, here, command, "echo plain9word")
    told.note("standard error", capfd.readouterr())
    assert told.those_with(HIDDEN) == set()
    assert told.those_with(NOT_KEPT) >= LISTS - {"tasks --json"}
    assert {"zsh/tasks --all", "tasks --all"} <= told.those_with("echo plain9word")


async def test_a_secret_is_told_nowhere_and_the_rest_of_its_command_is(
    editor: Peer, here: Place, capfd: pytest.CaptureFixture[str]
) -> None:
    command = f"true --password={HIDDEN}; read -r x; exit 3"
    told = await everything_said(editor, here, command, "echo plain9word")
    told.note("standard error", capfd.readouterr())
    assert told.those_with(HIDDEN) == set()
    assert told.those_with(f"true --password={MARKER}; ") >= LISTS


@pytest.mark.parametrize("shared", [[], ["--shared"]])
def test_the_command_lines_own_title_says_nothing_of_it(here: Place, shared: list[str]) -> None:
    home, project = here
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "run", *shared, f" : {HIDDEN}; sleep 1000"],
        cwd=project,
        env={**os.environ, **home, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: "sleep 1000" in titles(process.pid).splitlines())
        assert HIDDEN not in titles(process.pid)
        assert NOT_KEPT in titles(process.pid)
    finally:
        process.terminate()
        process.wait()
