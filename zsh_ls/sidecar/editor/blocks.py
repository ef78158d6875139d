"""What editors are told of the shell inside other files (DOC-10): each answer is that of a block's script.

A block of Markdown is typed by a reader, line by line: it has a lens that runs it, in the document's session,
and no fates, which are those of scripts.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from zsh_ls.alan import Alan
from zsh_ls.answers.failures import Failures, counts_of
from zsh_ls.insights.embedded import rules_on_in
from zsh_ls.insights.history import lens
from zsh_ls.lazy import attrs
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import DocumentRange
from zsh_ls.model.span import Span
from zsh_ls.shell.embedded.block import host_line, renumbered
from zsh_ls.shell.embedded.hosts import HostKind
from zsh_ls.shell.embedded.rules import Rule, rule_at
from zsh_ls.shell.symbols.missing import Dependencies
from zsh_ls.sidecar.asking import Asking
from zsh_ls.sidecar.config import Settings
from zsh_ls.sidecar.documents.embedded import Hosts, host_uri
from zsh_ls.sidecar.documents.insights import Scripts
from zsh_ls.sidecar.documents.marks import ResultAlone
from zsh_ls.sidecar.documents.store import path_of
from zsh_ls.sidecar.environment import CachedEnvironment
from zsh_ls.sidecar.manpages import Pages
from zsh_ls.sidecar.missing import Surroundings, missing_of, offered_text
from zsh_ls.sidecar.runs.run import Run

from .actions import BLOCK_CURSOR, WHY, actions
from .completion import Completing
from .hover import hover
from .types import Action, ActionKind, Completions, Hover, Lens, LensKind, LineHint

NOT_A_SCRIPT = "This is {kind} and no script: run one of its blocks."
RUN_RULE = "Run {command}"
TYPED = (
    "This is {kind}: its blocks are typed one by one, and no script goes on after one that fails."
)


class Blocks:
    """The answers about the open documents of one sidecar that have shell inside."""

    def __init__(
        self,
        alan: Alan,
        workspace: str | None,
        pages: Pages,
        environment: CachedEnvironment,
        changed: Callable[[str], None],
        *,
        kept: Path | None = None,
    ) -> None:
        """`kept` is the folder for results on the lines of documents that are closed; None keeps nothing."""
        self.scripts = Scripts(alan, workspace)
        self.hosts = Hosts(self.scripts, changed, kept)
        self.scripts.readings.rules_on = lambda uri: rules_on_in(self.hosts.kind(host_uri(uri)))
        self._completing = Completing(self.scripts.readings, pages, environment)

    def has(self, uri: str | None) -> bool:
        """Whether a document is one of these."""
        return self.hosts.has(uri)

    def refuse_script(self, uri: str) -> None:
        """Raise RequestRejected for a document that is no script, but has some inside."""
        if self.has(uri):
            raise RequestRejected(NOT_A_SCRIPT.format(kind=self.hosts.kind(uri)))

    async def lenses(self, uri: str) -> list[Lens]:
        """A lens for each block that a reader would type."""
        found = []
        for placed in await self.hosts.blocks(uri):
            block = placed.block
            command = block.code.rstrip()
            if block.is_typed:
                past = await self.scripts.past(placed.uri, command)
                said = lens(past) if past.everywhere.is_known else ""
                found.append(
                    Lens(LensKind.BLOCK, block.host_span, said, command=command, at=block.at)
                )
        return found

    async def hints(self, uri: str, settings: Settings) -> list[LineHint]:
        """How runs of its lines ended, and what history knows of what a reader types."""
        placed_blocks = await self.hosts.blocks(uri)
        lines = self.hosts.lines(uri)
        found = lines.hints() if lines is not None and settings.trace_hints else []
        for placed in placed_blocks:
            if not placed.block.is_typed or not settings.history_hints:
                continue
            for hint in await self.scripts.hints(placed.uri):
                there = placed.block.in_host(Span(hint.offset - 1, hint.offset))
                if there is not None:
                    found.append(attrs.evolve(hint, offset=there.end))
        return found

    async def hover(self, asking: Asking, uri: str, offset: int, now: float) -> Hover | None:
        """What the word at a place of a block does."""
        found = await self.hosts.at(uri, offset)
        if found is None or found[0].block.is_masked(found[1]):
            return None
        placed, own = found
        tells = self.hosts.kind(uri) in {HostKind.WORKFLOW, HostKind.GITLAB}
        said = await hover(self.scripts, asking, placed.uri, own, now, tells_fate=tells)
        span = placed.block.in_host(said.span) if said else None
        if said is None or span is None:
            return None
        fate = renumbered(said.fate, placed.block, placed.host)
        return attrs.evolve(said, span=span, fate=fate)

    async def actions(self, uri: str, span: Span, *, may_run: bool) -> list[Action]:
        """What can be done about a place of a block; only what is typed can be run by itself."""
        found: list[Action] = []
        for placed in await self.hosts.blocks(uri):
            own = placed.own_span(span)
            if own is None:
                continue
            runs = may_run and placed.block.is_typed
            offered = await actions(self.scripts, placed.uri, own, may_run=runs)
            found += [it for each in offered if (it := placed.action(each)) is not None]
        is_selection = span.end - span.start > BLOCK_CURSOR
        rule = self._rule(uri, span.start) if may_run and not is_selection else None
        if rule is not None:
            found.append(
                Action(
                    ActionKind.RUN,
                    RUN_RULE.format(command=rule.command),
                    rule.span,
                    command=rule.command,
                    folder=os.path.dirname(path_of(uri) or ""),
                )
            )
        lines = self.hosts.lines(uri)
        failed = lines.failed_tasks(span) if lines is not None else []
        found += [Action(ActionKind.WHY, WHY, it.span, task_id=it.failed_task) for it in failed]
        # Each block has its own; one of the document is not offered twice.
        once = {it.kind: it for it in found if it.kind is ActionKind.FIX_ALL}
        return [it for it in found if it.kind not in once or once[it.kind] is it]

    async def completions(self, uri: str, offset: int) -> Completions:
        """How the word that is being written in a block may go on."""
        nothing = Completions(Span(offset, offset))
        found = await self.hosts.at(uri, offset)
        if found is None:
            return nothing
        placed, own = found
        offered = await self._completing.at(placed.uri, own)
        span = placed.block.in_host(offered.span) if offered.found else None
        return nothing if span is None else attrs.evolve(offered, span=span)

    async def failures(self, uri: str) -> Failures:
        """The fates in all blocks that are scripts; raises RequestRejected where a reader types them."""
        fates = []
        for placed in await self.hosts.blocks(uri):
            block, host = placed.block, placed.host
            if block.is_typed:
                raise RequestRejected(TYPED.format(kind=self.hosts.kind(uri)))
            for fate in (await self.scripts.fates.of(placed.uri)).commands:
                span = block.in_host(fate.span)
                if span is not None:
                    then = fate.then_line
                    fates.append(
                        fate._replace(
                            span=span,
                            because=renumbered(fate.because, block, host),
                            then_line=None
                            if then is None
                            else host_line(block, host, then - 1) + 1,
                        )
                    )
        return Failures(tuple(fates), counts_of(fates))

    async def dependencies(
        self, where: DocumentRange, there: Surroundings, command: str
    ) -> tuple[Dependencies, str, str] | None:
        """What a run of this range lacks that the blocks above it give, where the document has it.

        With the text that gives it, alone and with the command behind it. None in no block.
        """
        found = await self.hosts.names_before(where.uri, where.span)
        if found is None:
            return None
        names, block, own = found
        lacks = missing_of(names, own, there, is_typed=True)
        host = self.hosts.text(where.uri)
        missing = tuple(it._replace(line=host_line(block, host, it.line)) for it in lacks.missing)
        spans = [block.in_host(it) for it in lacks.offer]
        placed = attrs.evolve(lacks, missing=missing, offer=tuple(it for it in spans if it))
        alone = offered_text(names, lacks.offer)
        return placed, alone, offered_text(names, lacks.offer, command)

    def _rule(self, uri: str, offset: int) -> Rule | None:
        path = path_of(uri)
        if path is None:
            return None
        return rule_at(self.hosts.text(uri), self.hosts.kind(uri), offset, path)

    def begin(self, run: Run) -> None:
        """A run of a range of one of these documents begins: its result stands on the document's lines."""
        where = run.request.document
        lines = self.hosts.lines(where.uri) if where else None
        if where is None or lines is None:
            return
        start, end = (min(max(offset, 0), len(lines.text)) for offset in where.span)
        result = lines.begin(Span(start, end)).result
        for placed in self.hosts.placed(where.uri):
            own = placed.block.own_span(where.span)
            if own is not None:
                self.scripts.begin_at(run, placed.uri, own)
                break
        if run.mark is not None:
            if run.mark.result is not None:
                run.mark.result.gone = True
            run.mark.result = result
        elif result is not None:
            run.result_alone = ResultAlone(lines, result)
        self.scripts.tell_changed(f"{where.uri}#")
