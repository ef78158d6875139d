"""The source of a manual page → its text, as `man` would show it but for the width (man(7), mdoc(7)).

What `shell.manpage` needs of a page can so be had without starting a program:
a hover starts none. Never raises; a text that is no page gives some text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .layout import Sheet
from .mdoc import rendered_mdoc
from .roff import RoffLine, arguments, lines_of, plain

_ALTERNATING = frozenset({"BR", "RB", "BI", "IB", "IR", "RI"})
_FONTS = frozenset({"B", "I", "R", "SM", "SB", "CW"})
_PARAGRAPHS = frozenset({"PP", "LP", "P", "HP"})
_KEPT = frozenset({"nf", "EX", "Vb", "DS"})
_FILLED = frozenset({"fi", "EE", "Ve", "DE"})
# Bullets stand beside the text, not above it.
_BULLETS = frozenset({"•", "*", "-", "–", "o", "+", "·"})
_TAKES_NEXT = frozenset({"TP", "TQ", "SH", "SS"})


def rendered(source: str) -> str:
    """The page's text."""
    lines = list(lines_of(source))
    if any(line.macro == "Sh" for line in lines):
        return rendered_mdoc(lines)
    page = _ManPage()
    for line in lines:
        page.line(line)
    return page.sheet.text()


class _ManPage:
    """The sheet and what the next text line is for: a paragraph, a tag, a heading."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self.awaited = ""
        self.held = ""
        self.in_table = ""
        self.is_close = False
        self.fixed: Mapping[str, Callable[[list[str]], None]] = {
            "IP": self.item,
            "RS": lambda given: self.sheet.push(_indent(given)),
            "RE": lambda _: self.sheet.pop(),
            "PD": self.distance,
            "br": lambda _: self.sheet.end_line(),
            "sp": lambda _: self.sheet.paragraph(),
            "Sp": lambda _: self.sheet.paragraph(),
            "UR": lambda given: self.text(" ".join(given)),
            "MT": lambda given: self.text(" ".join(given)),
            "UE": self.behind,
            "ME": self.behind,
            "SY": lambda given: self.text(" ".join(given)),
            "OP": lambda given: self.text(f"[{' '.join(given)}]"),
        }

    def line(self, line: RoffLine) -> None:
        """Set one line of the source."""
        if line.macro in ("TS", "TE") or self.in_table:
            self.table(line)
        elif not line.macro:
            self.text(plain(line.text), joins=line.text.endswith("\\c"))
        elif line.macro in _ALTERNATING:
            self.text("".join(arguments(line.text)), joins=line.text.endswith("\\c"))
        elif line.macro in _FONTS:
            if given := arguments(line.text):
                self.text(" ".join(given), joins=line.text.endswith("\\c"))
        elif line.macro in _TAKES_NEXT:
            self.begin(line)
        elif line.macro in _PARAGRAPHS:
            self.part()
            self.sheet.indent = self.sheet.base
        elif line.macro in _KEPT | _FILLED:
            self.sheet.end_line()
            self.sheet.keeps_lines = line.macro in _KEPT
        elif line.macro in self.fixed:
            self.fixed[line.macro](arguments(line.text))

    def text(self, text: str, *, joins: bool = False) -> None:
        """A line of text, for what awaits it."""
        awaited = self.awaited
        if awaited and text.strip() and not joins:
            self.awaited = ""
            if awaited in ("SH", "SS"):
                self.sheet.heading(text.strip(), 0 if awaited == "SH" else 3)
            else:
                self.head(self.held + text)
            self.held = ""
        elif awaited:
            self.held += text
        elif not text.strip() and not self.sheet.keeps_lines:
            self.sheet.paragraph()
        else:
            self.sheet.add(text)
            if joins:
                self.sheet.join()

    def begin(self, line: RoffLine) -> None:
        """A heading or a tag, whose text may stand on the next line."""
        self.sheet.keeps_lines = False
        given = arguments(line.text)
        if line.macro in ("SH", "SS") and given:
            self.sheet.heading(" ".join(given), 0 if line.macro == "SH" else 3)
            return
        if line.macro == "TP":
            self.part()
        self.awaited = line.macro

    def item(self, given: list[str]) -> None:
        """`.IP tag`: an item with its tag, or one more paragraph of it."""
        self.part()
        self.head(given[0] if given else "")

    def distance(self, given: list[str]) -> None:
        """`.PD 0`: from here on no blank lines between paragraphs."""
        self.is_close = given[:1] == ["0"]

    def part(self) -> None:
        """A paragraph ends."""
        if self.is_close:
            self.sheet.end_line()
        else:
            self.sheet.paragraph()

    def head(self, tag: str) -> None:
        if tag.strip() and tag.strip() not in _BULLETS:
            self.sheet.tag(tag)
        else:
            self.sheet.indent = self.sheet.base + 4
            self.sheet.add(tag.strip())

    def behind(self, given: list[str]) -> None:
        """Punctuation right behind what stands there."""
        self.sheet.join()
        self.sheet.add("".join(given))

    def table(self, line: RoffLine) -> None:
        """The rows of a table, their cells apart; its layout is left out."""
        if line.macro in ("TS", "TE"):
            self.sheet.paragraph()
            self.in_table = "layout" if line.macro == "TS" else ""
        elif self.in_table == "layout":
            self.in_table = "rows" if line.text.rstrip().endswith(".") else "layout"
        elif not line.macro and len(line.text) > 1:
            cells = plain(line.text).replace("T{", "").replace("T}", "").split("\t")
            self.sheet.add("  ".join(cell.strip() for cell in cells))
            self.sheet.end_line()


def _indent(given: list[str]) -> int:
    number = given[0].rstrip("nmu") if given else ""
    return int(number) if number.isdecimal() else 7
