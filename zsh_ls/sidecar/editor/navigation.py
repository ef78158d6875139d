"""What an editor asks about the names and the structure of open scripts. Nothing is ever executed.

Ranges are characters of the text they were found in, which comes with them
(`Spot.lines`): files that are not open have positions too. For a document that
is not open, or a place with no name, the answer is empty.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import nsmallest
from pathlib import Path
from typing import TypeVar
from weakref import ref

from zsh_ls.lazy import attrs
from zsh_ls.machine.commands_on_path import CommandsOnPath, Programs
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.span import Span
from zsh_ls.shell.ide import folding, semantic_tokens
from zsh_ls.shell.ide.selection_range import selections
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.outline import OutlineItem, outline
from zsh_ls.shell.symbols.references import BoundPlace, new_name_refusal, refusal, replacement, same
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.words.expansions import Use
from zsh_ls.sidecar.documents.executor import let_go, run_maybe_in_thread
from zsh_ls.sidecar.documents.store import (
    Library,
    Readings,
    ScriptGroup,
    ScriptVersion,
    path_of,
)
from zsh_ls.sidecar.environment import CachedEnvironment

from . import autoloads, call_hierarchy
from .call_hierarchy import CallEnd, Calls

MOST_SYMBOLS = 500

Made = TypeVar("Made")


@attrs.frozen
class Spot:
    """A range in a document or a file."""

    uri: str
    span: Span
    lines: LineIndex


@attrs.frozen
class FileLink:
    """A word that names a file, and its URI."""

    span: Span
    uri: str


@attrs.frozen
class Highlight:
    """A range of the document where the name stands, and whether it gets a value there."""

    span: Span
    is_written: bool


@attrs.frozen
class FoundSymbol:
    """Something defined in a script; `within` is the function around it."""

    item: OutlineItem
    spot: Spot
    within: str = ""


@attrs.frozen
class FileRename:
    """The edits of one file, open where it has a `version`: each range becomes the text beside it."""

    uri: str
    version: int | None
    lines: LineIndex
    edits: tuple[tuple[Span, str], ...]


@attrs.frozen
class DocumentTokens:
    """The tokens of a document, in order, and the lines of its text."""

    tokens: tuple[semantic_tokens.Token, ...]
    lines: LineIndex


@attrs.frozen
class Renamable:
    """A name that can be renamed, and where the cursor is on it."""

    span: Span
    name: str


@attrs.frozen
class _Target:
    """The thing at a place: the scripts it may stand in, and everywhere it does."""

    views: tuple[ScriptVersion, ...]
    at: BoundPlace
    places: list[BoundPlace]

    def spot(self, place: BoundPlace) -> Spot:
        view = self.views[place.script]
        return Spot(view.uri, place.occurrence.span, view.lines)


@attrs.frozen
class _KeptTokens:
    """The tokens of one reading of a document, beside what others and which programs they were found."""

    view: ref[ScriptVersion]
    others: tuple[ScriptVersion, ...]
    programs: Programs
    tokens: DocumentTokens

    def is_of(
        self, view: ScriptVersion, others: tuple[ScriptVersion, ...], programs: Programs
    ) -> bool:
        """Whether they would be found again."""
        return self.view() is view and (self.others, self.programs) == (others, programs)


class Navigation:
    """The answers for one sidecar's documents."""

    def __init__(
        self, readings: Readings, environment: CachedEnvironment, workspace: str | None
    ) -> None:
        self._library = Library(readings, workspace, self._closed)
        self.view = self._library.view
        self.given_by_files = self._library.given_by_files
        self._environment = environment
        self._commands = CommandsOnPath()
        self._tokens: dict[str, _KeptTokens] = {}

    def configure(self, *, trusted: bool) -> None:
        """Files that scripts source are read in a trusted workspace only."""
        self._library.reads_files = trusted

    async def outline(self, uri: str) -> list[OutlineItem]:
        """The functions, aliases and file-wide variables of a document."""
        view = await self._library.view(uri)
        return await _in_thread_if_long(view, partial(outline, view.names)) if view else []

    async def symbols(self, query: str) -> list[FoundSymbol]:
        """What of the documents and files of this session has the letters of `query` in its name."""
        views = await self._library.known()
        length = sum(len(view.script.text) for view in views)
        return await run_maybe_in_thread(length, partial(_best_matches, views, query.casefold()))

    async def folds(self, uri: str, limit: int | None = None) -> list[folding.Fold]:
        """What can be folded away; where there is a limit, the longest ones."""
        view = await self._library.view(uri)
        if view is None:
            return []
        found = await _in_thread_if_long(view, partial(folding.folds, view.script, view.lines))
        return found if limit is None else folding.within_limit(found, limit)

    async def selections(self, uri: str, offsets: Sequence[int]) -> list[list[Span]]:
        """For each offset the ranges around it, from the smallest to the whole text."""
        view = await self._library.view(uri)
        if view is None:
            return []
        around = partial(selections, view.script)
        return await _in_thread_if_long(view, lambda: [around(offset) for offset in offsets])

    async def definition(self, uri: str, offset: int) -> list[Spot]:
        """Where what stands at `offset` is made; on the name of a sourced file, that file.

        Of a function that is loaded by `autoload` it is the file, where one is found.
        """
        view = await self._library.view(uri)
        file = await self._sourced_at(view, offset) if view else None
        if file is not None:
            return [file]
        target = await self._target_at(uri, offset, wide=False)
        if target is None:
            return []
        found = _definitions(target)
        name = target.at.occurrence.name
        if target.at.occurrence.kind is NameKind.FUNCTION and _has_no_body(found):
            # Where only a path tells the name, `autoload` has no word that is the name.
            look = autoloads.file_of if found else autoloads.file_named
            path = await asyncio.to_thread(look, name, target.views)
            if path is not None:
                return [_whole_file(path)]
        return [target.spot(place) for place in found]

    async def links(self, uri: str) -> list[FileLink]:
        """The files that a document sources and that are there; none of them is opened."""
        view = await self._library.view(uri)
        if view is None:
            return []
        found = await asyncio.to_thread(
            lambda: [(it.span, self._library.place_of(view, it.path)) for it in view.names.sourced]
        )
        return [FileLink(span, Path(path).as_uri()) for span, path in found if path is not None]

    async def references(
        self, uri: str, offset: int, *, include_declaration: bool = True
    ) -> list[Spot]:
        """Everywhere the thing at `offset` is named, here and in what shares names with this script."""
        target = await self._target_at(uri, offset, wide=True)
        if target is None:
            return []
        left_out = frozenset(() if include_declaration else _definitions(target))
        spots = partial(map, target.spot, (it for it in target.places if it not in left_out))
        return await run_maybe_in_thread(_length(target.views), lambda: list(spots()))

    async def functions_at(self, uri: str, offset: int) -> list[CallEnd]:
        """The definitions of the function that is named at `offset`, for its callers and callees."""
        group = await self._library.neighbourhood(uri)
        found = group.views[0].names.at(offset) if group else None
        if group is None or found is None or found.kind is not NameKind.FUNCTION:
            return []
        return await _of_group(group, partial(call_hierarchy.functions, group.views, found.name))

    async def callers(self, root: str, name: str) -> list[Calls]:
        """Who calls a function of the open document `root`, or of what shares names with it."""
        group = await self._library.neighbourhood(root)
        if group is None:
            return []
        return await _of_group(group, partial(call_hierarchy.callers, group.views, name))

    async def callees(self, root: str, uri: str, name: str | None) -> list[Calls]:
        """The functions that one of the script `uri`, which shares names with `root`, calls.

        Without a name those that are called outside of its functions.
        """
        group = await self._library.neighbourhood(root)
        if group is None:
            return []
        return await _of_group(group, partial(call_hierarchy.callees, group.views, uri, name))

    async def highlights(self, uri: str, offset: int) -> list[Highlight]:
        """Everywhere in this document the thing at `offset` is named."""
        view = await self._library.view(uri)
        found = view.names.at(offset) if view else None
        if view is None or found is None:
            return []
        names = view.names

        def highlights() -> list[Highlight]:
            places = (place.occurrence for place in same([names], BoundPlace(0, found)))
            return [Highlight(it.span, it.use is not Use.READ) for it in places]

        return await _in_thread_if_long(view, highlights)

    async def renamable(self, uri: str, offset: int) -> Renamable | None:
        """The name at `offset` or None; raises RequestRejected where it cannot be renamed safely."""
        target = await self._target_at(uri, offset, wide=True)
        if target is None:
            return None
        scripts = [view.names for view in target.views]
        if reason := await run_maybe_in_thread(
            _length(target.views), partial(refusal, scripts, target.places)
        ):
            raise RequestRejected(reason)
        return Renamable(target.at.occurrence.span, target.at.occurrence.name)

    async def rename(self, uri: str, offset: int, new_name: str) -> list[FileRename]:
        """The edits that rename what stands at `offset`; raises RequestRejected where that is not safe."""
        target = await self._target_at(uri, offset, wide=True)
        if target is None:
            raise RequestRejected("There is no function or variable here to rename.")
        if new_name == target.at.occurrence.name:
            return []
        return await run_maybe_in_thread(_length(target.views), partial(_renamed, target, new_name))

    async def tokens(self, uri: str) -> DocumentTokens:
        """What each name of a document is; editors ask unasked, so no file is read for it."""
        group = await self._library.without_files(uri)
        if group is None:
            return DocumentTokens((), LineIndex(""))
        others = [it for view in group.views[1:] for it in view.names.definitions]
        variables = await self._environment.variables()
        path = (os.environ if variables is None else variables).get("PATH")
        programs = await asyncio.to_thread(self._commands.programs, path)
        first, others_now = group.views[0], group.views[1:]
        kept = self._tokens.get(uri)
        if kept is not None and kept.is_of(first, others_now, programs):
            return kept.tokens
        del kept
        around = semantic_tokens.Around(
            programs.names,
            frozenset(it.name for it in others if it.kind is NameKind.FUNCTION),
            frozenset(it.name for it in others if it.kind is NameKind.ALIAS),
            is_complete=programs.complete and group.is_whole,
        )
        colored = await _in_thread_if_long(
            first, lambda: tuple(semantic_tokens.tokens(first.names, around))
        )
        found = DocumentTokens(colored, first.lines)
        self._closed(uri)
        if self._library.is_open(uri):
            self._tokens[uri] = _KeptTokens(ref(first), others_now, programs, found)
        return found

    def _closed(self, uri: str) -> None:
        """Let go of the tokens of a document."""
        kept = self._tokens.pop(uri, None)
        if kept is not None:
            length, gone = len(kept.tokens.lines.text), list[object]([kept])
            del kept
            let_go(length, gone)

    async def _sourced_at(self, view: ScriptVersion, offset: int) -> Spot | None:
        for sourced in view.names.sourced:
            if sourced.span.start <= offset <= sourced.span.end:
                path = self._library.place_of(view, sourced.path)
                return _whole_file(path) if path else None
        return None

    async def _target_at(self, uri: str, offset: int, *, wide: bool) -> _Target | None:
        """The thing at a place, looked for in what the script sources, or `wide`: in what sources it too."""
        library = self._library
        group = await (library.neighbourhood(uri) if wide else library.group(uri))
        found = group.views[0].names.at(offset) if group else None
        if group is None or found is None:
            return None
        place = BoundPlace(0, found)
        everywhere = partial(same, [view.names for view in group.views], place)
        return _Target(
            group.views, place, await run_maybe_in_thread(_length(group.views), everywhere)
        )


