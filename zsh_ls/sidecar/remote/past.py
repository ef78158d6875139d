"""Tasks that nobody keeps any more: their server has gone, or the keeper of a detached run has.

Of a detached run its last answer is written down (RUN-20); of another task, beside its output, how it ended.
What its exits meant is worked out from that anew, so that a list shows over a restart what it showed before.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from zsh_ls.insights.display import formatted
from zsh_ls.insights.judging import after_run
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.insight import by_level, priority
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.requests import HERE, Caller, OutputRequest, PollRequest, SendRequest
from zsh_ls.model.results import Annotations, KillResult, OutputPage, Resized, Sent, TaskResult
from zsh_ls.model.syntax import Dialect, SegmentKind
from zsh_ls.model.words import Status
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.template.identity import shown_command
from zsh_ls.sidecar.detached import ended
from zsh_ls.sidecar.interface import SidecarInterface
from zsh_ls.system.projects import project_of
from zsh_ls.tasks import StoredTask, past_task, past_tasks

LAST_LINES = 200


class PastTasks:
    """They can be listed, polled and read, but no longer ended."""

    def __init__(self, own: SidecarInterface) -> None:
        self._own = own

    def has_detached(self, task_id: str) -> bool:
        """Whether it is a detached run that is known to have ended."""
        return ended.is_known(self._outputs, task_id)

    async def has(self, task_id: str) -> bool:
        """Whether one of that id is known."""
        return self.has_detached(task_id) or await self._stored(task_id) is not None

    async def ended_before_its_server(self, task_id: str) -> bool:
        """Whether it had its own end: what a server takes along is killed as it goes."""
        task = await self._stored(task_id)
        return task is not None and task.status is not Status.KILLED

    async def tasks(self) -> list[TaskSummary]:
        """Those of the workspace of this sidecar, the oldest first, detached ones behind the others."""
        here = {*self._own.options.all_folders}
        past, runs = await asyncio.to_thread(
            lambda: (past_tasks(self._outputs), list(ended.all_of(self._outputs)))
        )
        of_servers = [_summary_of(it) for it in reversed(past) if it.workspace in here]
        return [*of_servers, *(it.summary for it in runs if it.workspace in here)]

    async def poll(self, request: PollRequest) -> TaskResult:
        """How it ended, with the last of its output, or all: of a detached run as it was shown then."""
        run = await asyncio.to_thread(ended.read, self._outputs, request.task_id)
        if run is not None and not request.full_output:
            return run.answer
        answer = run.answer if run else await self._told_anew(request.task_id)
        page = await self.output(OutputRequest(request.task_id, to_line=1))
        first = 1 if request.full_output else max(1, page.total_lines - LAST_LINES + 1)
        page = await self.output(OutputRequest(request.task_id, from_line=first))
        answer = attrs.evolve(
            answer,
            output=page.output,
            from_line=page.from_line,
            to_line=page.to_line,
            more=page.more,
        )
        return attrs.evolve(answer, formatted=formatted(answer, colour=False, numbered=True))

    async def output(self, request: OutputRequest) -> OutputPage:
        """Its output by line range."""
        return await self._own.output(request)

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """Refused: nothing is left of it."""
        raise RequestRejected(f"Task {task_id} has already ended and left nothing running.")

    async def send(self, request: SendRequest) -> Sent:
        """Refused: it has ended."""
        raise RequestRejected(f"Task {request.task_id} has already ended.")

    async def interrupt(self, task_id: str) -> None:
        """Nothing is left to interrupt."""

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        """Refused: it has ended."""
        raise RequestRejected(f"Task {task_id} has already ended.")

    async def _told_anew(self, task_id: str) -> TaskResult:
        task = await self._stored(task_id)
        if task is None:
            raise InvalidRequest(f"Unknown task: {task_id}")
        return await asyncio.to_thread(_answer_of, task)

    async def _stored(self, task_id: str) -> StoredTask | None:
        return await asyncio.to_thread(past_task, self._outputs, task_id)

    @property
    def _outputs(self) -> Path:
        return self._own.options.places.outputs


def _summary_of(task: StoredTask) -> TaskSummary:
    """A line of the task list for a task of which the output is kept."""
    return TaskSummary(
        task_id=task.task_id,
        command=shown_command(task.label),  # an earlier release may have kept it as it was typed
        status=task.status,
        elapsed_seconds=_elapsed_s(task),
        output_bytes=task.size_bytes,
        is_pty=task.is_pty,
        origin=task.origin,
        exit=task.exit,
    )


def _answer_of(task: StoredTask) -> TaskResult:
    """How it ended and what that meant, without its output; memory is not asked what it knew by then."""
    command = shown_command(task.label)
    timed_out, killed = task.status is Status.TIMEOUT, task.status is Status.KILLED
    project = project_of(task.cwd, task.workspace or None)
    run = CompletedRun(
        command=command,
        shell=task.shell,
        exit=task.exit,
        pipestatus=task.pipestatus,
        outcome=outcome_of(task.exit, timed_out=timed_out, killed=killed),
        duration_s=task.ended_at - task.started_at,
        started_at=task.started_at,
        session="",
        cwd=task.cwd,
        project=project,
        origin=task.origin,
        output_is_blank=task.size_bytes == 0,
    )
    meant = []
    if task.status is Status.COMPLETED and task.exit is not None:
        # `pipestatus` of a script is of a pipeline in it; rules speak of the command that ran the script.
        of_script = len(run.pipestatus) > 1 and _is_one_command(command)
        meant = after_run(with_pipeline(run, (task.exit,) if of_script else run.pipestatus))
    return TaskResult(
        task_id=task.task_id,
        command=command,
        shell=task.shell,
        cwd=task.cwd,
        status=task.status,
        output="",
        from_line=None,
        to_line=None,
        new_bytes=task.size_bytes,
        elapsed_seconds=_elapsed_s(task),
        has_stdin=False,
        is_pty=task.is_pty,
        origin=task.origin,
        annotations=Annotations(priority(meant)),
        formatted="",
        project=project,
        success=task.exit == 0,
        exit=task.exit,
        pipestatus=task.pipestatus or None,
        insights=by_level(meant) or None,
        error=_ERRORS.get(task.status),
    )


def _is_one_command(command: str) -> bool:
    """Whether a text is a single command: one status is all that a shell has of it."""
    pipelines = parse(command, Dialect.SH).pipelines
    return len(pipelines) == 1 and [it.kind for it in pipelines[0].segments] == [SegmentKind.SIMPLE]


_ERRORS = {Status.TIMEOUT: "Command timed out", Status.KILLED: "Command was killed"}


def _elapsed_s(task: StoredTask) -> float:
    return round(max(0.0, task.ended_at - task.started_at), 3)
