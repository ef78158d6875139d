"""Renders the source of a manual page as text, like `man` but with unlimited width (man(7), mdoc(7)).

So a hover can show an option without starting a program. Never raises; text that is
no manual page gives some text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .layout import Sheet
from .roff import RoffLine, arguments, lines_of, plain

_ALTERNATING = frozenset({"BR", "RB", "BI", "IB", "IR", "RI"})
_FONTS = frozenset({"B", "I", "R", "SM", "SB", "CW"})
_PARAGRAPHS = frozenset({"PP", "LP", "P", "HP"})
_NO_FILL = frozenset({"nf", "EX", "Vb", "DS"})
_FILL = frozenset({"fi", "EE", "Ve", "DE"})
# Tags that are set beside the text, not above it.
_BULLETS = frozenset({"•", "*", "-", "–", "o", "+", "·"})
_TAKES_NEXT = frozenset({"TP", "TQ", "SH", "SS"})


def rendered(source: str) -> str:
    """The page's text."""
    lines = list(lines_of(source))
    if any(line.macro == "Sh" for line in lines):
        from .mdoc import rendered_mdoc  # noqa: PLC0415  of macOS, and of a few programs elsewhere

        return rendered_mdoc(lines)
    page = _ManPage()
    for line in lines:
        page.line(line)
    return page.sheet.text()


class _ManPage:
    """Renders a page in man(7); `pending` is the macro whose text is on the next line, if any."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self.pending = ""
        self.buffered = ""
        self.in_table = ""
        self.is_close = False
        self.fixed: Mapping[str, Callable[[list[str]], None]] = {
            "IP": self.item,
            "RS": self.inset,
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
        """Render one line of the source."""
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
        elif line.macro in _NO_FILL | _FILL:
            self.sheet.end_line()
            self.sheet.keeps_lines = line.macro in _NO_FILL
        elif line.macro in self.fixed:
            self.fixed[line.macro](arguments(line.text))

    def text(self, text: str, *, joins: bool = False) -> None:
        """Add a line of text, as the heading or tag that is pending, if any."""
        pending = self.pending
        if pending and text.strip() and not joins:
            self.pending = ""
            if pending in ("SH", "SS"):
                self.sheet.heading(text.strip(), 0 if pending == "SH" else 3)
            else:
                self.head(self.buffered + text)
            self.buffered = ""
        elif pending:
            self.buffered += text
        elif not text.strip() and not self.sheet.keeps_lines:
            self.sheet.paragraph()
        else:
            self.sheet.add(text)
            if joins:
                self.sheet.join()

    def begin(self, line: RoffLine) -> None:
        """Begin a heading or a tag, whose text may be on the next line."""
        self.sheet.keeps_lines = False
        given = arguments(line.text)
        if line.macro in ("SH", "SS") and given:
            self.sheet.heading(" ".join(given), 0 if line.macro == "SH" else 3)
            return
        if line.macro == "TP":
            self.part()
        self.pending = line.macro

    def item(self, given: list[str]) -> None:
        """`.IP tag`: begin an item, or without a tag another paragraph of it."""
        self.part()
        self.head(given[0] if given else "")

    def inset(self, given: list[str]) -> None:
        """`.RS 4n`: indent what follows, by 7 where no number is given."""
        number = given[0].rstrip("nmu") if given else ""
        self.sheet.push(int(number) if number.isdecimal() else 7)

    def distance(self, given: list[str]) -> None:
        """`.PD 0`: no blank lines between paragraphs from here on."""
        self.is_close = given[:1] == ["0"]

    def part(self) -> None:
        """End a paragraph."""
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
        """Add punctuation without a blank."""
        self.sheet.join()
        self.sheet.add("".join(given))

    def table(self, line: RoffLine) -> None:
        """Add the rows of a tbl(1) table, cells separated by blanks; its format is skipped."""
        if line.macro in ("TS", "TE"):
            self.sheet.paragraph()
            self.in_table = "layout" if line.macro == "TS" else ""
        elif self.in_table == "layout":
            self.in_table = "rows" if line.text.rstrip().endswith(".") else "layout"
        elif not line.macro and len(line.text) > 1:
            cells = plain(line.text).replace("T{", "").replace("T}", "").split("\t")
            self.sheet.add("  ".join(cell.strip() for cell in cells))
            self.sheet.end_line()
