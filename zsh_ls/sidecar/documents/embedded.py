"""Open documents with shell inside (DOC-10): each block is a script of its own, kept in step with its host.

The scripts of blocks stand apart from the open documents: nobody else meets them, and all that is said of one
is said at its place in the host. Reading a host starts nothing and opens no file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import unquote, urlsplit

from zsh_ls.insights.embedded import in_host, placed_edits
from zsh_ls.lazy import attrs
from zsh_ls.model.insight import Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.embedded.block import Block, joined
from zsh_ls.shell.embedded.hosts import HostKind, blocks_of, kind_of
from zsh_ls.shell.embedded.yaml_scalars import NoYaml
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.symbols import Names
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.sidecar.editor.types import Action, DocumentInsight, Edit

from .executor import run_maybe_in_thread
from .insights import Scripts
from .kept_marks import KeptMarks, kept_of
from .kept_marks import placed as kept_on
from .marks import DocumentState

Task = asyncio.Task[None]


@attrs.frozen
class Placed:
    """A block as it was last read, the URI by which its script is known, and the text of its host."""

    uri: str
    block: Block
    host: str

    def own_span(self, span: Span) -> Span | None:
        """A range of the host in the block; a place in a prompt is that of the command behind it."""
        line_end = self.host.find("\n", span.start)
        rest = Span(span.start, len(self.host) if line_end < 0 else line_end)
        first = self.block.own_span(rest) if span.start == span.end else None
        own = self.block.own_span(span)
        return own if own is not None or first is None else Span(first.start, first.start)

    def insights(self, found: Sequence[DocumentInsight]) -> list[DocumentInsight]:
        """What was found in the block, where the host has it."""
        placed: list[DocumentInsight] = []
        for is_error in (False, True):
            insights = [
                attrs.evolve(it.insight, span=it.span) for it in found if it.is_error is is_error
            ]
            placed += [
                DocumentInsight(it.span, it, is_error)
                for it in in_host(insights, self.block, self.host)
                if it.span is not None
            ]
        return placed

    def action(self, action: Action) -> Action | None:
        """What can be done in the block as something to be done in the host; None where it cannot."""
        span = self.block.in_host(action.span)
        if span is None or (action.replacements and not self.block.is_verbatim):
            return None
        edits = placed_edits([(it.span, it.text) for it in action.replacements], self.block)
        if edits is None:
            return None
        about = self.insights([action.about]) if action.about is not None else []
        if action.about is not None and not about:
            return None
        return attrs.evolve(
            action,
            span=span,
            replacements=tuple(Replacement(where, text) for where, text in edits),
            about=about[0] if about else None,
            command=self.block.text[action.span.start : action.span.end],
        )


@attrs.define(eq=False)
class Host:
    """An open document with shell inside; `placed` are its blocks as of `read`, maybe an earlier text.

    `lines` has the results of runs on its lines.
    """

    uri: str
    kind: HostKind
    text: str
    version: int
    lines: DocumentState
    placed: tuple[Placed, ...] = ()
    read: str | None = None
    lock: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    numbers: Iterator[int] = attrs.field(factory=count)
    task: Task | None = None


class Hosts:
    """The open documents with shell inside, and the scripts of their blocks."""

    def __init__(
        self, scripts: Scripts, changed: Callable[[str], None], kept: Path | None = None
    ) -> None:
        """`kept` is the folder for results on the lines of documents that are closed; None keeps nothing."""
        self.scripts = scripts
        self._kept = KeptMarks(kept)
        self._hosts: dict[str, Host] = {}
        self._changed = changed
        scripts.on_changed(lambda uri: changed(host_uri(uri)))

    def open(self, uri: str, text: str, language_id: str, version: int) -> bool:
        """Begin to watch a document if it is of a kind that has shell inside; whether it is."""
        kind = kind_of(unquote(urlsplit(uri).path) or uri, language_id)
        self.close(uri)
        if kind is None:
            return False
        lines = DocumentState(uri, text, language_id, version)
        lines.marks += kept_on(self._kept.read(uri), text)
        lines.has_results = bool(lines.marks)
        self._hosts[uri] = Host(uri, kind, text, version, lines)
        self._read_soon(self._hosts[uri])
        return True

    def edit(self, uri: str, edits: Sequence[Edit], version: int) -> bool:
        """Apply edits; whether it is one of these documents."""
        host = self._hosts.get(uri)
        if host is None:
            return False
        for edit in edits:
            host.text = host.text[: edit.span.start] + edit.text + host.text[edit.span.end :]
        host.version = version
        host.lines.edit(edits, version)
        self._read_soon(host)
        return True

    def close(self, uri: str) -> bool:
        """Stop watching a document; whether it was one of these."""
        host = self._hosts.pop(uri, None)
        if host is None:
            return False
        self._keep(host)
        if host.task is not None:
            host.task.cancel()
        for placed in host.placed:
            self.scripts.close(placed.uri)
        host.placed = ()
        return True

    def keep(self, uri: str) -> None:
        """Write down the results on the lines of a document, for when it is opened again."""
        if uri in self._hosts:
            self._keep(self._hosts[uri])

    def _keep(self, host: Host) -> None:
        if host.lines.has_results:
            self._kept.write(host.uri, kept_of(host.lines.marks, host.text))

    def lines(self, uri: str) -> DocumentState | None:
        """Where results of runs stand on the lines of a document."""
        host = self._hosts.get(uri)
        return None if host is None else host.lines

    def has(self, uri: str | None) -> bool:
        """Whether a document is one of these."""
        return uri in self._hosts

    def kind(self, uri: str) -> HostKind:
        """Of what kind a document is; OTHER for one that is none of these."""
        host = self._hosts.get(uri)
        return HostKind.OTHER if host is None else host.kind

    def placed(self, uri: str) -> tuple[Placed, ...]:
        """The blocks as they were last read, if the text is still the same."""
        host = self._hosts.get(uri)
        return host.placed if host is not None and host.read is host.text else ()

    def text(self, uri: str) -> str:
        """The text of one of these documents as it stands now."""
        return self._hosts[uri].text

    async def stop(self) -> None:
        """End what goes on in the background."""
        tasks = [host.task for host in self._hosts.values() if host.task is not None]
        for uri in list(self._hosts):
            self.close(uri)
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.scripts.stop()

    async def blocks(self, uri: str) -> tuple[Placed, ...]:
        """The blocks of a document as it stands now; none where it is none of these."""
        while (host := self._hosts.get(uri)) is not None:
            async with host.lock:
                if host.read is not host.text:
                    await self._read(host)
            if host.read is host.text:
                return host.placed
        return ()

    async def at(self, uri: str, offset: int) -> tuple[Placed, int] | None:
        """The block around a place of a document, and the place in it; None where there is no shell."""
        for placed in await self.blocks(uri):
            own = placed.block.own_offset(offset)
            if own is not None:
                return (placed, own)
        return None

    async def insights(self, uri: str) -> list[DocumentInsight]:
        """What is said of the lines of all blocks."""
        found: list[DocumentInsight] = []
        for placed in await self.blocks(uri):
            found += placed.insights(await self.scripts.insights(placed.uri))
        return sorted(found, key=lambda it: it.span)

    async def names_before(self, uri: str, span: Span) -> tuple[Names, Block, Span] | None:
        """The blocks of one shell up to what runs, as one text: what a reader has typed by then (SESS-3).

        With that text as a block, and the range in it. None where the range is in no block that is typed.
        """
        before: list[Block] = []
        for placed in await self.blocks(uri):
            block = placed.block
            if not block.is_typed:
                continue
            own = block.own_span(span)
            if own is not None or block.host_span.end <= span.start:
                before.append(block)
            if own is not None:
                break
        else:
            return None
        return await run_maybe_in_thread(
            sum(len(it.text) for it in before), partial(_joined_names, before, span)
        )

    async def runnable_dialect(self, uri: str, span: Span) -> Dialect | None:
        """The shell that the language of a block names; None where that may be any.

        A block of `sh`, `shell` or `console` is for the shell of the document's others: they share a
        session, which has one shell.
        """
        placed = [it for it in await self.blocks(uri) if it.block.is_typed]
        own = next((it for it in placed if it.block.own_span(span) is not None), None)
        if own is None:
            return None
        named = own.block.language
        if named not in NAMED:
            named = next((it.block.language for it in placed if it.block.language in NAMED), "")
        return NAMED.get(named)

    async def _read(self, host: Host) -> None:
        text = host.text
        try:
            blocks = await run_maybe_in_thread(len(text), partial(blocks_of, text, host.kind))
        except NoYaml:
            # While a line is written that is none yet: what stands before and behind it is as it was.
            blocks = [it for it in (_kept(each, text) for each in host.placed) if it is not None]
        if self._hosts.get(host.uri) is host and host.text is text:
            self._place(host, blocks)

    def _place(self, host: Host, blocks: Sequence[Block]) -> None:
        """Bring the scripts of a host's blocks in step: what stayed the same is not read again."""
        before, text, version = host.placed, host.text, host.version
        same = 0
        while same < min(len(before), len(blocks)) and _is_same(before[same].block, blocks[same]):
            same += 1
        behind = 0
        while behind < min(len(before), len(blocks)) - same and _is_same(
            before[-1 - behind].block, blocks[-1 - behind]
        ):
            behind += 1
        changed = before[same : len(before) - behind]
        wanted = blocks[same : len(blocks) - behind]
        placed = [
            *(attrs.evolve(old, block=new) for old, new in zip(before, blocks[:same], strict=False))
        ]
        for number, block in enumerate(wanted):
            old = changed[number] if number < len(changed) else None
            if old is not None and old.block.language == block.language:
                self.scripts.edit(old.uri, [_edit(old.block.text, block.text)], version)
                placed.append(attrs.evolve(old, block=block))
                continue
            if old is not None:
                self.scripts.close(old.uri)
            uri = f"{host.uri}#{next(host.numbers)}"
            self.scripts.open(uri, block.text, block.language, version)
            placed.append(Placed(uri, block, text))
        for gone in changed[len(wanted) :]:
            self.scripts.close(gone.uri)
        kept = before[len(before) - behind :]
        new = blocks[len(blocks) - behind :]
        placed += [attrs.evolve(it, block=block) for it, block in zip(kept, new, strict=True)]
        host.placed = tuple(attrs.evolve(it, host=text) for it in placed)
        host.read = text

    def _read_soon(self, host: Host) -> None:
        """Read it once nothing else is to be done, so that its shells look at it unasked."""

        async def read() -> None:
            await self.blocks(host.uri)

        if host.task is None or host.task.done():
            host.task = asyncio.get_running_loop().create_task(read())


