"""`zsh-ls hook` as agents and persons start it: real processes, a server, files (HOOK-1, HOOK-3)."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.server.shared import place, started
from zsh_ls.ipc.address import SUFFIX, prefix_of

from .conftest import ROOT, Cli
from .test_imports import DRAWING, HEAVY, OF_JOINED

AGENTS = ("claude", "codex", "cursor", "gemini", "opencode")
HIDDEN = "make: *** [all] Error 2"
OF_HOOKS = OF_JOINED - {"zsh_ls.cli.screen", "zsh_ls.cli.servers"} | {
    "zsh_ls.cli.commands.hook",
    "zsh_ls.cli.hooking",
    "zsh_ls.cli.terminal",
    "zsh_ls.hooks",
    "zsh_ls.hooks.events",
    "zsh_ls.hooks.events.claude",
    "zsh_ls.hooks.signs",
    "zsh_ls.hooks.told_run",
}


def event(command: str, output: str, folder: Path) -> str:
    return json.dumps(
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "cwd": str(folder),
            "session_id": "s",
            "tool_input": {"command": command},
            "tool_response": {"stdout": output, "stderr": ""},
            "duration_ms": 1200,
        }
    )


def history(cli: Cli) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(cli("history", "--json").stdout)
    return found


# HOOK-1
def test_without_a_server_it_says_what_is_news_and_the_run_is_remembered(
    cli: Cli, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    told = cli("hook", "claude", input=event("make 2>&1 | tail -3", HIDDEN, folder))
    assert (told.returncode, told.stderr) == (0, "")
    said = json.loads(told.stdout)["hookSpecificOutput"]
    assert said["hookEventName"] == "PostToolUse"
    assert said["additionalContext"].startswith("zsh-ls: Exit 0 hides a failure of `make 2>&1`")
    silent = cli("hook", "claude", input=event("ls -l", "a", folder))
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", "")
    stats = json.loads(cli("stats", "--json", "ls -l").stdout)
    assert stats["runs"] == 1


# HOOK-1
def test_the_end_of_a_detached_run_wakes_its_agent(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    os.mkfifo(folder / "go")
    started = cli("run", "--detach", "--json", "read x < go; echo $x; exit 3")
    assert json.loads(started.stdout)["status"] == "running"
    event_of_it = event("zsh-ls run --detach --json x", started.stdout, folder)
    (folder / "go").write_text("boom\n")
    woken = cli("hook", "claude", "--wake", input=event_of_it)
    assert (woken.returncode, woken.stdout) == (2, "")
    assert "has ended" in woken.stderr
    assert "boom" in woken.stderr
    assert "exit=3" in woken.stderr
    other = cli("hook", "claude", "--wake", input=event("ls", "a", folder))
    assert (other.returncode, other.stdout, other.stderr) == (0, "", "")


# HOOK-3
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("typed", ["", "{", "[]", '"x"', "\0", '{"tool_name": "Bash"}'])
def test_what_is_no_event_is_passed_over(agent: str, typed: str, cli: Cli) -> None:
    done = cli("hook", agent, input=typed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# HOOK-1
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("project", [True, False], ids=["project", "person"])
def test_a_file_of_its_own_is_shown_made_and_gone_again(
    agent: str, project: bool, cli: Cli, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    where = {"HOME": str(home), "XDG_STATE_HOME": str(tmp_path / "state")}
    options = ["--project"] if project else []
    tried = cli("hook", "install", agent, *options, "--dry-run", env=where)
    assert tried.returncode == 0
    assert tried.stdout.startswith("--- /dev/null\n+++ ")
    shown = Path(tried.stdout.split("\n")[1].removeprefix("+++ "))
    assert not shown.parent.exists()
    assert shown.is_relative_to(tmp_path / "project") is project or not project
    made = cli("hook", "install", agent, *options, env=where)
    assert made.stdout == tried.stdout
    assert f"hook {agent}" in shown.read_text().replace('", "', " ").replace('["', "")
    again = cli("hook", "install", agent, *options, env=where)
    assert (again.returncode, again.stdout) == (0, "")
    gone = cli("hook", "uninstall", agent, *options, env=where)
    assert gone.returncode == 0
    assert gone.stdout.startswith(f"--- {shown}\n+++ /dev/null\n")
    assert not shown.exists()
    assert not shown.parent.exists()


# HOOK-1
@pytest.mark.parametrize(
    "before",
    [
        '{\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}',
        '{"model": "opus"}\n',
        '{\r\n\t"a": 1\r\n}\r\n',
        '{\n  "hooks": {"PostToolUse": [{"matcher": "Write", "hooks": []}]}\n}\n',
    ],
)
def test_uninstall_brings_back_every_byte(before: str, cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(before.encode())
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    assert cli("hook", "install", "claude", "--project", env=env).returncode == 0
    with_hook = json.loads(path.read_text())
    assert "PostToolUseFailure" in with_hook["hooks"]
    assert {**with_hook, "hooks": 0} == {**json.loads(before), "hooks": 0}
    assert cli("hook", "uninstall", "claude", "--project", env=env).returncode == 0
    assert path.read_bytes() == before.encode()


# HOOK-1
def test_what_was_edited_since_stays_and_what_is_ours_goes(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "opus"}\n')
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    cli("hook", "install", "claude", "--project", env=env)
    edited = json.loads(path.read_text())
    other = {"type": "command", "command": "echo other"}
    edited["hooks"]["PostToolUse"][0]["hooks"].append(other)
    path.write_text(json.dumps(edited))
    assert cli("hook", "uninstall", "claude", "--project", env=env).returncode == 0
    left = json.loads(path.read_text())
    kept = {"PostToolUse": [{"matcher": "Bash", "hooks": [other]}]}
    assert left == {"model": "opus", "hooks": kept}


@pytest.mark.parametrize(
    "text", ["{ // mine\n}", "[]", '{"hooks": 3}', '{"hooks": {"PostToolUse": 1}}']
)
def test_a_file_that_is_not_understood_is_left_and_the_reason_said(
    text: str, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "project" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)
    done = cli("hook", "install", "claude", "--project")
    assert done.returncode == 1
    assert f"{path} is not changed: " in done.stderr
    assert path.read_text() == text


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Mapping[str, str], Path]]:
    """The environment and the folder of a server that runs."""
    with place(tmp_path_factory.mktemp("served")) as (home, project):
        editor = started(home, project)
        yield {**os.environ, **home, "PYTHONPATH": str(ROOT)}, project
        editor.leave()
        editor.end()


# HOOK-3
def test_where_a_server_runs_it_imports_nothing_that_the_server_does(
    served: tuple[Mapping[str, str], Path],
) -> None:
    environment, folder = served
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "zsh_ls", "hook", "claude"],
        env=environment,
        input=event("make | tail -3", HIDDEN, folder),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Exit 0 hides a failure of `make`" in done.stdout
    lines = [it for it in done.stderr.split("\n") if it.startswith("import time:")]
    found = {line.rpartition("|")[2].strip() for line in lines}
    assert {name for name in found if name.partition(".")[0] == "zsh_ls"} <= OF_HOOKS
    assert not (HEAVY | DRAWING) & found


# HOOK-3
def test_a_server_that_does_not_answer_is_passed_over(environment: Mapping[str, str]) -> None:
    """The hook gives it up by itself: nobody ends the hook's process here."""
    with tempfile.TemporaryDirectory(prefix="hook-", dir="/tmp") as made:
        folder = Path(made)
        env = {**environment, "XDG_RUNTIME_DIR": made}
        asked = "from zsh_ls.system.private_folders import sockets_folder; print(sockets_folder())"
        where = subprocess.run(
            [sys.executable, "-c", asked], env=env, capture_output=True, text=True, check=True
        )
        runtime = Path(where.stdout.strip())
        runtime.mkdir(mode=0o700, exist_ok=True)
        with socket.socket(socket.AF_UNIX) as silent:
            silent.bind(str(runtime / f"{prefix_of(folder)}silent{SUFFIX}"))
            silent.listen()
            done = subprocess.run(
                [sys.executable, "-m", "zsh_ls", "hook", "claude"],
                env=env,
                input=event("make | tail -3", HIDDEN, folder),
                capture_output=True,
                text=True,
                check=True,
                timeout=60,
            )
            silent.settimeout(0)
            silent.accept()[0].close()  # it was asked
    assert "Exit 0 hides a failure of `make`" in done.stdout
    assert done.stderr == ""
