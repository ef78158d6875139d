"""Where starts go: planted delays that are found, the error of the sum, what tracing costs.

    python -m tests.bench startup [--times N] [--zsh PATH] [--bash PATH] [--only NAME]… [HOME…]

First the homes of `tests/startup/homes`, then real frameworks with delays planted in them
(`tests/startup/real.py`, fetched when they are first wanted), then the person's own configurations that are
given: folders with a `.zshrc` or a `.bashrc`, each measured as a home. With `--times` each home is measured
so often, and a delay's time is the median of them.

What a delay takes is what was planted and what it costs to start `sleep`, which is measured beside it,
without a trace: the columns say how many delays are told within 3 ms (for each run of the command) and within
10% of that.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import attrs

from tests.startup import planted, real
from zsh_ls.model.startup import StartupReport, StartupRequest
from zsh_ls.sidecar.startup import Starts

RUNS = 3
SLEEPS = 9
CLOSE_MS = 3.0
CLOSE_SHARE = 0.1


def main(arguments: list[str]) -> int:
    """Print a line for each home."""
    asked = _asked(arguments)
    titles = f"{'found':>8}{'off by':>9}{'3 ms':>7}{'10%':>7}{'sum off':>9}{'prompt':>9}{'cost':>7}"
    print(f"{'':24}{titles}{'commands':>10}")
    all_told: list[_Told] = []
    with tempfile.TemporaryDirectory() as folder:
        makers: dict[str, Callable[[Path], planted.Home]] = {
            name: partial(planted.made, name, zsh=asked.zsh) for name in planted.names()
        }
        makers |= {it.name: partial(real.made, it) for it in real.CONFIGURATIONS}
        for name, made in makers.items():
            if asked.only and name not in asked.only:
                continue
            try:
                home = made(Path(folder) / name)
            except real.NotFetched as problem:
                print(f"{name:24}{'':8}  not fetched: {problem}")
                continue
            shell = getattr(asked, home.shell)
            costs, reports = [], []
            for _ in range(asked.times):
                costs.append(_sleep_costs_ms(shell))
                reports.append(_measured(home.path, home.shell, shell, login=home.login))
            told = _told(home, reports, statistics.median(costs))
            all_told.append(told)
            print(f"{name:24}{told.columns()}{_figures(reports[-1])}", flush=True)
    if all_told:
        print(f"{'all':24}{_Told.together(all_told).columns()}")
    for given in asked.homes:
        path = Path(given).resolve()
        kind = "zsh" if (path / ".zshrc").exists() else "bash"
        report = _measured(path, kind, getattr(asked, kind), login=False)
        print(f"{path.name:24}{'':31}{_figures(report)}")
    return 0


def _asked(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench startup")
    parser.add_argument("homes", nargs="*")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--zsh", default="/usr/bin/zsh")
    parser.add_argument("--bash", default="/usr/bin/bash")
    return parser.parse_args(arguments)


@attrs.frozen
class _Told:
    """How far from the truth each delay that was found is told, in milliseconds; of `there` delays."""

    there: int
    off_ms: tuple[float, ...]
    within_3_ms: int
    within_share: int

    @classmethod
    def together(cls, all_told: Sequence[_Told]) -> _Told:
        return cls(
            sum(it.there for it in all_told),
            tuple(off for it in all_told for off in it.off_ms),
            sum(it.within_3_ms for it in all_told),
            sum(it.within_share for it in all_told),
        )

    def columns(self) -> str:
        found = f"{len(self.off_ms)}/{self.there}"
        typical = f"{statistics.median(self.off_ms):+.1f}ms" if self.off_ms else "-"
        return f"{found:>8}{typical:>9}{self.within_3_ms:>7}{self.within_share:>7}"


def _told(home: planted.Home, reports: Sequence[StartupReport], cost_ms: float) -> _Told:
    """What the reports of a home say of its delays, where starting `sleep` costs so many milliseconds."""
    delays = [it for it in home.planted if not it.background]
    off: list[float] = []
    within_3_ms = within_share = 0
    for delay in delays:
        place = str(delay.file), delay.line
        told = [
            row.own_ms
            for report in reports
            for row in report.lines
            if (row.file, row.line) == place and row.own_ms >= delay.ms - 2
        ]
        if len(told) == len(reports):
            true_ms = delay.ms + cost_ms * delay.count
            off.append(statistics.median(told) - true_ms)
            within_3_ms += abs(off[-1]) <= CLOSE_MS * delay.count
            within_share += abs(off[-1]) <= CLOSE_SHARE * true_ms
    return _Told(len(delays), tuple(off), within_3_ms, within_share)


def _sleep_costs_ms(shell: str) -> float:
    """What a `sleep 0.05` takes beyond that in a shell that is not traced."""
    clock = "zmodload zsh/datetime 2>/dev/null; " if shell.endswith("zsh") else ""
    once = "a=$EPOCHREALTIME; sleep 0.05; echo $a $EPOCHREALTIME; "
    said = subprocess.run(
        [shell, "-c", clock + once * SLEEPS], capture_output=True, text=True, check=True
    ).stdout
    pairs = [[float(it) for it in line.split()] for line in said.splitlines()]
    return statistics.median(1000 * (end - began) - 50 for began, end in pairs)


def _measured(home: Path, kind: str, shell: str, *, login: bool) -> StartupReport:
    own = {name: it for name, it in os.environ.items() if name != "ZDOTDIR"}
    environment = {**own, "HOME": str(home)}
    request = StartupRequest(login=login, runs=RUNS)
    starts = Starts(request, kind, shell, environment, lambda *_: None)
    return asyncio.run(starts.measured()).report


def _figures(report: StartupReport) -> str:
    if report.first_prompt_ms is None:
        return f"  no prompt: {report.stuck}"
    off = abs(sum(it.own_ms for it in report.lines) / report.traced_ms - 1)
    first = report.first_prompt_ms.median
    return f"{off:9.3%}{first:7.0f}ms{report.traced_ms / first:6.2f}x{report.commands:10,}"
