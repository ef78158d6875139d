"""A manual page as it is set: paragraphs at their indents, each one line, as `shell.manpage` reads them."""

from __future__ import annotations

BODY = 7
STEP = 7


class Sheet:
    """Text that grows line by line. `indent` is where paragraphs begin, `base` where lists leave off."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.base = BODY
        self.indent = BODY
        self.keeps_lines = False
        self._outer: list[int] = []
        self._words: list[str] = []
        self._joins = False

    def add(self, text: str) -> None:
        """More of the paragraph; a line of its own where lines are kept."""
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
        """What comes next stands right behind, without a blank."""
        self._joins = True

    def end_line(self) -> None:
        """The paragraph's next text begins a line."""
        text = " ".join(" ".join(self._words).split())
        self._words, self._joins = [], False
        if text:
            self._put(text)

    def paragraph(self) -> None:
        """A blank line, where there is none."""
        self.end_line()
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def heading(self, text: str, indent: int = 0) -> None:
        """A section begins."""
        self.paragraph()
        self._outer, self.base, self.indent = [], BODY, BODY
        self.lines.append(" " * indent + text)

    def tag(self, text: str) -> None:
        """The head of a list's item, on a line of its own; what follows stands further in."""
        self.end_line()
        self.indent = self.base
        self._put(" ".join(text.split()))
        self.indent = self.base + STEP

    def push(self, by: int = STEP) -> None:
        """Set what follows further in."""
        self.end_line()
        self._outer.append(self.base)
        self.base = self.indent = self.base + by

    def pop(self) -> None:
        """Back to where it was before `push`."""
        self.end_line()
        if self._outer:
            self.base = self._outer.pop()
        self.indent = self.base

    def text(self) -> str:
        """All of it."""
        self.end_line()
        return "\n".join(self.lines) + "\n"

    def _put(self, text: str) -> None:
        self.lines.append(" " * self.indent + text if text else "")
