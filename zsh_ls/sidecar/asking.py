"""Questions and explanations: the facts are gathered here, `answers` makes the answer of them."""

from __future__ import annotations

import asyncio
from datetime import datetime

from zsh_ls.alan import Alan
from zsh_ls.answers.ask import ParsedQuery, answer
from zsh_ls.answers.explain import CommandFacts, explain
from zsh_ls.answers.family import Facts, NothingRemembered
from zsh_ls.answers.outline import MAX_PARTS, described, outline
from zsh_ls.insights import static
from zsh_ls.machine.facts import here
from zsh_ls.model.answer import Answer
from zsh_ls.model.machine import Machine
from zsh_ls.model.recall import Recall
from zsh_ls.model.results import OutputPage, TaskList
from zsh_ls.model.syntax import Dialect
from zsh_ls.system.projects import scope_of

from .manpages import Pages


class Asking:
    """Answers questions and explains commands from the memory, manual pages and the machine."""

    def __init__(
        self,
        alan: Alan,
        session: str,
        workspace: str | None = None,
        machine: Machine | None = None,
    ) -> None:
        self._alan = alan
        self._workspace = workspace
        self._session = session
        self.pages = Pages(alan)
        self._machine = machine or here()

    async def ask(
        self, understood: ParsedQuery, now: float, running: TaskList, output: OutputPage | None
    ) -> Answer:
        """The answer; off the loop, for memory and the machine may take a moment."""

        def reply(recall: Recall) -> Answer:
            facts = Facts(
                now=_local(now),
                session=self._session,
                recall=recall,
                machine=self._machine,
                running=running.tasks,
                last_output=output,
            )
            return answer(understood, facts)

        if understood.needs_memory:
            return await self._alan.recalling(reply)
        return await asyncio.to_thread(reply, NothingRemembered())

    async def explain(
        self,
        command: str,
        now: float,
        *,
        dialect: Dialect = Dialect.ZSH,
    ) -> Answer:
        """The explanation, with what manual pages, memory and static rules say; nothing of it is run."""
        outlined = outline(command, dialect)
        first, rest = outlined.parts[:MAX_PARTS], outlined.parts[MAX_PARTS:]
        reading = asyncio.gather(*(self.pages.first(part.pages, dialect) for part in first))
        here = None if self._workspace is None else scope_of(self._workspace, self._workspace)
        known = self._alan.command_stats(command, here)
        stats, pages = await asyncio.gather(known, reading)
        everything = (*map(described, first, pages), *map(described, rest))
        findings = tuple(static(command, dialect))
        facts = CommandFacts(outlined, everything, _local(now), stats, findings)
        return await asyncio.to_thread(explain, facts)


def _local(now: float) -> datetime:
    return datetime.fromtimestamp(now).astimezone()
