"""The recorded days are what their generators write, are long enough, and can be replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.judgement import make_day, make_second_day
from tests.judgement.replay import (
    DAYS,
    PAIRS,
    Told,
    judged,
    record_of,
    recorded_day,
    replay,
    verdicts,
)

JUDGED = [(day, judges) for day, pairs in PAIRS.items() for judges in pairs]
GENERATORS = {"day": make_day.lines, "second_day": make_second_day.lines}


@pytest.mark.parametrize(("day", "lines"), GENERATORS.items())
def test_the_record_is_what_the_generator_writes(
    day: str, lines: Callable[[], Iterator[str]]
) -> None:
    assert record_of(day).read_text().splitlines() == list(lines())


@pytest.mark.parametrize("day", DAYS)
def test_a_day_has_enough_runs_in_enough_projects_by_agents_and_people(day: str) -> None:
    runs = recorded_day(day)
    assert len(runs) >= 300
    assert len({run.cwd for run in runs if "/" in run.cwd}) >= 3
    assert min(sum(run.by == by for run in runs) for by in ("agent", "person")) >= 50
    assert all(one.at + one.duration_s <= other.at for one, other in pairwise(runs))


@pytest.mark.parametrize("day", DAYS)
def test_a_replay_tells_the_same_lines_again(day: str, tmp_path: Path) -> None:
    def told(name: str) -> list[tuple[int, str]]:
        (tmp_path / name).mkdir()
        return [(it.recorded.run, it.line) for it in replay(tmp_path / name, day)]

    first = told("first")
    assert first
    assert first == told("second")


@pytest.mark.parametrize(("day", "judges"), JUDGED)
def test_verdicts_are_of_runs_of_the_day_and_known_words(day: str, judges: str) -> None:
    runs = {run.run for run in recorded_day(day)}
    for (run, _), words in verdicts(judges, day).items():
        assert run in runs
        assert set(words) <= {"useful", "neutral", "wrong"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Told]]:
    return {day: replay(tmp_path_factory.mktemp(day), day) for day in DAYS}


@pytest.mark.parametrize("judges", PAIRS["day"])
def test_of_the_lines_told_four_in_five_are_useful_and_one_in_a_hundred_is_wrong_at_most(
    judges: str, told: dict[str, list[Told]]
) -> None:
    """Without mixed retries, which ALAN-16 keeps by name: of all lines, two in three are useful."""

    def shares(*, mixed_retries: bool) -> Counter[str]:
        return Counter(
            word
            for day, lines in told.items()
            for word in judged(
                [it for it in lines if mixed_retries or not it.is_mixed_retry],
                judges if judges in PAIRS[day] else "verdicts",
                day,
            )
        )

    without, of_all = shares(mixed_retries=False), shares(mixed_retries=True)
    assert without["useful"] >= 0.8 * without.total()
    assert of_all["useful"] >= 2 / 3 * of_all.total()
    assert of_all["wrong"] <= 0.01 * of_all.total()
    assert not of_all["not judged"]
