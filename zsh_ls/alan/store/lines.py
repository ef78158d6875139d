"""The lines that were run, one row for a text and a project: what `zsh-ls history` searches (PROMPT-2).

The log of runs forgets within days, so a line is kept here until it has not been run for
`retention.PATTERN_KEPT_MS`. The text is redacted, and one that must not be kept (ALAN-7) is none.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.recall import HistoryLine

from .rows import find_place, reading
from .schema import ORIGINS, OUTCOMES

LINES_A_CHUNK = 1_000
BETWEEN = "\0"
_COLUMNS = """line.text, line.exit, line.outcome, line.duration_ms, line.at_ms, line.origin,
    line.runs, folder.path, project.path FROM line
    LEFT JOIN place AS folder ON folder.id = line.folder
    LEFT JOIN place AS project ON project.id = line.project"""


@attrs.define
class LineIndex:
    """The texts of all lines, to be searched at each key: those of `project` first, newest first.

    `load` fills it on one thread while another one searches what is there already.
    """

    project: str
    only_here: bool = False
    chunks: list[tuple[str, tuple[int, ...]]] = attrs.field(factory=list)
    _without: tuple[Sequence[str], set[int]] = attrs.field(default=((), set()), init=False)

    def load(self, connection: sqlite3.Connection) -> Iterator[int]:
        """Read the lines chunk by chunk; each step gives how many there are by then."""
        here = find_place(connection, self.project) or -1
        loaded = 0
        orders = [("project = ?", here)]
        if not self.only_here:
            orders.append(("project IS NOT ?", here))
        for where, value in orders:
            rows = connection.execute(
                f"SELECT key, text FROM line WHERE {where} ORDER BY at_ms DESC", (value,)
            )
            while some := rows.fetchmany(LINES_A_CHUNK):
                texts = BETWEEN.join(text for _, text in some).lower()
                # Only where lower case is as long as the text was, keys are found by their place.
                if texts.count(BETWEEN) == len(some) - 1:
                    self.chunks.append((texts, tuple(key for key, _ in some)))
                loaded += len(some)
                yield loaded

    def found(self, words: Sequence[str], limit: int) -> list[int]:
        """The keys of the first `limit` lines that hold all words, in any case; equal texts once."""
        return list(islice(filter(None, self.search(words)), limit))

    def search(self, words: Sequence[str]) -> Iterator[int | None]:
        """The keys of the lines that hold all words, and None after each chunk that was searched.

        A query that grows is not looked for again where the one before had nothing.
        """
        wanted = [word.lower() for word in words]
        asked_before, had_nothing = self._without
        has_grown = all(any(old in word for word in wanted) for old in asked_before)
        without = set(had_nothing) if has_grown else set()
        self._without = (wanted, without)
        seen: set[str] = set()
        for number, (texts, keys) in enumerate(self.chunks):
            if number in without:
                continue
            found = False
            for at, text in _holding(texts, wanted):
                found = True
                if text not in seen:
                    seen.add(text)
                    yield keys[at]
            if not found:
                without.add(number)
            yield None


def _holding(texts: str, words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of a chunk that hold all words, with their places.

    Only lines with the rarest of the words are looked at: Python searches a text
    a hundred times as fast as it takes up lines.
    """
    if not words:
        yield from enumerate(texts.split(BETWEEN))
        return
    counts = [texts.count(word) for word in words]
    if not all(counts):
        return
    rarest = words[counts.index(min(counts))]
    at, place, counted_to = texts.find(rarest), 0, 0
    while at >= 0:
        start = texts.rfind(BETWEEN, 0, at) + 1
        end = texts.find(BETWEEN, at)
        end = len(texts) if end < 0 else end
        line = texts[start:end]
        if len(words) == 1 or all(word in line for word in words):
            place += texts.count(BETWEEN, counted_to, start)
            counted_to = start
            yield place, line
        at = texts.find(rarest, end)


class Search:
    """A search that goes on in steps, so that no key waits for its end."""

    def __init__(
        self, connection: sqlite3.Connection, index: LineIndex, words: Sequence[str], limit: int
    ) -> None:
        self.lines: list[HistoryLine] = []
        self.is_over = False
        self._connection = connection
        self._limit = limit
        self._keys = index.search(words)

    def go_on(self, patience_s: float) -> None:
        """Search for about that long; `lines` has what was found until then."""
        until = time.monotonic() + patience_s
        keys: list[int] = []
        for key in self._keys:
            if key is not None:
                keys.append(key)
            if len(self.lines) + len(keys) == self._limit:
                self.is_over = True
                break
            if key is None and time.monotonic() >= until:
                break
        else:
            self.is_over = True
        if keys:
            self.lines += lines_of(self._connection, keys)


def lines_of(connection: sqlite3.Connection, keys: Sequence[int]) -> list[HistoryLine]:
    """The lines with those keys, in that order."""
    rows = connection.execute(
        f"SELECT line.key, {_COLUMNS} WHERE line.key IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keys)),),
    )
    known = {row[0]: _line(_Row(*row[1:])) for row in rows}
    return [known[key] for key in keys if key in known]


def newest_lines(
    connection: sqlite3.Connection,
    words: Sequence[str],
    *,
    project: str | None,
    only_here: bool,
    limit: int,
) -> list[HistoryLine]:
    """The newest lines that hold all words, those of `project` first; equal texts once."""
    if not limit:
        return []
    here = (None if project is None else find_place(connection, project)) or -1
    holds = "".join(" AND instr(lower(line.text), lower(?))" for _ in words)
    orders = ["line.project = ?"] if only_here else ["line.project = ?", "line.project IS NOT ?"]
    found = chain.from_iterable(
        connection.execute(
            # Of lines of the same moment each look gives the same order.
            f"SELECT {_COLUMNS} WHERE {where}{holds} ORDER BY line.at_ms DESC, line.text",
            (here, *words),
        )
        for where in orders
    )
    texts: dict[str, HistoryLine] = {}
    for row in found:
        texts.setdefault(row[0], _line(_Row(*row)))
        if len(texts) == limit:
            break
    return list(islice(texts.values(), limit))


class _Row(NamedTuple):
    """A row of `_COLUMNS`."""

    text: str
    exit: int | None
    outcome: int | None
    duration_ms: int | None
    at_ms: int
    origin: int
    runs: int
    folder: str | None
    project: str | None


@reading("a line of history")
def _line(row: _Row) -> HistoryLine:
    return HistoryLine(
        command=row.text,
        exit=row.exit,
        outcome=None if row.outcome is None else OUTCOMES[row.outcome],
        duration_s=None if row.duration_ms is None else row.duration_ms / 1000,
        at=row.at_ms / 1000,
        cwd=row.folder or "",
        project=row.project or "",
        origin=ORIGINS[row.origin],
        runs=row.runs,
    )
