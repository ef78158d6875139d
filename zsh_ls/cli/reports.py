"""Output of `stats`, `circuit` and `doctor`: JSON, or lines and tables."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from zsh_ls.answers.formatting import count
from zsh_ls.lazy import attrs
from zsh_ls.model.history import MIN_RUNS_HERE
from zsh_ls.model.reports import Circuit, CommandStats, Health, MemoryStats
from zsh_ls.model.words import Outcome, Scope
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.config_file import personal_settings
from zsh_ls.system.installation import adding

from .charts import CUT_SHORT, ENDED, Drawn, histogram, over_time
from .one_line import named_line
from .screen import folded
from .table import Table, print_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

BARS = " ▁▂▃▄▅▆▇█"
BINS = 12
LONGEST_COMMAND = 80
TABLE_RUNS = 10
# Such a run has no exit of its own: the store has -9 and 124.
CUT_OFF = (Outcome.TIMEOUT, Outcome.KILLED)
# Two dots are no drawing.
MIN_DRAWN = 3
LOGIN_SHELL_S = 10.0
_NO_SHELL_TELLS = "no shell tells it what runs; see `zsh-ls init --help`"

MOST_LINES = 3
Row = str | Table


async def print_stats(sidecar: Sidecar, arguments: argparse.Namespace) -> int:
    """Print statistics of one command, or of the whole memory."""
    project = os.getcwd() if arguments.here else None
    if arguments.line is None:
        memory = await sidecar.memory_stats(project)
        return _print(arguments, memory, _memory(memory))
    if arguments.own:
        sidecar.configure(attrs.evolve(sidecar.settings, history_elsewhere=False))
    command = await sidecar.command_stats(arguments.line, project)
    rows = [*_command(command, is_here=arguments.here)]
    if not command.known and not arguments.json:
        lines = (await sidecar.history(arguments.line, project)).entries
        begin = [it.command for it in lines if it.command.startswith(f"{arguments.line} ")]
        if begin:
            rows.append(f"lines that begin so: {', '.join(begin[:MOST_LINES])}")
    return _print(arguments, command, rows)


async def print_circuit(sidecar: Sidecar, arguments: argparse.Namespace) -> int:
    """Show or reset circuits."""
    circuits = await sidecar.circuit(arguments.action, arguments.line, None)
    return _print(arguments, circuits, _circuits(circuits.open))


async def print_doctor(sidecar: Sidecar, arguments: argparse.Namespace) -> int:
    """Print the state of zsh-ls and its problems."""
    from zsh_ls.sidecar.remote.neighbours import with_detached

    tasks = with_detached(sidecar)
    try:
        health = await tasks.health()
    finally:
        await tasks.close()
    _print(arguments, health, _health(health))
    return 0 if health.status == "healthy" else 1


def bar_line(durations_s: Iterable[float]) -> str:
    """A bar chart of durations in equal steps from the shortest to the longest; empty without any."""
    values = sorted(durations_s)
    if not values:
        return ""
    low, width = values[0], (values[-1] - values[0]) / BINS
    counts = [0] * BINS
    for value in values:
        counts[min(BINS - 1, int((value - low) / width)) if width else 0] += 1
    full = max(counts)
    return "".join(BARS[-(-count * (len(BARS) - 1) // full)] for count in counts)


def _print(arguments: argparse.Namespace, value: object, rows: Iterable[Row]) -> int:
    if arguments.json:
        from zsh_ls.sidecar.to_json import to_json

        print(json.dumps(to_json(value), ensure_ascii=False))
        return 0
    print_rows(rows)
    return 0


def _memory(stats: MemoryStats) -> Iterator[Row]:
    yield f"{count(stats.observations, 'execution')} of {count(stats.templates, 'template')}"
    if stats.oldest is not None and stats.newest is not None:
        yield f"from {_moment(stats.oldest)} to {_moment(stats.newest)}"
    yield "  ".join(f"{outcome} {count}" for outcome, count in stats.outcomes.items())
    yield f"this session: {count(stats.session.runs, 'run')}, {stats.session.succeeded} succeeded"
    if stats.hot_patterns:
        yield Table(
            ("runs", "success", "template"),
            [
                (str(it.runs), f"{it.success_rate:.0%}", it.command_template)
                for it in stats.hot_patterns
            ],
        )


def _command(stats: CommandStats, *, is_here: bool) -> Iterator[Row]:
    yield stats.command_template
    if not stats.known:
        yield "not known: never run here"
        return
    if stats.runs:
        yield (
            f"{count(stats.runs, 'run')}  success {stats.success_rate:.0%}  "
            f"timeout {stats.timeout_rate:.0%}  killed {stats.kill_rate:.0%}  streak {stats.streak:+d}"
        )
    else:
        yield "success not known: these runs were imported without their exits"
    if is_here and stats.scope is Scope.EVERYWHERE:
        yield f"of all projects: fewer than {MIN_RUNS_HERE} runs were in this one"
    if stats.runs_elsewhere:
        of_runs = f"{stats.runs_elsewhere} of them"
        if stats.runs_elsewhere == stats.runs:
            of_runs = "all" if stats.runs > 1 else "it was"
        yield f"{of_runs} done by hand or imported (--own leaves them out)"
    durations = stats.durations
    if durations.median_s is None or durations.p90_s is None:
        yield "duration not known: no run ended by itself"
    else:
        ended = (Outcome.SUCCESS, Outcome.FAILURE)  # the time of a kill is no duration
        bars = bar_line(run.duration_s for run in stats.recent if run.outcome in ended)
        bars = "" if sys.stdout.isatty() else bars  # it is drawn below
        yield (
            f"median {durations.median_s:.1f}s  p90 {durations.p90_s:.1f}s  "
            f"basis template, {count(durations.samples, 'sample')}  {bars}".rstrip()
        )
    if sys.stdout.isatty():
        yield from _drawn(stats)
    if stats.ssh is not None:
        yield f"host {stats.ssh.host}: {stats.ssh.failed} of {stats.ssh.connections} connections failed"
    if stats.recent:
        rows = [
            (
                _moment(run.at),
                run.outcome or "",
                "" if run.exit is None or run.outcome in CUT_OFF else str(run.exit),
                f"{run.duration_s:.1f}s",
                run.origin,
                run.command,
            )
            for run in stats.recent[:TABLE_RUNS]
        ]
        yield Table(("when", "outcome", "exit", "took", "by", "command"), rows)


def _drawn(stats: CommandStats) -> Iterator[Row]:
    """The remembered runs over time and as a histogram; `×` for those that timed out or were killed."""
    runs = [
        Drawn(run.duration_s, run.outcome in CUT_OFF)
        for run in reversed(stats.recent)
        if run.outcome or run.duration_s  # an imported run may lack either
    ]
    if len(runs) >= MIN_DRAWN:
        yield ""
        yield f"{ENDED} ended by itself  {CUT_SHORT} timed out or killed: it would have taken longer"
        yield from over_time(runs)
        yield ""
        yield from histogram(runs)
        yield ""


def _circuits(circuits: Iterable[Circuit]) -> Iterator[Row]:
    found = list(circuits)
    if not found:
        yield "All circuits are closed."
    for circuit in found:
        yield (
            f"{circuit.state}  {circuit.timeouts} timeouts since {_moment(circuit.opened_at)}, "
            f"next try in {circuit.retry_in_s:.0f}s: {circuit.command}"
        )


def _health(health: Health) -> Iterator[Row]:
    yield f"zsh-ls {health.version} is {health.status}"
    import platform

    from zsh_ls.machine.environment import user_environment

    yield f"python     {platform.python_version()} on {platform.platform(terse=True)}"
    for kind, version in health.shells.items():
        yield f"{kind:<10} {version or 'installed'}"
    if "zsh" not in health.shells:
        yield "zsh        not installed: bash or sh stands in where no shell is named"
    database = health.database
    known = f"({database.status}, {database.observations} executions)"
    yield folded("database   ", f"{database.path} {known}")
    if database.problem:
        yield folded("           ", database.problem)
    yield from _settings()
    yield f"terminal   {os.environ.get('TERM', 'none')}, {'a' if sys.stdout.isatty() else 'not a'} terminal"
    # What a login shell would add to the environment, as a server started from a desktop would use it.
    yield _path("path       ", os.environ.get("PATH", ""))
    login = user_environment(time_limit_s=LOGIN_SHELL_S)
    if login.problem:
        yield folded("login      ", f"{login.shell}: {login.problem}")
    else:
        added = len(login.variables.keys() - os.environ.keys())
        yield f"login      {login.shell} gives {len(login.variables)} variables, {added} not set here"
        if login.variables.get("PATH") != os.environ.get("PATH"):
            yield _path("           PATH=", login.variables.get("PATH", ""))
    yield from _integrations(Path.home())
    for task in health.detached:
        yield f"detached   {task.task_id}  {named_line(task.command, LONGEST_COMMAND)}"
    if health.team is not None:
        yield folded("team       ", health.team.problem or "what is learnt is shared")
    yield from _circuits(health.circuit.open)


def _settings() -> Iterator[Row]:
    personal = personal_settings(os.environ)
    there = "`zsh-ls config` tells what holds" if personal.is_there else "not there"
    yield folded("settings   ", f"{personal.file} ({there})")
    for problem in personal.problems:
        yield folded("           ", problem)


def _integrations(home: Path) -> Iterator[Row]:
    from zsh_ls.machine.integrations import (
        agents_with_hook,
        editors,
        mcp_sdk,
        shells_with_hook,
    )

    sdk = mcp_sdk()
    yield folded("mcp SDK    ", sdk or f"not installed: {adding('mcp')}")
    shells = ", ".join(shells_with_hook(home))
    yield f"memory     {f'{shells} tells it what runs' if shells else _NO_SHELL_TELLS}"
    yield f"agents     {', '.join(agents_with_hook(home)) or 'none has the hook'}"
    yield f"editors    {', '.join(editors()) or 'none on the path'}"


def _path(label: str, path: str) -> str:
    """A search path, folded between its folders."""
    return folded(label, path.replace(":", ": ")).replace(": ", ":")


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")
