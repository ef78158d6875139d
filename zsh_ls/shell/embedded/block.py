"""A piece of shell inside another file, and where its characters stand in that file."""

from __future__ import annotations

from bisect import bisect_right

from zsh_ls.lazy import attrs, re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span

# In place of what the host's own language puts in: a value that nobody knows here, of the same length.
MASK = "\ue000"
_MASKED = re.compile(f"{MASK}+")
_LINE_NUMBER = re.compile(r"\b(lines? )(\d+)\b")


class Piece(NamedTuple):
    """Characters of a block and the range of the host that they stand for.

    Where both have the same length they are the same characters, or masked ones.
    """

    own: Span
    host: Span


@attrs.frozen
class Block:
    """Shell inside a host file.

    `text` is what its shell reads: `prefix_length` characters of our own, which say how the host starts that
    shell, then the code. `language` is the language id that goes with it. `is_verbatim` where text may be
    written into the host as a shell would read it; `indent` then begins each of its lines. `is_typed`
    where a person types these commands, one after the other (Markdown): such a block can be run. `at`
    is where in the host it is announced, such as the line of its fence.
    """

    text: str
    language: str
    pieces: tuple[Piece, ...]
    prefix_length: int = 0
    is_verbatim: bool = False
    is_typed: bool = False
    indent: str = ""
    at: int = 0

    @property
    def code(self) -> str:
        """The text without what we put before it."""
        return self.text[self.prefix_length :]

    @property
    def host_span(self) -> Span:
        """From the first to behind the last of its characters in the host."""
        return Span(self.pieces[0].host.start, self.pieces[-1].host.end)

    def in_host(self, span: Span) -> Span | None:
        """Where a range of the block stands in the host; None for what stands nowhere in it."""
        if span.end <= span.start:
            at = self._host_offset(span.start)
            return None if at is None else Span(at, at)
        first = self._piece_at(span.start)
        if first is None or first.own.start >= span.end:
            return None
        last = self.pieces[bisect_right(self.pieces, span.end - 1, key=lambda it: it.own.start) - 1]
        start = _moved(first.own, first.host, max(span.start, first.own.start))
        end = last.host.end
        if span.end < last.own.end:
            end = _moved(last.own, last.host, span.end)
        return Span(start, max(start, end))

    def own_offset(self, offset: int) -> int | None:
        """The character of the block at a place of the host; None where none of its text is."""
        # The first of those that meet there: a line of the block may end where none of the host does.
        for piece in self.pieces:
            if piece.host.start <= offset <= piece.host.end:
                return _moved(piece.host, piece.own, offset)
        return None

    def own_span(self, span: Span) -> Span | None:
        """The range of the block that lies in a range of the host; None where none does."""
        found = [
            piece
            for piece in self.pieces
            if piece.host.start <= span.end and span.start <= piece.host.end
        ]
        if not found:
            return None
        start = _moved(found[0].host, found[0].own, max(span.start, found[0].host.start))
        end = _moved(found[-1].host, found[-1].own, min(span.end, found[-1].host.end))
        return Span(start, max(start, end))

    def is_masked(self, offset: int) -> bool:
        """Whether the host puts in what stands there."""
        return self.text[offset : offset + 1] == MASK

    def _piece_at(self, offset: int) -> Piece | None:
        """The piece with a character of the block, else the next one; None within the prefix."""
        if offset < self.prefix_length:
            return None
        at = max(0, bisect_right(self.pieces, offset, key=lambda it: it.own.start) - 1)
        if self.pieces[at].own.end <= offset and at + 1 < len(self.pieces):
            at += 1
        return self.pieces[at]

    def _host_offset(self, offset: int) -> int | None:
        piece = self._piece_at(offset)
        return (
            None if piece is None else _moved(piece.own, piece.host, max(offset, piece.own.start))
        )


def _moved(here: Span, there: Span, offset: int) -> int:
    """A place of one side of a piece on its other side."""
    if offset >= here.end:
        return there.end
    if here.end - here.start == there.end - there.start:
        return there.start + offset - here.start
    return there.start


