"""Defines question families, the values that they answer from, and phrases that they share.

A family is one file in `families/`: its name, questions it answers as people
put them, the patterns that match them, and a function from match and facts to
an answer, or to None where it does not know after all.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

from zsh_ls.lazy import attrs, re
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.estimate import Estimate
from zsh_ls.model.history import HostHistory
from zsh_ls.model.machine import Machine, Unavailable
from zsh_ls.model.recall import Order, Recall, RunEntry, RunQuery, TemplateRecord
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.results import OutputPage
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.shell.template.identity import identify

from .evidence import Evidence, NoEvidence, how_ended
from .formatting import count, duration, moment, share
from .markup import as_text, code_span
from .pattern import QueryMatch, QuestionPattern
from .vocabulary import commands_called

MAX_TEMPLATES = 5
DEFAULT_LIST = 5
MAX_LIST = 20
MAX_HOSTS = 1000
MOST_NAMED = 3
# What the asker did is past, unless it goes on: `what did I run`, not `what have I running`.
DID_I = re.compile(
    r"\b(?:did|have|had) (?:i|we)\b(?!.*\b(?:still|now|(?<!been )running)\b)", re.IGNORECASE
)
# Outcomes that count as failures; a kill is the user's decision.
FAILED = (Outcome.FAILURE, Outcome.TIMEOUT)
MEMORY = "ALAN, the memory of executions"


class NothingRemembered:
    """An empty `Recall`, for questions that need no memory."""

    def runs(self, which: RunQuery, *, limit: int) -> Sequence[RunEntry]:
        """None."""
        return ()

    def count(self, which: RunQuery) -> int:
        """None."""
        return 0

    def first_at(self, command: str = "") -> float | None:
        """None."""
        return None

    def records(
        self,
        *,
        about: str = "",
        order: Order = "runs",
        limit: int,
        origins: frozenset[Origin] = frozenset(),
        project: str | None = None,
    ) -> Sequence[TemplateRecord]:
        """None."""
        return ()

    def estimate(self, command: str, *, project: str) -> Estimate | None:
        """None."""
        return None

    def hosts(self, *, limit: int) -> Sequence[HostHistory]:
        """None."""
        return ()


@attrs.frozen
class Facts:
    """What answers rest on. `now` knows its time zone; `last_output` is of the last ended task, if kept.

    `origins` are whose runs count, all where it is empty. `here` is the project that is asked from,
    `project` the one whose runs count, None for all. `evidence` is what is kept beside memory.
    """

    now: datetime
    session: str
    recall: Recall
    machine: Machine
    running: tuple[TaskSummary, ...] = ()
    last_output: OutputPage | None = None
    origins: frozenset[Origin] = frozenset()
    here: str | None = None
    project: str | None = None
    evidence: Evidence = attrs.field(factory=NoEvidence)

    def which(
        self, match: QueryMatch, *, about: str = "", outcomes: Sequence[Outcome] = ()
    ) -> RunQuery:
        """The query for a match's runs: in its window, of the command `about`, with these outcomes."""
        since, until = match.window.bounds(self.now) if match.window else (None, None)
        session = self.session if match.window and match.window.session else None
        return RunQuery(
            about, frozenset(outcomes), since, until, session, self.origins, self.project
        )

    def records(self, about: str, order: Order, limit: int) -> Sequence[TemplateRecord]:
        """Templates that match `about`, highest `order` first, of the runs that count."""
        return self.recall.records(
            about=about, order=order, limit=limit, origins=self.origins, project=self.project
        )

    def where_known(self, match: QueryMatch) -> Facts:
        """These facts of the project asked from, where it knows a subject of the match; else these."""
        of_here = attrs.evolve(self, project=self.here)
        here, everywhere = of_here.known(match)[0], self.known(match)[0]
        # Of `make check`, that ran elsewhere alone, nothing is told by the `make` of here.
        is_part = here != everywhere and f" {here} " in f" {everywhere} "
        return of_here if here and not is_part else self

    def known(self, match: QueryMatch) -> tuple[str, list[TemplateRecord]]:
        """The first of a match's subjects that memory knows, and its templates, that of this very text first.

        Where more words of the question are a command that it knows, those are meant: `make check`, not
        `make`.
        """
        first, *others = match.subjects or ("",)
        longer = sorted((it for it in others if f" {first} " in f" {it} "), key=len, reverse=True)
        subjects = [(it,) for it in longer] + [commands_called(it) for it in match.subjects]
        for about in (it for group in subjects for it in group):
            records = self.records(about, "last", MAX_TEMPLATES)
            if records:
                own = (about, identify(about).template)
                return about, sorted(records, key=lambda it: it.template not in own)
        return "", []


@attrs.frozen
class Draft:
    """A family's reply; `ask` adds the source and builds the answer."""

    kind: Literal["deterministic", "template", "recipe"]
    summary: str
    details: tuple[str, ...] = ()
    commands: tuple[ProposedCommand, ...] = ()
    output: str | None = None


@attrs.frozen
class NotKnown:
    """A reply without an answer: what was asked, why it is unknown, and commands that would show it."""

    asked: str
    reason: str
    missing: str
    collect: tuple[ProposedCommand, ...]

    @classmethod
    def of(cls, asked: str, fact: Unavailable) -> NotKnown:
        """The reply for a fact of the machine that could not be read."""
        return cls(asked, fact.reason, fact.missing, fact.collect)


