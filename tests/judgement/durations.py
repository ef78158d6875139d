"""What memory told of durations, rates and retries before each run, against what then happened (ALAN-14).

The recorded day, the two histories of `make_histories` and any other of atuin or zsh are gone through
run by run, as they were lived: memory is asked, the run happens, memory learns it. Of a real
history the folders are not there: each of them counts as a project of its own.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean, median

import attrs

from tests.judgement.make_histories import ATUIN, ZSH_HISTORY
from tests.judgement.replay import as_run, make_home, recorded_day
from zsh_ls.alan.importers.databases import read_atuin
from zsh_ls.alan.importers.filling import Found
from zsh_ls.alan.importers.zsh_history import read as read_zsh_history
from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.alan.store.database import open_database
from zsh_ls.alan.store.store import Store
from zsh_ls.insights import before_run
from zsh_ls.insights.history import MIN_RUNS_FOR_RATE
from zsh_ls.insights.rules.before_run.usual_duration import usual_duration
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.shell.status.exit_codes import is_normal_exit
from zsh_ls.shell.template.identity import identify
from zsh_ls.system.projects import scope_of

SHORTEST_S = 1.0
"""What is shorter is told to nobody (`insights.history.MIN_SHOWN_S`)."""
NEAR = 2.0
"""A duration is near one that is no more than so many times longer or shorter."""
INTERRUPTED = 130
SQLITE = b"SQLite format 3"
OF_OUTCOMES = {"retry", "failing-streak", "success-streak", "reliable-pattern", "new-here"}
"""The rules that say how a run will end."""


@attrs.frozen
class Lived:
    """What was known before a run, and what then happened; None where nobody wrote it down.

    `succeeded` is None too where the exit was a normal answer (ALAN-9) or the run was interrupted.
    """

    past: CommandHistory
    duration_s: float | None
    succeeded: bool | None

    @property
    def told_s(self) -> float | None:
        """The median that polls, hints and lenses tell."""
        estimate = self.past.estimate
        return None if estimate is None or estimate.median_s < SHORTEST_S else estimate.median_s

    @property
    def basis(self) -> str:
        """Whose runs of what the median rests on."""
        estimate = self.past.estimate
        return "none" if estimate is None else f"{estimate.basis.value} {estimate.scope.value}"

    @property
    def says_usual(self) -> bool:
        """Whether `Usually takes` is said."""
        return any(usual_duration(self.past))

    @property
    def reads_usual(self) -> bool:
        """Whether an agent or a person reads that line: it is news."""
        return any(insight.is_news for insight in usual_duration(self.past))

    @property
    def said(self) -> set[str]:
        """What is said of the outcome to come, by its rule; a retry also by how the runs before it ended."""
        tried = self.past.retries
        ends = {0: "all failed", tried.total: "all succeeded"}.get(tried.succeeded, "mixed")
        rules = {insight.rule for insight in before_run(self.past)} & OF_OUTCOMES
        return {f"retry, {ends}" if rule == "retry" else rule for rule in rules}

    @property
    def told_rate(self) -> float | None:
        """The rate of success that hints and lenses tell."""
        usual = self.past.usual
        return None if usual.runs < MIN_RUNS_FOR_RATE else usual.success_rate


def of_the_day(folder: Path) -> Iterator[Lived]:
    """The recorded day."""
    home = make_home(folder / "home")
    store = Store(open_database(folder / "alan.db"))
    try:
        for run in (as_run(recorded, home) for recorded in recorded_day()):
            past = store.past(
                run.command, session=run.session, now=run.started_at, project=run.scope
            )
            duration_s = run.duration_s if run.ended_by_itself else None
            yield Lived(past, duration_s, run.outcome is Outcome.SUCCESS)
            store.record(run)
    finally:
        store.close()


def of_atuin(folder: Path) -> Iterator[Lived]:
    """The history in atuin's form."""
    with sqlite3.connect(folder / "history.db") as connection:
        connection.executescript(ATUIN.read_text())
    yield from _of_rows(folder, "atuin", read_atuin(folder / "history.db"))


def of_zsh(folder: Path) -> Iterator[Lived]:
    """The history in the form of zsh with times."""
    yield from _of_rows(folder, "zsh-history", read_zsh_history(ZSH_HISTORY))


def of_file(file: Path, folder: Path) -> Iterator[Lived]:
    """Any other history: atuin's database, or a file of zsh."""
    with file.open("rb") as opened:
        is_database = opened.read(len(SQLITE)) == SQLITE
    found = read_atuin(file) if is_database else read_zsh_history(file)
    yield from _of_rows(folder, "atuin" if is_database else "zsh-history", found)


