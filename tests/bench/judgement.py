"""What memory tells in a recorded working day, and what judges said of it.

`python -m tests.bench judgement` prints the figures; `… judgement lines` every line with
what was on the screen, for judges; `… judgement kinds` each line with its run, for readers
of a change. The day is `tests/judgement/day.jsonl`, the verdicts are `verdicts.jsonl` there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.judgement.replay import for_judges, replay, report


def main(arguments: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        told = replay(Path(folder))
    if "lines" in arguments:
        print("\n".join(for_judges(told)))
    elif "kinds" in arguments:
        for it in told:
            print(f"{it.recorded.run:4} {it.recorded.by:6} {it.recorded.cwd:15} {it.line}")
    else:
        print("\n".join(report(told)))
    return 0
