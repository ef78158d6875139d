"""Where starts go: planted delays that are found, the error of the sum, what tracing costs.

    python -m tests.bench startup [--loaded [N]] [--runs N] [--times N] [--zsh PATH] [--bash PATH]
                                  [--only NAME]… [HOME…]

First the homes of `tests/startup/homes`, then real frameworks with delays planted in them
(`tests/startup/real.py`, fetched when they are first wanted), then the person's own configurations that are
given: folders with a `.zshrc` or a `.bashrc`, each measured as a home.

One measurement is what `zsh-ls startup` does. What a delay truly takes is the median of five, measured beside
it without a trace: of a home that is written here of the same command, run as often, in the home's own shell,
of a framework of the command where it stands, in five starts. The columns say how many delays are told within
3 ms of that (for each run of the command) and within 10%. `--loaded` does so while N
loops (1 unless told) keep each processor busy. With `--times` each home is measured so often, and a delay's
time is the median of them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs

from tests.bench._busy_loops import busy_loops
from tests.startup import planted, real
from zsh_ls.model.startup import StartupReport, StartupRequest
from zsh_ls.sidecar.startup import Starts
from zsh_ls.tasks.starts.shell_start import StartPlan, recorded

TRUTHS = 5
CLOSE_MS = 3.0
CLOSE_SHARE = 0.1
_TIMED = "timed:"
Command = tuple[str, int]
Truth = Callable[[dict[planted.Planted, list[float]]], None]


def main(arguments: list[str]) -> int:
    """Print a line for each home."""
    asked = _asked(arguments)
    with busy_loops(asked.loaded * len(os.sched_getaffinity(0))):
        _all_homes(asked)
    return 0


def _all_homes(asked: argparse.Namespace) -> None:
    titles = f"{'found':>8}{'off by':>9}{'3 ms':>7}{'10%':>7}{'again':>7}"
    print(f"{'':24}{titles}{'sum off':>9}{'prompt':>9}{'cost':>7}{'commands':>10}")
    all_told: list[_Told] = []
    with tempfile.TemporaryDirectory() as folder:
        makers: dict[str, Callable[[Path], planted.Home]] = {
            name: partial(planted.made, name, zsh=asked.zsh) for name in planted.names()
        }
        others = {it.name: it for it in (*real.PACKAGED, *real.CONFIGURATIONS, *real.DOTFILES)}
        makers |= {name: partial(real.made, it) for name, it in others.items()}
        for name, made in makers.items():
            if asked.only and name not in asked.only:
                continue
            try:
                home = made(Path(folder) / name)
            except real.NotFetched as problem:
                print(f"{name:24}{'':8}  not fetched: {problem}")
                continue
            shell = getattr(asked, home.shell)
            add_true_ms: Truth = partial(_add_true_ms, home, shell)
            if name in others:
                log = Path(folder) / f"{name}.log"
                timed = real.timed(others[name], Path(folder) / f"{name}-timed", log)
                add_true_ms = partial(_add_true_ms_of_starts, home, timed, shell, log)
            before: dict[planted.Planted, list[float]] = {}
            after: dict[planted.Planted, list[float]] = {}
            reports = []
            for _ in range(asked.times):
                add_true_ms(before)
                reports.append(
                    _measured(home.path, home.shell, shell, asked.runs, login=home.login)
                )
                add_true_ms(after)
            told = _told(home, reports, before, after, asked.verbose)
            all_told.append(told)
            print(f"{name:24}{told.columns()}{_figures(reports[-1])}", flush=True)
    if all_told:
        print(f"{'all':24}{_Told.together(all_told).columns()}")
    for given in asked.homes:
        path = Path(given).resolve()
        kind = "zsh" if (path / ".zshrc").exists() else "bash"
        report = _measured(path, kind, getattr(asked, kind), asked.runs, login=False)
        print(f"{path.name:24}{'':38}{_figures(report)}")


def _asked(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench startup")
    parser.add_argument("homes", nargs="*")
    parser.add_argument("--loaded", type=int, nargs="?", const=1, default=0, metavar="N")
    parser.add_argument("--runs", type=int, default=StartupRequest().runs)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="name the delays that are off")
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
    repeated: int

    @classmethod
    def together(cls, all_told: Sequence[_Told]) -> _Told:
        return cls(
            sum(it.there for it in all_told),
            tuple(off for it in all_told for off in it.off_ms),
            sum(it.within_3_ms for it in all_told),
            sum(it.within_share for it in all_told),
            sum(it.repeated for it in all_told),
        )

    def columns(self) -> str:
        found = f"{len(self.off_ms)}/{self.there}"
        typical = f"{statistics.median(self.off_ms):+.1f}ms" if self.off_ms else "-"
        return (
            f"{found:>8}{typical:>9}{self.within_3_ms:>7}{self.within_share:>7}{self.repeated:>7}"
        )


def _told(
    home: planted.Home,
    reports: Sequence[StartupReport],
    before_ms: Mapping[planted.Planted, Sequence[float]],
    after_ms: Mapping[planted.Planted, Sequence[float]],
    names_them: bool,
) -> _Told:
    """What the reports of a home say of its delays, beside what each command, run so often, truly takes."""
    delays = [it for it in home.planted if not it.background]
    off: list[float] = []
    within_3_ms = within_share = repeated = 0
    for delay in delays:
        place = str(delay.file), delay.line
        told = [
            row.own_ms
            for report in reports
            for row in report.lines
            if (row.file, row.line) == place and row.own_ms >= delay.ms - 2
        ]
        if len(told) == len(reports):
            true_ms = statistics.median(before_ms[delay])
            again_ms = statistics.median(after_ms[delay])
            repeated += abs(again_ms - true_ms) <= CLOSE_SHARE * true_ms
            off.append(statistics.median(told) - true_ms)
            within_3_ms += abs(off[-1]) <= CLOSE_MS * delay.count
            within_share += abs(off[-1]) <= CLOSE_SHARE * true_ms
            if names_them and abs(off[-1]) > CLOSE_MS * delay.count:
                print(f"{delay.file.name}:{delay.line} {off[-1]:+.1f} of {true_ms:.1f} ms")
    return _Told(len(delays), tuple(off), within_3_ms, within_share, repeated)


def _add_true_ms(
    home: planted.Home, shell: str, true_ms: dict[planted.Planted, list[float]]
) -> None:
    """What each planted command takes, run as often as its line does, all of them five times in turn.

    In the home's own shell, once its start-up files are read, without a trace: the more a shell has loaded,
    the longer it takes to make a process.
    """
    commands = sorted({(it.command, it.count) for it in home.planted if not it.background})
    clock = "zmodload zsh/datetime; emulate zsh; " if home.shell == "zsh" else ""
    timed = (
        f"a=$EPOCHREALTIME; {'; '.join([command] * count)}; b=$EPOCHREALTIME; "
        f'echo "{_TIMED} {number} $a $b" >&9; '
        for number, (command, count) in enumerate(commands)
    )
    own = {**os.environ, "HOME": str(home.path)}
    environment = {**own, "PATH": f"{home.path}/bin:{own['PATH']}"}
    options = ["-i", "-l"] if home.login else ["-i"]
    said = subprocess.run(
        [shell, *options, "-c", f"exec 9>&1 >/dev/null; {clock}{''.join(timed) * TRUTHS}"],
        env={it: value for it, value in environment.items() if it not in ("ZDOTDIR", "BASH_ENV")},
        cwd=home.path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        # The scheduler shares processors by session, and the shells that are measured have their own.
        start_new_session=True,
    ).stdout
    took_ms: dict[Command, list[float]] = {}
    for words in map(str.split, said.splitlines()):
        if words[:1] == [_TIMED]:
            ms = 1000 * (float(words[3]) - float(words[2]))
            took_ms.setdefault(commands[int(words[1])], []).append(ms)
    for delay in home.planted:
        if not delay.background:
            true_ms.setdefault(delay, []).extend(took_ms[delay.command, delay.count])


def _add_true_ms_of_starts(
    home: planted.Home,
    timed: planted.Home,
    shell: str,
    log: Path,
    true_ms: dict[planted.Planted, list[float]],
) -> None:
    """What each command takes where it stands, in five starts without a trace.

    The first `$(…)` behind much that a shell has loaded takes 1 to 2 ms more than it does after the start.
    """
    environment = {it: value for it, value in os.environ.items() if it != "ZDOTDIR"}
    plan = StartPlan(
        kind=home.shell, path=shell, environment={**environment, "HOME": str(timed.path)}
    )
    for _ in range(TRUTHS):
        log.write_text("")
        recorded(plan)
        took_ms = [0.0] * len(home.planted)
        for number, began, ended in map(str.split, log.read_text().splitlines()):
            took_ms[int(number)] += 1000 * (float(ended) - float(began))
        for delay, ms in zip(home.planted, took_ms, strict=True):
            true_ms.setdefault(delay, []).append(ms)


def _measured(home: Path, kind: str, shell: str, runs: int, *, login: bool) -> StartupReport:
    own = {name: it for name, it in os.environ.items() if name != "ZDOTDIR"}
    environment = {**own, "HOME": str(home)}
    request = StartupRequest(login=login, runs=runs)
    starts = Starts(request, kind, shell, environment, lambda *_: None)
    return asyncio.run(starts.measured()).report


def _figures(report: StartupReport) -> str:
    if report.first_prompt_ms is None:
        return f"  no prompt: {report.stuck}"
    off = abs(sum(it.own_ms for it in report.lines) / report.traced_ms - 1)
    first = report.first_prompt_ms.median
    return f"{off:9.3%}{first:7.0f}ms{report.traced_ms / first:6.2f}x{report.commands:10,}"
