"""Finds the few telling lines of an output that is too large to be resolved as a whole (VERB-8).

The resolver is given the two ends of a huge output. What lies between is read here piece by piece, as it is
written, in bounded memory: errors, and lines whose template occurs once in all of it. Most of a huge output
are lines of a few templates that are known to occur often. One pattern of all these passes over a GiB of them
in a second, of which each line would take a minute's share.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

from zsh_ls.lazy import attrs, re
from zsh_ls.model.terminal_text import render_bytes

from .lines import RenderedLines
from .rules import rules
from .salience import matching

try:
    import re2
except ImportError:
    re2 = None

# Of a log in which every line is different, later templates are not counted.
MAX_TEMPLATES = 300_000
MAX_LINE_CHARS = 2_000
WORDS_OF_BEGINNING = 3
# How many errors are kept from the beginning, and as many from the end.
MAX_ERRORS = 1_000
# A template that makes up so much of what was looked at is passed over, of so many.
COMMON_LINES = 8
MAX_COMMON = 100
MAX_COMMON_CHARS = 400
LEAST_CHUNK_BYTES = 16 << 10
MOST_CHUNK_BYTES = 1 << 20


@attrs.frozen
class TellingLine:
    """A line, and its number in the whole output (zero-based)."""

    at: int
    text: str


@attrs.frozen
class TellingLines:
    """The lines of an output that tell something: those with a template of their own, and errors."""

    alone: Sequence[TellingLine]
    errors: Sequence[TellingLine]

    def within(self, wanted: range) -> list[TellingLine]:
        """Those among the lines `wanted`: of many errors the first and the last."""
        most = rules().limits["error_windows"]
        errors = [line for line in self.errors if line.at in wanted]
        if len(errors) > most:
            errors = errors[: most // 2] + errors[len(errors) - (most - most // 2) :]
        chosen = {line.at: line for line in (*self.alone, *errors) if line.at in wanted}
        return [chosen[at] for at in sorted(chosen)]


@attrs.define
class _Seen:
    line: TellingLine
    count: int


@attrs.define
class TellingSearch:
    """Looks at the lines of one output in their order, and keeps what may tell something."""

    _lines: int = 0
    _is_within_line: bool = False
    _seen: dict[str, _Seen] = attrs.field(factory=dict)
    _shown: Counter[str] = attrs.field(factory=Counter)
    _first: list[TellingLine] = attrs.field(factory=list)
    _last: deque[TellingLine] = attrs.field(factory=lambda: deque(maxlen=MAX_ERRORS))
    _common: dict[str, bytes] = attrs.field(factory=dict)
    _pattern: Any = None
    _chunk_bytes: int = LEAST_CHUNK_BYTES

    def feed(self, data: bytes) -> int:
        """Look at the whole lines that `data` begins with; returns how many bytes these are.

        Of a line that fills all of `data` only the beginning is looked at.
        """
        at, end = 0, data.rfind(b"\n") + 1
        if self._is_within_line:
            at = data.find(b"\n") + 1 or len(data)
            self._is_within_line = not end
            self._lines += bool(end)
        elif not end and len(data) >= MOST_CHUNK_BYTES:
            self._look(data[:MAX_LINE_CHARS])
            self._is_within_line = True
            return len(data)
        while at < end:
            passed, lines = self._passed_over(data, at, end)
            self._lines += lines
            # Where little could be passed over, little more is tried.
            is_common = passed - at >= self._chunk_bytes
            grown = min(2 * self._chunk_bytes, MOST_CHUNK_BYTES)
            self._chunk_bytes = LEAST_CHUNK_BYTES if is_common else grown
            at = passed
            if at < end:
                chunk_end = data.find(b"\n", min(end - 1, at + self._chunk_bytes)) + 1
                self._look(data[at:chunk_end])
                at = chunk_end
        return at

    def _passed_over(self, data: bytes, at: int, end: int) -> tuple[int, int]:
        """Where the lines from `at` on end that are known to tell nothing, and how many they are."""
        if self._pattern is None:
            return at, 0
        line_bytes = data.find(b"\n", at) + 1 - at
        # What prints without end prints the same line: to compare is twenty times as fast as to match.
        if (
            data[at : end - line_bytes] == data[at + line_bytes : end]
            and self._pattern.match(data, at, at + line_bytes).end() > at
        ):
            return end, (end - at) // line_bytes
        passed = self._pattern.match(data, at).end()
        return passed, data.count(b"\n", at, passed)

    def found(self) -> TellingLines:
        """What tells something of all that was looked at."""
        return TellingLines(self._alone(), (*self._first, *self._last))

    def _look(self, data: bytes) -> None:
        text = render_bytes(data)
        lines = RenderedLines.of(text)
        self._add(lines)
        self._add_errors(lines)
        self._lines += text.count("\n")
        self._learn(lines)

    def _add(self, lines: RenderedLines) -> None:
        numbers = range(len(lines) - 1, -1, -1)
        first_of = dict(zip(reversed(lines.templates), numbers, strict=True))
        for template, count in lines.counts.items():
            known = self._seen.get(template)
            if known is not None:
                known.count += count
            elif template.strip() and len(self._seen) < MAX_TEMPLATES:
                self._seen[template] = _Seen(self._line(lines, first_of[template]), count)

    def _add_errors(self, lines: RenderedLines) -> None:
        for at in matching(lines, rules().strong_error):
            template = lines.templates[at]
            self._shown[template] += 1
            if self._shown[template] <= rules().limits["windows_per_template"]:
                few = self._first if len(self._first) < MAX_ERRORS else self._last
                few.append(self._line(lines, at))

    def _line(self, lines: RenderedLines, at: int) -> TellingLine:
        return TellingLine(self._lines + at, lines.rows[at][:MAX_LINE_CHARS])

    def _learn(self, lines: RenderedLines) -> None:
        """Pass over templates from now on of which no further line can tell anything."""
        most = rules().limits["windows_per_template"]
        new = [
            template
            for template, count in lines.counts.items()
            if count >= COMMON_LINES
            and template not in self._common
            and len(template) <= MAX_COMMON_CHARS
            and (template not in self._shown or self._shown[template] > most)
        ][: MAX_COMMON - len(self._common)]
        if new:
            self._common.update((template, _pattern_of(template)) for template in new)
            self._pattern = _lines_of(list(self._common.values()))

    def _alone(self) -> list[TellingLine]:
        """The lines with a template of their own; of very many those that begin alone."""
        limits = rules().limits
        most = limits["salient_once"]
        alone = [(t, one.line) for t, one in self._seen.items() if one.count == 1]
        if len(alone) > most:
            beginnings = Counter(map(_beginning, self._seen))
            alone = [(t, line) for t, line in alone if beginnings[_beginning(t)] == 1]
        return [line for _, line in alone] if len(alone) <= 2 * most else []


def _pattern_of(template: str) -> bytes:
    """The pattern of a template's lines; every `0` of it stands for any number."""
    number = b"[0-9]++" if re2 is None else b"[0-9]+"
    return number.join(re.escape(part.encode("utf-8", "replace")) for part in template.split("0"))


def _lines_of(patterns: Sequence[bytes]) -> Any:
    """A pattern that matches as many lines as it can, each one of `patterns`."""
    pattern = b"(?:(?:" + b"|".join(patterns) + b")\\r?\\n)*"
    if re2 is None:
        return re.compile(pattern + b"+")
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    return re2.compile(pattern, options)


def _beginning(template: str) -> tuple[str, ...]:
    words = template.split(maxsplit=8)[:8]
    return tuple([word for word in words if word.isalpha()][:WORDS_OF_BEGINNING])
