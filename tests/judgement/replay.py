"""Plays a recorded day through the real memory and the real rules, and keeps every line that is told.

Times are those of the record, so that a replay is exact. Projects are folders with a
`.git` of their own in a private home. The lines are those of the text that tells a run's
end, or its kill; what is said of one that still runs is not replayed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import attrs

from tests.judgement.make_day import ENGINE, SITE, TOOLS, WEB, WORKTREE
from tests.judgement.make_second_day import API, DOCS, INFRA
from zsh_ls.alan.store.database import open_database
from zsh_ls.alan.store.store import Store
from zsh_ls.insights import after_run, before_run, still_news
from zsh_ls.insights.kills import UNKNOWN, formatted_insight, judge_kill
from zsh_ls.insights.news import after_an_edit, only_news
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight, by_level
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.system.projects import project_of

HERE = Path(__file__).parent
DAYS = ("day", "second_day")
"""`day` was judged when the rules were made, by three pairs; they were not changed for `second_day`."""
MIDNIGHT = 1_789_603_200.0
PAIRS = {"day": ("verdicts", "again", "third"), "second_day": ("verdicts",)}
"""The pairs of judges of a day, by the names of their verdicts."""
WORDS = ("useful", "neutral", "wrong")
"""What a judge says of a line, the worst last."""
NOT_JUDGED = "not judged"
SHOWN_BEFORE = 4
"""How many earlier runs a judge sees above each line."""

# The beginning of a line's text → the kind it is counted as.
KINDS = (
    "New pattern",
    "New here",
    "Retry",
    "Similar to",
    "Streak",
    "Failing streak",
    "Reliable pattern",
    "Usually takes",
    "No output produced",
    "pipe segment",
    "Host",
    "Remote command",
    "command not found",
    "permission denied",
    "SSH connection failed",
    "[A.L.A.N.: Killed",
)


@attrs.frozen
class Recorded:
    """One run of the record (`make_day.Day.run`); `edited` if its project was changed right before it."""

    run: int
    at: float
    by: str
    origin: str
    session: str
    cwd: str
    command: str
    exit: int | None
    pipestatus: Sequence[int]
    outcome: str | None
    duration_s: float
    says: str
    again: bool
    edited: bool


@attrs.frozen
class Told:
    """A line that somebody reads, with the run it belongs to."""

    recorded: Recorded
    line: str
    before: Sequence[Recorded]

    @property
    def kind(self) -> str:
        """What the line is counted as."""
        starts = (kind for kind in KINDS if self.line.startswith(kind))
        if "timeout rate" in self.line:
            return "timeout rate"
        return next(starts, "exit … (normal)" if "(normal)" in self.line else "other")

    @property
    def is_mixed_retry(self) -> bool:
        """Whether it is the one line that ALAN-16 keeps by name, whatever its reader makes of it."""
        return self.kind == "Retry" and "in last 15m." in self.line


def record_of(day: str) -> Path:
    """The file with the runs of a day."""
    return HERE / f"{day}.jsonl"


def recorded_day(day: str = "day") -> list[Recorded]:
    """The runs of the record, in their order."""
    return [Recorded(**json.loads(line)) for line in record_of(day).read_text().splitlines()]


def make_home(folder: Path) -> Path:
    """The folders of the days: seven repositories and a second worktree of one."""
    for project in (WEB, ENGINE, TOOLS, SITE, API, INFRA, DOCS):
        (folder / project / ".git").mkdir(parents=True)
    private = folder / WEB / ".git" / "worktrees" / "web-hotfix"
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n")
    (folder / WORKTREE).mkdir(parents=True)
    (folder / WORKTREE / ".git").write_text(f"gitdir: {private}\n")
    return folder


def replay(folder: Path, day: str = "day") -> list[Told]:
    """Every line that is told on that day, in a memory that was empty in the morning."""
    home = make_home(folder / "home")
    store = Store(open_database(folder / "alan.db"))
    runs = recorded_day(day)
    try:
        return [
            Told(recorded, line, runs[max(0, at - SHOWN_BEFORE) : at])
            for at, recorded in enumerate(runs)
            for line in _told(store, recorded, as_run(recorded, home), _edited_at(runs, at, home))
        ]
    finally:
        store.close()


def _edited_at(runs: Sequence[Recorded], at: int, home: Path) -> float:
    """When files of the project of the run `at` were last changed, in Unix time; 0.0 for never."""
    project = project_of(str(home / runs[at].cwd))
    edits = (
        it.at for it in runs[: at + 1] if it.edited and project_of(str(home / it.cwd)) == project
    )
    return max((MIDNIGHT + began for began in edits), default=0.0)


def _told(store: Store, recorded: Recorded, run: CompletedRun, edited_at: float) -> list[str]:
    """What is said of one run, before and after; it is remembered then."""
    past = store.past(run.command, session=run.session, now=run.started_at, project=run.scope)
    insights: list[Insight] = before_run(past, rerun=recorded.again)
    if edited_at > past.last_retry_at:
        insights = after_an_edit(insights)
    if run.ended_by_itself:
        end = with_pipeline(run)
        insights = [*still_news(insights, end), *after_run(end)]
    store.record(run)
    if run.outcome is Outcome.KILLED:
        return [*_told_of_kill(store, run, past)]
    # Agents (ALAN-16), terminals (CLI-20) and the two editors' plugins show what is news.
    return [*chain(*by_level(only_news(insights)).values())]


def _told_of_kill(store: Store, run: CompletedRun, past: CommandHistory) -> Iterator[str]:
    kills = store.kills(run.command, session=run.session, project=run.scope)
    judgement = judge_kill(kills, past.estimate, run.duration_s, 0.0)
    if judgement.category != UNKNOWN:
        yield formatted_insight(judgement, colour=False)


def as_run(recorded: Recorded, home: Path) -> CompletedRun:
    """The run as memory and rules get it."""
    outcome = Outcome(recorded.outcome) if recorded.outcome else outcome_of(recorded.exit)
    return CompletedRun(
        command=recorded.command,
        shell="zsh",
        exit=recorded.exit,
        pipestatus=tuple(recorded.pipestatus),
        outcome=outcome,
        duration_s=recorded.duration_s,
        started_at=MIDNIGHT + recorded.at,
        session=recorded.session,
        cwd=str(home / recorded.cwd),
        project=project_of(str(home / recorded.cwd)),
        origin=Origin(recorded.origin),
        output_is_blank=not recorded.says.strip(),
        output=recorded.says,
        output_end=recorded.says,
    )


def verdicts(judges: str, day: str) -> dict[tuple[int, str], Sequence[str]]:
    """What two judges said of a line of a run: `useful`, `neutral` or `wrong`, one word a judge.

    `day_verdicts.jsonl` has one object a line: `{"run": 7, "line": "…", "verdicts": ["useful", …]}`. Under
    `again` and `third` stand the words of others, who saw only what was told when those before had been
    heeded. Of the second day there are those of one pair. Two of its rows, with `by`, have one word, which is
    not blind: the pair had not been told those lines.
    """
    rows = map(json.loads, (HERE / f"{day}_verdicts.jsonl").read_text().splitlines())
    return {(row["run"], row["line"]): row[judges] for row in rows if judges in row}


def report(told: Sequence[Told], day: str = "day") -> Iterator[str]:
    """Figures of a replay: how many lines, of which kinds, to whom, and what the judges said."""
    runs = len(recorded_day(day))
    with_lines = len({it.recorded.run for it in told})
    yield f"{day}: {len(told)} lines for {with_lines} of {runs} runs"
    for by in ("agent", "person"):
        yield f"  to a{'n' if by == 'agent' else ''} {by}: {sum(it.recorded.by == by for it in told)}"
    for kind, count in Counter(it.kind for it in told).most_common():
        yield f"{count:5} {count / len(told):6.1%}  {kind}"
    for judges in PAIRS[day]:
        for name, lines in (
            ("lines", [it for it in told if not it.is_mixed_retry]),
            ("mixed retries, which ALAN-16 keeps,", [it for it in told if it.is_mixed_retry]),
        ):
            worse = Counter(judged(lines, judges, day))
            counts = ", ".join(f"{worse[word]} {word}" for word in (*WORDS, NOT_JUDGED))
            yield f"{name} by the worse verdict of the pair `{judges}`: {counts}"


def judged(told: Sequence[Told], judges: str, day: str) -> list[str]:
    """The worse word that two judges said of each line; of one they did not see, that of the first pair."""
    found = verdicts("verdicts", day) | verdicts(judges, day)
    keys = [(it.recorded.run, it.line) for it in told]
    return [max(found.get(key, [NOT_JUDGED]), key=[*WORDS, NOT_JUDGED].index) for key in keys]


def for_judges(told: Sequence[Told]) -> Iterator[str]:
    """The lines as a person or an agent sees them, each with what was on the screen before it."""
    yield "# Lines that were told in a working day\n"
    yield (
        "Judge each line marked `→`, given what its reader knew at that moment: `useful` (it changes or\n"
        "speeds up what the reader does next, or explains what happened), `neutral` (true and of no\n"
        "help) or `wrong` (untrue, misleading, or of something else). Above each stand the reader's\n"
        "screen and the runs before. Write one object a line:\n"
        '`{"run": 7, "line": "the text after the arrow", "verdict": "useful"}`.\n'
    )
    by_run: dict[int, list[Told]] = {}
    for it in told:
        by_run.setdefault(it.recorded.run, []).append(it)
    for lines in by_run.values():
        here = lines[0].recorded
        yield f"## Run {here.run}: {_reader(here)}\n"
        for earlier in lines[0].before:
            yield f"    earlier  {_one_line(earlier)}"
        yield f"    now      {_one_line(here)}"
        yield from (f"    prints   {text}" for text in here.says.splitlines()[:3])
        yield ""
        yield from (f"→ {it.line.splitlines()[0]}" for it in lines)
        yield ""


def _reader(recorded: Recorded) -> str:
    if recorded.by == "agent":
        return f"an agent ({recorded.session})"
    again = ", who pressed the key that runs it again" if recorded.again else ""
    return f"a person in {'an editor' if recorded.origin == 'editor' else 'a terminal'}{again}"


def _one_line(recorded: Recorded) -> str:
    seconds = int(recorded.at)
    ended = (recorded.outcome or f"exit {recorded.exit}").lower()
    many = [code for code in recorded.pipestatus if len(recorded.pipestatus) > 1]
    statuses = f", pipestatus {many}" if many else ""
    return (
        f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02} ~/{recorded.cwd} $ "
        f"{recorded.command}  ({ended}{statuses}, {recorded.duration_s:.1f}s, {recorded.session})"
    )