def _of_rows(folder: Path, source: str, found: Iterator[Found]) -> Iterator[Lived]:
    store = Store(open_database(folder / f"{source}.db"))
    try:
        for row in found:
            if not isinstance(row, HistoryRow) or row.duration_ms is None:
                continue
            began_s = (row.at_ms - row.duration_ms) / 1000
            scope = scope_of(row.folder) if row.folder else ""
            past = store.past(row.command, session=source, now=began_s, project=scope)
            ended = row.exit != INTERRUPTED
            is_plain = ended and row.exit is not None and not _is_answer(row.command, row.exit)
            succeeded = row.exit == 0 if is_plain else None
            yield Lived(past, row.duration_ms / 1000 if ended else None, succeeded)
            if row.exit is None or row.outcome is None:
                store.import_rows(source, [row])
            else:
                store.record(_as_run(row, row.exit, row.outcome, source, began_s))
    finally:
        store.close()


def _is_answer(command: str, exit_status: int) -> bool:
    return exit_status != 0 and is_normal_exit(identify(command).command, exit_status)


def _as_run(
    row: HistoryRow, exit_status: int, outcome: Outcome, session: str, began_s: float
) -> CompletedRun:
    """A row as a run of one long session: what was imported is of none, and is no retry."""
    return CompletedRun(
        command=row.command,
        shell="zsh",
        exit=exit_status,
        pipestatus=(exit_status,),
        outcome=outcome,
        duration_s=(row.duration_ms or 0) / 1000,
        started_at=began_s,
        session=session,
        cwd=row.folder or "",
        project=row.folder and scope_of(row.folder),
        origin=Origin.TERMINAL,
    )


HISTORIES: dict[str, Callable[[Path], Iterator[Lived]]] = {
    "recorded day": of_the_day,
    "atuin": of_atuin,
    "zsh history": of_zsh,
}


def report(name: str, lived: Sequence[Lived]) -> Iterator[str]:
    """The errors of one history: of the median by its basis, of the p90, of `Usually takes`, of rates."""
    yield f"{name}: {len(lived)} runs"
    told = [it for it in lived if it.told_s is not None and it.duration_s is not None]
    yield f"  {'median told':24} {'runs':>5} {'error':>6} {'within 2x':>10} {'below p90':>10}"
    bases = sorted({it.basis for it in told})
    for basis in ("all", *bases):
        yield _errors(basis, [it for it in told if basis in ("all", it.basis)])
    yield _errors("`Usually takes` said", [it for it in told if it.says_usual])
    yield _errors("`Usually takes` as news", [it for it in told if it.reads_usual])
    yield from _ends(lived)
    rated = [it for it in lived if it.told_rate is not None and it.succeeded is not None]
    if rated:
        rates = [it.told_rate or 0.0 for it in rated]
        happened = [float(bool(it.succeeded)) for it in rated]
        off = fmean((rate - end) ** 2 for rate, end in zip(rates, happened, strict=True))
        base = fmean((fmean(happened) - end) ** 2 for end in happened)
        yield (
            f"  success: told {fmean(rates):.1%}, came {fmean(happened):.1%} of {len(rated)} runs; "
            f"Brier {off:.3f} (of the mean alone {base:.3f})"
        )


def _ends(lived: Sequence[Lived]) -> Iterator[str]:
    """How the runs ended of which something was said, and all runs."""
    known = [(it.said, it.succeeded) for it in lived if it.succeeded is not None]
    said = Counter(one for every, _ in known for one in every)
    if not said:
        return
    yield f"  {'said of the end':24} {'runs':>5} {'passed':>6}"
    yield f"  {'(any run)':24} {len(known):5} {fmean(bool(end) for _, end in known):6.0%}"
    for one, runs in sorted(said.items()):
        passed = sum(one in every and bool(end) for every, end in known)
        yield f"  {one:24} {runs:5} {passed / runs:6.0%}"


def _errors(name: str, told: Sequence[Lived]) -> str:
    if not told:
        return f"  {name:24} {0:5}"
    pairs = [(it.told_s or 0.0, max(it.duration_s or 0.0, 0.01)) for it in told]
    error = median(abs(said - took) / took for said, took in pairs)
    near = fmean(1 / NEAR <= said / took <= NEAR for said, took in pairs)
    below = fmean(
        (it.duration_s or 0.0) <= it.past.estimate.p90_s for it in told if it.past.estimate
    )
    return f"  {name:24} {len(told):5} {error:6.0%} {near:10.0%} {below:10.0%}"
