"""Renders a command's output as the plain text that a terminal would show, in linear time.

Escape sequences are removed, not interpreted, so that no output is lost when the
cursor moves up or the screen is cleared. Carriage returns (also as the sequence for the
first column) and backspaces are applied within their line, CRLF becomes a line break,
NUL is shown as `␀`, other control characters are removed.
"""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import re

NUL_SHOWN = "\u2400"
MAX_HELD_BYTES = 4096

# A call of a pattern or a text's method lets no other thread run. So it is given so much of a text at once:
# one millisecond's work at most, whatever the text is.
LONG_CHARACTERS = 20_000
# So many pieces of text are joined in less than a millisecond.
MANY_PIECES = 10_000
# So many steps of a pattern, of up to a hundred characters each, take less than a millisecond.
MANY_STEPS = 2_000


class Sought:
    """A pattern whose matches begin with one of `begins` (any character, where empty).

    `between` also finds what lies between two matches, a limited piece at a time.
    """

    def __init__(self, pattern: str, begins: str) -> None:
        self.pattern = re.compile(pattern)
        other = rf"[^{begins}]{{1,100}}|" if begins else ""
        none = rf"(?!{pattern})[\s\S]"
        self.between = re.compile(rf"({pattern})|(?:{other}{none}){{1,{MANY_STEPS}}}")


# ECMA-48: control sequences; strings (OSC, DCS, SOS, PM, APC) up to BEL or ST; the other escapes.
# An unterminated string ends at its line, so that it cannot swallow the rest of the output; only DCS
# pictures may contain line breaks, if they are terminated. Each alternative stops at the next escape
# character, which keeps the time linear.
_ESCAPES = Sought(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|\x1bP[^\x07\x1b]*\x1b\\"
    r"|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?"
    r"|\x1b[ -/]*[0-~]?",
    begins=r"\x1b\x9b",
)
_STYLE = r"(?:\x1b\[[0-9;?]*[mhl])*"
_ERASED = "\x00"
_ERASED_LINE = Sought(
    rf"\r{_STYLE}\x1b\[[02]?[KJ]|\x1b\[2K{_STYLE}\r",  # what was on the line before is erased
    begins=r"\r\x1b",
)
# Programs of Node rewrite their line with these, where others write a carriage return.
_FIRST_COLUMN = ("\x1b[1G", "\x1b[G", "\x1b[0G")
_LINE_END = Sought(r"(?<!\r)\r+\n", begins=r"\r")
# Bold and underlined in man pages.
_OVERSTRIKE = Sought("[^\b\r\n\x00]\b(?=[^\b\r\n\x00])", begins="")
_SILENT_CONTROLS = re.compile("[\x01-\x07\x0b-\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]")
_PLAIN = b"\t\n" + bytes(range(0x20, 0x7F))
_UNFINISHED = re.compile(
    rb"(?:\x1b\[|\xc2\x9b)[0-?]*[ -/]*\Z"
    rb"|\x1bP[^\x07\x1b]*\x1b?\Z"
    rb"|\x1b[\]X^_][^\x07\x1b\n]*\x1b?\Z"
    rb"|\x1b[ -/]*\Z"
)


def render(text: str) -> str:
    """The text that a terminal would show of `text`; plain text is returned unchanged."""
    text = text.replace("\0", NUL_SHOWN)
    if "\r" in text:
        # A program that writes CRLF to a terminal, which adds a CR of its own, ends lines with CRCRLF.
        text = "".join(piece.replace("\r\n", "\n") for piece in _pieces(text, "\r"))
        text = _replaced(_LINE_END, "\n", text) if "\r\n" in text else text
    if "\x1b" in text or "\x9b" in text:
        for first_column in _FIRST_COLUMN:
            text = text.replace(first_column, "\r")
        if "\r" in text:
            text = _replaced(_ERASED_LINE, f"\r{_ERASED}", text)
        text = _replaced(_ESCAPES, "", text)
    if "\b" in text:
        text = _replaced(_OVERSTRIKE, "", text)
    if "\r" in text or "\b" in text:
        # Cell by cell only where a backspace moves the cursor: that takes a step for each character.
        text = "\n".join(
            _typed(line) if "\b" in line else _overwritten(line) if "\r" in line else line
            for line in split_lines(text)
        )
    return "".join(_SILENT_CONTROLS.sub("", piece) for piece in _pieces(text))


