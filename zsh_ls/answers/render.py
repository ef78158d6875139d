"""Parses an answer's text once and renders it in three ways with the same words (ANS-5).

`to_ansi` is for the command line, `to_screen` for a full-screen terminal view,
`to_markdown` for hovers. All three walk the lines that `read` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Literal

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.answer import Answer

from .form import COMMANDS, MARKERS, SUMMARY
from .markup import FENCE, LIST_ITEM, lines_of

Style = Literal["plain", "bold", "italic", "code", "link"]
Role = Literal["marker", "command", "heading", "item", "fence", "code", "plain", "blank"]

RED_BOLD, YELLOW, GREEN, CYAN_BOLD = "1;31", "33", "32", "1;36"
BOLD, ITALIC, UNDERLINE, ON_GREY = "1", "3", "4", "48;5;236"

_INLINE = re.compile(
    r"(?P<ticks>`+)(?P<code>.*?[^`])(?P=ticks)(?!`)"
    r"|\*\*(?P<bold>\S(?:.*?\S)?)\*\*"
    r"|(?<![\w*])\*(?P<italic>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])"
    r"|(?<!\w)_(?P<slanted>[^\s_](?:[^_]*[^\s_])?)_(?!\w)"
    r"|\[(?P<link>[^\]]+)\]\((?P<target>[^)\s]+)\)"
)
_HEADING = re.compile(r"\s{0,3}##\s+")
_ERROR = re.compile(r"(?:Error|Failed to execute)\b.*")
_WARNING = re.compile(r"Warning\b.*")
_TAG_LIKE = re.compile(r"<(?=[A-Za-z/!?])")


class Piece(NamedTuple):
    """Words of one style; `target` is a link's URL."""

    style: Style
    text: str
    target: str = ""


class AnswerRow(NamedTuple):
    """One line of an answer: its kind, its prefix, and its words."""

    role: Role
    lead: str
    pieces: tuple[Piece, ...]
    section: str
    raw: str

    @property
    def words(self) -> str:
        """The line's text without styles."""
        return "".join(_linked(piece) for piece in self.pieces)


def read(text: str) -> list[AnswerRow]:
    """The lines of an answer's canonical text, classified."""
    section, rows = "", []
    for _, line, code in lines_of(text):
        if not code and line in MARKERS:
            section = line
        role = _role(line, section, code=code)
        if role in ("heading", "item", "plain"):
            found = _HEADING.match(line) or LIST_ITEM.match(line)
            lead = found[0] if found else ""
            rows.append(AnswerRow(role, lead, tuple(_inline(line[len(lead) :])), section, line))
        else:
            pieces = (Piece("plain", line),) if line else ()
            rows.append(AnswerRow(role, "", pieces, section, line))
    return rows


def _role(text: str, section: str, *, code: bool) -> Role:
    if code:
        return "fence" if FENCE.fullmatch(text) else "code"
    if not text:
        return "blank"
    if text in MARKERS:
        return "marker"
    if section == COMMANDS:
        return "command"
    if _HEADING.match(text):
        return "heading"
    return "item" if LIST_ITEM.match(text) else "plain"


def _inline(text: str) -> Iterator[Piece]:
    at = 0
    for found in _INLINE.finditer(text):
        if found.start() > at:
            yield Piece("plain", text[at : found.start()])
        if found["code"] is not None:
            code = found["code"]
            padded = len(code) > 2 and code[0] == code[-1] == " " and code.strip()
            yield Piece("code", code[1:-1] if padded else code)
        elif found["bold"] is not None:
            yield Piece("bold", found["bold"])
        elif found["link"] is not None:
            yield Piece("link", found["link"], found["target"])
        else:
            yield Piece("italic", found["italic"] or found["slanted"])
        at = found.end()
    if at < len(text):
        yield Piece("plain", text[at:])


def _linked(piece: Piece) -> str:
    return f"{piece.text} ({piece.target})" if piece.style == "link" else piece.text


# Terminals


def to_ansi(answer: Answer) -> str:
    """The answer for the command line: cyan markers, green commands, red errors, yellow warnings."""

    def colour(row: AnswerRow) -> str:
        if row.role in _ANSI_ROLES:
            return _ANSI_ROLES[row.role]
        is_failure = answer.kind == "error" and row.section == SUMMARY
        if is_failure or _ERROR.fullmatch(row.words):
            return RED_BOLD
        return YELLOW if _WARNING.fullmatch(row.words) else ""

    return _terminal(answer.text, colour, _ANSI_STYLES)


def to_screen(answer: Answer) -> str:
    """The answer for a full-screen view: markers bold, commands on a background, emphasis italic."""
    return _terminal(answer.text, lambda row: _SCREEN_ROLES.get(row.role, ""), _SCREEN_STYLES)


_ANSI_STYLES: dict[Style, str] = {"bold": BOLD, "italic": ITALIC, "code": BOLD, "link": UNDERLINE}
_ANSI_ROLES: dict[Role, str] = {"marker": CYAN_BOLD, "command": GREEN, "heading": BOLD}
_SCREEN_STYLES: dict[Style, str] = {
    "bold": BOLD,
    "italic": ITALIC,
    "code": ON_GREY,
    "link": UNDERLINE,
}
_SCREEN_ROLES: dict[Role, str] = {
    "marker": BOLD,
    "command": ON_GREY,
    "code": ON_GREY,
    "heading": BOLD,
}


def _terminal(text: str, colour: Callable[[AnswerRow], str], styles: dict[Style, str]) -> str:
    lines = []
    for row in read(text):
        if row.role == "fence":
            continue
        lead = "" if row.role == "heading" else row.lead
        if codes := colour(row):
            lines.append(lead + _sgr(row.words, codes))
        else:
            pieces = (_sgr(_linked(one), styles.get(one.style, "")) for one in row.pieces)
            lines.append(lead + "".join(pieces))
    return "\n".join(lines)


def _sgr(text: str, codes: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m" if codes and text else text


# Hovers


def to_markdown(text: str) -> str:
    """The answer for hovers: markers as code spans, commands fenced, each plain line a paragraph."""
    blocks: list[str] = []
    for block, group in groupby(read(text), key=_block_of):
        raw = [row.raw for row in group]
        if block == "command":
            longest = max(len(ticks) for line in raw for ticks in ["``", *re.findall("`+", line)])
            fence = "`" * (longest + 1)
            blocks.append("\n".join([fence, *raw, fence]))
        elif block == "code":
            blocks.append("\n".join(raw))
        elif block == "item":
            blocks.append("\n".join(map(_without_tags, raw)))
        elif block == "marker":
            blocks += (f"`{marker}`" for marker in raw)
        elif block != "blank":
            blocks += map(_without_tags, raw)
    return "\n\n".join(blocks)


def _block_of(row: AnswerRow) -> Role:
    """Whether lines belong together; an indented line continues a list's item."""
    if row.role == "fence":
        return "code"
    return "item" if row.role == "plain" and row.raw[0].isspace() else row.role


def _without_tags(raw: str) -> str:
    """Text with `<word>` outside code escaped, because hovers hide HTML tags."""
    at, parts = 0, []
    for found in _INLINE.finditer(raw):
        parts += [_TAG_LIKE.sub(r"\\<", raw[at : found.start()]), found[0]]
        at = found.end()
    return "".join([*parts, _TAG_LIKE.sub(r"\\<", raw[at:])])