def without_masks(message: str) -> str:
    """A message in which what the host puts in is shown as such."""
    return _MASKED.sub("…", message)


def renumbered(message: str, block: Block, host: str) -> str:
    """A message whose line numbers are those of the host."""

    def number(found: re.Match[str]) -> str:
        return f"{found[1]}{host_line(block, host, int(found[2]) - 1) + 1}"

    return _LINE_NUMBER.sub(number, without_masks(message))


def host_line(block: Block, host: str, line: int) -> int:
    """The line of the host, from 0, on which a line of the block stands."""
    start = 0
    for _ in range(line):
        following = block.text.find("\n", start)
        if following < 0:
            break
        start = following + 1
    placed = block.in_host(Span(start, start))
    return host.count("\n", 0, block.host_span.start if placed is None else placed.start)


class BlockBuilder:
    """Puts a block together from ranges of its host."""

    def __init__(self, host: str, prefix: str = "") -> None:
        self._host = host
        self._prefix_length = len(prefix)
        self._parts: list[str] = [prefix] if prefix else []
        self._length = len(prefix)
        self._pieces: list[Piece] = []

    def copy(self, start: int, end: int) -> None:
        """Take a range of the host as it is."""
        if start < end:
            self.put(self._host[start:end], start, end)

    def put(self, text: str, start: int, end: int) -> None:
        """Take `text` for a range of the host."""
        own = Span(self._length, self._length + len(text))
        last = self._pieces[-1] if self._pieces else None
        is_same = len(text) == end - start
        joins = last is not None and (last.own.end, last.host.end) == (own.start, start)
        if last is not None and joins and is_same and _is_even(last):
            self._pieces[-1] = Piece(Span(last.own.start, own.end), Span(last.host.start, end))
        else:
            self._pieces.append(Piece(own, Span(start, end)))
        self._parts.append(text)
        self._length += len(text)

    def end_line(self, start: int) -> None:
        """End a line of the block at a place of the host, with the host's own line end where there is one."""
        if self._host.startswith("\r\n", start):
            self.put("\n", start, start + 2)
        elif self._host.startswith("\n", start):
            self.copy(start, start + 1)
        else:
            self.put("\n", start, start)

    def mask(self, start: int, end: int) -> None:
        """Take a range of the host for a value that is not known."""
        inner = self._host[start:end]
        self.put("".join(it if it == "\n" else MASK for it in inner), start, end)

    def copy_masked(self, start: int, end: int, masked: re.Pattern[str]) -> None:
        """Take a range of the host, but what matches for values that are not known."""
        done = start
        for found in masked.finditer(self._host, start, end):
            self.copy(done, found.start())
            self.mask(found.start(), found.end())
            done = found.end()
        self.copy(done, end)

    @property
    def is_empty(self) -> bool:
        """Whether there is no code in it."""
        return not "".join(self._parts)[self._prefix_length :].strip()

    def block(
        self,
        language: str,
        *,
        at: int | None = None,
        is_verbatim: bool = False,
        is_typed: bool = False,
        indent: str = "",
    ) -> Block | None:
        """The block; None where there is no code in it."""
        if self.is_empty or not self._pieces:
            return None
        text, pieces = "".join(self._parts), tuple(self._pieces)
        place = pieces[0].host.start if at is None else at
        return Block(
            text, language, pieces, self._prefix_length, is_verbatim, is_typed, indent, place
        )


def _is_even(piece: Piece) -> bool:
    return piece.own.end - piece.own.start == piece.host.end - piece.host.start


def joined(blocks: list[Block]) -> Block:
    """Several blocks of one host as one text, in their order, without what was put before each."""
    parts: list[str] = []
    pieces: list[Piece] = []
    length = 0
    for block in blocks:
        shift = length - block.prefix_length
        pieces += [Piece(piece.own.shifted(shift), piece.host) for piece in block.pieces]
        code = block.code if block.code.endswith("\n") else block.code + "\n"
        parts.append(code)
        length += len(code)
    last = blocks[-1]
    return attrs.evolve(last, text="".join(parts), pieces=tuple(pieces), prefix_length=0)
