"""Questions about what this very sidecar ran, runs and killed; explanations that run nothing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import attrs
import pytest

from zsh_ls.answers.form import validate
from zsh_ls.model.answer import Answer
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar

FOREVER = RunRequest("sleep 1000", yield_after=0.0)


async def asked(sidecar: Sidecar, question: str) -> Answer:
    answer = await sidecar.ask(question)
    assert validate(answer.text, answer.kind) == ()
    return answer


async def test_memory_answers_of_what_just_ran(sidecar: Sidecar) -> None:
    await sidecar.run(RunRequest("false; exit 3"))
    answer = await asked(sidecar, "what failed last?")
    assert answer.kind == "deterministic"
    assert answer.summary == "`false; exit 3` failed with exit 3 just now."


async def test_a_match_that_was_not_found_is_no_failure(sidecar: Sidecar) -> None:
    await sidecar.run(RunRequest("echo a | grep b"))
    assert (await asked(sidecar, "what failed today")).summary.startswith("Nothing failed today")


# ALAN-15
async def test_what_hid_a_failure_is_counted_as_no_success(sidecar: Sidecar) -> None:
    for command in ("sh -c 'exit 3'", "sh -c 'exit 3' | cat", "sh -c 'exit 3' | cat", "sh -c :"):
        await sidecar.run(RunRequest(command))
    what = await asked(sidecar, "what did I run today")
    told = "`sh -c 'exit 3' | cat` exited 0, and hid that `sh` (exit 3) failed, just now after"
    assert told in (what.details or "")
    assert "| cat` succeeded" not in what.text
    for today in ("", " today"):
        fails = await asked(sidecar, f"how often does sh -c fail{today}")
        assert f"failed 1 of 4 times{today} (25%), and hid a failure 2 times." in fails.summary
        assert "- succeeded 1 time" in (fails.details or "")
        passes = await asked(sidecar, f"how often does sh -c succeed{today}")
        assert f"succeeded 1 of 4 times{today} (25%)." in passes.summary
        assert "- hid a failure 2 times" in (passes.details or "")


# ALAN-15
async def test_what_hid_a_failure_does_not_end_a_row_of_them(sidecar: Sidecar) -> None:
    """Of `make check`, that never passed: `it last succeeded`, which was `make check | tail -1`."""
    for command in ("sh -c :", "sh -c 'exit 3'", "sh -c 'exit 3' | cat"):
        await sidecar.run(RunRequest(command))
    since = await asked(sidecar, "since when does sh -c fail")
    assert since.summary == "`sh -c` fails since just now, 2 times in a row."
    told = "- The last run exited 0, and hid that `sh` (exit 3) failed, just now."
    assert told in (since.details or "")


async def test_running_tasks_are_told_and_killed_ones_afterwards(sidecar: Sidecar) -> None:
    task = await sidecar.run(FOREVER)
    running = await asked(sidecar, "what is running")
    assert running.summary == "1 task is running: `sleep 1000`."
    assert f"task `{task.task_id}`" in (running.details or "")
    await sidecar.kill(task.task_id)
    assert (await asked(sidecar, "what is running")).summary == "No task is running."
    killed = await asked(sidecar, "what was killed and why")
    assert killed.summary == "1 run was killed: `sleep 1000` just now."
    assert "not known, no run of it ended by itself" in (killed.details or "")


# VERB-5
async def test_the_whole_output_of_the_last_task_is_given(sidecar: Sidecar) -> None:
    assert (await asked(sidecar, "show full output")).kind == "fallback"
    await sidecar.run(RunRequest("seq 1 500"))
    answer = await asked(sidecar, "show full output")
    assert answer.output == "".join(f"{number}\n" for number in range(1, 501))


async def test_what_nobody_knows_is_a_fallback(sidecar: Sidecar) -> None:
    answer = await asked(sidecar, "who is the president")
    assert answer.kind == "fallback"
    assert answer.summary.startswith("Unable to determine ")


async def test_an_explanation_tells_what_ran_before_and_runs_nothing(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    command = f"cd {tmp_path} && echo made > by-explain"
    await sidecar.run(RunRequest("cd /"))
    answer = await sidecar.explain(command)
    assert validate(answer.text, answer.kind) == ()
    assert "change the current directory" in (answer.details or "")
    assert not (tmp_path / "by-explain").exists()
    assert "1 run remembered" in (await sidecar.explain("cd /")).summary


class Repository:
    """A repository with a file, and a `git` on PATH that leaves a trace when it is started."""

    def __init__(self, folder: str, tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._git = [shutil.which("git") or "git", "-C", folder]
        self._trace = tools / "git-was-started"
        self._file = Path(folder, "present")
        self._file.touch()
        self._run("init", "-q")
        git = tools / "bin" / "git"
        git.parent.mkdir()
        trace = shlex.quote(str(self._trace))
        git.write_text(f'#!/bin/sh\n: > {trace}\nexec {self._git[0]} "$@"\n')
        git.chmod(0o755)
        monkeypatch.setenv("PATH", f"{git.parent}:{os.environ['PATH']}")

    def remove_the_file(self) -> None:
        self._file.unlink()
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        self._run(*who, "commit", "-q", "--allow-empty", "-m", "Remove it")

    def git_was_started(self) -> bool:
        return self._trace.exists()

    def _run(self, *arguments: str) -> None:
        # Git's times are whole seconds: one is surely after what ran before.
        later = {**os.environ, "GIT_COMMITTER_DATE": f"@{int(time.time()) + 60} +0000"}
        subprocess.run([*self._git, *arguments], check=True, env=later)


# ANS-7
async def test_git_is_asked_for_commits_in_a_trusted_workspace_alone(
    sidecar: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(sidecar.options.workspace or "", tmp_path, monkeypatch)
    await sidecar.run(RunRequest("ls present"))
    repository.remove_the_file()
    await sidecar.run(RunRequest("ls present"))
    for is_trusted in (False, True):
        sidecar.configure(attrs.evolve(sidecar.settings, trusted=is_trusted))
        why, changed = (
            await sidecar.why(),
            await asked(sidecar, "what changed since it last worked"),
        )
        assert "`ls present` failed with exit 2" in why.summary
        assert ["Remove it" in answer.text for answer in (why, changed)] == [is_trusted] * 2
        assert repository.git_was_started() is is_trusted
