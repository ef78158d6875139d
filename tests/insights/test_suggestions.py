"""Tests of each row of the table of suggestions, and of the figures of a poll, without a clock."""

from __future__ import annotations

import pytest

from zsh_ls.insights.suggestions import IdleCount, poll_meta, suggestion, told_to_people
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.results import AlanEstimate, PollMeta
from zsh_ls.model.words import Basis

# Median 47.0, p90 180.0.
LASTED = (20, 30, 40, 41, 42, 45, 47, 50, 60, 100, 180, 200)
PIP = Estimate("pip install *", Curve.of(Sample(float(s)) for s in LASTED), Basis.TEMPLATE)

WAITING = "Waiting for input. Use zsh_send."
NEARING = "Nearing typical completion — poll again soon."
WIDER = "No output for 30s. Consider spacing polls wider."


def suggested(
    polls: int,
    idle_s: float,
    elapsed_s: float,
    estimate: Estimate | None,
    *,
    waiting_for_input: bool = False,
) -> str | None:
    return suggestion(
        waiting_for_input=waiting_for_input,
        polls_since_output=polls,
        idle_s=idle_s,
        elapsed_s=elapsed_s,
        estimate=estimate,
    )


def test_the_samples_are_those_the_table_below_speaks_of() -> None:
    assert (PIP.median_s, PIP.p90_s) == (47.0, 180.0)


@pytest.mark.parametrize("polls", [0, 1, 20])
def test_a_task_that_waits_for_input_says_so_before_anything_else(polls: int) -> None:
    assert suggested(polls, 90, 42, PIP, waiting_for_input=True) == WAITING


@pytest.mark.parametrize(
    ("polls", "idle_s", "elapsed_s", "estimate", "message"),
    [
        pytest.param(0, 40.0, 42.0, PIP, None, id="new output just arrived"),
        pytest.param(1, 29.9, 42.0, PIP, None, id="one idle poll"),
        pytest.param(2, 29.9, 42.0, PIP, None, id="two idle polls"),
        pytest.param(2, 30.0, 42.0, PIP, NEARING, id="two idle polls but thirty seconds"),
        pytest.param(1, 30.0, 30.0, None, WIDER, id="one long idle poll"),
        pytest.param(3, 29.9, 37.6, PIP, 5, id="80% of the median, not more"),
        pytest.param(3, 29.9, 37.7, PIP, NEARING, id="beyond 80% of the median"),
        pytest.param(20, 40.2, 47.0, PIP, NEARING, id="at the median, however many polls"),
        pytest.param(3, 6.0, 47.1, PIP, 6, id="beyond the median"),
        pytest.param(10, 20.0, 20.0, None, "hung", id="ten idle polls and no estimate"),
        pytest.param(9, 20.0, 20.0, None, 7, id="nine idle polls and no estimate"),
        pytest.param(10, 20.0, 180.0, PIP, 5, id="ten idle polls, at the p90"),
        pytest.param(10, 20.0, 180.1, PIP, "hung", id="ten idle polls, beyond the p90"),
        pytest.param(9, 20.0, 300.0, PIP, 5, id="beyond the p90 but nine polls"),
        pytest.param(10, 20.0, 20.0, PIP, 5, id="a slow command is not called hung at once"),
        pytest.param(3, 30.4, 31.0, None, WIDER, id="whole seconds"),
    ],
)
def test_the_first_row_that_matches_speaks(
    polls: int, idle_s: float, elapsed_s: float, estimate: Estimate | None, message: object
) -> None:
    idle = f"{idle_s:.0f}"
    if message == "hung":
        message = (
            f"No output for {idle}s across {polls} polls. Command may be hung. Consider zsh_kill."
        )
    elif message == 7:
        message = f"No output for {idle}s. Consider spacing polls wider."
    elif isinstance(message, int):
        message = (
            f"No output for {idle}s. Median completion for 'pip install *' is 47.0s "
            f"({elapsed_s:.0f}s elapsed). Consider spacing polls."
        )
    assert suggested(polls, idle_s, elapsed_s, estimate) == message


def test_idle_polls_count_until_output_arrives() -> None:
    count = IdleCount()
    seen = []
    for new_bytes in [0, 0, 5, 0]:
        count = count.after(new_bytes)
        seen.append(count.polls)
    assert seen == [1, 2, 0, 1]


def test_two_observers_count_for_themselves() -> None:
    polls, progress = IdleCount().after(0).after(0), IdleCount().after(0)
    assert (polls.polls, progress.after(7).polls) == (2, 0)


def test_a_poll_carries_the_figures_of_the_protocol_page() -> None:
    meta = poll_meta(
        IdleCount(20), elapsed_s=42.1, idle_s=40.2, waiting_for_input=False, estimate=PIP
    )
    assert meta == PollMeta(
        polls_since_output=20,
        elapsed_since_last_output_s=40.2,
        total_elapsed_s=42.1,
        alan_estimate=AlanEstimate("pip install *", 47.0, 180.0, 0.42, 12, "template", "project"),
        waiting_for_input=False,
        next_useful_poll_s=6.0,
        suggestion=NEARING,
    )


def test_without_history_a_poll_has_no_estimate() -> None:
    meta = poll_meta(
        IdleCount(), elapsed_s=2.04, idle_s=2.04, waiting_for_input=False, estimate=None
    )
    assert meta == PollMeta(0, 2.0, 2.0, None, False, None, None)


@pytest.mark.parametrize(
    ("polls", "idle_s", "elapsed_s", "estimate", "waits", "said"),
    [
        (20, 60.0, 60.0, None, True, "Waiting for input."),
        (3, 31.0, 45.0, PIP, False, "Nearing typical completion."),
        (12, 61.0, 300.0, PIP, False, "No output for 61s. It may be hung."),
        (4, 31.0, 20.0, PIP, False, "No output for 31s. Usually takes ~47s."),
        (4, 31.0, 20.0, None, False, "No output for 31s."),
        (0, 0.0, 20.0, None, False, None),
    ],
)
def test_people_are_told_of_no_polls_and_no_tools(
    *,
    polls: int,
    idle_s: float,
    elapsed_s: float,
    estimate: Estimate | None,
    waits: bool,
    said: str,
) -> None:
    meta = poll_meta(
        IdleCount(polls),
        elapsed_s=elapsed_s,
        idle_s=idle_s,
        waiting_for_input=waits,
        estimate=estimate,
    )
    assert told_to_people(meta) == said
    assert told_to_people(None) is None
