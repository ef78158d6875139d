"""`zsh-ls hook` as agents and persons start it: real processes, a server, files (HOOK-1, HOOK-3)."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.server.shared import place, started
from zsh_ls.hooks.comments import without_comments
from zsh_ls.ipc.address import SUFFIX, prefix_of

from .conftest import ROOT, Cli
from .test_imports import ALONE, DRAWING, HEAVY, OF_JOINED

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
@pytest.mark.parametrize(
    ("command", "output", "ended"),
    [
        ("sh late.sh", "(no output)", (5, "zsh-ls: exit 5")),
        ("sh late.sh", "hi", (3, "zsh-ls: exit 3")),
        ("curl -sf a", "(no output)", (7, "zsh-ls: curl exit 7 = no connection to the host")),
        ("grep -q a b", "(no output)", (1, "zsh-ls: grep exit 1 = no match (normal)")),
        ("sh late.sh", "(no output)", (0, "")),
        ("sh late.sh", "hi", (None, "")),
    ],
)
def test_an_exit_that_opencode_keeps_to_itself_is_told(
    command: str, output: str, ended: tuple[int | None, str], cli: Cli, tmp_path: Path
) -> None:
    """Its model read "(no output)" of a command that had failed, and went on."""
    status, told = ended
    tells = {
        "event": "tool.execute.after",
        "tool": "bash",
        "args": {"command": command},
        "directory": str(tmp_path / "project"),
        "output": output,
        "metadata": {"output": output, "exit": status},
    }
    done = cli("hook", "opencode", input=json.dumps(tells))
    assert (done.returncode, done.stderr) == (0, "")
    assert (json.loads(done.stdout)["context"] if done.stdout else "") == told


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


@pytest.mark.parametrize("kind", ["folder", "file", "of another's"])
def test_a_link_in_the_project_leads_no_hook_out_of_it(kind: str, cli: Cli, tmp_path: Path) -> None:
    """Whoever wrote the project chose where `.claude` leads."""
    elsewhere, project = tmp_path / "elsewhere", tmp_path / "project"
    elsewhere.mkdir()
    kept = elsewhere / "settings.json"
    kept.write_text("{}\n")
    if kind == "folder":
        (project / ".claude").symlink_to(elsewhere)
    elif kind == "file":
        (project / ".claude").mkdir()
        (project / ".claude" / "settings.json").symlink_to(kept)
    else:
        (project / ".claude").symlink_to("../project/../elsewhere")
    for doing in ("install", "uninstall"):
        refused = cli("hook", doing, "claude", "--project")
        assert refused.returncode == 1
        assert f"A link leads out of the project, to {kept}" in refused.stderr
    assert kept.read_text() == "{}\n"
    kept.unlink()
    assert cli("hook", "install", "claude", "--project").returncode == 1
    assert list(elsewhere.iterdir()) == []


# HOOK-1
@pytest.mark.parametrize(
    "before",
    [
        '{\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}',
        '{"model": "opus"}\n',
        '{\r\n\t"a": 1\r\n}\r\n',
        '{\n  "hooks": {"PostToolUse": [{"matcher": "Write", "hooks": []}]}\n}\n',
        '{\n  // "the" model\n  "model": "http://opus" /* } */ // {\n  // last\n}\n// end }',
    ],
)
def test_uninstall_brings_back_every_byte(before: str, cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(before.encode())
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    assert cli("hook", "install", "claude", "--project", env=env).returncode == 0
    with_hook = json.loads(without_comments(path.read_text()))
    assert "PostToolUseFailure" in with_hook["hooks"]
    assert {**with_hook, "hooks": 0} == {**json.loads(without_comments(before)), "hooks": 0}
    comments = ('// "the" model', "/* } */ // {", "// last", "// end }")
    assert [it for it in comments if it in before] == [
        it for it in comments if it in path.read_text()
    ]
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
    "text",
    [
        '{"hooks": {} // mine\n}',
        "{ // mine\n}",
        "[]",
        '{"hooks": 3}',
        '{"hooks": {"PostToolUse": 1}}',
    ],
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


def test_a_read_only_file_is_left_as_it_is(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "project" / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("{}\n")
    env = {"XDG_STATE_HOME": str(tmp_path / "state")}
    path.chmod(0o444)
    refused = cli("hook", "install", "claude", "--project", env=env)
    assert refused.returncode == 1
    assert f"{path} is not changed: It is read-only." in refused.stderr
    path.chmod(0o644)
    assert cli("hook", "install", "claude", "--project", env=env).returncode == 0
    path.chmod(0o444)
    assert cli("hook", "uninstall", "claude", "--project", env=env).returncode == 1
    path.chmod(0o644)
    assert cli("hook", "uninstall", "claude", "--project", env=env).returncode == 0
    assert path.read_text() == "{}\n"


def test_a_link_of_the_persons_own_stays_one(cli: Cli, tmp_path: Path) -> None:
    """Settings that are kept with other dotfiles."""
    kept = tmp_path / "dotfiles" / "claude.json"
    kept.parent.mkdir()
    kept.write_text('{"model": "opus"}')
    link = tmp_path / "home" / ".claude" / "settings.json"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(kept)
    env = {"XDG_STATE_HOME": str(tmp_path / "state"), "HOME": str(tmp_path / "home")}
    assert cli("hook", "install", "claude", env=env).returncode == 0
    assert "zsh-ls hook claude" in kept.read_text()
    assert cli("hook", "uninstall", "claude", env=env).returncode == 0
    assert link.is_symlink()
    assert kept.read_text() == '{"model": "opus"}'


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


# What takes longest of all that a hook without a server might load.
OF_NO_HOOK = {"asyncio", "attr", "sqlite3", "tempfile", "logging", "cattrs", "ssl", "subprocess"}
# What only a server's answer, a failure's fate, or the classes of runs need.
OF_SERVERS = {"socket", "zsh_ls.ipc.blocking", "zsh_ls.sidecar"}
OF_FATES = {"hashlib", "zsh_ls.shell.fates.analysis", "zsh_ls.shell.fates.interpreter"}
OF_RUNS = {"zsh_ls.insights.judging", "zsh_ls.insights.registry"}
OF_RULES = {
    "zsh_ls.model.history",
    "zsh_ls.model.estimate",
    "zsh_ls.insights.zsh_refusals",
    "zsh_ls.insights.judging_scripts",
    "zsh_ls.shell.fates.reads",
    "difflib",
    "fractions",
}


def failed_event(command: str, output: str, folder: Path) -> str:
    told = json.loads(event(command, "", folder))
    told.pop("tool_response")
    told["hook_event_name"] = "PostToolUseFailure"
    return json.dumps({**told, "error": f"Exit code 1\n{output}"})


# HOOK-3
@pytest.mark.parametrize(
    ("asked", "command", "output", "allowed", "not_loaded"),
    [
        (event, "make | tail -3", "all is well", set(), OF_FATES | OF_RUNS | {"typing"}),
        (event, "make | tail -3", HIDDEN, {"shell", "insights"}, OF_RUNS),
        (event, "make | tail -3", "1 test failed", {"shell", "insights", "verbosity"}, set()),
        (failed_event, "grep x y", "", {"shell", "insights"}, OF_FATES),
        (failed_event, "pytest", "1 failed", {"shell", "insights", "verbosity"}, OF_FATES),
    ],
    ids=["nothing to say", "a hidden failure", "hidden tests", "an exit", "tests"],
)
def test_without_a_server_it_loads_what_this_output_needs(
    asked: Callable[[str, str, Path], str],
    command: str,
    output: str,
    *,
    allowed: set[str],
    not_loaded: set[str],
    environment: Mapping[str, str],
    tmp_path: Path,
) -> None:
    private = tmp_path / "runtime"  # no socket of anybody else's is in it
    private.mkdir(mode=0o700)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", ALONE, "hook", "claude"],
        env={**environment, "XDG_RUNTIME_DIR": str(private)},
        input=asked(command, output, tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [it for it in done.stderr.split("\n") if it.startswith("import time:")]
    found = {line.rpartition("|")[2].strip() for line in lines}
    own = {name.split(".")[1] for name in found if name.startswith("zsh_ls.") and "__" not in name}
    assert own - {"cli", "hooks", "ipc", "lazy", "system", "model"} == allowed
    assert not ((OF_NO_HOOK | OF_SERVERS | OF_RULES | not_loaded) & found)


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


@pytest.fixture
def on_the_path(tmp_path: Path) -> Mapping[str, str]:
    """An environment in which `zsh-ls` is a program, and the person's shell is bash."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "zsh-ls").write_text("#!/bin/sh\n")
    (folder / "zsh-ls").chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    path = f"{folder}:{os.environ['PATH']}"
    return {
        "PATH": path,
        "SHELL": "/bin/bash",
        "HOME": str(home),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }


