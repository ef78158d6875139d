"""The recorded day is what its generator writes, is long enough, and can be replayed."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.judgement.make_day import lines
from tests.judgement.replay import DAY, judged, recorded_day, replay, verdicts


def test_the_record_is_what_the_generator_writes() -> None:
    assert DAY.read_text().splitlines() == list(lines())


def test_the_day_has_enough_runs_in_enough_projects_by_agents_and_people() -> None:
    day = recorded_day()
    assert len(day) >= 300
    assert len({run.cwd for run in day if run.cwd.startswith("work/")}) >= 3
    assert min(sum(run.by == by for run in day) for by in ("agent", "person")) >= 50
    assert all(one.at + one.duration_s <= other.at for one, other in pairwise(day))


def test_a_replay_tells_the_same_lines_again(tmp_path: Path) -> None:
    def told(name: str) -> list[tuple[int, str]]:
        (tmp_path / name).mkdir()
        return [(it.recorded.run, it.line) for it in replay(tmp_path / name)]

    first = told("first")
    assert first
    assert first == told("second")


def test_verdicts_are_of_runs_of_the_day_and_known_words() -> None:
    runs = {run.run for run in recorded_day()}
    for judges in ("verdicts", "again"):
        for (run, _), words in verdicts(judges).items():
            assert run in runs
            assert set(words) <= {"useful", "neutral", "wrong"}


@pytest.mark.parametrize("judges", ["verdicts", "again"])
def test_of_the_lines_told_four_in_five_are_useful_and_one_in_a_hundred_is_wrong_at_most(
    judges: str, tmp_path: Path
) -> None:
    told = replay(tmp_path)
    worse = judged(told, judges)
    assert len(worse) == len(told), (
        "a line has no verdict: see `python -m tests.bench judgement lines`"
    )
    shares = Counter(worse)
    assert shares["useful"] >= 0.8 * len(told)
    assert shares["wrong"] <= 0.01 * len(told)
