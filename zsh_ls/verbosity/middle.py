"""Finds the few telling lines of an output that is too large to be resolved as a whole (VERB-8).

The resolver is given the two ends of a huge output. What lies between is read here piece by piece, in bounded
memory: errors, and lines whose template occurs once in all of it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

import attrs

from .lines import RenderedLines
from .rules import rules
from .salience import matching

# Of a log in which every line is different, later templates are not counted.
MAX_TEMPLATES = 300_000
MAX_LINE_CHARS = 2_000
WORDS_OF_BEGINNING = 3


@attrs.frozen
class TellingLine:
    """A line, and its number in the whole output (zero-based)."""

    at: int
    text: str


@attrs.define
class _Seen:
    line: TellingLine
    count: int


@attrs.define
class _Findings:
    """What was seen so far: templates, and the first and last errors."""

    most: int
    seen: dict[str, _Seen] = attrs.field(factory=dict)
    shown: Counter[str] = attrs.field(factory=Counter)
    first: list[TellingLine] = attrs.field(factory=list)
    last: deque[TellingLine] = attrs.field(factory=deque)

    def add(self, lines: RenderedLines, before: int) -> None:
        numbers = range(len(lines) - 1, -1, -1)
        first_of = dict(zip(reversed(lines.templates), numbers, strict=True))
        for template, count in lines.counts.items():
            known = self.seen.get(template)
            if known is not None:
                known.count += count
            elif template.strip() and len(self.seen) < MAX_TEMPLATES:
                at = first_of[template]
                line = TellingLine(before + at, lines.rows[at][:MAX_LINE_CHARS])
                self.seen[template] = _Seen(line, count)

    def add_errors(self, lines: RenderedLines, before: int, wanted: range) -> None:
        for at in matching(lines, rules().strong_error):
            template = lines.templates[at]
            self.shown[template] += 1
            is_few = self.shown[template] <= rules().limits["windows_per_template"]
            if before + at in wanted and is_few:
                line = TellingLine(before + at, lines.rows[at][:MAX_LINE_CHARS])
                if len(self.first) < self.most // 2:
                    self.first.append(line)
                else:
                    self.last.append(line)
                    if len(self.last) > self.most - self.most // 2:
                        self.last.popleft()

    def once(self, wanted: range, most: int) -> list[TellingLine]:
        """The lines in `wanted` with a template of their own; of very many those that begin alone."""
        alone = [(t, one.line) for t, one in self.seen.items() if one.count == 1]
        if len(alone) > most:
            beginnings = Counter(map(_beginning, self.seen))
            alone = [(t, line) for t, line in alone if beginnings[_beginning(t)] == 1]
        lines = [line for _, line in alone if line.at in wanted]
        return lines if len(alone) <= most + rules().limits["salient_once"] else []


def telling_lines(pieces: Iterable[str], wanted: range) -> list[TellingLine]:
    """The telling lines among the lines `wanted` of an output that comes in `pieces` of whole lines."""
    limits = rules().limits
    found = _Findings(limits["error_windows"])
    before = 0
    for piece in pieces:
        lines = RenderedLines.of(piece)
        found.add(lines, before)
        found.add_errors(lines, before, wanted)
        before += piece.count("\n")
    chosen = {line.at: line for line in found.once(wanted, limits["salient_once"])}
    chosen.update((line.at, line) for line in (*found.first, *found.last))
    return [chosen[at] for at in sorted(chosen)]


def _beginning(template: str) -> tuple[str, ...]:
    words = template.split(maxsplit=8)[:8]
    return tuple([word for word in words if word.isalpha()][:WORDS_OF_BEGINNING])
