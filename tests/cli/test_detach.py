"""`zsh-ls run --detach`: a run that outlives its terminal is found again from anywhere (RUN-20)."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from tests.tasks.survivors import alive_with, eventually

from .conftest import Cli

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_keeper_is_left(environment: Mapping[str, str]) -> Iterator[None]:
    yield
    for pid in keepers(environment):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    assert eventually(lambda: not keepers(environment))


def keepers(environment: Mapping[str, str]) -> list[int]:
    folder = Path(environment["XDG_RUNTIME_DIR"]) / "zsh-ls" / "keepers"
    names = [it.name.partition("-")[0] for it in folder.glob("*")]
    return [int(pid) for pid in names if Path(f"/proc/{pid}/stat").exists()]


def test_its_id_is_printed_and_reaches_it(cli: Cli) -> None:
    token = f"4{os.getpid():07}"
    started = cli("run", "--detach", f"print here we are; sleep 1000.{token}")
    task_id = started.stdout.strip()
    assert (started.returncode, len(task_id)) == (0, 8)
    assert f"[RUNNING task_id={task_id}" in started.stderr
    assert f"zsh-ls output {task_id} · zsh-ls kill {task_id}" in started.stderr
    assert alive_with(token)

    (listed,) = json.loads(cli("tasks", "--json").stdout)["tasks"]
    assert (listed["task_id"], listed["detached"], listed["origin"]) == (task_id, True, "cli")
    assert "running, detached" in cli("tasks").stdout
    assert cli("output", task_id).stdout == "here we are\n"
    assert f"detached   {task_id}" in cli("doctor").stdout
    assert token in cli("ask", "what is running").stdout

    killed = cli("kill", task_id)
    assert (killed.returncode, killed.stdout) == (0, f"Task {task_id} killed\n")
    assert not alive_with(token)
    assert json.loads(cli("tasks", "--json").stdout)["tasks"] == []
    again = cli("kill", task_id)
    assert (again.returncode, again.stdout) == (1, "")
    assert "has already ended" in again.stderr
    assert cli("kill", "0badcafe").stderr == "zsh-ls: Unknown task: 0badcafe\n"
    # `tasks --all` lists it, whichever process ran it.
    past = json.loads(cli("run", "--json", "true").stdout)["task_id"]
    refused = f"zsh-ls: Task {past} has already ended and left nothing running.\n"
    assert cli("kill", past).stderr == refused


def test_one_whose_keeper_was_killed_is_remembered_where_its_answer_cannot_be_kept(
    cli: Cli, environment: Mapping[str, str], tmp_path: Path
) -> None:
    """The answer was written first, and what stood behind it was not done when that failed."""
    token = f"6{os.getpid():07}"
    task_id = cli("run", "--detach", f"sleep 1000.{token}").stdout.strip()
    folder = Path(environment["XDG_STATE_HOME"], "zsh-ls", "outputs", task_id)
    (folder / "detached.json" / "in the way").mkdir(parents=True)
    for made in (folder, *list(folder.parents)[:2]):
        made.chmod(0o700)
    (outer,) = keepers(environment)
    server = max(children_of(outer), key=lambda pid: len(children_of(pid)))
    os.kill(server, signal.SIGKILL)
    assert eventually(lambda: not alive_with(token))
    assert eventually(lambda: not keepers(environment))
    (run,) = json.loads(cli("history", "--json").stdout)
    assert run["outcome"] == "KILLED"


def children_of(pid: int) -> list[int]:
    return [int(it) for it in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_what_ends_at_once_is_told_with_its_own_status(cli: Cli) -> None:
    failed = cli("run", "--detach", "nosuchcommand")
    assert (failed.returncode, len(failed.stdout)) == (127, 9)
    assert "command not found: nosuchcommand" in failed.stderr
    assert "[FAILED" in failed.stderr
    refused = cli("run", "--detach", "--session", "one", "true")
    assert (refused.returncode, refused.stdout) == (125, "")
    assert "session" in refused.stderr


def test_its_environment_and_folder_are_the_terminals(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "said"
    line = f"print $GREETING $PWD > {out}.new; mv {out}.new {out}"
    cli("run", "--detach", line, env={"GREETING": "hello"})
    assert eventually(out.exists)
    assert out.read_text() == f"hello {tmp_path}/project\n"


# As an agent does whose own shell tool is zsh-ls: the keeper is below a task of somebody else.
def test_one_that_is_started_inside_a_task_outlives_that(cli: Cli) -> None:
    token = f"5{os.getpid():07}"
    inner = f"{sys.executable} -m zsh_ls run --detach 'sleep 1000.{token}'; sleep 60"
    began = time.monotonic()
    result = cli("run", "--brief", "--timeout", "6", inner)
    assert "[TIMEOUT" in result.stdout, time.monotonic() - began
    assert alive_with(token)
    (listed,) = json.loads(cli("tasks", "--json").stdout)["tasks"]
    assert cli("kill", listed["task_id"]).returncode == 0
    assert not alive_with(token)
