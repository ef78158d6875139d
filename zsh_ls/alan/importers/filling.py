"""What an importer finds in a history, and its import into memory, ROWS_A_BATCH rows per transaction.

An interrupted import leaves memory consistent, and the next one continues where
it stopped, because rows that were imported are recognized by their ids.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.alan.store.store import Store
from zsh_ls.lazy import attrs
from zsh_ls.model.words import Outcome

ROWS_A_BATCH = 10_000
Progress = Callable[["Summary"], None]


class UnreadableHistory(Exception):
    """The history file is missing, unreadable or of another format, as the message says."""


@attrs.frozen
class Left:
    """A row that cannot be imported; rows are counted by `reason`."""

    reason: str


Found = HistoryRow | Left
Reader = Callable[[Path], Iterator[Found]]
WITHOUT_TIME = Left("without a time")


def outcome_of_exit(exit_status: int | None) -> Outcome | None:
    """The outcome of a run with that exit status, None if the status is unknown."""
    if exit_status is None:
        return None
    return Outcome.SUCCESS if exit_status == 0 else Outcome.FAILURE


def known_ms(duration_ms: float | None) -> int | None:
    """The duration rounded, None where it is missing, zero or negative, which means not measured."""
    return round(duration_ms) if duration_ms is not None and duration_ms > 0 else None


def known_folder(folder: str | None) -> str | None:
    """The folder where it is an absolute path, None for anything else (atuin has `unknown`)."""
    return folder if folder and os.path.isabs(folder) else None


@attrs.define
class Summary:
    """How many rows were imported and left out so far; `left` counts the latter by reason."""

    taken: int = 0
    known_before: int = 0
    without_exit: int = 0
    without_duration: int = 0
    left: Counter[str] = attrs.Factory(Counter)

    @property
    def seen(self) -> int:
        """How many rows were read."""
        return self.taken + self.known_before + self.left.total()


def fill(
    store: Store,
    source: str,
    found: Iterable[Found],
    progress: Progress | None = None,
    prepare: Callable[[Iterable[str]], None] | None = None,
) -> Summary:
    """Import all new rows of `found`, calling `progress` after each batch.

    `prepare` is called with a batch's commands before the previous batch is imported.
    """
    summary = Summary()
    rest = iter(found)
    batches = iter(lambda: list(islice(rest, ROWS_A_BATCH)), [])
    for batch in _prepare_ahead(batches, prepare):
        rows = [it for it in batch if isinstance(it, HistoryRow)]
        taken = store.import_rows(source, rows)
        summary.taken += taken
        summary.known_before += len(rows) - taken
        summary.without_exit += sum(row.exit is None for row in rows)
        summary.without_duration += sum(row.duration_ms is None for row in rows)
        summary.left.update(it.reason for it in batch if isinstance(it, Left))
        if progress is not None:
            progress(summary)
    return summary


def _prepare_ahead(
    batches: Iterable[list[Found]], prepare: Callable[[Iterable[str]], None] | None
) -> Iterator[list[Found]]:
    waiting: list[Found] | None = None
    for batch in batches:
        if prepare is not None:
            prepare(it.command for it in batch if isinstance(it, HistoryRow))
        if waiting is not None:
            yield waiting
        waiting = batch
    if waiting is not None:
        yield waiting