def before(command: str, folder: Path) -> str:
    told = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": str(folder)}
    return json.dumps({**told, "tool_input": {"command": command}})


# HOOK-2
@pytest.mark.parametrize("agent", AGENTS)
def test_rewriting_is_installed_only_where_it_is_asked_for(
    agent: str, cli: Cli, on_the_path: Mapping[str, str]
) -> None:
    plain = cli("hook", "install", agent, env=on_the_path)
    assert "--rewrite" not in plain.stdout
    shown = Path(plain.stdout.split("\n")[1].removeprefix("+++ "))
    wider = cli("hook", "install", agent, "--rewrite", env=on_the_path)
    assert wider.returncode == 0
    assert wider.stdout.startswith(f"--- {shown}\n+++ {shown}\n")
    assert "--rewrite" in shown.read_text()
    again = cli("hook", "install", agent, "--rewrite", env=on_the_path)
    assert (again.returncode, again.stdout) == (0, "")
    back = cli("hook", "install", agent, env=on_the_path)
    assert back.returncode == 0
    assert "--rewrite" not in shown.read_text()
    gone = cli("hook", "uninstall", agent, env=on_the_path)
    assert gone.returncode == 0
    assert not shown.parent.exists()


# HOOK-2
def test_a_command_runs_the_other_way_until_a_rule_names_it(
    cli: Cli, on_the_path: Mapping[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "project"

    def answer() -> str:
        done = cli("hook", "claude", "--rewrite", input=before("make -j4", folder), env=on_the_path)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    told = json.loads(answer())["hookSpecificOutput"]
    assert told["updatedInput"]["command"] == "zsh-ls run --brief --shell bash 'make -j4'"
    assert "permissionDecision" not in told
    rules = folder / ".claude" / "settings.local.json"
    rules.parent.mkdir()
    for text in (
        '{"permissions": {"deny": ["Bash(make *)"]}}',
        '{"permissions": {"allow": ["Bash(zsh-ls run:*)"]}}',
        "{",
    ):
        rules.write_text(text)
        assert answer() == ""


# HOOK-2
def test_it_is_not_installed_beside_a_rule_for_all_that_zsh_ls_runs(
    cli: Cli, on_the_path: Mapping[str, str], tmp_path: Path
) -> None:
    rules = tmp_path / "home" / ".claude" / "settings.json"
    rules.parent.mkdir()
    rules.write_text('{"permissions": {"allow": ["Bash(zsh-ls:*)"]}}')
    done = cli("hook", "install", "claude", "--project", "--rewrite", env=on_the_path)
    assert done.returncode == 1
    assert "Bash(zsh-ls:*)" in done.stderr
    assert not (tmp_path / "project" / ".claude").exists()
    assert cli("hook", "install", "claude", "--project", env=on_the_path).returncode == 0


# HOOK-2
def test_rules_given_on_the_agents_own_command_line_switch_it_off(
    environment: Mapping[str, str], on_the_path: Mapping[str, str], tmp_path: Path
) -> None:
    hook = [sys.executable, "-m", "zsh_ls", "hook", "claude", "--rewrite"]
    started_by = "import subprocess, sys; subprocess.run(sys.argv[sys.argv.index('--') + 1:])"
    for given, is_rewritten in (("--verbose", True), ("--disallowedTools=Bash(make *)", False)):
        done = subprocess.run(
            [sys.executable, "-c", started_by, given, "--", *hook],
            env={**environment, **on_the_path},
            input=before("make", tmp_path),
            capture_output=True,
            text=True,
            check=True,
        )
        assert bool(done.stdout) is is_rewritten, done.stderr


# HOOK-2, HOOK-3
def test_before_a_command_it_loads_the_parser_and_no_more(
    environment: Mapping[str, str], on_the_path: Mapping[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "zsh_ls", "hook", "claude", "--rewrite"],
        env={**environment, **on_the_path},
        input=before("make -j4 | tail -3", tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "zsh-ls run --brief" in done.stdout
    lines = [it for it in done.stderr.split("\n") if it.startswith("import time:")]
    found = {line.rpartition("|")[2].strip() for line in lines}
    own = {it for it in found if it.startswith("zsh_ls.")}
    allowed = (
        "zsh_ls.cli",
        "zsh_ls.hooks",
        "zsh_ls.ipc",
        "zsh_ls.lazy",
        "zsh_ls.model",
        "zsh_ls.shell",
        "zsh_ls.system",
    )
    assert {it for it in own if not it.startswith(allowed)} == set()
    assert not (HEAVY | DRAWING | {"hashlib", "socket", "zsh_ls.ipc.address"}) & found


# HOOK-2
def test_what_ran_the_other_way_is_remembered_once_and_told_once(
    cli: Cli, on_the_path: Mapping[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    ran = cli("run", "--brief", "sh -c 'echo make: *** Error 2; exit 2' | tail -1", env=on_the_path)
    assert "masked by downstream" in ran.stdout
    for told in ("zsh-ls run --brief 'make | tail'", "make | tail"):
        done = cli("hook", "claude", input=event(told, ran.stdout, folder), env=on_the_path)
        assert (done.returncode, done.stdout) == (0, "")
    assert len(history(cli)) == 1


# HOOK-2
def test_the_brief_view_names_the_command_that_has_the_rest(cli: Cli) -> None:
    long = cli("run", "--brief", "for n in {1..9000}; do echo error line $n; done; exit 1")
    assert len(long.stdout) <= 48_001
    if " --lines " in long.stdout:
        words = long.stdout.rstrip("\n").rpartition("\n")[2].removeprefix("more: zsh-ls ").split()
        rest = cli(*words)
        assert rest.stdout.split("\n")[-2].endswith("error line 9000")
    cut = cli("run", "--brief", "seq 1 5000")
    assert "ask:" not in cut.stdout
    assert "whole: zsh-ls output " in cut.stdout
    cli("run", "seq 1 700 >long.txt")
    read = cli("run", "--brief", "cat long.txt")
    [call] = re.findall(r"use offset to read more: zsh-ls (output .*)", read.stdout)
    assert cli(*call.split()).stdout.split("\n")[:2] == ["51", "52"]


# HOOK-2
def test_the_brief_view_tells_of_a_failure_that_or_true_hides(cli: Cli) -> None:
    done = cli("run", "--brief", "sh -c 'echo \"error: it broke\"; exit 2' || true")
    assert done.returncode == 0
    assert "Exit 0 hides a failure of `sh -c" in done.stdout


# HOOK-1
def test_a_test_whose_exit_and_output_nobody_sees_is_told_as_not_known(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "run_tests.sh").write_text("echo '1 failed'; exit 1\n")
    line = f"sh {tmp_path}/run_tests.sh > {tmp_path}/out.txt; echo finished"
    done = cli("run", "--brief", line)
    assert done.stdout.splitlines()[-1].startswith("zsh-ls: Exit 0 does not say whether `sh ")
    told = cli("hook", "claude", input=event(line, "finished\n", tmp_path)).stdout
    assert "Exit 0 does not say whether" in told


# HOOK-2
def test_a_program_that_crashes_is_an_exit_for_who_runs_it_by_the_brief_form(cli: Cli) -> None:
    """opencode does not see a shell end by a signal: it waits for its own limit of two minutes."""
    done = cli("run", "--brief", "kill -SEGV $$")
    assert done.returncode == 139
    assert "exit=139 (SIGSEGV)" in done.stdout


def transcript(policy: str, **said: str) -> str:
    """What Codex had written of a session when it asked the hook, as it was seen of version 0.169.0."""
    arguments = json.dumps({"cmd": "make", **said})
    lines = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "turn_context", "payload": {"approval_policy": "never"}},
        {"type": "response_item", "payload": {"type": "message", "content": "x" * 200_000}},
        {"type": "turn_context", "payload": {"approval_policy": policy}},
        {"type": "response_item", "payload": {"type": "reasoning", "content": "y" * 200_000}},
        {"type": "response_item", "payload": {"type": "function_call", "call_id": "call-6"}},
        {
            "type": "response_item",
            "payload": {"type": "function_call", "call_id": "call-7", "arguments": arguments},
        },
    ]
    return "".join(json.dumps(it) + "\n" for it in lines)


# HOOK-2
@pytest.mark.parametrize(
    ("text", "call", "is_rewritten"),
    [
        (transcript("never"), "call-7", True),
        (transcript("on-request"), "call-7", True),
        (transcript("on-request", sandbox_permissions="require_escalated"), "call-7", False),
        (transcript("on-request"), "call-8", False),
        (transcript("untrusted"), "call-7", False),
        (transcript("on-failure"), "call-7", False),
        ("", "call-7", False),
        ('not JSON, "turn_context"\n', "call-7", False),
        (None, "call-7", True),
    ],
)
def test_what_codex_asks_about_first_is_left_as_it_is(
    text: str | None,
    call: str,
    *,
    is_rewritten: bool,
    cli: Cli,
    on_the_path: Mapping[str, str],
    tmp_path: Path,
) -> None:
    """Its question would show another command than without the hook."""
    path = tmp_path / "rollout.jsonl"
    if text is not None:
        path.write_text(text)
    asked = {
        **json.loads(before("make", tmp_path)),
        "permission_mode": "default",
        "transcript_path": str(path),
        "tool_use_id": call,
    }
    done = cli("hook", "codex", "--rewrite", input=json.dumps(asked), env=on_the_path)
    assert bool(done.stdout) is is_rewritten
    asked["permission_mode"] = "bypassPermissions"
    free = cli("hook", "codex", "--rewrite", input=json.dumps(asked), env=on_the_path)
    assert "zsh-ls run --brief" in free.stdout
