"""How good and how fast the resolver is on recorded executions, beside what else could be shown.

Every line is measured in this run on the same executions. Times are CPU time of
this process. `--own` takes the executions of `cases.py` only, `--given` the 186 given ones, `--runners`
those of `runner_cases.py`, with the third of them that is kept aside by itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from tests.verbosity import executions
from tests.verbosity.score import Case, KeptLines, Score, View, kept_lines, score

RUNS = 3
CONTENDERS: dict[str, Callable[[Case], View]] = {
    "resolver": executions.resolved,
    "everything": executions.everything,
    "for agents": executions.for_agents,
    "last 30": executions.last_thirty,
    "head + tail": executions.head_and_tail,
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench verbosity", description=__doc__)
    parser.add_argument("--own", action="store_true", help="only executions recorded here")
    parser.add_argument("--given", action="store_true", help="only the 186 given executions")
    parser.add_argument("--runners", action="store_true", help="runners, builds and searches")
    parser.add_argument("--later", action="store_true", help="tools that were recorded later")
    parser.add_argument("--latest", action="store_true", help="the tools recorded last")
    parser.add_argument("--newest", action="store_true", help="30 tools more, after those")
    parser.add_argument("--further", action="store_true", help="25 more tools, after those")
    chosen = parser.parse_args(arguments)
    if chosen.runners:
        return _print_runners()
    if chosen.later:
        _print_group("recorded later", executions.later())
        return 0
    if chosen.latest:
        _print_group("recorded last", executions.latest())
        return 0
    if chosen.newest:
        _print_group("recorded after those", executions.newest())
        return 0
    if chosen.further:
        _print_group("recorded further on", executions.further())
        return 0
    cases = [
        *(() if chosen.own else executions.given()),
        *(() if chosen.given else executions.own()),
    ]
    print(f"{len(cases)} executions")
    print(f"{'':12} {'tests whole':>12} {'all kept':>10} {'saved':>7} {'success':>8} {'failed':>7}")
    for name, contender in CONTENDERS.items():
        _print_quality(name, score(cases, contender))
    judged = score(cases, executions.resolved)
    print(f"test precision {_of(judged.test_precision)}, recall {_of(judged.test_recall)}")
    print(f"operation right {_of(judged.operation_right)} {' '.join(judged.mistaken)}")
    _print_speed(cases)
    return 0


def _print_runners() -> int:
    tuned, aside = executions.runners(), executions.runners_held_out()
    for title, cases in (("all", tuned + aside), ("tuned on", tuned), ("kept aside", aside)):
        _print_group(title, cases)
    return 0


def _print_group(title: str, cases: list[Case]) -> None:
    print(f"{title}: {len(cases)} executions")
    print(
        f"{'':12} {'all kept':>9} {'failures':>9} {'places':>9} {'asked':>9} {'tests':>9} {'bytes':>9}"
    )
    for name, contender in CONTENDERS.items():
        _print_kept(name, kept_lines(cases, contender))
    if title != "kept aside":
        print(f"lost: {' '.join(kept_lines(cases, executions.resolved).lost)}")


def _print_kept(name: str, kept: KeptLines) -> None:
    counts = (kept.cases, kept.failures, kept.places, kept.asked, kept.tests_seen)
    print(f"{name:12} {' '.join(f'{_of(one):>9}' for one in counts)} {kept.size_bytes:9,}")


def _print_quality(name: str, judged: Score) -> None:
    print(
        f"{name:12} {_of(judged.failed_tests_whole):>12} {_of(judged.all_kept):>10}"
        f" {judged.saved:6.1f}% {judged.saved_on_success:7.1f}%"
        f" {judged.saved_on_failed_non_tests:6.1f}%"
    )


def _of(counts: tuple[int, int]) -> str:
    return f"{counts[0]}/{counts[1]}"


def _print_speed(cases: list[Case]) -> None:
    inputs = [executions.recorded(case) for case in cases]
    best_s = [min(_cpu_s(one) for _ in range(RUNS)) for one in inputs]
    size_bytes = sum(len(case["combined"].encode()) for case in cases)
    p95_s = sorted(best_s)[int(0.95 * len(best_s))]
    print(
        f"p95 {p95_s * 1000:.1f} ms, longest {max(best_s) * 1000:.1f} ms,"
        f" {size_bytes / 1e6 / sum(best_s):.1f} MB/s over {size_bytes / 1e6:.1f} MB"
    )


def _cpu_s(recorded: executions.Recorded) -> float:
    start_s = time.process_time()
    executions.resolve(recorded)
    return time.process_time() - start_s
