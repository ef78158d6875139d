"""Runs in real shells are of their folder's project, and their text tells agents news alone (ALAN-13…16)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest

from zsh_ls.model.requests import PollRequest, RunRequest, SendRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Origin
from zsh_ls.sidecar import Sidecar, SidecarOptions

PATIENCE_S = 120.0
FAILS = "sh -c 'exit 3'"


def repository(folder: Path) -> str:
    (folder / "src").mkdir(parents=True)
    (folder / ".git").mkdir()
    return str(folder)


async def ran(
    sidecar: Sidecar,
    folder: str,
    command: str,
    *,
    origin: Origin = Origin.EDITOR,
    rerun: bool = False,
) -> TaskResult:
    request = RunRequest(command, cwd=folder, origin=origin, rerun=rerun, yield_after=PATIENCE_S)
    return await sidecar.run(request)


def messages(result: TaskResult) -> Sequence[str]:
    insights = result.insights or {}
    return [message for level in ("warning", "info") for message in insights.get(level, ())]


async def test_a_result_names_its_project_and_another_project_retries_nothing(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    first = await ran(sidecar, f"{one}/src", FAILS)
    again = await ran(sidecar, one, FAILS)
    other = await ran(sidecar, two, FAILS)
    assert (first.project, again.project, other.project) == (one, one, two)
    assert messages(first) == ["New pattern. No history yet."]
    assert messages(again) == ["Retry #2. Previous 1 all failed. Different approach?"]
    assert messages(other) == ["New here. Elsewhere: 0% of 2."]


async def test_a_search_that_finds_nothing_elsewhere_is_no_failure_to_agents_of_another_project(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    search = "grep -rn deprecated src"
    await ran(sidecar, one, search, origin=Origin.AGENT)
    other = await ran(sidecar, two, search, origin=Origin.AGENT)
    assert "New here. Elsewhere: 100% of 1." in messages(other)
    assert "New here" not in other.formatted


async def test_what_runs_in_the_workspace_is_of_it_and_what_runs_outside_is_of_none(
    sidecar: Sidecar, options: SidecarOptions, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    assert (await ran(sidecar, str(options.workspace), "true")).project == options.workspace
    assert (await ran(sidecar, str(outside), "true")).project is None


async def test_a_rerun_is_no_retry(sidecar: Sidecar, options: SidecarOptions) -> None:
    folder = str(options.workspace)
    await ran(sidecar, folder, FAILS)
    assert messages(await ran(sidecar, folder, FAILS, rerun=True)) == []


async def test_the_text_of_an_agents_run_has_news_alone(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    folder = str(options.workspace)
    by_agent = await ran(sidecar, folder, "true", origin=Origin.AGENT)
    assert messages(by_agent) == ["New pattern. No history yet.", "No output produced."]
    assert "A.L.A.N." not in by_agent.formatted
    assert by_agent.formatted.startswith("(no output)\n[COMPLETED ")
    hidden = await ran(sidecar, folder, "sh -c 'exit 3' | cat", origin=Origin.AGENT)
    assert "pipe segment 1 exited 3 (masked by downstream)" in hidden.formatted
    by_person = await ran(sidecar, folder, "true a")
    assert "New pattern" in by_person.formatted


async def test_a_retry_that_has_succeeded_is_not_told_to_try_something_else(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    folder = str(options.workspace)
    command = "test -e done.txt || sh -c 'exit 3'"
    for _ in range(2):
        await ran(sidecar, folder, command, origin=Origin.AGENT)
    failed = await ran(sidecar, folder, command, origin=Origin.AGENT)
    await ran(sidecar, folder, "touch done.txt")
    succeeded = await ran(sidecar, folder, command, origin=Origin.AGENT)
    assert "Retry #3. Previous 2 all failed. Different approach?" in failed.formatted
    assert "Retry #4. Previous 3 all failed. Different approach?" in messages(succeeded)
    assert "A.L.A.N." not in succeeded.formatted.replace("(no output)", "")


async def test_who_wants_news_alone_gets_no_other_insights(options: SidecarOptions) -> None:
    service = await Sidecar.open(attrs.evolve(options, only_news=True))
    try:
        folder = str(options.workspace)
        silent = await ran(service, folder, "true")
        assert silent.insights is None
        assert silent.formatted.startswith("(no output)\n[COMPLETED ")
        assert "A.L.A.N." not in silent.formatted
        hidden = await ran(service, folder, "sh -c 'exit 3' | cat")
        assert messages(hidden) == ["pipe segment 1 exited 3 (masked by downstream)"]
    finally:
        await service.close()


async def test_questions_about_this_project_leave_other_projects_out(
    options: SidecarOptions, tmp_path: Path
) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    service = await Sidecar.open(attrs.evolve(options, workspace=one))
    try:
        for folder, command in ((one, "sh -c 'exit 3'"), (two, "ls /nonexistent"), (two, "true")):
            await ran(service, folder, command)
        failed = (await service.ask("what failed today")).text
        assert "exit 3" in failed
        assert "nonexistent" in failed
        for question in ("what failed here today", "what failed in this project today"):
            failed_here = await service.ask(question)
            assert failed_here.kind == "deterministic"
            assert "exit 3" in failed_here.text
            assert "nonexistent" not in failed_here.text
            assert "runs of this project alone" in failed_here.text
        ran_here = (await service.ask("what did I run here today")).text
        assert "exit 3" in ran_here
        assert "true" not in ran_here
    finally:
        await service.close()


async def test_a_command_fails_since_its_first_failure_in_this_project(
    options: SidecarOptions, tmp_path: Path
) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    service = await Sidecar.open(attrs.evolve(options, workspace=one))
    try:
        for folder in (one, two, two):
            await ran(service, folder, "ls missing")
        await ran(service, two, "touch missing")
        await ran(service, two, "ls missing")
        assert "1 time in a row" in (await service.ask("since when does ls missing fail")).text
        await ran(service, two, "ls gone")
        assert "1 time in a row" in (await service.ask("since when does ls gone fail")).text
    finally:
        await service.close()


@pytest.mark.parametrize("origin", [Origin.AGENT, Origin.EDITOR])
async def test_a_signal_that_ended_the_shell_is_named(sidecar: Sidecar, origin: Origin) -> None:
    killed = await ran(sidecar, "/", "kill -SEGV $$", origin=origin)
    chosen = await ran(sidecar, "/", "exit 139", origin=origin)
    assert "exit=139 (SIGSEGV)" in killed.formatted
    assert "exit=139]" in chosen.formatted


@pytest.mark.parametrize("shell", ["zsh", "bash"])
@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("true; sh -c 'kill -KILL $$'", "exit=137 (SIGKILL)"),
        ("true && sh -c 'kill -SEGV $$'", "exit=139 (SIGSEGV)"),
        ("(sh -c 'kill -KILL $$' 2>/dev/null)", "exit=137 (SIGKILL)"),
        ("sh -c 'kill -KILL $$'; sh -c 'exit 137'", "exit=137]"),
        ("sh -c 'kill -KILL $$'; exit 137", "exit=137]"),
        ("true; sh -c 'exit 139'", "exit=139]"),
        ("sh -c 'sh -c \"kill -KILL \\$\\$\"; exit 137'", "exit=137]"),
    ],
)
@pytest.mark.parametrize("pty", [False, True])
async def test_a_signal_that_ended_the_last_command_is_named(
    sidecar: Sidecar, shell: str, command: str, status: str, pty: bool
) -> None:
    request = RunRequest(command, shell=shell, pty=pty, origin=Origin.AGENT, yield_after=PATIENCE_S)
    assert status in (await sidecar.run(request)).formatted


async def test_of_a_pipeline_bash_says_that_its_last_command_died(sidecar: Sidecar) -> None:
    """zsh says nothing of it, so that 137 may be what a program chose."""
    request = RunRequest("true | sh -c 'kill -KILL $$'", shell="bash", yield_after=PATIENCE_S)
    status = "exit=137 (SIGKILL) pipestatus=[0,137]"
    assert status in (await sidecar.run(request)).formatted


async def test_stats_and_circuits_are_of_a_project(sidecar: Sidecar, tmp_path: Path) -> None:
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    for _ in range(3):
        await sidecar.run(RunRequest("sleep 60", cwd=one, timeout=0.2, yield_after=PATIENCE_S))
    opened = (await sidecar.circuit(project=f"{one}/src")).open
    assert [(it.project, it.timeouts) for it in opened] == [(one, 3)]
    assert (await sidecar.circuit(project=two)).open == ()
    assert (await sidecar.memory_stats(one)).observations == 3
    assert (await sidecar.memory_stats(two)).observations == 0
    assert (await sidecar.memory_stats(None)).observations == 3
    assert (await ran(sidecar, two, "sleep 0")).exit == 0
    assert (await sidecar.circuit("reset", project=one)).open == ()


async def test_the_answer_tells_the_duration_that_lines_tell(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    """ALAN-14: of the command itself, not of others of its template."""
    folder = str(options.workspace)
    for lasts in ("0.3", "0.01", "0.3", "0.01", "0.3", "0.01", "0.01"):
        last = await ran(sidecar, folder, f"sleep {lasts}")
    answer = await sidecar.ask("how long does sleep 0.3 take")
    took = answer.summary.partition(" takes ")[2].partition(" (")[0]
    assert 300 <= float(took.removesuffix(" ms")) < 3000
    assert "(median of 3 runs of exactly this)" in answer.summary
    explained = (await sidecar.explain("sleep 0.3")).text
    assert f"{took}" in explained
    assert last.status == "completed"


async def test_an_answer_by_origin_is_of_those_runs_alone(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    for _ in range(3):
        await ran(sidecar, str(options.workspace), "true here")
    answer = await sidecar.ask("how long does true here take by the agent")
    assert "Unable to determine" in answer.summary


# ALAN-16
async def test_an_agent_reads_of_mixed_retries_streaks_and_differences_whatever_came_of_them(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    async def read(command: str) -> str:
        result = await ran(sidecar, str(options.workspace), command, origin=Origin.AGENT)
        return result.formatted.rpartition("A.L.A.N.: ")[2].removesuffix("]")

    for _ in range(3):
        await read("cat notes")
    assert await read("cat notes") == (
        "Retry #4. Previous 3 all failed. Different approach? | Failing streak: 3. Same approach?"
    )
    await read("echo one > notes; echo two > others")
    await read("cat notes")
    assert await read("cat notes") == "Retry #6 in last 15m. 1/5 succeeded."
    assert await read("diff notes others") == "diff exit 1 = files differ (normal)"


# ALAN-16
@pytest.mark.parametrize(
    ("changed", "is_told"),
    [(None, True), ("src/main.c", False), ("new.txt", False), (".git/index", True)],
)
async def test_who_changed_a_file_since_it_failed_has_another_approach(
    sidecar: Sidecar, tmp_path: Path, changed: str | None, is_told: bool
) -> None:
    folder = repository(tmp_path / "one")
    command = "cd src; sh -c 'echo again >> log; exit 3'"
    for _ in range(2):
        await ran(sidecar, folder, command, origin=Origin.AGENT)
    if changed is not None:
        edited = await sidecar.run(
            RunRequest(
                f"sleep 0.2; echo changed > {changed}; sleep 0.2",
                cwd=folder,
                yield_after=PATIENCE_S,
            )
        )
        assert edited.success
    result = await ran(sidecar, folder, command, origin=Origin.AGENT)
    told = "Retry #3. Previous 2 all failed. Different approach?"
    assert told in messages(result)
    assert (told in result.formatted) is is_told


# ALAN-16
async def test_an_agent_reads_what_was_before_a_run_once(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    """Of a run that it polls the same line stood in the first answer and in the last."""
    folder = str(options.workspace)
    told = "Retry #3. Previous 2 all failed. Different approach?"
    slowly = RunRequest(f"read; {FAILS}", cwd=folder, interactive=True, origin=Origin.AGENT)
    for _ in range(2):
        await ran(sidecar, folder, slowly.command, origin=Origin.AGENT)
    first = await sidecar.run(attrs.evolve(slowly, yield_after=1.0))
    assert told in first.formatted
    await sidecar.send(SendRequest(first.task_id, "go on"))
    last = await sidecar.poll(PollRequest(first.task_id, listen=PATIENCE_S, until="end"))
    assert last.status == "completed"
    assert told in messages(last)
    assert told not in last.formatted
    # With `until` the first answer is nobody's.
    waited = await sidecar.run(attrs.evolve(slowly, yield_after=0.0))
    await sidecar.send(SendRequest(waited.task_id, "go on"))
    last = await sidecar.poll(PollRequest(waited.task_id, listen=PATIENCE_S, until="end"))
    assert "Retry #4. Previous 3 all failed. Different approach?" in last.formatted


# ALAN-16
async def test_what_this_program_writes_by_itself_is_nobodys_edit(
    tmp_path: Path, sidecar: Sidecar
) -> None:
    """Memory, outputs and sockets of this sidecar lie below the repository."""
    (tmp_path / ".git").mkdir()
    for _ in range(3):
        result = await ran(sidecar, str(tmp_path), FAILS, origin=Origin.AGENT)
    assert "Previous 2 all failed" in result.formatted


# ANS-7
async def test_answers_count_the_runs_of_the_line_that_is_named(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    """Its template counts other lines too: `cat *` has read a file that is there."""
    here = repository(tmp_path / "here")
    await ran(sidecar, here, "touch there.txt")
    for name in ("gone.txt", "gone.txt", "there.txt", "there.txt", "there.txt"):
        await ran(sidecar, here, f"cat {name}")

    async def told(question: str) -> str:
        return (await sidecar.ask(question)).summary

    assert (
        await told("how often does cat gone.txt fail")
        == "`cat gone.txt` failed 2 of 2 times (100%)."
    )
    assert (
        await told("how reliable is cat there.txt")
        == "`cat there.txt` succeeded 3 of 3 times (100%)."
    )
    assert "`cat there.txt` ran 3 times" in await told("how often did I run cat there.txt")
    assert "`cat` failed 2 of 5 times" in await told("how often does cat fail")