def _length(views: Sequence[ScriptVersion]) -> int:
    return sum(len(view.script.text) for view in views)


async def _in_thread_if_long(view: ScriptVersion, work: Callable[[], Made]) -> Made:
    return await run_maybe_in_thread(len(view.script.text), work)


async def _of_group(group: ScriptGroup, work: Callable[[], Made]) -> Made:
    return await run_maybe_in_thread(_length(group.views), work)


def _definitions(target: _Target) -> list[BoundPlace]:
    """Where the thing is declared, else where it is first given a value in each script."""
    declared = [place for place in target.places if place.occurrence.use is Use.DECLARED]
    if declared:
        return declared
    first: dict[int, BoundPlace] = {}
    for place in target.places:
        if place.occurrence.use is Use.WRITTEN:
            first.setdefault(place.script, place)
    return list(first.values())


def _has_no_body(definitions: Sequence[BoundPlace]) -> bool:
    """Whether a function is defined nowhere, or said to be autoloaded and nothing else."""
    return all(it.occurrence.use is Use.WRITTEN for it in definitions)


def _whole_file(path: str) -> Spot:
    return Spot(Path(path).as_uri(), Span(0, 0), LineIndex(""))


def _renamed(target: _Target, new_name: str) -> list[FileRename]:
    scripts = [view.names for view in target.views]
    reason = refusal(scripts, target.places)
    if reason := reason or new_name_refusal(scripts, target.places, new_name):
        raise RequestRejected(reason)
    renames = []
    for index, view in enumerate(target.views):
        places = [place for place in target.places if place.script == index]
        if not places:
            continue
        path = path_of(view.uri)
        if view.version is None and not (path and os.access(path, os.W_OK)):
            raise RequestRejected(
                f"`{target.at.occurrence.name}` also stands in {path}: no right to write there."
            )
        edits = [(it.occurrence.span, replacement(view.names, it, new_name)) for it in places]
        renames.append(FileRename(view.uri, view.version, view.lines, tuple(edits)))
    return renames


def _best_matches(views: Sequence[ScriptVersion], wanted: str) -> list[FoundSymbol]:
    """The symbols that fit best, by how well, by name and by place."""
    found = (it for view in views for it in _symbols_of(view))
    fitting = ((rank, it) for it in found if (rank := _rank(it.item.name, wanted)) is not None)
    best = nsmallest(
        MOST_SYMBOLS, fitting, key=lambda pair: (pair[0], pair[1].item.name, pair[1].spot.uri)
    )
    return [it for _, it in best]


def _symbols_of(view: ScriptVersion) -> Iterator[FoundSymbol]:
    waiting = deque((item, "") for item in outline(view.names))
    while waiting:
        item, within = waiting.popleft()
        yield FoundSymbol(item, Spot(view.uri, item.span, view.lines), within)
        waiting += [(child, item.name) for child in item.children]


def _rank(name: str, wanted: str) -> int | None:
    """How well a name fits: it begins with the letters, holds them, or has them in order; None if not."""
    folded = name.casefold()
    if folded.startswith(wanted):
        return 0
    if wanted in folded:
        return 1
    letters = iter(folded)
    return 2 if all(letter in letters for letter in wanted) else None
