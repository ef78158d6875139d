"""Finds the lines of an output that tell something: errors, warnings, tracebacks and outliers.

Patterns matched with every line cost most of the resolver's time. So lines are grouped
by template (numbers replaced by 0), and a pattern is only matched with templates that
contain one of its hints.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from operator import itemgetter

from zsh_ls.lazy import re

from .lines import RenderedLines
from .rules import Marker, rules

MAX_LINE_CHARS = 2_000
# In some logs every line is different; of those the first and the last are searched.
MAX_TEMPLATES_READ = 5_000
# Their beginnings alone are compared, which takes a microsecond each.
MAX_TEMPLATES_COMPARED = 300_000
MAX_TRACEBACKS = 6
MAX_TRACEBACK_LINES = 60
MIN_REPETITIVE_LINES = 30
MIN_COLUMN_LINES = 50
MAX_COLUMN_LINES = 50_000
MAX_ODD_NUMBERS = 3
MIN_RARE_WORDS = 2
RARE_WORDS_SHARE = 0.6
RULING_SHARE = 0.98  # share of a column that one value must have for the others to be outliers

# Strings by which tracebacks of Python, Java, Node, Rust, Go, Ruby and gdb are found.
_FRAME_HINTS = (
    "\nTraceback (most recent call last)",
    "\n    at ",
    "\n\tat ",
    "\nthread '",
    "\ngoroutine ",
    "\n\tfrom ",
    "\n#0 ",
    "\nCaused by: ",
)
_FRAME = re.compile(
    r"\s+(?:at |File \"|from |in |\.\.\. \d+ more|\[Previous line repeated)|#\d+ |\s*\d+: |goroutine \d"
    r"|Traceback \(|Caused by: |Suppressed: |During handling|The above exception"
    r"|stack backtrace|note: run with"
)


def matching(lines: RenderedLines, marker: Marker) -> list[int]:
    """The numbers of the lines whose template matches `marker`, in order."""
    templates = list(lines.counts)
    candidates = spread(_hinted("\n".join(templates), marker), MAX_TEMPLATES_READ)
    wanted = {
        templates[at] for at in candidates if marker.pattern.search(templates[at][:MAX_LINE_CHARS])
    }
    if not wanted:
        return []
    return [at for at, template in enumerate(lines.templates) if template in wanted]


def has_marker(lines: RenderedLines, marker: Marker) -> bool:
    """Whether any line matches `marker`; numbers are not replaced."""
    rows = lines.text.split("\n")
    return any(
        marker.pattern.search(rows[at][:MAX_LINE_CHARS]) for at in _hinted(lines.text, marker)
    )


def _hinted(text: str, marker: Marker) -> list[int]:
    """The numbers of the lines of `text` with one of the marker's hints, in order."""
    # Lowering may change the length (`İ`), so line offsets are computed after it.
    lowered = text.lower()
    starts = [0, *accumulate(len(line) + 1 for line in lowered.split("\n"))]
    hinted: set[int] = set()
    for hint in marker.hints:
        offset = lowered.find(hint)
        while offset >= 0:
            number = bisect_right(starts, offset) - 1
            hinted.add(number)
            offset = lowered.find(hint, starts[number + 1])
    return sorted(hinted)


def few_of_each(lines: RenderedLines, numbers: Iterable[int], each: int) -> list[int]:
    """Of `numbers`, at most `each` lines of one template."""
    shown: Counter[str] = Counter()
    kept: list[int] = []
    for at in numbers:
        template = lines.templates[at]
        shown[template] += 1
        if shown[template] <= each:
            kept.append(at)
    return kept


