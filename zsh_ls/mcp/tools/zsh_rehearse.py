"""`zsh_rehearse`: what a script would do, found by running it in a sandbox (REH-2)."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager

import attrs

from zsh_ls.mcp.tool import ToolAnswer, ToolCall, absolute
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.rehearsal.report import (
    ProvenFate,
    Rehearsal,
    RehearsalStop,
    RehearsedLine,
    UnknownValue,
)
from zsh_ls.rehearsal.request import DEFAULT_MAX_COPY_MB, DEFAULT_TIMEOUT_S, RehearsalRequest
from zsh_ls.rehearsal.wording import NO_FATES, fate_line, line_details, numbers, sum_lines
from zsh_ls.sidecar.config import NOT_TRUSTED
from zsh_ls.sidecar.rehearsing import (
    LARGEST_MAX_COPY_MB,
    LONGEST_TIMEOUT_S,
    rehearse_beside,
    result_of,
)
from zsh_ls.sidecar.to_json import to_json
from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_bytes

NAME = "zsh_rehearse"
TITLE = "Rehearse a script"
DESCRIPTION = (
    "What a zsh, bash or sh script would do, found in a sandbox on a copy of the workspace. "
    "Call it before you run a script that destroys or publishes (push, upload, "
    "deploy), and read the lines marked so. What only reads or works on files of the copy runs; "
    "other programs are stand-ins that print nothing and succeed: what relies on them is marked. With fail "
    "or each: what follows a failure. No proof that it ends well."
)
READ_ONLY, DESTRUCTIVE = True, False
# Both views together stay below 48,000 characters.
MOST_CHARACTERS = 20_000
LAST_OUTPUT_LINES = 12
TELL_EVERY_S = 2.0


@attrs.frozen
class RehearsedPage:
    """What the script would do, lines from 1, as `zsh/rehearse` tells it.

    `more` where there are lines and fates that this answer had no room for: call again with `skip`.
    """

    lines: tuple[RehearsedLine, ...]
    exit: int | None
    stopped: RehearsalStop | None = None
    fates: tuple[ProvenFate, ...] | None = None
    output: str | None = None
    more: bool | None = None
    skip: int | None = None


RESULT = RehearsedPage


@attrs.frozen
class Arguments:
    """A script and how it is rehearsed.

    path: the script's file
    args: its arguments
    cwd: the folder it would run in; else the script's
    fail: a line (from 1) whose commands fail
    each: whether the commands of every line do
    real: whether the programs of stand-ins run too, inside the sandbox
    timeout: seconds for a run
    max_copy: megabytes of the largest workspace to copy
    skip: entries that earlier pages had
    """

    path: str
    args: tuple[str, ...] = ()
    cwd: str | None = None
    fail: int | None = None
    each: bool = False
    real: bool = False
    timeout: float = DEFAULT_TIMEOUT_S
    max_copy: int = DEFAULT_MAX_COPY_MB
    skip: int = 0


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Rehearse it here, where the agent's own environment is; cancelling ends the sandbox."""
    await call.sidecar.health()  # so that the trust of a server that runs now is known
    if not call.sidecar.is_trusted:
        raise RequestRejected(NOT_TRUSTED)
    request = await asyncio.to_thread(_request, arguments)
    async with _progress(call) as progress:
        rehearsal = await rehearse_beside(request, progress)
    return await asyncio.to_thread(_page, arguments, rehearsal)


@asynccontextmanager
async def _progress(call: ToolCall) -> AsyncIterator[Callable[[str], None]]:
    """Where the rehearsal says which of its runs is under way; told with the time while it takes long."""
    tell, begun_s, runs = call.tell, time.monotonic(), [""]
    if tell is None:
        yield runs.append
        return

    async def repeat() -> None:
        while True:
            await asyncio.sleep(TELL_EVERY_S)
            elapsed_s = time.monotonic() - begun_s
            tell(elapsed_s, " · ".join(filter(None, [f"{elapsed_s:.0f}s", runs[-1]])))

    telling = asyncio.ensure_future(repeat())
    try:
        yield runs.append
    finally:
        telling.cancel()


