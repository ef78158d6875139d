"""Where starts go: planted delays that are found, the error of the sum, what tracing costs.

    python -m tests.bench startup [HOME…]

First the homes of `tests/startup/homes`, then real frameworks with delays planted in them
(`tests/startup/real.py`, fetched when they are first wanted), then the person's own configurations that are
given: folders with a `.zshrc` or a `.bashrc`, each measured as a home.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.startup import planted, real
from zsh_ls.model.startup import StartupReport, StartupRequest
from zsh_ls.sidecar.startup import Starts

RUNS = 3
SHELLS = {"zsh": "/usr/bin/zsh", "bash": "/usr/bin/bash"}


def main(arguments: list[str]) -> int:
    """Print a line for each home."""
    print(
        f"{'':24}{'found':>8}{'typical':>10}{'sum off':>9}{'prompt':>9}{'cost':>7}{'commands':>10}"
    )
    found = there = 0
    with tempfile.TemporaryDirectory() as folder:
        makers: dict[str, Callable[[Path], planted.Home]] = {
            name: partial(planted.made, name) for name in planted.names()
        }
        makers |= {it.name: partial(real.made, it) for it in real.CONFIGURATIONS}
        for name, made in makers.items():
            try:
                home = made(Path(folder) / name)
            except real.NotFetched as problem:
                print(f"{name:24}{'':8}  not fetched: {problem}")
                continue
            report = _measured(home.path, home.shell, login=home.login)
            rows = {(row.file, row.line): row for row in report.lines}
            delays = [it for it in home.planted if not it.background]
            off = [
                row.own_ms - it.ms
                for it in delays
                if (row := rows.get((str(it.file), it.line))) and row.own_ms >= it.ms - 2
            ]
            found, there = found + len(off), there + len(delays)
            told = f"{len(off)}/{len(delays)}"
            typical = f"{statistics.median(off):.1f}ms" if off else "-"
            print(f"{name:24}{told:>8}{typical:>10}{_figures(report)}", flush=True)
        print(f"{'all':24}{f'{found}/{there}':>8}")
    for given in arguments:
        path = Path(given).resolve()
        kind = "zsh" if (path / ".zshrc").exists() else "bash"
        print(f"{path.name:24}{'':18}{_figures(_measured(path, kind, login=False))}")
    return 0


def _measured(home: Path, kind: str, *, login: bool) -> StartupReport:
    own = {name: it for name, it in os.environ.items() if name != "ZDOTDIR"}
    environment = {**own, "HOME": str(home)}
    request = StartupRequest(login=login, runs=RUNS)
    starts = Starts(request, kind, SHELLS[kind], environment, lambda *_: None)
    return asyncio.run(starts.measured()).report


def _figures(report: StartupReport) -> str:
    if report.first_prompt_ms is None:
        return f"  no prompt: {report.stuck}"
    off = abs(sum(it.own_ms for it in report.lines) / report.traced_ms - 1)
    first = report.first_prompt_ms.median
    return f"{off:9.3%}{first:7.0f}ms{report.traced_ms / first:6.2f}x{report.commands:10,}"
