"""Whether what stands behind a command is begun when that is ended, and whether anything is left (RUN-10).

`python -m tests.bench ending [ROUNDS] [--ways kill,closing] [--kinds make,bash] [--at-once 12] [--load 2]`:
for each way to end a task ROUNDS rounds, of all kinds of commands in turn, so many at once; `--ways` and
`--kinds` take those whose names contain one of their words, `--load` keeps as many processors busy meanwhile.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.bench._busy_loops import busy_loops
from tests.tasks.behind import KINDS, WAYS, in_turn, rounds_of

ROUNDS = 1000


def main(arguments: list[str]) -> int:
    asked = _parsed(arguments)
    kinds, ways = _named(KINDS, asked.kinds), _named(WAYS, asked.ways)
    print(f"{len(kinds)} kinds of commands, {asked.load} processors kept busy")
    print(f"{'ended by':34}{'rounds':>8}{'late':>6}{'left':>6}{'seconds':>9}")
    total = 0
    with busy_loops(asked.load):
        for way in ways:
            total += _many(way, kinds, asked.rounds, asked.at_once)
    return 1 if total else 0


def _many(way: str, kinds: list[str], rounds: int, at_once: int) -> int:
    began = time.monotonic()
    late: Counter[str] = Counter()
    left: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="zsh-ls-bench-", ignore_cleanup_errors=True) as folder:
        for number, piece in enumerate(in_turn(kinds, rounds, at_once)):
            seen = rounds_of(way, piece, Path(folder) / str(number))
            late.update(seen.late)
            left.update(seen.left)
    figures = f"{rounds:8}{late.total():6}{left.total():6}{time.monotonic() - began:9.0f}"
    print(f"{way:34}{figures}", flush=True)
    for what, counted in (("late", late), ("left", left)):
        for kind, count in counted.most_common():
            print(f"    {what} {count}: {kind}", flush=True)
    return late.total() + left.total()


def _named(names: Iterable[str], words: str) -> list[str]:
    return [name for name in names if any(word in name for word in words.split(","))]


def _parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench ending")
    parser.add_argument("rounds", type=int, nargs="?", default=ROUNDS)
    parser.add_argument("--ways", default="")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--at-once", type=int, default=12)
    parser.add_argument("--load", type=int, default=0)
    return parser.parse_args(arguments)
