"""Waiting for a line of a task's output that a pattern matches (POLL-9)."""

from __future__ import annotations

import asyncio
from typing import Any

from zsh_ls.lazy import attrs, re
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.requests import LONGEST_LISTEN_S, PollRequest
from zsh_ls.model.results import MatchedLine
from zsh_ls.model.terminal_text import render_bytes

from .progress import echo_of, within
from .run import Run

# A line that goes on beyond this is looked at in pieces.
PIECE_BYTES = 1 << 20
# What is shorter is looked at faster than a thread is woken.
SHORT_BYTES = 64 * 1024
# What a terminal would not simply show: lines with these are rendered first.
_CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
# The beginning and the end of all text are those of one line alone.
_OF_WHOLE_TEXT = re.compile(r"\\[AzZ]")


@attrs.frozen
class LinePattern:
    """A pattern for one line; `anywhere` finds nothing in lines of which none matches, if there is one."""

    line: Any
    anywhere: Any | None

    def may_match(self, lines: bytes) -> bool:
        """Whether it is worth looking at each line of `lines`."""
        if self.anywhere is None or _CONTROLS.search(lines):
            return True
        return self.anywhere.search(lines.decode("utf-8", "replace")) is not None


def checked_wait(request: PollRequest) -> LinePattern | None:
    """The pattern of a poll that waits for a match, None of any other.

    RE2's patterns take time that grows with the text alone. Raises InvalidRequest for a wait that is
    too long, a bad pattern, one that is missing and one that nobody would look at, RequestRejected
    where the library is missing.
    """
    if not 0 <= request.listen <= LONGEST_LISTEN_S:
        raise InvalidRequest(
            f"listen: expected 0 to {LONGEST_LISTEN_S:g} seconds, got {request.listen:g}"
        )
    if request.until != "match":
        if request.pattern is not None:
            raise InvalidRequest('pattern: only with until: "match"')
        return None
    if request.pattern is None:
        raise InvalidRequest('pattern: expected with until: "match"')
    line = compiled(request.pattern, "pattern")
    if _OF_WHOLE_TEXT.search(request.pattern):
        return LinePattern(line, None)
    return LinePattern(line, compiled(f"(?m:{request.pattern})", "pattern"))


def compiled(pattern: str, field: str) -> Any:
    """A pattern whose search takes time that grows with the text alone.

    Raises InvalidRequest, which names the `field`, for what RE2 does not take, RequestRejected where
    the library is missing.
    """
    try:
        import re2  # noqa: PLC0415  some milliseconds, for those who look for a match
    except ImportError:
        raise RequestRejected(
            "A pattern needs the library google-re2, which is not here."
        ) from None
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as fault:
        reason = fault.args[0] if fault.args else b"not a pattern"
        told = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise InvalidRequest(f"{field}: {told}") from None


async def awaited_match(run: Run, request: PollRequest, pattern: LinePattern) -> MatchedLine | None:
    """The first line that matches, as soon as it is there, within `listen` seconds; else None.

    Whole lines are looked at, and the last one although it is not finished.
    """
    search = _Search(run, request, pattern)
    await search.advance()
    if search.found is None:
        await within(search.until_found(), request.listen)
    return search.found


class _Search:
    """`found` is the line, once there is one; all before `_byte`, in line `_line`, was looked at."""

    def __init__(self, run: Run, request: PollRequest, pattern: LinePattern) -> None:
        self._run = run
        self._pattern = pattern
        self._seen = run.polls_of(request.caller).matched
        self._name = request.pattern or ""
        # As a terminal shows again what is typed, before what is said to it.
        typed = request.echo if request.echo and run.task.is_pty else ""
        self._echo = echo_of(typed).replace("\n", "\r\n").encode()
        output = run.task.output
        if request.match_from is not None:
            self._byte, self._line = request.match_from, output.line_at(request.match_from)
        else:
            self._byte, self._line = self._seen.get(self._name, (0, 1))
        self.found: MatchedLine | None = None

    async def until_found(self) -> None:
        task, concluded = self._run.task, self._run.concluded
        looked_at = 0
        while self.found is None and not concluded.is_set():
            if task.ended:
                await concluded.wait()
            else:
                await task.wait_bytes(looked_at)
            looked_at = task.output.size_bytes
            await self.advance()

    async def advance(self) -> None:
        """Look at what has come since, a piece at a time."""
        output = self._run.task.output
        while self.found is None and self._byte < output.size_bytes:
            before = self._byte
            if output.size_bytes - before > SHORT_BYTES:
                await asyncio.to_thread(self._look)
            else:
                self._look()
            if self._byte == before:
                break

    def _look(self) -> None:
        output = self._run.task.output
        piece = output.raw(self._byte, PIECE_BYTES)
        start = piece.next_byte - len(piece.data)
        if self._echo and start == self._byte:
            if len(piece.data) < len(self._echo) and self._echo.startswith(piece.data):
                return
            if piece.data.startswith(self._echo):
                self._byte += len(self._echo)
                self._line += self._echo.count(b"\n")
                piece = output.raw(self._byte, PIECE_BYTES)
                start = self._byte
            self._echo = b""
        if start > self._byte:  # between them is what the cap has cut
            self._byte, self._line = start, output.line_at(start)
        whole, newline, rest = piece.data.rpartition(b"\n")
        if newline and not self._pattern.may_match(whole):
            self._byte += len(whole) + 1
            self._line += whole.count(b"\n") + 1
            newline = b""
        for line in whole.split(b"\n") if newline else ():
            if self._is_found(line):
                self._seen[self._name] = (self._byte + len(line) + 1, self._line + 1)
                return
            self._byte += len(line) + 1
            self._line += 1
        if self._is_found(rest):
            self._seen[self._name] = (self._byte + len(rest), self._line)
        elif len(rest) >= PIECE_BYTES:
            self._byte = piece.next_byte

    def _is_found(self, line: bytes) -> bool:
        text = render_bytes(line)
        if self._pattern.line.search(text):
            self.found = MatchedLine(self._line, text)
        return self.found is not None
