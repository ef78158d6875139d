"""What memory tells in two recorded working days, and what judges said of it.

`python -m tests.bench judgement` prints the figures; `… judgement lines` every line with
what was on the screen, for judges; `… judgement kinds` each line with its run, for readers
of a change. The days are `tests/judgement/day.jsonl` and `second_day.jsonl`, the verdicts beside them.
Behind the days' figures stand those of durations, rates and retries: what was told before each run of
the day, of a history of atuin and of one of zsh, against what then happened; `… judgement FILE…` prints
those of other histories, together: databases of atuin, files of zsh with times. `error` is the median
of |told - taken| / taken, `within 2x` the share of runs that took between half and twice what was told,
`below p90` the share that ended before the p90 (90% would be true), `passed` the share of runs with exit 0
among those of which a line was told.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.judgement import durations
from tests.judgement.replay import DAYS, for_judges, replay, report


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] not in {"lines", "kinds"}:
        return _of_files(list(map(Path, arguments)))
    for day in DAYS:
        with tempfile.TemporaryDirectory() as folder:
            told = replay(Path(folder), day)
        if "lines" in arguments:
            print("\n".join(for_judges(told)))
        elif "kinds" in arguments:
            for it in told:
                print(f"{it.recorded.run:4} {it.recorded.by:6} {it.recorded.cwd:15} {it.line}")
        else:
            print("\n".join(report(told, day)))
    if not arguments:
        for name, lived in durations.HISTORIES.items():
            with tempfile.TemporaryDirectory() as folder:
                print("\n".join(durations.report(name, list(lived(Path(folder))))))
    return 0


def _of_files(files: Sequence[Path]) -> int:
    """Each history has a memory of its own; the figures are of all runs."""
    lived: list[durations.Lived] = []
    for file in files:
        with tempfile.TemporaryDirectory() as folder:
            lived += durations.of_file(file, Path(folder))
    print("\n".join(durations.report(f"{len(files)} histories", lived)))
    return 0
