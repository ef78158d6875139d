"""Whatever fails when a run ends, it ends: it is answered, remembered, and says what is missing."""

from __future__ import annotations

import asyncio
import errno
import itertools
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import attrs
import pytest

from zsh_ls.alan.learning.recording import add_run
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.requests import DocumentRange, PollRequest, RunRequest, ScriptRequest
from zsh_ls.model.results import Progress, TaskResult
from zsh_ls.model.span import Span
from zsh_ls.model.words import Origin, Status
from zsh_ls.sidecar import Sidecar, SidecarOptions
from zsh_ls.tasks.output import drain

PATIENCE_S = 60.0
URI = "file:///nowhere/x.zsh"
COMMAND = "seq 3; grep nope /etc/passwd | cat; (exit 3)"
SCRIPT = "#!/bin/zsh\nif ( echo a\n echo b ); then\n  ( echo c\n  echo d )\n  (exit 3)\nfi\n"


def broken(*_: object, **__: object) -> Any:
    raise RuntimeError("injected")


def refused(*_: object, **__: object) -> Any:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


async def never(*_: object, **__: object) -> Any:
    await asyncio.Event().wait()


def remembered(options: SidecarOptions) -> list[tuple[int, str]]:
    with sqlite3.connect(options.places.database) as connection:
        found = connection.execute("SELECT exit_code, outcome_type FROM observations").fetchall()
    connection.close()
    return found


def said(result: TaskResult) -> str:
    return " ".join((result.insights or {}).get("warning", ()))


# Where a run of a line of a document can fail, and what its answer then says.
STEPS: dict[str, str] = {
    "zsh_ls.alan.Alan.circuit_state": "",
    "zsh_ls.alan.Alan.past": "What memory knows of it is missing",
    "zsh_ls.sidecar.runs.runs.before_run": "What memory knows of it is missing",
    "zsh_ls.sidecar.documents.insights.Scripts.begin": "What is said on its lines is missing",
    "zsh_ls.tasks.process.exit_reports.find_report": "",
    "zsh_ls.sidecar.runs.run.short_output": "What it printed is missing",
    "zsh_ls.sidecar.runs.runs.after_run": "What its exit means is missing",
    "zsh_ls.sidecar.manpages.Manual.learn": "What its failure teaches is missing",
    "zsh_ls.sidecar.runs.runs.FailureCounts.another": "What its failure teaches is missing",
    "zsh_ls.sidecar.documents.insights.Scripts.settle": "What is said on its lines is missing",
    "zsh_ls.sidecar.runs.run.with_pipeline": "What its exit means is missing",
    "zsh_ls.sidecar.documents.insights.Scripts.learnt": "",
    "zsh_ls.verbosity.resolve.resolve": "The choice of what to show is missing",
    "zsh_ls.verbosity.operation.read_command": "",
    "zsh_ls.sidecar.runs.result.formatted": "The text of this answer is missing",
    "zsh_ls.sidecar.runs.result.poll_meta": "",
    "zsh_ls.tasks.output.stored_output.store_output": "",
    "zsh_ls.sidecar.runs.runs.Runs.recall": "What memory knows of it is missing",
    "zsh_ls.sidecar.runs.runs.Runs.conclude": "What its end means is missing",
    "zsh_ls.sidecar.runs.runs.completed_run": "What its end means is missing",
    "zsh_ls.sidecar.runs.places.OutputPlaces.finish": "The places in its output is missing",
    "zsh_ls.tasks.supervision.supervisor.is_ending": "The exit of each segment is missing",
    "zsh_ls.tasks.task.crashed_while_ending": "The exit of each segment is missing",
    "zsh_ls.tasks.task.Task._read_last_output": "The exit of each segment is missing",
    "zsh_ls.tasks.task.Task._report": "The exit of each segment is missing",
    "zsh_ls.tasks.task.Task._signal_told": "",
    "zsh_ls.tasks.task.Task._let_go": "",
    "zsh_ls.tasks.engine.Engine._on_end": "",
    "zsh_ls.tasks.task.Task._on_exit": "The exit of each segment is missing",
    "zsh_ls.tasks.task.Task._finish": "The exit of each segment is missing",
    "zsh_ls.sidecar.runs.run.Run.settle": "",
    "zsh_ls.sidecar.runs.progress.stream": "",
    "zsh_ls.sidecar.runs.result.progress": "",
    "zsh_ls.sidecar.runs.result._first_answer": "Part of this answer is missing",
    "zsh_ls.sidecar.runs.result._result": "Part of this answer is missing",
    "zsh_ls.sidecar.runs.result.only_news": "Part of this answer is missing",
    "zsh_ls.sidecar.runs.view._resolved": "The choice of what to show is missing",
}


