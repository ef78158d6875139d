"""Questions and explanations: the facts are gathered here, `answers` makes the answer of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from zsh_ls.alan import Alan
from zsh_ls.alan.learning.keys import PREVIEW_LENGTH
from zsh_ls.lazy import attrs
from zsh_ls.model.answer import Answer
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Outcome
from zsh_ls.shell.template.identity import NOT_KEPT, shown_command

from .config import Places

if TYPE_CHECKING:
    from zsh_ls.answers.ask import ParsedQuery
    from zsh_ls.answers.outline import Described
    from zsh_ls.model.completed_run import CompletedRun, CompletedSegment
    from zsh_ls.model.machine import Machine
    from zsh_ls.model.recall import Recall, RunEntry
    from zsh_ls.model.reports import TaskList
    from zsh_ls.model.results import OutputPage
    from zsh_ls.shell.zsh_manual.lookup import ManualEntry

    from .evidence import KeptEvidence
    from .manpages import Pages

# How many runs are looked at for the last failure, or for the last pass of a text.
LOOKED_BACK = 200
MOST_OF_MANUAL = 12


class Asking:
    """Answers questions and explains commands from the memory, manual pages and the machine."""

    def __init__(
        self,
        alan: Alan,
        session: str,
        workspace: str | None = None,
        machine: Machine | None = None,
        outputs: Path | None = None,
        *,
        is_trusted: Callable[[], bool] = lambda: True,
    ) -> None:
        """`is_trusted` says whether the workspace is now; otherwise git is not asked what changed."""
        self._alan = alan
        self._outputs = outputs or Places.of_this_user().outputs
        self._is_trusted = is_trusted
        self._workspace = workspace
        self._session = session
        self._given_machine = machine

    @cached_property
    def _machine(self) -> Machine:
        from zsh_ls.machine.facts import here  # noqa: PLC0415  an explanation asks nothing of it

        return self._given_machine or here()

    @cached_property
    def pages(self) -> Pages:
        """The manual pages, which an answer from memory does without."""
        from .manpages import Pages  # noqa: PLC0415

        return Pages(self._alan)

    async def ask(
        self, understood: ParsedQuery, now: float, running: TaskList, output: OutputPage | None
    ) -> Answer:
        """The answer; off the loop, for memory and the machine may take a moment."""
        # The questions and their words are many, and most who ask something ask for a command.
        from zsh_ls.answers.ask import answer  # noqa: PLC0415
        from zsh_ls.answers.family import Facts, NothingRemembered  # noqa: PLC0415

        here, evidence = self._here(), self._evidence()

        def reply(recall: Recall) -> Answer:
            facts = Facts(
                now=_local(now),
                session=self._session,
                recall=recall,
                machine=self._machine,
                running=running.tasks,
                last_output=output,
                here=here,
                evidence=evidence,
            )
            return answer(understood, facts)

        if understood.needs_memory:
            return await self._alan.recalling(reply)
        return await asyncio.to_thread(reply, NothingRemembered())

    async def why(self, fields: Sequence[str], now: float, session: str, project: str) -> Answer:
        """Why the run of a terminal's record failed; without one the last that failed.

        That is the last of `session`, else of the project in the folder `project`.
        `fields` are those of `alan.terminal.run_of`, a name that is near to one not found, and the line
        that ran last where that is another and did not fail; without them a name is looked for on PATH.
        """
        from zsh_ls.alan.terminal import FIELDS, run_of  # noqa: PLC0415
        from zsh_ls.answers.changes import with_changes  # noqa: PLC0415
        from zsh_ls.answers.why import Failure, why  # noqa: PLC0415
        from zsh_ls.model.recall import RunQuery  # noqa: PLC0415

        from .evidence import said_of_run, segments_of  # noqa: PLC0415

        given = run_of(fields[:FIELDS]) if len(fields) >= FIELDS else None
        near, later, *_ = (*fields[FIELDS:], "", "")

        evidence = self._evidence()

        def reply(recall: Recall) -> Answer:
            last, not_failed = None, shown_command(later)
            failed = None if given is None else _entry_of(given)
            if failed is None or not _has_failed(failed):
                # `grep x | wc -l` hid no failure.
                not_failed = not_failed or ("" if failed is None else failed.command)
                failed = None
                of_session = RunQuery(session=session)
                of_project = RunQuery(project=project)
                for which in (of_session, of_project):
                    runs = recall.runs(which, limit=LOOKED_BACK)
                    failed = next(filter(_has_failed, runs), None)
                    if failed is not None:
                        is_normal = runs[0].outcome is Outcome.SUCCESS and runs[0].exit
                        last = runs[0] if is_normal and runs[0] is not failed else None
                        break
            if failed is None:
                return why(None, last, _local(now))
            about = RunQuery(failed.command, project=project)
            same = recall.runs(about, limit=LOOKED_BACK) if failed.is_kept else ()
            before = [run for run in same if run.command == failed.command and run.at <= failed.at]
            # Of a record that is not taken in yet memory does not know itself.
            before = before[1:] if before[:1] and before[0].at == failed.at else before
            passed = (run.at for run in same if _is_pass_of(run, failed))
            passed_at = next(passed, None)
            if given is not None and failed.at == _entry_of(given).at:
                # A terminal's output is not kept, and its shell has looked for a near name.
                segments = segments_of(failed)
                told = said_of_run(failed, segments, failed.cwd)
                failure = Failure(
                    failed, segments, before, near, machine=told, passed_since_at=passed_at
                )
                return why(failure, last, _local(now), later=not_failed)
            known = attrs.evolve(evidence.failure(failed, before), passed_since_at=passed_at)
            return why(with_changes(known, evidence), last, _local(now), later=not_failed)

        return await self._alan.recalling(reply)

    async def why_task(self, task_id: str, now: float, project: str) -> Answer:
        """Why the kept task failed; raises InvalidRequest for one that is not known or still runs."""
        from zsh_ls.answers.changes import with_changes  # noqa: PLC0415
        from zsh_ls.answers.why import why  # noqa: PLC0415
        from zsh_ls.model.errors import InvalidRequest  # noqa: PLC0415
        from zsh_ls.model.recall import RunQuery  # noqa: PLC0415

        from .evidence import SAME_END_S  # noqa: PLC0415

        evidence = self._evidence()

        def reply(recall: Recall) -> Answer:
            run = evidence.run_of(task_id)
            if run is None:
                raise InvalidRequest(f"Unknown task: {task_id}")
            run = attrs.evolve(run, project=run.project or project)
            if run.outcome is Outcome.SUCCESS and not _has_failed(run):
                return why(None, run, _local(now))
            same = recall.runs(RunQuery(run.command, project=run.project), limit=LOOKED_BACK)
            before = [
                it for it in same if it.command == run.command and it.at < run.at - SAME_END_S
            ]
            return why(with_changes(evidence.failure(run, before), evidence), None, _local(now))

        return await self._alan.recalling(reply)

    async def meaning(self, query: str, now: float) -> Answer | None:
        """What the command or option does that is asked about; None where no manual page tells."""
        from zsh_ls.answers.explain import explain_flag  # noqa: PLC0415
        from zsh_ls.answers.meaning import asked_about  # noqa: PLC0415  as for `ask`
        from zsh_ls.answers.outline import outline  # noqa: PLC0415

        asked = asked_about(query)
        if asked is None:
            return None
        every = outline(asked.command, Dialect.ZSH).parts
        parts = [part for part in every if not part.is_run_by_another]
        page = await self.pages.first(parts[0].pages, Dialect.ZSH) if len(parts) == 1 else None
        if page is None:
            return None
        if asked.option is not None:
            return await asyncio.to_thread(explain_flag, asked.option, page)
        return await self.explain(asked.command, now)

    def _evidence(self) -> KeptEvidence:
        from .evidence import KeptEvidence  # noqa: PLC0415

        return KeptEvidence(self._outputs, asks_git=self._is_trusted())

    def _here(self) -> str | None:
        """The folder by which memory counts what runs in the workspace."""
        from zsh_ls.system.projects import scope_of  # noqa: PLC0415

        return None if self._workspace is None else scope_of(self._workspace, self._workspace)

    async def explain(
        self,
        command: str,
        now: float,
        *,
        dialect: Dialect = Dialect.ZSH,
    ) -> Answer:
        """The explanation, with what manual pages, memory and static rules say; nothing of it is run."""
        from zsh_ls.answers.explain import CommandFacts, explain  # noqa: PLC0415
        from zsh_ls.answers.outline import MAX_PARTS, described, outline  # noqa: PLC0415
        from zsh_ls.insights import static  # noqa: PLC0415
        from zsh_ls.shell.zsh_manual.lookup import mentions  # noqa: PLC0415

        outlined = outline(command, dialect)
        first, rest = outlined.parts[:MAX_PARTS], outlined.parts[MAX_PARTS:]
        reading = asyncio.gather(
            *(self.pages.first(it.pages, dialect, with_options=bool(it.flags)) for it in first)
        )
        known = self._alan.command_stats(command, self._here())
        usual = self._alan.estimate(command, self._here() or "")
        stats, estimate, pages = await asyncio.gather(known, usual, reading)
        everything = (*map(described, first, pages), *map(described, rest))
        findings = tuple(static(command, dialect))
        manual: tuple[ManualEntry, ...] = ()
        if dialect is Dialect.ZSH:
            everything = tuple(map(_by_zsh_itself, everything))
            told = (one for place in mentions(command) for one in place.entries)
            manual = tuple(dict.fromkeys(told))[:MOST_OF_MANUAL]
        facts = CommandFacts(outlined, everything, _local(now), stats, estimate, findings, manual)
        return await asyncio.to_thread(explain, facts)


def _by_zsh_itself(one: Described) -> Described:
    """With what zsh's manual says of a builtin or function that no page tells of."""
    from zsh_ls.shell.zsh_manual.lookup import command as manual_command  # noqa: PLC0415

    known = None if one.purpose else manual_command(one.part.program)
    return one if known is None else attrs.evolve(one, purpose=known.text.rstrip("."))