Reply = Draft | NotKnown | None


@attrs.frozen
class Family:
    """A closed set of questions and the function that answers them; `source` names where answers come from.

    `by_origin` is for those that can be asked about the runs of the editor, of agents, of this
    project, … alone. A question with words of `unless` asks something else.
    """

    name: str
    source: str
    examples: tuple[str, ...]
    patterns: tuple[QuestionPattern, ...]
    answer: Callable[[QueryMatch, Facts], Reply]
    by_origin: bool = False
    unless: re.Pattern[str] | None = None
    needs_output: bool = False

    @property
    def needs_memory(self) -> bool:
        """Whether its answers need ALAN's memory."""
        return self.source == MEMORY or self.needs_output


def runs_are_cut(match: QueryMatch, facts: Facts, about: str, total: int) -> bool:
    """Whether the window reaches back to runs of a command that are counted, and kept no more one by one."""
    since = match.window.bounds(facts.now)[0] if match.window else None
    if since is None or total <= facts.recall.count(RunQuery(about)):
        return False
    return not facts.recall.count(RunQuery(about, until=since))


def are_of(about: str, records: Sequence[TemplateRecord]) -> bool:
    """Whether all runs of the templates are of `about`: of `git push`, not of `git push origin one`."""
    return all(f"{record.template} ".startswith(f"{about} ") for record in records)


def during(match: QueryMatch) -> str:
    """The match's window as words to follow a verb, with a leading space; empty without a window."""
    return f" {match.window.label}" if match.window else ""


def from_elsewhere(record: TemplateRecord) -> str:
    """`, 9 done by hand or imported`, empty if no run was from elsewhere."""
    return f", {record.elsewhere} done by hand or imported" if record.elsewhere else ""


def list_length(match: QueryMatch) -> int:
    """The number of entries that the question asks for, within limits."""
    return min(match.number or DEFAULT_LIST, MAX_LIST)


def asks_for_last(match: QueryMatch) -> bool:
    """Whether the question is about the last run alone, not about some of them."""
    return "last" in match.concepts and not match.window and not match.number


def never_ran(match: QueryMatch, asked: str) -> NotKnown:
    """The reply if memory knows none of the possible commands; `{}` is replaced by the first."""
    name = match.subjects[0]
    return NotKnown(
        asked.format(as_text(name)),
        reason=f"no run of {as_text(name)} is remembered",
        missing=f"runs of {as_text(name)} in ALAN's memory",
        collect=(ProposedCommand(f"zsh-ls stats {shlex.quote(as_text(name))}"),),
    )


@attrs.frozen
class RunsMeant:
    """The runs that a question is about, newest first; `about` is the command, empty for all.

    `query` finds all of them, `runs` are no more than the question asks for.
    """

    about: str
    query: RunQuery
    runs: Sequence[RunEntry]


def runs_meant(
    match: QueryMatch,
    facts: Facts,
    asked: str,
    *,
    outcomes: Sequence[Outcome] = (),
    only_newest: bool = False,
) -> RunsMeant | NotKnown:
    """The runs with these outcomes; the reply of `never_ran` where its command is not remembered."""
    about, records = facts.known(match)
    if match.subjects and not records:
        return never_ran(match, asked)
    query = facts.which(match, about=about, outcomes=outcomes)
    limit = 1 if only_newest else list_length(match)
    return RunsMeant(about, query, facts.recall.runs(query, limit=limit))


def run_line(run: RunEntry, facts: Facts) -> str:
    """One run as a list item: the command, how it ended, when, after how long."""
    ended = how_ended(run, facts.evidence)
    how = f"{ended} {moment(run.at, facts.now)} after {duration(run.duration_s)}"
    return f"- {code_span(run.command)} {how}"


def runs_draft(meant: RunsMeant, condition: str, facts: Facts) -> Draft:
    """`{12 runs} {condition}`, and the newest of them as a list."""
    total = facts.recall.count(meant.query)
    lines = tuple(run_line(run, facts) for run in meant.runs)
    named = first_three(meant.runs, total, facts)
    return Draft("deterministic", f"{count(total, 'run')} {condition}: {named}.", lines)


def first_three(runs: Sequence[RunEntry], total: int, facts: Facts) -> str:
    """The newest three of `total` runs with their times, then the number of the rest (ANS-6)."""
    shown = ", ".join(
        f"{code_span(run.command)} {moment(run.at, facts.now)}" for run in runs[:MOST_NAMED]
    )
    more = total - min(len(runs), MOST_NAMED)
    return f"{shown} and {count(more, 'other')}" if more > 0 else shown


def host_rate(host: HostHistory) -> str:
    """How many connections to a host failed, and the failure rate weighted by age."""
    total = count(host.total, "connection")
    return f"{host.failed} of {total} failed ({share(host.failure_rate)} weighted by age)"


def host_meant(match: QueryMatch, facts: Facts) -> Draft | None:
    """The history of the ssh host that a subject names, None if none does."""
    for host in facts.recall.hosts(limit=MAX_HOSTS):
        if host.host in match.subjects:
            return Draft("deterministic", f"{code_span(host.host)}: {host_rate(host)}.")
    return None
