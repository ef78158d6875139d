"""Lays out a manual page as text: indented paragraphs of one line each, as `manpages.options` reads them."""

from __future__ import annotations

BODY = 7
STEP = 7


class Sheet:
    """Text that is built line by line; `indent` is that of paragraphs, `base` that of the current list."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.base = BODY
        self.indent = BODY
        self.keeps_lines = False
        self._outer: list[int] = []
        self._words: list[str] = []
        self._joins = False

    def add(self, text: str) -> None:
        """Add text to the paragraph, or as a separate line if `keeps_lines`."""
        if self.keeps_lines:
            self._put(text.expandtabs(8).rstrip())
            return
        if text[:1].isspace() and text.strip():
            self.end_line()
        joined, self._joins = self._joins, False
        if joined and self._words:
            self._words[-1] += text
        elif text.strip():
            self._words.append(text)

    def join(self) -> None:
        """Append the next text without a blank."""
        self._joins = True

    def end_line(self) -> None:
        """Begin a new line in the paragraph."""
        text = " ".join(" ".join(self._words).split())
        self._words, self._joins = [], False
        if text:
            self._put(text)

    def paragraph(self) -> None:
        """Begin a paragraph, after a blank line."""
        self.end_line()
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def heading(self, text: str, indent: int = 0) -> None:
        """Begin a section."""
        self.paragraph()
        self._outer, self.base, self.indent = [], BODY, BODY
        self.lines.append(" " * indent + text)

    def tag(self, text: str) -> None:
        """Add the tag of a list's item on a separate line, and indent what follows."""
        self.end_line()
        self.indent = self.base
        self._put(" ".join(text.split()))
        self.indent = self.base + STEP

    def push(self, by: int = STEP) -> None:
        """Indent what follows."""
        self.end_line()
        self._outer.append(self.base)
        self.base = self.indent = self.base + by

    def pop(self) -> None:
        """Undo the last `push`."""
        self.end_line()
        if self._outer:
            self.base = self._outer.pop()
        self.indent = self.base

    def text(self) -> str:
        """The whole text."""
        self.end_line()
        return "\n".join(self.lines) + "\n"

    def _put(self, text: str) -> None:
        self.lines.append(" " * self.indent + text if text else "")