@pytest.mark.parametrize("how", [broken, refused])
@pytest.mark.parametrize("step", STEPS)
async def test_a_step_that_raises_is_said_and_the_run_ends_as_it_did(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch, step: str, how: Callable[..., Any]
) -> None:
    sidecar = await Sidecar.open(options)
    has_ended = asyncio.Event()
    sidecar.on_progress(broken)
    sidecar.on_progress(lambda news: news.status is Status.RUNNING or has_ended.set())
    sidecar.on_insights_changed(broken)
    sidecar.open_document(URI, f"#!/bin/zsh\n{COMMAND}\n", "shellscript", 1)
    monkeypatch.setattr(step, how)
    where = DocumentRange(URI, Span(11, 11 + len(COMMAND)))
    request = RunRequest(COMMAND, document=where, yield_after=PATIENCE_S, progress=True)
    async with asyncio.timeout(PATIENCE_S):
        result = await sidecar.run(request)
        again = await sidecar.poll(PollRequest(result.task_id, full_output=True))
        await has_ended.wait()
        await sidecar.close()
    assert (result.status, result.exit, again.exit) == (Status.COMPLETED, 3, 3)
    assert STEPS[step] in said(result)
    assert again.output.startswith("1\n2\n3\n")
    assert remembered(options) == [(3, "FAILURE")]


