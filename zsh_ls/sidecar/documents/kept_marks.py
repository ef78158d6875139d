"""What runs have left on the lines of documents, kept for when they are opened again.

Of each line a digest is kept and no text, so that nothing a script holds is written down
(ALAN-7), and what a command was that begins with a space is not kept at all. A result
comes back where its lines stand as they did: at their old place, else where they are now.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

from zsh_ls.lazy import attrs
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level
from zsh_ls.sidecar.editor.types import DocumentInsight
from zsh_ls.system.bounded_files import MIB, NotRead, read_bytes
from zsh_ls.system.private_folders import make_private

from .marks import RunMark

MOST_DOCUMENTS = 200
MOST_MARKS = 2_000
# Marks whose lines have moved are looked for in texts up to this length.
LONGEST_SEARCHED = 200_000
log = logging.getLogger(__name__)


@attrs.frozen
class KeptMark:
    """A mark without its text: `lines` long from `line` on, whose text has this digest.

    `start` and `end` are of the mark, counted from the beginning of the first of these lines;
    so are the spans of `insights` (level, message, rule, start, end).
    """

    line: int
    lines: int
    digest: str
    start: int
    end: int
    hint: str
    is_result: bool
    failed_task: str = ""
    is_script: bool = False
    insights: tuple[tuple[str, str, str, int, int], ...] = ()

    @classmethod
    def of(cls, mark: RunMark, text: str, starts: Sequence[int]) -> KeptMark:
        """What is kept of a mark on a text, whose lines begin there."""
        line = bisect_right(starts, mark.span.start) - 1
        begin = starts[line]
        end = text.find("\n", mark.span.end)
        lines = text[begin : end if end >= 0 else len(text)]
        return cls(
            line=line,
            lines=lines.count("\n") + 1,
            digest=_digest(lines),
            start=mark.span.start - begin,
            end=mark.span.end - begin,
            hint=mark.hint,
            is_result=mark.is_result,
            failed_task=mark.failed_task,
            is_script=mark.is_script,
            insights=tuple(
                (
                    it.insight.level.value,
                    it.insight.message,
                    it.insight.rule,
                    it.span.start - begin,
                    it.span.end - begin,
                )
                for it in mark.insights
            ),
        )

    def on(self, text: str, begin: int) -> RunMark:
        """The mark on a text in which its lines begin there."""
        span = Span(begin + self.start, begin + self.end)
        insights = tuple(
            DocumentInsight(at, Insight(Level(level), message, rule, at))
            for level, message, rule, start, end in self.insights
            for at in [Span(begin + start, begin + end)]
        )
        return RunMark(
            span,
            text[span.start : span.end],
            insights,
            hint=self.hint,
            is_result=self.is_result,
            failed_task=self.failed_task,
            is_script=self.is_script,
        )


def kept_of(marks: Iterable[RunMark], text: str) -> list[KeptMark]:
    """What is worth keeping of the marks of a document."""
    shown = [it for it in marks if (it.hint or it.insights) and it.source is None and it.is_kept]
    starts = _line_starts(text.split("\n"))
    return [KeptMark.of(it, text, starts) for it in shown[:MOST_MARKS]]


def placed(kept: Sequence[KeptMark], text: str) -> list[RunMark]:
    """The marks whose lines the text still has."""
    if not kept:
        return []
    lines = text.split("\n")
    starts = _line_starts(lines)
    found, moved = [], []
    for mark in kept:
        if _digest("\n".join(lines[mark.line : mark.line + mark.lines])) == mark.digest:
            found.append(mark.on(text, starts[mark.line]))
        else:
            moved.append(mark)
    if moved and len(text) <= LONGEST_SEARCHED:
        found += _found_elsewhere(moved, text, lines, starts)
    # Of a script all of the text was run.
    return [it for it in found if not it.is_script or it.text == text]


def _line_starts(lines: Iterable[str]) -> list[int]:
    """Those of the lines, and where one more would begin."""
    return [0, *accumulate(len(line) + 1 for line in lines)]


def _found_elsewhere(
    moved: Sequence[KeptMark], text: str, lines: Sequence[str], starts: Sequence[int]
) -> list[RunMark]:
    """Those whose lines stand at one other place; of several nobody knows which was run."""
    places: dict[int, dict[str, list[int]]] = {}
    for count in {it.lines for it in moved}:
        by_digest = places.setdefault(count, {})
        for at in range(len(lines) - count + 1):
            by_digest.setdefault(_digest("\n".join(lines[at : at + count])), []).append(at)
    found = []
    for mark in moved:
        there = places[mark.lines].get(mark.digest, [])
        if len(there) == 1:
            found.append(mark.on(text, starts[there[0]]))
    return found


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class KeptMarks:
    """The files of kept marks: one a document, in a private folder, the oldest gone first."""

    def __init__(self, folder: Path | None) -> None:
        """None keeps nothing."""
        self._folder = folder

    def write(self, uri: str, kept: Sequence[KeptMark]) -> None:
        """Replace what is kept of a document; a disk that refuses loses no more than that."""
        if self._folder is None:
            return
        path = self._path(self._folder, uri)
        try:
            if not kept:
                path.unlink(missing_ok=True)
                return
            make_private(self._folder)
            fresh = f"{path}.{os.getpid()}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            with open(os.open(fresh, flags, 0o600), "wb") as file:
                file.write(json.dumps([attrs.astuple(it) for it in kept]).encode())
            os.replace(fresh, path)
            self._forget_oldest(self._folder)
        except OSError as refused:
            log.info("what stands on the lines of a document is not kept: %s", refused)

    def read(self, uri: str) -> list[KeptMark]:
        """What is kept of a document; nothing of what cannot be read."""
        if self._folder is None:
            return []
        try:
            path = self._path(self._folder, uri)
            entries = json.loads(read_bytes(path, 4 * MIB, follow_links=False))
            return [_mark_of(entry) for entry in entries]
        except (NotRead, ValueError, TypeError):
            return []

    def has(self, uri: str) -> bool:
        """Whether anything is kept of a document."""
        return self._folder is not None and self._path(self._folder, uri).exists()

    @staticmethod
    def _path(folder: Path, uri: str) -> Path:
        return folder / f"{_digest(uri)}.json"

    @staticmethod
    def _forget_oldest(folder: Path) -> None:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
        if len(names) > MOST_DOCUMENTS:
            files = sorted((folder / name for name in names), key=lambda it: it.stat().st_mtime)
            for old in files[: len(names) - MOST_DOCUMENTS]:
                old.unlink(missing_ok=True)


def _mark_of(entry: Sequence[object]) -> KeptMark:
    *fields, insights = entry
    kept = KeptMark(*fields)  # type: ignore[arg-type]
    mark = attrs.evolve(kept, insights=tuple(map(tuple, insights)))  # type: ignore[call-overload]
    numbers = (mark.line, mark.lines, mark.start, mark.end)
    if not all(isinstance(it, int) and it >= 0 for it in numbers) or mark.end < mark.start:
        raise ValueError("no place of a mark")
    return mark