def _request(arguments: Arguments) -> RehearsalRequest:
    path = absolute(arguments.path)
    try:
        text = read_bytes(path, SCRIPT_BYTES).decode("utf-8", "replace")
    except NotRead as error:
        raise InvalidRequest(f"path: {error}") from None
    cwd = os.path.dirname(path) if arguments.cwd is None else absolute(arguments.cwd)
    if not os.path.isdir(cwd):
        raise InvalidRequest(f"cwd: expected a folder that is there, got {arguments.cwd!r}")
    count = len(text.splitlines())
    if arguments.fail is not None and not 0 < arguments.fail <= count:
        raise InvalidRequest(f"fail: expected a line from 1 to {count}, got {arguments.fail}")
    if not 0 < arguments.timeout <= LONGEST_TIMEOUT_S:
        raise InvalidRequest(
            f"timeout: expected seconds above 0, at most {LONGEST_TIMEOUT_S:g},"
            f" got {arguments.timeout:g}"
        )
    if not 0 < arguments.max_copy <= LARGEST_MAX_COPY_MB:
        raise InvalidRequest(
            f"max_copy: expected megabytes from 1 to {LARGEST_MAX_COPY_MB}, got {arguments.max_copy}"
        )
    if arguments.skip < 0:
        raise InvalidRequest(f"skip: expected a number from 0, got {arguments.skip}")
    return RehearsalRequest(
        path,
        arguments.args,
        cwd,
        fail=arguments.fail,
        each=arguments.each,
        real=arguments.real,
        timeout_s=arguments.timeout,
        max_copy_mb=arguments.max_copy,
        environment=dict(os.environ),
    )


def _page(arguments: Arguments, rehearsal: Rehearsal) -> ToolAnswer:
    """As many entries, lines first and fates after them, as an answer has room for."""
    found = result_of(rehearsal, first_line=1)
    entries: list[RehearsedLine | ProvenFate] = [*found.lines, *(found.fates or ())]
    room = MOST_CHARACTERS
    kept: list[RehearsedLine | ProvenFate] = []
    for entry in entries[arguments.skip :]:
        fitting = _fitting(entry) if not kept else entry
        room -= max(_size(fitting), sum(len(row) + 1 for row in _rows(fitting, rehearsal.relying)))
        if room < 0 and kept:
            break
        kept.append(fitting)
    end = arguments.skip + len(kept)
    more = end < len(entries)
    ended_badly = rehearsal.exit != 0 and bool(rehearsal.output.strip())
    last = rehearsal.output.rstrip().splitlines()[-LAST_OUTPUT_LINES:] if ended_badly else []
    output = "\n".join(last)[-2_000:]
    rows = [row for entry in kept for row in _rows(entry, rehearsal.relying)]
    if rehearsal.fates == ():
        rows.append(NO_FATES)
    rows += sum_lines(rehearsal)
    if output:
        rows += ["What it printed last:", output]
    if more:
        rows.append(f"more: {len(entries) - end} entries; {_next_call(arguments, end)}")
    page = RehearsedPage(
        tuple(it for it in kept if isinstance(it, RehearsedLine)),
        found.exit,
        found.stopped,
        None if found.fates is None else tuple(it for it in kept if isinstance(it, ProvenFate)),
        output or None,
        more or None,
        end if more else None,
    )
    return ToolAnswer("\n".join(rows), page)


def _size(entry: object) -> int:
    return len(json.dumps(to_json(entry), ensure_ascii=False)) + 2


def _fitting(entry: RehearsedLine | ProvenFate) -> RehearsedLine | ProvenFate:
    """An entry that is larger than a page loses its last commands and writes."""
    while isinstance(entry, RehearsedLine) and _size(entry) > MOST_CHARACTERS:
        commands, writes = entry.commands, entry.writes
        if not commands and not writes:
            break
        entry = attrs.evolve(
            entry, commands=commands[: len(commands) // 2], writes=writes[: len(writes) // 2]
        )
    return entry


def _rows(
    entry: RehearsedLine | ProvenFate, relying: Mapping[int, tuple[UnknownValue, ...]]
) -> Iterator[str]:
    if isinstance(entry, ProvenFate):
        yield f"{entry.line}: {fate_line(entry)}"
        if entry.ran:
            yield f"  only then: {numbers(entry.ran)}"
        if entry.skipped:
            yield f"  no more: {numbers(entry.skipped)}"
        return
    place = f"{entry.file}:{entry.line}" if entry.file else str(entry.line)
    marks = "".join(f" [{mark.value}]" for mark in entry.marks)
    details = list(line_details(entry, () if entry.file else relying.get(entry.line, ())))
    if details or marks:
        yield f"{place}:{marks}"
        yield from (f"  {row}" for row in details)


def _next_call(arguments: Arguments, skip: int) -> str:
    """The call that brings what comes next."""
    given = {
        field.name: getattr(arguments, field.name)
        for field in attrs.fields(Arguments)
        if getattr(arguments, field.name) != field.default and field.name != "skip"
    }
    words = [f"{name}={json.dumps(value)}" for name, value in given.items()]
    return f"{NAME} {' '.join([*words, f'skip={skip}'])}"
