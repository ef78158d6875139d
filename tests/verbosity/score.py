"""Scores views of recorded executions, without using any code of the resolver."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Case = dict[str, Any]

# Programs of Node rewrite their line with these.
_FIRST_COLUMN = re.compile(r"\x1b\[[01]?G")
_ESCAPE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]"
)


class View(NamedTuple):
    """What a resolver showed, and the operation it determined."""

    output: str
    operation: str


class Score(NamedTuple):
    """Counts of cases, and the shares of bytes not shown."""

    failed_tests_whole: tuple[int, int]
    all_kept: tuple[int, int]
    saved: float
    saved_on_success: float
    saved_on_failed_non_tests: float
    test_precision: tuple[int, int]
    test_recall: tuple[int, int]
    operation_right: tuple[int, int]
    lost: tuple[str, ...]
    mistaken: tuple[str, ...]


class KeptLines(NamedTuple):
    """Of what the labels name, how much a view shows, and the bytes of it."""

    cases: tuple[int, int]
    failures: tuple[int, int]
    places: tuple[int, int]
    asked: tuple[int, int]
    tests_seen: tuple[int, int]
    size_bytes: int
    lost: tuple[str, ...]


def plain(text: str) -> str:
    """Text as a terminal shows it: without escape sequences and what a carriage return overwrote."""
    text = (
        _ESCAPE.sub("", _FIRST_COLUMN.sub("\r", text)).replace("\r\n", "\n").replace("\r\r\n", "\n")
    )
    return "\n".join(_settle(line) for line in text.split("\n"))


def _settle(line: str) -> str:
    shown = ""
    for writing in filter(None, line.split("\r")):
        shown = writing + shown[len(writing) :]
    while "\b" in shown:
        shown = re.sub(r"[^\b]\b|^\b+", "", shown)
    return shown.rstrip()


def is_whole(shown: str, full: str) -> bool:
    """Whether every line of `full` that is not blank is in `shown`, in order."""
    lines = iter(plain(shown).split("\n"))
    wanted = [line.rstrip() for line in plain(full).split("\n") if line.strip()]
    return all(any(line.rstrip() == want for line in lines) for want in wanted)


def _saved(pairs: Sequence[tuple[Case, View]]) -> float:
    before = sum(len(case["combined"].encode()) for case, _ in pairs)
    after = sum(len(view.output.encode()) for _, view in pairs)
    return round(100 * (1 - after / max(1, before)), 1)


def _kept(case: Case, view: View) -> bool:
    shown = plain(view.output)
    return all(words in shown for words in case["must_keep"])


def score(cases: Sequence[Case], resolve: Callable[[Case], View]) -> Score:
    """The score of `resolve` on `cases`; those labelled ambiguous do not judge the operation."""
    pairs = [(case, resolve(case)) for case in cases]
    failed_tests = [
        is_whole(v.output, c["combined"]) for c, v in pairs if c["is_test"] and c["failed"]
    ]
    keepers = [(c, _kept(c, v)) for c, v in pairs if c["must_keep"]]
    sure = [(c, v.operation) for c, v in pairs if not c.get("ambiguous")]
    called_tests = [c["is_test"] for c, operation in sure if operation == "test"]
    tests = [operation == "test" for c, operation in sure if c["is_test"]]
    right = [operation == c["operation"] for c, operation in sure]
    return Score(
        (sum(failed_tests), len(failed_tests)),
        (sum(kept for _, kept in keepers), len(keepers)),
        _saved(pairs),
        _saved([p for p in pairs if not p[0]["failed"]]),
        _saved([p for p in pairs if p[0]["failed"] and not p[0]["is_test"]]),
        (sum(called_tests), len(called_tests)),
        (sum(tests), len(tests)),
        (sum(right), len(right)),
        tuple(c["id"] for c, kept in keepers if not kept),
        tuple(f"{c['id']}={o}" for c, o in sure if o != c["operation"]),
    )


def kept_lines(cases: Sequence[Case], resolve: Callable[[Case], View]) -> KeptLines:
    """What `resolve` keeps of the failures, error places and asked-for lines of runners."""
    pairs = [(case, resolve(case)) for case in cases]
    shown = {case["id"]: plain(view.output) for case, view in pairs}

    def count(label: str) -> tuple[int, int]:
        found = [words in shown[case["id"]] for case, _ in pairs for words in case[label]]
        return sum(found), len(found)

    kept = [_kept(case, view) for case, view in pairs]
    tests = [view.operation == "test" for case, view in pairs if case["is_test"]]
    return KeptLines(
        (sum(kept), len(kept)),
        count("failures"),
        count("places"),
        count("asked"),
        (sum(tests), len(tests)),
        sum(len(view.output.encode()) for _, view in pairs),
        tuple(case["id"] for (case, _), whole in zip(pairs, kept, strict=True) if not whole),
    )
