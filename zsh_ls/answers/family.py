"""Defines question families, and the values that they answer from.

A family is one file in `families/`: its name, questions it answers as people
put them, the patterns that know them, and a function from reading and facts to
an answer, or to None where it does not know after all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

import attrs

from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.history import HostHistory
from zsh_ls.model.machine import Machine, Unavailable
from zsh_ls.model.recall import Order, Recall, RunEntry, RunQuery, TemplateRecord
from zsh_ls.model.results import OutputPage, TaskSummary
from zsh_ls.model.words import Origin, Outcome

from .nouns import commands_called
from .pattern import QueryMatch, QuestionPattern

MAX_TEMPLATES = 5
MEMORY = "ALAN, the memory of executions"


class NothingRemembered:
    """An empty `Recall`, for questions that need no memory."""

    def runs(self, which: RunQuery, *, limit: int) -> Sequence[RunEntry]:
        """None."""
        return ()

    def count(self, which: RunQuery) -> int:
        """None."""
        return 0

    def records(
        self,
        *,
        about: str = "",
        order: Order = "runs",
        limit: int,
        origins: frozenset[Origin] = frozenset(),
    ) -> Sequence[TemplateRecord]:
        """None."""
        return ()

    def hosts(self, *, limit: int) -> Sequence[HostHistory]:
        """None."""
        return ()


@attrs.frozen
class Facts:
    """What answers rest on. `now` knows its time zone; `last_output` is of the last ended task, if kept.

    `origins` are whose runs count, all where it is empty.
    """

    now: datetime
    session: str
    recall: Recall
    machine: Machine
    running: tuple[TaskSummary, ...] = ()
    last_output: OutputPage | None = None
    origins: frozenset[Origin] = frozenset()

    def which(
        self, reading: QueryMatch, *, about: str = "", outcomes: Sequence[Outcome] = ()
    ) -> RunQuery:
        """The query for a match's runs: in its window, of the command `about`, with these outcomes."""
        since, until = reading.window.bounds(self.now) if reading.window else (None, None)
        session = self.session if reading.window and reading.window.session else None
        return RunQuery(about, frozenset(outcomes), since, until, session, self.origins)

    def records(self, about: str, order: Order, limit: int) -> Sequence[TemplateRecord]:
        """Templates that match `about`, highest `order` first, of the runs that count."""
        return self.recall.records(about=about, order=order, limit=limit, origins=self.origins)

    def known(self, reading: QueryMatch) -> tuple[str, list[TemplateRecord]]:
        """The first of a match's subjects that memory knows, and its templates."""
        for subject in reading.subjects:
            for about in commands_called(subject):
                records = self.records(about, "last", MAX_TEMPLATES)
                if records:
                    return about, list(records)
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

    what: str
    reason: str
    missing: str
    collect: tuple[ProposedCommand, ...]

    @classmethod
    def of(cls, what: str, fact: Unavailable) -> NotKnown:
        """The reply for a fact of the machine that could not be read."""
        return cls(what, fact.reason, fact.missing, fact.collect)


Reply = Draft | NotKnown | None


@attrs.frozen
class Family:
    """A closed set of questions and what answers them; `source` says whose knowledge that is.

    `by_origin` is for those that can be asked about the runs of the editor, of agents, … alone.
    """

    name: str
    source: str
    examples: tuple[str, ...]
    patterns: tuple[QuestionPattern, ...]
    answer: Callable[[QueryMatch, Facts], Reply]
    by_origin: bool = False
    needs_output: bool = False

    @property
    def needs_memory(self) -> bool:
        """Whether its answers need ALAN's memory."""
        return self.source == MEMORY or self.needs_output
