"""What the text of a start-up file tells of a line: where its command begins, who waits for it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

from zsh_ls.model.syntax import Dialect, Pipeline, Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

# Larger files are data, such as tables of completions.
LARGEST_CHARACTERS = 400_000


class SourceFile:
    """One file that a start reads; lines are counted from 1."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text[:LARGEST_CHARACTERS]
        self._dialect = dialect
        self._found: dict[int, Pipeline | None] = {}
        self.lines = LineIndex(self.text)

    def line_text(self, line: int) -> str:
        """The text of a line, `""` where there is none."""
        if not 1 <= line <= self.lines.line_count:
            return ""
        return self.text[self.lines.starts[line - 1] : self.lines.line_end(line - 1)]

    def first_line(self, line: int) -> int:
        """The first line of the innermost command that reaches over `line`: bash names the last."""
        found = self.command_at(line)
        return line if found is None else self.lines.line_of(found.span.start) + 1

    def is_beside(self, line: int) -> bool:
        """Whether a command that begins on `line` is a job that nobody waits for."""
        return line in self._beside

    def feeds(self, line: int, word: str) -> bool:
        """Whether the command on `line` writes to a process that begins with `word`: `>(word …)`."""
        command = self.command_at(line)
        if command is None or not word:
            return False
        # The innermost command of the line may be the one in the parentheses.
        text = self.text[max(0, command.span.start - 2) : command.span.end]
        return re.search(rf">\(\s*{re.escape(word)}(?![\w.-])", text) is not None

    def defines_at(self, name: str) -> int | None:
        """The line where function `name` is defined, the last one of several."""
        found = None
        for segment in self._script.functions:
            if any(self._script.source(word) == name for word in segment.words):
                found = self.lines.line_of(segment.span.start) + 1
        return found

    def command_at(self, line: int) -> Pipeline | None:
        """The innermost command that reaches over `line`, the last one of several."""
        if line not in self._found:
            self._found[line] = self._command_at(line)
        return self._found[line]

    def _command_at(self, line: int) -> Pipeline | None:
        best: Pipeline | None = None
        for pipeline in self._pipelines[: bisect_right(self._first_lines, line)]:
            if self.lines.line_of(max(pipeline.span.start, pipeline.span.end - 1)) + 1 < line:
                continue
            if best is None or _length(pipeline) <= _length(best):
                best = pipeline
        return best

    @cached_property
    def _script(self) -> Script:
        return parse(self.text, self._dialect)

    @cached_property
    def _pipelines(self) -> list[Pipeline]:
        return list(self._script.every_pipeline())

    @cached_property
    def _beside(self) -> frozenset[int]:
        lines = zip(self._pipelines, self._first_lines, strict=True)
        return frozenset(line for it, line in lines if it.background)

    @cached_property
    def _first_lines(self) -> list[int]:
        return [self.lines.line_of(it.span.start) + 1 for it in self._pipelines]


def _length(pipeline: Pipeline) -> int:
    return pipeline.span.end - pipeline.span.start


class Sources:
    """The files of a start, each read once by `read` (None for one that cannot be read)."""

    def __init__(self, kind: str, read: Callable[[str], str | None]) -> None:
        self._dialect = Dialect.ZSH if kind == "zsh" else Dialect.BASH
        self._read = read
        self._files: dict[str, SourceFile | None] = {}

    def of(self, path: str) -> SourceFile | None:
        """The file at `path`; None for one that cannot be read."""
        if path not in self._files:
            text = self._read(path) if path.startswith("/") else None
            self._files[path] = None if text is None else SourceFile(text, self._dialect)
        return self._files[path]
