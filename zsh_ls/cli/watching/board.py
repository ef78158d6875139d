"""The state of the task viewer, without I/O: its tasks, and which one is selected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zsh_ls.cli.one_line import one_line
from zsh_ls.lazy import attrs
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.results import PollMeta, Progress, TaskResult
from zsh_ls.model.words import Status

# How long ended tasks stay in the list.
REMAINS_S = 30.0


@attrs.frozen
class TaskRow:
    """One task: `meta` while it runs, `insights` by level, `gone_at` the time its end was noticed."""

    task: TaskSummary
    meta: PollMeta | None = None
    last_line: str = ""
    insights: Mapping[str, Sequence[str]] = attrs.field(factory=dict)
    gone_at: float | None = None


@attrs.define
class Board:
    """All rows in the order of the tasks' start, and the selected one."""

    rows: dict[str, TaskRow] = attrs.field(factory=dict)
    selected: str | None = None

    def update_from_list(self, tasks: Iterable[TaskSummary], now_s: float) -> list[str]:
        """Update from the list of running tasks; returns the ids to poll: new and missing ones."""
        found = {task.task_id: task for task in tasks}
        asked = [task_id for task_id in found if task_id not in self.rows]
        for task_id, task in found.items():
            row = self.rows.get(task_id)
            # Of a server that went it may have been lost: another editor's task, or a detached one.
            self.rows[task_id] = (
                TaskRow(task) if row is None else attrs.evolve(row, task=task, gone_at=None)
            )
        for task_id, row in list(self.rows.items()):
            if task_id in found:
                continue
            if row.task.status is Status.RUNNING:
                asked.append(task_id)  # its end has not been seen yet
            if row.gone_at is None:
                self._change(task_id, gone_at=now_s, meta=None)
            elif now_s - row.gone_at > REMAINS_S:
                del self.rows[task_id]
        if self.selected not in self.rows:
            self.selected = next(iter(self.rows), None)
        return asked

    def lose(self, task_ids: Iterable[str], now_s: float) -> None:
        """Their server has gone: those that ran have been killed with it, but for detached ones."""
        for task_id in task_ids:
            row = self.rows[task_id]
            if row.task.status is Status.RUNNING and not row.task.detached:
                task = attrs.evolve(row.task, status=Status.KILLED)
                self._change(task_id, task=task, meta=None, gone_at=now_s)

    def update_from_poll(self, result: TaskResult) -> None:
        """Update from the result of a poll."""
        self._update(result.task_id, result.status, result.exit, result.output, result.insights)
        self._change(result.task_id, meta=result.poll_meta)

    def update_from_progress(self, progress: Progress) -> None:
        """Update from progress of a task."""
        self._update(
            progress.task_id, progress.status, progress.exit, progress.output, progress.insights
        )
        self._change(progress.task_id, meta=progress.poll_meta)

    def move(self, by: int) -> None:
        """Move the selection down by `by` rows, as far as possible."""
        ids = list(self.rows)
        if self.selected in ids:
            place = ids.index(self.selected) + by
            self.selected = ids[max(0, min(len(ids) - 1, place))]

    @property
    def current(self) -> TaskRow | None:
        """The selected row."""
        return self.rows.get(self.selected) if self.selected is not None else None

    def _update(
        self,
        task_id: str,
        status: Status,
        exit_status: int | None,
        output: str,
        insights: Mapping[str, Sequence[str]] | None,
    ) -> None:
        row = self.rows.get(task_id)
        if row is None:
            return
        task = attrs.evolve(row.task, status=status, exit=exit_status)
        self._change(task_id, task=task, insights=insights or row.insights)
        if line := last_line(output):
            self._change(task_id, last_line=line)

    def _change(self, task_id: str, **changes: object) -> None:
        if task_id in self.rows:
            self.rows[task_id] = attrs.evolve(self.rows[task_id], **changes)  # type: ignore[arg-type]


def last_line(output: str) -> str:
    """The last line of `output` with visible text, without control sequences."""
    lines = (one_line(line) for line in reversed(output[-4000:].splitlines()))
    return next(filter(None, lines), "")
