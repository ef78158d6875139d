"""The lines of an output that tell something: errors, warnings, what occurs once, odd numbers, tracebacks.

Nothing here reads every line with a pattern: lines are counted by template
(numbers read as 0) and the patterns see each template once. What is rare in a
repetitive log is found without knowing any language.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from .lines import Lines
from .rules import rules

MIN_REPETITIVE_LINES = 30
MIN_COLUMN_LINES = 50
MAX_COLUMN_LINES = 50_000
MAX_ODD_NUMBERS = 3
MAX_LINE_CHARS = 2000

_FRAME_HINTS = (
    "Traceback (most recent call last)",
    "\n    at ",
    "\n\tat ",
    "panicked at",
    "\ngoroutine ",
    "\n\tfrom ",
    "\n#0 ",
    "\nCaused by: ",
    "Stack trace:",
)
_FRAME = re.compile(
    r"\s+(?:at |File \"|from |in |\.\.\. \d+ more|\[Previous line repeated)|#\d+ |\s*\d+: |goroutine \d"
    r"|Traceback \(|Caused by: |Suppressed: |During handling|The above exception"
    r"|stack backtrace|note: run with"
)
MAX_TRACEBACK_LINES = 60
MAX_TRACEBACKS = 6


def matching(lines: Lines, pattern: re.Pattern[str]) -> list[int]:
    """The lines whose template matches `pattern`, in order."""
    wanted = {t for t in lines.counts if pattern.search(t[:MAX_LINE_CHARS])}
    return [at for at, template in enumerate(lines.templates) if template in wanted]


def error_lines(lines: Lines) -> list[int]:
    """The lines that speak of an error in the words tools use."""
    return matching(lines, rules().strong_error)


def few_of_each(lines: Lines, numbers: Iterable[int], each: int) -> list[int]:
    """Of `numbers`, at most `each` lines of one template."""
    seen: Counter[str] = Counter()
    kept: list[int] = []
    for at in numbers:
        template = lines.templates[at].strip()
        seen[template] += 1
        if seen[template] <= each:
            kept.append(at)
    return kept


def share(lines: Lines, least: int) -> int:
    """How many lines may be called salient: a small share of the log, `least` at least."""
    return max(least, len(lines) * rules().limits["salient_share_percent"] // 100)


def once(lines: Lines, limit: int) -> list[int]:
    """Lines unlike all others in a repetitive log; none where too many are."""
    if len(lines) < MIN_REPETITIVE_LINES:
        return []
    single = [at for at, t in enumerate(lines.templates) if lines.counts[t] == 1 and t.strip()]
    if len(single) <= share(lines, limit):
        return _spread(single, limit)
    rare = _by_words(lines, single)
    return _spread(rare, limit) if len(rare) <= share(lines, limit) else []


def _by_words(lines: Lines, single: Sequence[int]) -> list[int]:
    """Of many single lines those that begin with words no other line begins with."""
    heads = Counter(_head(row) for row in lines.counts)
    return [at for at in single if heads[_head(lines.templates[at])] == 1]


def _head(row: str) -> tuple[str, ...]:
    return tuple(word for word in row.split()[:8] if word.isalpha())[:3]


def rare_words(lines: Lines, limit: int) -> list[int]:
    """Lines of words found in no other line, where most lines share theirs."""
    if len(lines) < MIN_REPETITIVE_LINES or len(lines.counts) > 5000:
        return []
    words_of = {t: {w for w in t.split() if w.isalpha() and len(w) > 2} for t in lines.counts}
    seen = Counter(word for words in words_of.values() for word in words)
    rare = [
        at
        for at, t in enumerate(lines.templates)
        if lines.counts[t] == 1
        and len(words_of[t]) >= 3
        and all(seen[word] == 1 for word in words_of[t])
    ]
    return rare if len(rare) <= limit else []


def odd_numbers(lines: Lines) -> list[int]:
    """Lines of a frequent template in which one value alone differs from all others'."""
    if len(lines) < MIN_COLUMN_LINES:
        return []
    groups: dict[str, list[int]] = defaultdict(list)
    for at, template in enumerate(lines.templates[:MAX_COLUMN_LINES]):
        groups[template].append(at)
    odd: set[int] = set()
    for template, members in groups.items():
        if len(members) >= MIN_COLUMN_LINES and "0" in template:
            odd.update(_odd_of(lines, members))
    return sorted(odd) if len(odd) <= MAX_ODD_NUMBERS * 2 else []


def _odd_of(lines: Lines, members: Sequence[int]) -> Iterator[int]:
    """The lines of one template with a value unlike the others in its column."""
    columns = zip(*(lines.rows[at].split() for at in members), strict=False)
    for column in columns:
        values = Counter(column)
        if len(values) == 1:
            continue
        lonely = _lonely(values, len(members))
        if lonely:
            yield from (members[n] for n, value in enumerate(column) if value in lonely)


def _lonely(values: Counter[str], total: int) -> set[str]:
    """The values of a column that stand alone: where one value rules, or by their size."""
    [(_, most)] = values.most_common(1)
    if most * 50 >= total * 49:
        few = {value for value, count in values.items() if count == 1}
        return few if len(few) <= MAX_ODD_NUMBERS else set()
    sizes = (
        Counter(map(len, values.elements()))
        if len(values) < total // 2
        else Counter(map(len, values))
    )
    if len(sizes) < 2:
        return set()
    (longest, second), *_ = zip(sorted(sizes)[::-1], sorted(sizes)[-2::-1], strict=False)
    if sizes[longest] == 1 and longest - second >= 2:
        return {value for value in values if len(value) == longest}
    return set()


def tracebacks(lines: Lines) -> list[range]:
    """Whole tracebacks, from their title to the line that names the exception."""
    found: list[range] = []
    text = "\n" + lines.text
    for hint in _FRAME_HINTS:
        offset = text.find(hint)
        while offset >= 0 and len(found) < 10 * MAX_TRACEBACKS:
            block = _block(lines, lines.at(max(0, offset - (hint[0] != "\n"))))
            found.append(block)
            offset = (
                text.find(hint, lines.starts[block.stop] + 1) if block.stop < len(lines) else -1
            )
    return _merged(found)


def _block(lines: Lines, at: int) -> range:
    """The lines of one traceback around line `at`: frames, what is indented, two before, one after."""
    start = max(0, at - 2)
    stop = at + 1
    while stop < len(lines) and (
        _FRAME.match(lines.rows[stop])
        or lines.rows[stop].startswith(("  ", "\t"))
        or not lines.rows[stop]
    ):
        stop += 1
    stop = min(stop + 1, len(lines))
    while stop < len(lines) and lines.rows[stop].startswith(("Caused by", "\tat ", "    at ")):
        stop += 1
    return range(start, stop)


def _merged(found: Iterable[range]) -> list[range]:
    merged: list[range] = []
    for block in sorted(found, key=lambda one: one.start):
        if merged and block.start <= merged[-1].stop:
            merged[-1] = range(merged[-1].start, max(merged[-1].stop, block.stop))
        else:
            merged.append(block)
    return merged[: MAX_TRACEBACKS // 2] + merged[MAX_TRACEBACKS // 2 :][-(MAX_TRACEBACKS // 2) :]


def _spread(numbers: Sequence[int], limit: int) -> list[int]:
    """The first and last of too many."""
    if len(numbers) <= limit:
        return list(numbers)
    return [*numbers[: limit // 2], *numbers[-(limit - limit // 2) :]]


def spread(numbers: Sequence[int], limit: int) -> list[int]:
    """The first and last of `numbers`, `limit` in all."""
    return _spread(numbers, limit)
