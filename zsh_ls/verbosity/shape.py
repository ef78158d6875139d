"""Recognizes a test runner that nobody has heard of, by its shape: a list of named results and a sum.

A result is a name with a verdict before or after it, the verdict a known word or sign, or what stands in the
same brackets as one. The sum is a line below the list whose numbers are those of the list. Without both there
is no runner: `copied part 7`, a hundred times, and `100 parts` have no verdict, a log of levels has no sum.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from zsh_ls.lazy import attrs, re

from .rules import rules

MIN_RESULTS = 5
# Fewer need a sum that speaks of tests.
MIN_RESULTS_WITH_WORDS = 3
MAX_ROWS = 20_000
MAX_ROW_CHARS = 400
# Of results most have a name of their own: `ok: [host]` is what a tool says again and again.
DISTINCT_SHARE = 0.8
MAX_SUM_LINES = 12
# Runners that tell the failures again below the sum have it right below the list.
MAX_NEAR_LINES = 2
# `3/20`, `[3/20]`, `3.`, `#3`, `- `: a number or a bullet before the result.
_BEFORE = re.compile(
    r"\s*(?:[*•>|│-]+\s+)?(?:\[ *\d+ */ *\d+ *\]|\d+ */ *\d+\b|#?\d+[.):]|#\d+)?\s*"
)
_CELL = re.compile(r"\s*[|│]\s*")
_TIME = re.compile(r"^[\[(]?\d[\d.]* ?m?s(?:ec)?[\])]?\s+|\s+[\[(]?\d[\d.]* ?m?s(?:ec)?[\])]?$")
_NAME = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(r"(?<![\w./-])\d+(?!\w|[.-]\d)|(?<=\d/)\d+\b|\b\d+(?=/\d)")
_OF_TESTS = re.compile(
    r"(?i)\b(?:tests?|checks?|specs?|cases?|pass(?:ed|es)?|fail(?:ed|s|ures?)?|assert\w*)\b"
)
_OF_FAILURE = re.compile(r"(?i)fail|error|wrong|bad|broke|problem|not |✗|✘|✖")


@attrs.frozen
class NamedResult:
    """One line of the list: its number, the name in it, and whether it is good."""

    at: int
    name: str
    good: bool


@attrs.frozen
class Shape:
    """A list of named results, and the numbers of the lines that sum it up."""

    results: tuple[NamedResult, ...]
    sums: tuple[int, ...]

    @property
    def failed(self) -> bool:
        """Whether any result is bad."""
        return not all(result.good for result in self.results)


@attrs.frozen
class _Verdict:
    at: int
    form: str
    mark: str
    name: str


def shape(rows: Sequence[str]) -> Shape | None:
    """The list of results and its sum in `rows`; None where there is none."""
    if len(rows) > MAX_ROWS:
        return None
    by_form: dict[str, list[_Verdict]] = defaultdict(list)
    for verdict in _verdicts(rows):
        by_form[verdict.form].append(verdict)
    for form, verdicts in sorted(by_form.items(), key=lambda one: -len(one[1])):
        results = _results(form, verdicts)
        if len(results) >= MIN_RESULTS_WITH_WORDS:
            sums = tuple(_sums(rows, results))
            if sums:
                return Shape(tuple(results), sums)
    return None


@attrs.frozen
class _Patterns:
    hint: re.Pattern[str]
    bracketed: re.Pattern[str]
    before: re.Pattern[str]
    bracketed_after: re.Pattern[str]
    after: re.Pattern[str]
    at_end: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    words = (word for words in rules().verdicts.values() for word in words)
    known = sorted(words, key=len, reverse=True)
    hint = "|".join(map(re.escape, known))
    mark = "|".join(re.escape(word) + (r"(?!\w)" if word[-1].isalpha() else "") for word in known)
    detail = r"(?: *\(.*\)|[:,] .*| +in .*| +[\d.]+ ?m?s)?"
    return _Patterns(
        re.compile(hint, re.IGNORECASE),
        re.compile(
            r"\s*[\[(<] *(?P<mark>[^\W\d][\w ]{0,14}?|[^\w\s]) *[\])>][: -]*(?P<name>\S.*)$"
        ),
        re.compile(rf"\s*(?P<mark>(?i:{mark}))(?::| -|\s|\.{{3}})\s*(?P<name>\S.*)$"),
        re.compile(rf"[\[(] *(?P<mark>(?i:{mark})) *[\])]{detail}$"),
        re.compile(rf"(?:\.\.|:|\s[-=–—]|>|\s\s)\s*(?P<mark>(?i:{mark})){detail}$"),
        re.compile(rf"\s(?P<mark>(?i:{mark}))[.!]?$"),
    )


def _verdicts(rows: Sequence[str]) -> Iterator[_Verdict]:
    patterns = _patterns()
    for at, whole_row in enumerate(rows):
        if len(whole_row) > MAX_ROW_CHARS:
            continue
        verdict = None
        row = _CELL.sub("  ", _BEFORE.sub("", whole_row, count=1)).rstrip()
        if row.lstrip()[:1] in ("[", "(", "<") and (found := patterns.bracketed.match(row)):
            verdict = _Verdict(at, "[", found["mark"].lower(), found["name"])
        elif not patterns.hint.search(row):
            continue
        elif found := patterns.before.match(row):
            verdict = _Verdict(at, "", found["mark"].lower(), found["name"])
        elif found := patterns.bracketed_after.search(row):
            verdict = _Verdict(at, "]", found["mark"].lower(), row[: found.start()])
        elif found := patterns.after.search(row):
            verdict = _Verdict(at, "$", found["mark"].lower(), row[: found.start()])
        # `19 ok` is part of a sum.
        elif not row[:1].isdigit() and (found := patterns.at_end.search(row)):
            verdict = _Verdict(at, " ", found["mark"].lower(), row[: found.start()])
        # `Passed: 89` is part of a sum.
        if verdict and _NAME.search(verdict.name):
            name = _TIME.sub("", verdict.name.strip(" \t.-:=–—"))
            yield attrs.evolve(verdict, name=name)


def _results(form: str, verdicts: Iterable[_Verdict]) -> list[NamedResult]:
    """The named results of one form; none where the marks are levels of a log or say nothing good."""
    words = rules().verdicts
    verdicts = list(verdicts)
    signs = sum(not verdict.mark[:1].isalpha() for verdict in verdicts)
    if form != "[" and signs > len(verdicts) / 2:
        # A list by signs has headings in words: `Failed tests:`.
        verdicts = [verdict for verdict in verdicts if not verdict.mark[:1].isalpha()]
    marks = Counter(verdict.mark for verdict in verdicts)
    if not words["good"] & marks.keys() or {"info", "debug", "trace", "notice"} & marks.keys():
        return []
    results = [
        NamedResult(verdict.at, verdict.name, verdict.mark in words["good"])
        for verdict in verdicts
        # In brackets any word beside a known good one is another verdict.
        if verdict.mark not in words["neither"]
        and (form == "[" or verdict.mark in words["good"] or verdict.mark in words["bad"])
    ]
    distinct = len({result.name for result in results})
    return results if distinct >= DISTINCT_SHARE * len(results) else []


def _sums(rows: Sequence[str], results: Sequence[NamedResult]) -> list[int]:
    """The lines below the list, or the last before its failures are told again, that sum it up."""
    listed = {result.at for result in results}
    below = [at for at in range(results[-1].at + 1, len(rows)) if rows[at].strip()]
    if not below:
        below = [
            at for at in range(max(0, len(rows) - MAX_SUM_LINES), len(rows)) if at not in listed
        ]
    near = {*below[:MAX_NEAR_LINES], *below[-MAX_SUM_LINES:]}
    below = [at for at in below if at in near and _NUMBER.search(rows[at])]
    total, good = len(results), sum(result.good for result in results)
    numbers_of = {at: set(map(int, _NUMBER.findall(rows[at][:MAX_ROW_CHARS]))) for at in below}
    together = set().union(*numbers_of.values())
    speaks = any(_OF_TESTS.search(rows[at]) for at in below)
    if total < MIN_RESULTS and not speaks:
        return []
    wanted = {total, good, total - good}
    if (
        {good, total - good} <= together
        or total in together
        or (good == total and good in together)
    ):
        return [at for at in below if numbers_of[at] & wanted]
    return [
        at
        for at in below
        if good < total and total - good in numbers_of[at] and _OF_FAILURE.search(rows[at])
    ]
