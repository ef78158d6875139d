"""What memory tells of durations and rates is near what then happens (ALAN-14)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

import pytest

from tests.judgement.durations import HISTORIES, NEAR, Lived, report
from tests.judgement.make_histories import ATUIN, ZSH_HISTORY, atuin_lines, zsh_lines

# Of each history: the share of runs of which a median of this very text was told, that took between
# half and twice of it, and the share that ended before its p90. They are a little below what was measured.
HOLDS = {"recorded day": (0.9, 0.85), "atuin": (0.78, 0.83), "zsh history": (0.67, 0.85)}


def test_the_histories_are_what_the_generator_writes() -> None:
    assert ATUIN.read_text().splitlines() == list(atuin_lines())
    assert ZSH_HISTORY.read_text().splitlines() == list(zsh_lines())


@pytest.mark.slow
@pytest.mark.parametrize("name", HISTORIES)
def test_a_duration_that_is_told_of_this_text_is_near_what_it_takes(
    name: str, tmp_path: Path
) -> None:
    lived = list(HISTORIES[name](tmp_path))
    exact = "exact everywhere" if name == "zsh history" else "exact project"
    told = [it for it in lived if it.basis == exact and it.told_s and it.duration_s is not None]
    near, below = HOLDS[name]
    assert len(told) >= 30
    assert _share_near(told) >= near
    assert fmean(_is_below_p90(it) for it in told) >= below
    assert next(report(name, lived)) == f"{name}: {len(lived)} runs"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["recorded day", "atuin"])
def test_a_duration_that_is_read_is_within_a_fifth_of_what_the_run_takes(
    name: str, tmp_path: Path
) -> None:
    lived = HISTORIES[name](tmp_path)
    read = [it for it in lived if it.reads_usual and it.duration_s is not None]
    errors = [
        abs((it.told_s or 0.0) - it.duration_s) / it.duration_s for it in read if it.duration_s
    ]
    assert errors
    assert median(errors) <= 0.2


def _share_near(told: Sequence[Lived]) -> float:
    pairs = [(it.told_s or 0.0, it.duration_s or 0.01) for it in told]
    return fmean(1 / NEAR <= said / took <= NEAR for said, took in pairs)


def _is_below_p90(it: Lived) -> bool:
    assert it.past.estimate is not None
    assert it.duration_s is not None
    return it.duration_s <= it.past.estimate.p90_s
