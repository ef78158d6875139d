"""How long a command takes."""

from __future__ import annotations

from zsh_ls.answers.basis import basis_of
from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply, from_elsewhere, never_ran
from zsh_ls.answers.formatting import count, duration, ended, moment
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.vocabulary import commands_called
from zsh_ls.model.estimate import MIN_SAMPLES, WIDEST, Estimate
from zsh_ls.model.recall import TemplateRecord
from zsh_ls.model.words import Basis, Scope

# The bases that are about the command itself.
OF_ITSELF = (Basis.EXACT, Basis.COMMAND)


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Median and p90 of the command or the templates meant; of the last run where that was asked.

    What lines and hovers tell of the command is told here too (ALAN-14).
    """
    about, records = facts.known(match)
    if not records:
        return _told_by_team(match, facts) or never_ran(match, "how long {} takes")
    if "last" in match.concepts:
        [run] = facts.recall.runs(facts.which(QueryMatch(), about=about), limit=1)
        how = f"{ended(run.outcome, run.exit)} {moment(run.at, facts.now)}"
        took = f"{code_span(run.command)} took {duration(run.duration_s)} and {how}."
        return Draft("deterministic", took)
    estimate = None if facts.origins else facts.recall.estimate(about, project=facts.here or "")
    if estimate is not None and estimate.basis in OF_ITSELF:
        first = _line_of_itself(about, estimate)
        others = [_line(it) for it in records if it.template != estimate.command_template]
    else:
        first, *others = map(_line, records)
        if records[0].median_s is None and (
            last := facts.recall.runs(facts.which(QueryMatch(), about=about), limit=1)
        ):
            how = ended(last[0].outcome, last[0].exit)
            first = f"{first[:-1]}: the last {how} after {duration(last[0].duration_s)}."
    return Draft("deterministic", first, tuple(f"- {other}" for other in others))


def _told_by_team(match: QueryMatch, facts: Facts) -> Draft | None:
    """What the team knows of the first subject that it knows, where memory has no run of any (TEAM-4)."""
    if facts.origins or "last" in match.concepts:
        return None
    for subject in match.subjects:
        for about in commands_called(subject):
            estimate = facts.recall.estimate(about, project=facts.here or "")
            if estimate is not None and estimate.scope is Scope.TEAM:
                return Draft("deterministic", _line_of_itself(about, estimate))
    return None


def _line_of_itself(command: str, estimate: Estimate) -> str:
    return (
        f"{code_span(command)} takes {duration(estimate.median_s)} (median of {basis_of(estimate)}),"
        f" nine times of ten at most {duration(estimate.p90_s)}."
    )


def _line(record: TemplateRecord) -> str:
    name = code_span(record.template)
    if record.median_s is None or record.p90_s is None:
        return f"{name} never ended by itself in {count(record.runs, 'run')}."
    if record.samples < MIN_SAMPLES:  # too few to tell how long it usually takes
        of = "median of " if record.samples > 1 else ""
        runs = f"{of}{count(record.samples, 'run')}{from_elsewhere(record)}"
        return f"{name} took {duration(record.median_s)} ({runs})."
    if record.p90_s > WIDEST * record.median_s:  # no estimate rests on it (ALAN-14)
        return (
            f"{name} takes at most {duration(record.p90_s)} nine times of ten, and differs too much to"
            f" expect a duration ({count(record.samples, 'run')}{from_elsewhere(record)})."
        )
    return (
        f"{name} takes {duration(record.median_s)} (median of {count(record.samples, 'run')}"
        f"{from_elsewhere(record)}),"
        f" nine times of ten at most {duration(record.p90_s)}."
    )


FAMILY = Family(
    name="duration",
    source=MEMORY,
    examples=("how long does npm test take", "what is the median time of make"),
    patterns=(
        pattern("how-long take|be-done", "typical future last", subject="needed"),
        pattern("how-long wait-for", "typical future take be-done", subject="needed"),
        pattern("duration", "typical last command", subject="needed"),
        pattern("typical duration|time", "command last take", subject="needed"),
        pattern("how-slow|take-long", "typical", subject="needed"),
    ),
    answer=answer,
    by_origin=True,
)