NAMED = {"zsh": Dialect.ZSH, "bash": Dialect.BASH}


def host_uri(uri: str) -> str:
    """The document that a block's script is in."""
    return uri.rpartition("#")[0]


def _is_same(one: Block, other: Block) -> bool:
    return one.text == other.text and one.language == other.language


def _edit(before: str, after: str) -> Edit:
    """The one edit that makes a text of another, so that marks outside it stay."""
    most = min(len(before), len(after))
    start = 0
    while start < most and before[start] == after[start]:
        start += 1
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return Edit(Span(start, len(before) - end), after[start : len(after) - end])


def _kept(placed: Placed, text: str) -> Block | None:
    """A block of an earlier text of its host, where that was edited before or behind it alone."""
    edit = _edit(placed.host, text)
    shift = len(text) - len(placed.host)
    whole = placed.block.host_span
    if whole.end <= edit.span.start:
        return placed.block
    if whole.start < edit.span.end:
        return None
    pieces = [it._replace(host=it.host.shifted(shift)) for it in placed.block.pieces]
    return attrs.evolve(placed.block, pieces=tuple(pieces), at=placed.block.at + shift)


def _joined_names(blocks: Sequence[Block], span: Span) -> tuple[Names, Block, Span] | None:
    """The last block and those before it whose text is whole."""
    *others, last = blocks
    dialect = dialect_of(last.text, last.language)
    whole = [it for it in others if not any(p.fatal for p in parse(it.text, dialect).problems)]
    block = joined([*whole, last])
    own = block.own_span(span)
    return None if own is None else (names_of(parse(block.text, dialect)), block, own)
