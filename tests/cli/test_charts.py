"""Durations drawn on a terminal: what ended and what was cut short stand apart."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from zsh_ls.cli.charts import BINS, ROWS, Drawn, histogram, over_time

from .conftest import Cli
from .tmux import Tmux


def test_over_time_each_run_is_a_column_and_the_longest_is_above() -> None:
    rows = list(over_time([Drawn(10.0, False), Drawn(50.0, True), Drawn(90.0, False)]))
    assert len(rows) == ROWS + 1
    assert rows[0] == "     80.0s ┤  •"
    assert rows[3].endswith("┤ ×")
    assert rows[ROWS - 1] == "     10.0s ┤•"
    assert rows[ROWS] == "           └─── 3 runs, the oldest first"


def test_a_histogram_counts_what_ended_and_what_was_cut_short_apart() -> None:
    runs = [*[Drawn(10.0, False)] * 3, Drawn(10.5, True), Drawn(90.0, False)]
    rows = list(histogram(runs))
    assert len(rows) == BINS
    assert rows[0] == "     10.0s to 20.0s  ███× 3 ended, 1 cut short"
    assert rows[1] == "     20.0s to 30.0s"
    assert rows[-1] == "     80.0s to 90.0s  █ 1 ended"


@pytest.mark.parametrize("shortest_s", [0.011, 0.041, 0.11, 0.3, 2.0, 60.0])
@pytest.mark.parametrize("ratio", [1.4, 3.0, 90.0])
def test_the_steps_of_short_durations_are_told_apart(shortest_s: float, ratio: float) -> None:
    runs = [Drawn(shortest_s, False), Drawn(shortest_s * ratio, False)]
    labels = [row.split("┤")[0] for row in list(over_time(runs))[:-1]]
    assert len(set(labels)) == ROWS
    assert all(" to " in row and row.split()[0] != row.split()[2] for row in histogram(runs))


def test_durations_of_many_sizes_have_steps_of_equal_ratio() -> None:
    rows = list(over_time([Drawn(0.1, False), Drawn(10.0, False), Drawn(1000.0, False)]))
    assert [row.split("┤")[0].strip() for row in rows if "•" in row] == ["316.2s", "10.0s", "0.1s"]
    assert rows[-1].endswith("; steps of equal ratio")


def test_the_bars_of_a_histogram_begin_in_one_column() -> None:
    rows = list(histogram([Drawn(second, False) for second in (0.5, 2.0, 9.0, 40.0, 700.0)]))
    assert len({row.index("█") for row in rows if "█" in row}) == 1


@pytest.mark.parametrize("shortest_s", [10.0, 0.001])
def test_the_most_runs_that_are_drawn_fit_on_80_columns(shortest_s: float) -> None:
    runs = [Drawn(shortest_s, False), *[Drawn(86_399.9, True)] * 59]
    rows = [*over_time(runs), *histogram(runs)]
    assert max(map(len, rows)) <= 80
    assert any("60 runs, the oldest first" in row for row in rows)


@pytest.mark.parametrize("runs", [[], [Drawn(0.0, False)], [Drawn(5.0, True)] * 60])
def test_any_runs_can_be_drawn(runs: list[Drawn]) -> None:
    marks = "".join(over_time(runs)).count("•") + "".join(over_time(runs)).count("×")
    assert marks == len(runs)
    assert sum("cut short" in row or "ended" in row for row in histogram(runs)) == bool(runs)


@pytest.fixture
def terminal(environment: Mapping[str, str], tmp_path: Path) -> Iterator[Tmux]:
    terminal = Tmux(environment, tmp_path)
    yield terminal
    terminal.end()


@pytest.mark.slow
def test_stats_of_a_command_are_drawn_on_a_terminal_and_nowhere_else(
    terminal: Tmux, cli: Cli, tmp_path: Path
) -> None:
    history = tmp_path / "history"
    history.write_text("".join(f": {1_790_000_000 + n}:{n};make all\n" for n in range(2, 7)))
    cli("import", "zsh-history", str(history))
    piped = cli("stats", "make all").stdout
    assert "oldest first" not in piped
    assert "\x1b" not in piped
    assert "success not known: these runs were imported without their exits" in piped
    assert "0 runs" not in piped
    assert "fewer than 5 runs were in this one" not in piped
    assert "fewer than 5 runs were in this one" in cli("stats", "make all", "--here").stdout
    assert len(json.loads(cli("stats", "make all", "--json").stdout)["recent"]) == 5
    terminal.type(f"clear; {sys.executable} -m zsh_ls stats 'make all' 2>&1")
    screen = terminal.until("5 runs, the oldest first", "1 ended")
    assert "└─────" in screen