def _entry_of(run: CompletedRun) -> RunEntry:
    """A terminal's run as memory would tell it."""
    from zsh_ls.insights.segments import with_pipeline  # noqa: PLC0415
    from zsh_ls.model.recall import RunEntry  # noqa: PLC0415

    text = shown_command(run.command)
    last = with_pipeline(run).last
    is_normal = last is not None and last.normal_meaning is not None
    return RunEntry(
        command=text[:PREVIEW_LENGTH],
        template="",
        outcome=Outcome.SUCCESS if is_normal else run.outcome,
        exit=run.exit,
        duration_s=run.duration_s,
        # The record may have been taken in by now, as a run that ended in the same millisecond.
        at=round((run.started_at + run.duration_s) * 1000) / 1000,
        origin=run.origin,
        pipestatus=run.pipestatus,
        is_kept=text != NOT_KEPT,
        cwd=run.cwd or "",
    )


def _has_failed(run: RunEntry) -> bool:
    """Whether it failed, or hid that a segment did."""
    if run.outcome in (Outcome.FAILURE, Outcome.TIMEOUT):
        return True
    return run.outcome is Outcome.SUCCESS and bool(_failed_segments(run))


def _is_pass_of(run: RunEntry, failed: RunEntry) -> bool:
    """Whether the same text passed after it failed."""
    is_pass = run.outcome is Outcome.SUCCESS and not _has_failed(run)
    return is_pass and run.command == failed.command and run.at > failed.at


def _failed_segments(run: RunEntry) -> list[CompletedSegment]:
    from .evidence import segments_of  # noqa: PLC0415

    if not any(status not in (0, 141) for status in run.pipestatus[:-1]):
        return []
    return [
        segment
        for segment in segments_of(run)[:-1]
        if segment.exit not in (0, 141) and segment.normal_meaning is None
    ]


def _local(now: float) -> datetime:
    return datetime.fromtimestamp(now).astimezone()