def split_lines(text: str) -> list[str]:
    """What `text.split` gives of it at each newline, but other threads run meanwhile where it is long."""
    lines: list[str] = []
    start = 0
    while (end := text.find("\n", start + LONG_CHARACTERS)) >= 0:
        lines += text[start:end].split("\n")
        start = end + 1
    return lines + text[start:].split("\n")


def _pieces(text: str, unlike_end: str = "") -> Iterator[str]:
    """`text` in pieces of LONG_CHARACTERS; none ends with `unlike_end` but the last."""
    start = 0
    while start < len(text):
        end = start + LONG_CHARACTERS
        while unlike_end and text[end - 1 : end] == unlike_end:
            end += 1
        yield text[start:end]
        start = end


def _replaced(sought: Sought, by: str, text: str) -> str:
    """`text` with `by` for each match: as `sub` gives it, but others run meanwhile."""
    if len(text) <= LONG_CHARACTERS:
        return sought.pattern.sub(by, text)
    found: list[str] = []
    pieces: list[str] = []
    for match in sought.between.finditer(text):
        pieces.append(match[0] if match[1] is None else by)
        if len(pieces) > MANY_PIECES:
            found.append("".join(pieces))
            pieces.clear()
    return "".join([*found, *pieces])


def render_bytes(data: bytes) -> str:
    """The text that a terminal would show of `data`; invalid UTF-8 is replaced by U+FFFD."""
    if not data.translate(None, _PLAIN):  # ten times as fast as a search for other bytes
        return data.decode("ascii")
    return render(data.decode("utf-8", "replace"))


def complete_prefix(data: bytes) -> int:
    """How many bytes of `data` can be shown now: up to an unfinished character or escape at its end.

    At most MAX_HELD_BYTES (and a character) are held back: a sequence that
    long is none. Bytes that can never become a character are not held.
    """
    whole = len(data) - _unfinished_character(data[-4:])
    tail_start = max(0, whole - MAX_HELD_BYTES)
    unfinished = _UNFINISHED.search(data[tail_start:whole])
    return tail_start + unfinished.start() if unfinished else whole


def _unfinished_character(tail: bytes) -> int:
    """How many bytes at the end of `tail` are an incomplete UTF-8 character."""
    for length in range(1, min(3, len(tail)) + 1):
        lead = tail[-length]
        if lead & 0xC0 != 0x80:
            expected = (
                4 if 0xF0 <= lead <= 0xF4 else 3 if lead >= 0xE0 else 2 if lead >= 0xC2 else 1
            )
            return length if lead <= 0xF4 and expected > length else 0
    return 0


def _overwritten(line: str) -> str:
    """The line after several writings over it: of each, the part that later ones do not cover."""
    pieces: list[str] = []
    covered = 0
    end = len(line)
    while end >= 0:
        start = line.rfind("\r", 0, end) + 1
        writing = line[start:end]
        text = writing.replace(_ERASED, "")
        if len(text) > covered:
            pieces.append(text[covered:])
            covered = len(text)
        if text and writing.startswith(_ERASED):
            break
        end = start - 1
    return "".join(pieces).rstrip()


def _typed(line: str) -> str:
    """The line when a backspace moves the cursor back by one, and a carriage return to the start."""
    cells: list[str] = []
    cursor = 0
    for char in line:
        if char == "\b":
            cursor = max(0, cursor - 1)
        elif char == "\r":
            cursor = 0
        elif char != _ERASED:
            cells[cursor : cursor + 1] = char
            cursor += 1
    return "".join(cells).rstrip()