async def test_a_run_that_cannot_be_remembered_says_so(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsh_ls.alan.Alan.remember", broken)
    async with asyncio.timeout(PATIENCE_S):
        result = await sidecar.run(RunRequest("(exit 3)", yield_after=PATIENCE_S))
    assert (result.status, result.exit) == (Status.COMPLETED, 3)
    assert "The record of this run is missing: internal error (RuntimeError)." in said(result)


async def test_a_mistake_while_a_run_is_written_down_costs_no_row(
    sidecar: Sidecar, options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [RuntimeError("injected")]

    def mistaken_once(*given: Any) -> Any:
        if faults:
            raise faults.pop()
        return add_run(*given)

    monkeypatch.setattr("zsh_ls.alan.store.store.add_run", mistaken_once)
    await sidecar.run(RunRequest("(exit 3)", yield_after=PATIENCE_S))
    health = await sidecar.health()
    assert (faults, health.database.status) == ([], "ok")
    assert remembered(options) == [(3, "FAILURE")]


RECORDING = (
    "zsh_ls.alan.store.store.Store.record",
    "zsh_ls.alan.store.fallback_store.FallbackStore.record",
)


@pytest.mark.parametrize("step", RECORDING)
async def test_a_run_whose_recording_cannot_begin_is_recorded_once(
    sidecar: Sidecar, options: SidecarOptions, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    owner, _, name = step.rpartition(".")
    works = getattr(resolve_name(owner), name)
    faults = [RuntimeError("injected")]

    def mistaken_once(*given: Any) -> None:
        if faults:
            raise faults.pop()
        works(*given)

    monkeypatch.setattr(step, mistaken_once)
    await sidecar.run(RunRequest("(exit 3)", yield_after=PATIENCE_S))
    await sidecar.run(RunRequest("true", yield_after=PATIENCE_S))
    await sidecar.health()
    assert faults == []
    assert sorted(remembered(options)) == [(0, "SUCCESS"), (3, "FAILURE")]


async def test_a_run_that_memory_refuses_is_recorded_with_the_next(
    sidecar: Sidecar, options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit = ThreadPoolExecutor.submit
    refused_runs = []

    def refused_once(executor: ThreadPoolExecutor, work: Any, *given: Any, **more: Any) -> Any:
        if given and isinstance(given[0], CompletedRun) and not refused_runs:
            refused_runs.append(given[0])
            raise RuntimeError("can't start new thread")
        return submit(executor, work, *given, **more)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", refused_once)
    await sidecar.run(RunRequest("(exit 3)", yield_after=PATIENCE_S))
    await sidecar.run(RunRequest("true", yield_after=PATIENCE_S))
    await sidecar.health()
    assert len(refused_runs) == 1
    assert remembered(options) == [(3, "FAILURE"), (0, "SUCCESS")]


@pytest.mark.parametrize(
    "step",
    [
        *RECORDING,
        "zsh_ls.alan.front.Alan._note_closed_circuits",
    ],
)
async def test_a_mistake_behind_a_row_that_is_written_writes_no_second_one(
    sidecar: Sidecar, options: SidecarOptions, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    owner, _, name = step.rpartition(".")
    works = getattr(resolve_name(owner), name)
    faults = [RuntimeError("injected")]

    def mistaken_at_its_end(*given: Any) -> None:
        works(*given)
        if faults:
            raise faults.pop()

    monkeypatch.setattr(step, mistaken_at_its_end)
    await sidecar.run(RunRequest("(exit 3)", yield_after=PATIENCE_S))
    await sidecar.run(RunRequest("true", yield_after=PATIENCE_S))
    health = await sidecar.health()
    assert (faults, health.database.status) == ([], "ok")
    assert remembered(options) == [(3, "FAILURE"), (0, "SUCCESS")]


@pytest.mark.parametrize("how", [broken, refused])
@pytest.mark.parametrize(
    "step",
    [
        "zsh_ls.tasks.task.Task._time_is_up",
        "zsh_ls.tasks.task.Task._end_processes",
        "zsh_ls.tasks.task.Task.shell",
        "zsh_ls.tasks.task.finder",
        "zsh_ls.tasks.supervision.ender.Ender.end",
        "zsh_ls.tasks.supervision.ender.ending",
        "zsh_ls.tasks.supervision.ender._Tree.stop",
        "zsh_ls.tasks.supervision.ender._Tree.terminate",
        "zsh_ls.tasks.supervision.ender._Tree.resume",
        "zsh_ls.tasks.supervision.keepers.without_kept",
    ],
)
async def test_a_time_limit_ends_its_run_though_a_step_of_that_fails_once(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch, step: str, how: Callable[..., Any]
) -> None:
    owner, _, name = step.rpartition(".")
    works = getattr(resolve_name(owner), name)
    faults: list[Callable[..., Any]] = []

    def mistaken_once(*given: Any, **more: Any) -> Any:
        return faults.pop()() if faults else works(*given, **more)

    monkeypatch.setattr(step, mistaken_once)
    sidecar = await Sidecar.open(options)
    async with asyncio.timeout(PATIENCE_S):
        started = await sidecar.run(RunRequest("sleep 300", timeout=0.5, yield_after=0.0))
        faults.append(how)
        poll = PollRequest(started.task_id, listen=PATIENCE_S, until="end")
        result = await sidecar.poll(poll)
        await sidecar.close()
    assert (result.status, result.error, faults) == (
        Status.TIMEOUT,
        "Command timed out after 0.5s",
        [],
    )
    assert [outcome for _, outcome in remembered(options)] == ["TIMEOUT"]


TRACE_STEPS = [
    "zsh_ls.shell.tracing.timeline.Tracing.feed",
    "zsh_ls.shell.tracing.timeline.Tracing.lines",
    "zsh_ls.tasks.process.trace_file.TraceFile.new_lines",
    "zsh_ls.sidecar.runs.tracing.Tracing",
    "zsh_ls.sidecar.documents.marks.TraceMarks.fill",
]


@pytest.mark.parametrize("step", TRACE_STEPS)
async def test_a_trace_that_cannot_be_read_ends_with_its_script(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    sidecar = await Sidecar.open(options)
    sidecar.open_document(URI, SCRIPT, "shellscript", 1)
    monkeypatch.setattr(step, broken)
    async with asyncio.timeout(PATIENCE_S):
        result = await sidecar.run_script(ScriptRequest(URI, yield_after=PATIENCE_S))
        await sidecar.close()
    assert (result.status, result.exit, result.output) == (Status.COMPLETED, 3, "a\nb\nc\nd\n")
    lines = "What its lines did" if step != TRACE_STEPS[-1] else "What is said on its lines"
    assert f"{lines} is missing" in said(result)
    assert remembered(options) == [(3, "FAILURE")]


# The shell ends within a list, and subshells that were part of it are still in the account.
UNFINISHED = {
    "exec": "if ( echo a; echo b ); then\n ( echo c\n echo d )\n exec true\nfi\n",
    "kill": "while :; do\n ( echo c\n echo d )\n kill -9 $$\ndone\n",
    "exit": "for i in 1 2; do\n ( echo c\n echo d )\n exit 3\ndone\n",
}


@pytest.mark.parametrize("shell", ["zsh", "bash"])
@pytest.mark.parametrize("end", UNFINISHED)
async def test_a_script_that_ends_within_a_list_is_told(
    sidecar: Sidecar, options: SidecarOptions, end: str, shell: str
) -> None:
    sidecar.open_document(URI, f"#!/bin/{shell}\n{UNFINISHED[end]}", "shellscript", 1)
    async with asyncio.timeout(PATIENCE_S):
        result = await sidecar.run_script(ScriptRequest(URI, yield_after=PATIENCE_S))
    assert result.exit == {"exec": 0, "kill": 137, "exit": 3}[end]
    assert {line.line for line in result.lines or ()} >= {2, 3}
    assert "missing" not in said(result)
    await sidecar.health()
    assert len(remembered(options)) == 1


async def test_a_memory_that_never_answers_holds_nobody_up(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    sidecar = await Sidecar.open(options)
    for question in ("circuit_state", "past"):
        monkeypatch.setattr(f"zsh_ls.alan.Alan.{question}", never)
    async with asyncio.timeout(PATIENCE_S):
        request = RunRequest("(exit 3)", yield_after=PATIENCE_S, origin=Origin.AGENT)
        result = await sidecar.run(request)
        await sidecar.close()
    assert (result.status, result.exit) == (Status.COMPLETED, 3)
    assert "What memory knows of it is missing: it took too long." in said(result)
    # On a busy machine an agent would read this behind many of its commands (ALAN-16).
    assert "missing" not in result.formatted
    assert remembered(options) == [(3, "FAILURE")]


@pytest.mark.parametrize(
    ("step", "how"),
    [
        ("zsh_ls.alan.Alan.kills", broken),
        ("zsh_ls.alan.Alan.kills", never),
        ("zsh_ls.sidecar.runs.result._kill_answer", broken),
    ],
)
async def test_a_kill_is_answered_whatever_becomes_of_what_is_told_of_it(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch, step: str, how: Callable[..., Any]
) -> None:
    sidecar = await Sidecar.open(options)
    monkeypatch.setattr(step, how)
    async with asyncio.timeout(PATIENCE_S):
        result = await sidecar.run(RunRequest("sleep 300", yield_after=0.1))
        killed = await sidecar.kill(result.task_id)
        await sidecar.close()
    assert (killed.success, killed.exit, killed.insight) == (True, 137, None)
    assert remembered(options) == [(-9, "KILLED")]


async def test_progress_that_cannot_be_told_goes_on_when_it_can(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Progress] = []
    has_ended = asyncio.Event()
    sidecar.on_progress(heard.append)
    sidecar.on_progress(lambda news: news.status is Status.RUNNING or has_ended.set())
    with monkeypatch.context() as while_broken:
        while_broken.setattr("zsh_ls.sidecar.runs.result.progress", broken)
        request = RunRequest("echo early; read x; echo late", interactive=True, yield_after=0.3)
        result = await sidecar.run(attrs.evolve(request, progress=True))
    async with asyncio.timeout(PATIENCE_S):
        await sidecar.kill(result.task_id)
        await has_ended.wait()
    assert "early" in "".join(news.output for news in heard)


@pytest.mark.parametrize(
    ("part", "how"),
    [
        *itertools.product(
            (
                "zsh_ls.sidecar.documents.insights.Scripts.stop",
                "zsh_ls.tasks.engine.Engine.close",
                "zsh_ls.sidecar.runs.runs.Runs.close",
                "zsh_ls.alan.Alan.close",
            ),
            (broken, never),
        ),
        ("zsh_ls.sidecar.sessions.Sessions.close", refused),
    ],
)
async def test_closing_comes_back_whatever_becomes_of_a_part(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch, part: str, how: Callable[..., Any]
) -> None:
    sidecar = await Sidecar.open(options)
    await sidecar.run(RunRequest("true", yield_after=PATIENCE_S))
    with monkeypatch.context() as while_broken:
        while_broken.setattr(part, how)
        async with asyncio.timeout(PATIENCE_S):
            await sidecar.close()
    if "Engine" in part:
        await sidecar._engine.close()
    if "Alan" in part:
        await sidecar._alan.close()
    assert remembered(options) == [(0, "SUCCESS")]


async def test_where_the_folder_of_reports_was_removed_the_run_ends_and_says_so(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    first = await sidecar.run(RunRequest("false | true", yield_after=PATIENCE_S))
    assert first.pipestatus == (1, 0)
    running = await sidecar.run(RunRequest("sleep 0.5; false | true", yield_after=0.0))
    shutil.rmtree(sidecar._engine.reports.folder)
    async with asyncio.timeout(PATIENCE_S):
        ended = await sidecar.poll(PollRequest(running.task_id, listen=PATIENCE_S, until="end"))
    assert (ended.exit, ended.pipestatus, ended.output) == (0, (0,), "")
    assert "The exit of each segment is missing: No such file or directory." in said(ended)
    after = await sidecar.run(RunRequest("false | true", yield_after=PATIENCE_S))
    assert (after.pipestatus, "missing" in said(after)) == ((1, 0), False)


@pytest.mark.slow
async def test_a_thousand_traced_runs_leave_no_descriptor(sidecar: Sidecar, tmp_path: Path) -> None:
    sidecar.open_document(URI, "#!/bin/zsh\n:\n", "shellscript", 1)

    async def traced() -> None:
        result = await sidecar.run_script(ScriptRequest(URI, yield_after=PATIENCE_S))
        assert [line.line for line in result.lines or ()] == [1]

    await asyncio.gather(*(traced() for _ in range(20)))
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        await asyncio.gather(*(traced() for _ in range(20)))
    assert len(os.listdir("/proc/self/fd")) <= before


async def test_an_output_that_cannot_be_read_any_more_ends_its_run(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    sidecar = await Sidecar.open(options)
    monkeypatch.setattr("zsh_ls.tasks.output.spool.Spool._own_copy", refused)
    async with asyncio.timeout(PATIENCE_S):
        result = await sidecar.run(RunRequest("seq 200000; exit 3", yield_after=PATIENCE_S))
        await sidecar.close()
    assert (result.status, result.exit) == (Status.COMPLETED, 3)
    assert remembered(options) == [(3, "FAILURE")]


async def test_the_pipeline_that_failed_is_looked_for_once(
    options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[CompletedRun] = []

    def counted(run: CompletedRun, statuses: tuple[int, ...]) -> CompletedRun:
        asked.append(run)
        return with_pipeline(run, statuses)

    monkeypatch.setattr("zsh_ls.sidecar.runs.run.with_pipeline", counted)
    sidecar = await Sidecar.open(options)
    sidecar.open_document(URI, f"#!/bin/zsh\n{COMMAND}\n", "shellscript", 1)
    where = DocumentRange(URI, Span(11, 11 + len(COMMAND)))
    await sidecar.run(RunRequest(COMMAND, document=where, yield_after=PATIENCE_S))
    assert [run.command for run in asked] == [COMMAND]
    await sidecar.run(RunRequest("true | true", yield_after=PATIENCE_S))
    assert len(asked) == 1
    await sidecar.close()


async def test_output_that_cannot_be_read_is_told(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = os.read

    def refusing(descriptor: int, size_bytes: int) -> bytes:
        if sys._getframe(1).f_code.co_filename == drain.__file__:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return read(descriptor, size_bytes)

    monkeypatch.setattr(os, "read", refusing)
    result = await sidecar.run(RunRequest("print lost"))
    assert said(result) == (
        "Output incomplete: the rest of it could not be read: Input/output error."
    )
