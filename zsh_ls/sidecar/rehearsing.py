"""Rehearsals as frontends ask for them: beside the loop, cancelled with the request, as plain values."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from zsh_ls.lazy import attrs
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.rehearsal.rehearse import Cancelled, rehearse
from zsh_ls.rehearsal.report import (
    ProvenFate,
    Rehearsal,
    RehearsalStop,
    RehearsedCommand,
    RehearsedLine,
)
from zsh_ls.rehearsal.request import NotRehearsed, RehearsalRefused, RehearsalRequest
from zsh_ls.rehearsal.wording import line_notes

from .documents.store import path_of
from .to_json import to_json

LONGEST_TIMEOUT_S = 3600.0
LARGEST_MAX_COPY_MB = 1_000_000
REFUSED = "Rehearsal refused: {}; nothing was run."


def rehearse_here(
    request: RehearsalRequest, progress: Callable[[str], None] = lambda _: None
) -> Rehearsal:
    """Rehearse in this thread. Raises RequestRejected where it is refused, InvalidRequest for no script."""
    return _done(request, threading.Event(), progress)


def request_for(
    asked: RehearsalRequest, uri: str, text: str, folder: str, environment: Mapping[str, str]
) -> RehearsalRequest:
    """The request for the text of an open document, to be rehearsed in `folder`.

    A document that has no file gets a name there, in the copy alone. Raises InvalidRequest.
    """
    line_count = len(text.splitlines())
    if asked.fail is not None and not 0 < asked.fail <= line_count:
        raise InvalidRequest(
            f"params.fail: expected a line from 0 to {line_count - 1}, got {asked.fail - 1}"
        )
    if not 0 < asked.timeout_s <= LONGEST_TIMEOUT_S:
        raise InvalidRequest(
            f"params.timeout: expected seconds above 0, at most {LONGEST_TIMEOUT_S:g},"
            f" got {asked.timeout_s:g}"
        )
    if not 0 < asked.max_copy_mb <= LARGEST_MAX_COPY_MB:
        raise InvalidRequest(
            f"params.max_copy: expected megabytes from 1 to {LARGEST_MAX_COPY_MB},"
            f" got {asked.max_copy_mb}"
        )
    path = path_of(uri)
    if path is None:
        name = os.path.basename(urlsplit(uri).path) or "untitled"
        path = os.path.join(folder, name)
        while os.path.lexists(path):
            path += "-untitled"
    elif not os.path.isdir(os.path.dirname(path)):
        raise InvalidRequest(f"params.textDocument.uri: the folder of {path} is not there")
    return attrs.evolve(asked, script=path, text=text, cwd=folder, environment=dict(environment))


def line_marks(rehearsal: Rehearsal, folder: str) -> dict[int, tuple[str, str]]:
    """What an editor shows behind the lines, from 0: a few words, as seen from `folder`, and all there is."""
    return {line - 1: (it.hint, it.details) for line, it in line_notes(rehearsal, folder).items()}


async def rehearse_beside(
    request: RehearsalRequest, progress: Callable[[str], None] = lambda _: None
) -> Rehearsal:
    """Rehearse in a thread; cancelling ends it, and waits until nothing of it is left."""
    cancelled = threading.Event()
    work = asyncio.get_running_loop().run_in_executor(None, _done, request, cancelled, progress)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        cancelled.set()
        await asyncio.wait([work])
        work.exception()
        raise


def _done(
    request: RehearsalRequest, cancelled: threading.Event, progress: Callable[[str], None]
) -> Rehearsal:
    try:
        return rehearse(request, cancelled=cancelled, progress=progress)
    except RehearsalRefused as refused:
        raise RequestRejected(REFUSED.format(refused)) from None
    except NotRehearsed as problem:
        raise InvalidRequest(str(problem)) from None
    except Cancelled:
        raise RequestRejected("Rehearsal cancelled.") from None


@attrs.frozen
class RehearsalResult:
    """What a script would do.

    lines: those on which something ran.
    exit: the script's; null where it was stopped.
    stopped: the limit that it came to.
    fates: of each command that was let fail, where that was asked for.
    """

    lines: tuple[RehearsedLine, ...]
    exit: int | None
    stopped: RehearsalStop | None = None
    fates: tuple[ProvenFate, ...] | None = None


def result_of(rehearsal: Rehearsal, *, first_line: int) -> RehearsalResult:
    """The fields of `zsh/rehearse`, lines counted from `first_line`."""

    def at(line: int) -> int:
        # What ran before the first line is told with it, where lines count from 0.
        return max(line + first_line - 1, 0)

    def command(it: RehearsedCommand) -> RehearsedCommand:
        if it.depends_on is None:
            return it
        values = tuple(attrs.evolve(why, line=at(why.line)) for why in it.depends_on)
        return attrs.evolve(it, depends_on=values or None)

    lines = tuple(
        attrs.evolve(it, line=at(it.line), commands=tuple(map(command, it.commands)))
        for it in rehearsal.lines
    )
    stopped = rehearsal.stopped and attrs.evolve(rehearsal.stopped, line=at(rehearsal.stopped.line))
    fates = rehearsal.fates
    if fates is not None:
        fates = tuple(
            attrs.evolve(
                fate,
                line=at(fate.line),
                ran=tuple(map(at, fate.ran)),
                skipped=tuple(map(at, fate.skipped)),
            )
            for fate in fates
        )
    return RehearsalResult(lines, rehearsal.exit, stopped, fates)


def as_plain(rehearsal: Rehearsal, *, first_line: int) -> dict[str, Any]:
    """The same as dictionaries and lists; what is not there is left out."""
    plain: dict[str, Any] = to_json(result_of(rehearsal, first_line=first_line))
    return plain
