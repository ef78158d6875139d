"""What the view knows of the tasks, and what of it is looked at: values, no terminal and no link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from zsh_ls.cli.one_line import one_line
from zsh_ls.model.results import PollMeta, Progress, TaskResult, TaskSummary
from zsh_ls.model.words import Status

# What has ended stays in sight so long.
REMAINS_S = 30.0


@attrs.frozen
class TaskRow:
    """One task: `meta` while it runs, `insights` by level, `gone_at` when its end was seen."""

    task: TaskSummary
    meta: PollMeta | None = None
    last_line: str = ""
    insights: Mapping[str, Sequence[str]] = attrs.field(factory=dict)
    gone_at: float | None = None


@attrs.define
class Board:
    """All rows in the order of their start, and which one is selected."""

    rows: dict[str, TaskRow] = attrs.field(factory=dict)
    selected: str | None = None

    def listed(self, tasks: Iterable[TaskSummary], now_s: float) -> list[str]:
        """Take the list of running tasks; gives the ids of those to ask about: new, or gone unheard."""
        found = {task.task_id: task for task in tasks}
        asked = [task_id for task_id in found if task_id not in self.rows]
        for task_id, task in found.items():
            row = self.rows.get(task_id)
            self.rows[task_id] = TaskRow(task) if row is None else attrs.evolve(row, task=task)
        for task_id in [task_id for task_id in self.rows if task_id not in found]:
            if self.rows[task_id].task.status is Status.RUNNING:
                asked.append(task_id)
            self._has_gone(task_id, now_s)
        self._select_something()
        return asked

    def answered(self, result: TaskResult) -> None:
        """Take the answer to a poll."""
        self._learn(result.task_id, result.status, result.exit, result.output, result.insights)
        self._change(result.task_id, meta=result.poll_meta)

    def heard(self, progress: Progress) -> None:
        """Take news."""
        told = progress
        self._learn(told.task_id, told.status, told.exit, told.output, told.insights)
        self._change(told.task_id, meta=told.poll_meta)

    def move(self, by: int) -> None:
        """Select the row so many further down; at the ends it stays."""
        ids = list(self.rows)
        if self.selected in ids:
            place = ids.index(self.selected) + by
            self.selected = ids[max(0, min(len(ids) - 1, place))]

    @property
    def current(self) -> TaskRow | None:
        """The selected row."""
        return self.rows.get(self.selected) if self.selected is not None else None

    def _learn(
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

    def _has_gone(self, task_id: str, now_s: float) -> None:
        row = self.rows[task_id]
        if row.gone_at is None:
            self._change(task_id, gone_at=now_s, meta=None)
        elif now_s - row.gone_at > REMAINS_S:
            del self.rows[task_id]

    def _change(self, task_id: str, **changes: object) -> None:
        if task_id in self.rows:
            self.rows[task_id] = attrs.evolve(self.rows[task_id], **changes)  # type: ignore[arg-type]

    def _select_something(self) -> None:
        if self.selected not in self.rows:
            self.selected = next(iter(self.rows), None)


def last_line(output: str) -> str:
    """The last line of `output` that says something, without what a terminal would obey."""
    lines = (one_line(line) for line in reversed(output[-4000:].splitlines()))
    return next(filter(None, lines), "")
