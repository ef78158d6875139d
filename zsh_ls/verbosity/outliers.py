"""Finds lines that differ from the rest of a repetitive log, without knowledge of any language.

Three signs: a template (numbers replaced by 0) that occurs once, words that no other
line has, and a single value that differs from all others in its column.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter

from .lines import RenderedLines
from .rules import rules
from .salience import MAX_TEMPLATES_READ, share, spread

MIN_REPETITIVE_LINES = 30
MIN_COLUMN_LINES = 50
MAX_COLUMN_LINES = 50_000
MAX_ODD_NUMBERS = 3
MIN_RARE_WORDS = 2
RARE_WORDS_SHARE = 0.6
RULING_SHARE = 0.98  # share of a column that one value must have for the others to be outliers


def outliers(lines: RenderedLines, most: int) -> list[int]:
    """The outlying lines of a repetitive log, at most `most` of those with a unique template."""
    limits = rules().limits
    if len(lines) < MIN_REPETITIVE_LINES:
        return []
    return [
        *_once(lines, most),
        *_rare_words(lines, limits["salient_words"]),
        *_odd_numbers(lines),
    ]


def _once(lines: RenderedLines, most: int) -> list[int]:
    """Lines whose template is unique; if there are many, those whose beginning is unique."""
    few = share(lines, rules().limits["salient_once"])
    rare = [at for at, t in enumerate(lines.templates) if lines.counts[t] == 1 and t.strip()]
    for words in (3, 2, 1):
        if len(rare) <= few or len(rare) > MAX_TEMPLATES_READ:
            break
        beginning = partial(_beginning, words)
        beginnings = Counter(map(beginning, lines.counts))
        rare = [at for at in rare if beginnings[beginning(lines.templates[at])] == 1]
    return spread(rare, most) if len(rare) <= few else []


def _beginning(words: int, template: str) -> tuple[str, ...]:
    """The first purely alphabetic words of a line."""
    return tuple(word for word in template.split()[:8] if word.isalpha())[:words]


def _rare_words(lines: RenderedLines, most: int) -> list[int]:
    """Lines most of whose words are in no other line."""
    if len(lines.counts) > MAX_TEMPLATES_READ:
        return []
    words_of = {t: {w for w in t.split() if w.isalpha() and len(w) > 2} for t in lines.counts}
    seen = Counter(chain.from_iterable(words_of.values()))
    rare = {
        template
        for template, words in words_of.items()
        if lines.counts[template] == 1 and _is_alone(words, seen)
    }
    if not 0 < len(rare) <= most:
        return []
    return [at for at, template in enumerate(lines.templates) if template in rare]


def _is_alone(words: set[str], seen: Counter[str]) -> bool:
    alone = sum(seen[word] == 1 for word in words)
    return alone >= MIN_RARE_WORDS and alone >= RARE_WORDS_SHARE * len(words)


def _odd_numbers(lines: RenderedLines) -> list[int]:
    """Lines of a frequent template with a number that differs from those of all others."""
    if len(lines) < MIN_COLUMN_LINES:
        return []
    groups: dict[str, list[int]] = defaultdict(list)
    for at, template in enumerate(lines.templates[:MAX_COLUMN_LINES]):
        groups[template].append(at)
    odd: set[int] = set()
    for template, members in groups.items():
        if len(members) >= MIN_COLUMN_LINES and "0" in template:
            odd.update(_odd_of(lines, template, members))
    return sorted(odd) if len(odd) <= 2 * MAX_ODD_NUMBERS else []


def _odd_of(lines: RenderedLines, template: str, members: Sequence[int]) -> Iterator[int]:
    words = [lines.rows[at].split() for at in members]
    for place, word in enumerate(template.split()):
        if "0" not in word:
            continue
        column = list(map(itemgetter(place), words))
        outlying = _outlying_values(Counter(column))
        if outlying:
            yield from (members[n] for n, value in enumerate(column) if value in outlying)


def _outlying_values(values: Counter[str]) -> set[str]:
    """The outlying values of a column: rare ones beside a dominant one, or a single longest one."""
    if max(values.values()) >= RULING_SHARE * values.total():
        few = {value for value, count in values.items() if count == 1}
        return few if len(few) <= MAX_ODD_NUMBERS else set()
    lengths = Counter(map(len, values))
    longest, *others = sorted(lengths, reverse=True)
    if others and lengths[longest] == 1 and longest - others[0] >= 2:
        return {value for value, count in values.items() if len(value) == longest and count == 1}
    return set()