def share(lines: RenderedLines, least: int) -> int:
    """How many lines may be salient: a small share of the log, at least `least`."""
    return max(least, len(lines) * rules().limits["salient_share_percent"] // 100)


def spread(numbers: Sequence[int], most: int) -> list[int]:
    """The first and last of `numbers`, `most` in all."""
    if len(numbers) <= most:
        return list(numbers)
    return [*numbers[: most // 2], *numbers[-(most - most // 2) :]]


def tracebacks(lines: RenderedLines) -> list[list[int]]:
    """The lines of tracebacks, from two lines before the first frame to the exception's name.

    Of many tracebacks the first and last, of a long one its beginning and end.
    """
    found: list[range] = []
    text = "\n" + lines.text  # so that a hint's offset is the start of its line
    for hint in _FRAME_HINTS:
        offset = text.find(hint)
        while offset >= 0:
            found.append(_traceback_at(lines, lines.at(offset)))
            stop = found[-1].stop
            offset = text.find(hint, lines.starts[stop]) if stop < len(lines) else -1
    # One traceback may be found by several hints.
    merged: list[range] = []
    for block in sorted(found, key=lambda one: one.start):
        if merged and block.start <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, block.stop))
        else:
            merged.append(block)
    chosen = spread(range(len(merged)), MAX_TRACEBACKS)
    return [spread(merged[at], MAX_TRACEBACK_LINES) for at in chosen]


def _traceback_at(lines: RenderedLines, at: int) -> range:
    stop = at + 1
    while stop < len(lines):
        row = lines.rows[stop]
        if row and not row.startswith(("  ", "\t")) and not _FRAME.match(row):
            break
        stop += 1
    stop = min(stop + 1, len(lines))
    while stop < len(lines) and lines.rows[stop].startswith(("Caused by", "\tat ", "    at ")):
        stop += 1
    return range(max(0, at - 2), stop)


def outliers(lines: RenderedLines, most: int) -> list[int]:
    """The lines of a repetitive log that differ from the rest, in any language.

    Three signs: a template that occurs once (at most `most` of these), words that no
    other line has, and a single value that differs from all others in its column.
    """
    if len(lines) < MIN_REPETITIVE_LINES:
        return []
    few_words = rules().limits["salient_words"]
    return [*_once(lines, most), *_rare_words(lines, few_words), *_odd_numbers(lines)]


def _once(lines: RenderedLines, most: int) -> list[int]:
    """Lines whose template is unique; if there are many, those whose beginning is unique."""

    def beginning(template: str, words: int) -> tuple[str, ...]:
        parts = template.split(maxsplit=8)[:8]
        return tuple([word for word in parts if word.isalpha()][:words])

    few = share(lines, rules().limits["salient_once"])
    rare = [at for at, t in enumerate(lines.templates) if lines.counts[t] == 1 and t.strip()]
    # Lines with a UUID or a path each have a template of their own, but begin alike.
    for words in (3, 2, 1):
        if len(rare) <= few or len(rare) > MAX_TEMPLATES_COMPARED:
            break
        beginnings = Counter(beginning(template, words) for template in lines.counts)
        rare = [at for at in rare if beginnings[beginning(lines.templates[at], words)] == 1]
    return spread(rare, most) if len(rare) <= few else []


def _rare_words(lines: RenderedLines, most: int) -> list[int]:
    """Lines most of whose words are in no other line."""
    if len(lines.counts) > MAX_TEMPLATES_READ:
        return []
    words_of = {t: {w for w in t.split() if w.isalpha() and len(w) > 2} for t in lines.counts}
    occurrences = Counter(chain.from_iterable(words_of.values()))
    rare = set()
    for template, words in words_of.items():
        alone = sum(occurrences[word] == 1 for word in words)
        if (
            lines.counts[template] == 1
            and alone >= MIN_RARE_WORDS
            and alone >= RARE_WORDS_SHARE * len(words)
        ):
            rare.add(template)
    if not 0 < len(rare) <= most:
        return []
    return [at for at, template in enumerate(lines.templates) if template in rare]


def _odd_numbers(lines: RenderedLines) -> list[int]:
    """Lines of a frequent template with a number that differs from those of all others."""
    if len(lines) < MIN_COLUMN_LINES:
        return []
    groups: dict[str, list[int]] = defaultdict(list)
    for at, template in enumerate(lines.templates[:MAX_COLUMN_LINES]):
        groups[template].append(at)
    odd: set[int] = set()
    for template, members in groups.items():
        if len(members) < MIN_COLUMN_LINES or "0" not in template:
            continue
        words = [lines.rows[at].split() for at in members]
        for place, word in enumerate(template.split()):
            if "0" in word:
                column = list(map(itemgetter(place), words))
                outlying = _outlying_values(Counter(column))
                odd.update(members[n] for n, value in enumerate(column) if value in outlying)
    # More than a few are no exceptions but how this log is.
    return sorted(odd) if len(odd) <= 2 * MAX_ODD_NUMBERS else []


def _outlying_values(values: Counter[str]) -> set[str]:
    """The outlying values of a column: rare ones beside a dominant one, or a single longest one."""
    if max(values.values()) >= RULING_SHARE * values.total():
        few = {value for value, count in values.items() if count == 1}
        return few if len(few) <= MAX_ODD_NUMBERS else set()
    # By two digits: a counter passes 10, 100 and 1000 once each without telling anything.
    lengths = Counter(map(len, values))
    longest, *others = sorted(lengths, reverse=True)
    if others and lengths[longest] == 1 and longest - others[0] >= 2:
        return {value for value, count in values.items() if len(value) == longest and count == 1}
    return set()
