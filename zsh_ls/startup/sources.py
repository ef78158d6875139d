"""What the text of a start-up file tells of a line: where its command begins, who waits for it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import takewhile

from zsh_ls.lazy import re
from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Script
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

# Larger files are data, such as tables of completions.
LARGEST_CHARACTERS = 400_000
_PASSING = re.compile(r"/(?:dev|proc)/|/tmp/zsh\w{6}$")


def is_passing(path: str) -> bool:
    """Whether nothing is left to look up: a pipe of `<(…)`, `/dev/stdin`, or the file of zsh's `=(…)`."""
    return _PASSING.match(path) is not None


class SourceFile:
    """One file that a start reads; lines are counted from 1."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text[:LARGEST_CHARACTERS]
        self._dialect = dialect
        self._found: dict[tuple[int, str], Pipeline | None] = {}
        self.lines = LineIndex(self.text)

    def line_text(self, line: int) -> str:
        """The text of a line, `""` where there is none."""
        if not 1 <= line <= self.lines.line_count:
            return ""
        return self.text[self.lines.starts[line - 1] : self.lines.line_end(line - 1)]

    def first_line(self, line: int, word: str = "") -> int:
        """The first line of the innermost command that reaches over `line`: bash names the last.

        Of one that begins with `word`, where there is such a command.
        """
        found = self.command_at(line, word) or self.command_at(line)
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
                found = self._line_of(segment.span.start)
        return found

    def line_of(self, text: str, first: int, after: int) -> int:
        """The line of the command that begins most like `text`, in the function defined on line `first`.

        Of equal ones the next behind line `after`, else the first; `first` where there is none.
        """
        functions = (it for it in self._script.functions if self._line_of(it.span.start) == first)
        within = next((it.span for it in functions), None)
        lines, _ = self._most_alike(
            text,
            (
                it
                for it in self._pipelines
                if within is None or within.start < it.span.start < within.end
            ),
        )
        return next((line for line in lines if line > after), lines[0] if lines else first)

    def line_before(self, text: str, end: int, after: int) -> int:
        """The line of the command `text` in the statement of the file that ends before line `end`.

        Of equal ones the next behind line `after`, else the first. What does not stand there is of an `eval`
        there: of the command on line `after`.
        """
        number = bisect_right(self._statements, end - 1)
        first = self._statements[number - 1] if number else 1
        # At its end a file may lack the newline.
        is_last = end == self.lines.line_count and not self.text.endswith("\n")
        from_ = bisect_left(self._first_lines, first)
        to = bisect_left(self._first_lines, end + is_last)
        lines, alike = self._most_alike(text, self._pipelines[from_:to])
        if alike < len(text.partition(" ")[0]):
            return after if first <= after < end else first
        return next((line for line in lines if line > after), lines[0])

    def _most_alike(self, text: str, commands: Iterable[Pipeline]) -> tuple[list[int], int]:
        """The lines of those commands that begin most like `text`, and in how many characters they do."""
        told = _one_line(text)
        found: dict[int, int] = {}
        for command in commands:
            source = _one_line(self.text[command.span.start : command.span.end])
            line = self._line_of(command.span.start)
            found[line] = max(_alike(told, source), found.get(line, 0))
        most = max(found.values(), default=0)
        return [line for line, alike in found.items() if alike == most > 0], most

    def command_at(self, line: int, word: str = "") -> Pipeline | None:
        """The innermost command that reaches over `line` and begins with `word`, the last one of several."""
        if (line, word) not in self._found:
            commands = (it for it in self._reaching(line) if self._begins(it, word))
            self._found[line, word] = _innermost(commands)
        return self._found[line, word]

    def _begins(self, command: Pipeline, word: str) -> bool:
        return self.text.startswith(word, command.span.start)

    def _reaching(self, line: int) -> Iterator[Pipeline]:
        """The commands that have a part on `line`."""
        for pipeline in self._pipelines[: bisect_right(self._first_lines, line)]:
            if self._line_of(max(pipeline.span.start, pipeline.span.end - 1)) >= line:
                yield pipeline

    def _line_of(self, offset: int) -> int:
        return self.lines.line_of(offset) + 1

    @cached_property
    def _script(self) -> Script:
        return parse(self.text, self._dialect)

    @cached_property
    def _pipelines(self) -> list[Pipeline]:
        return list(self._script.every_pipeline())

    @cached_property
    def _beside(self) -> frozenset[int]:
        lines = zip(self._pipelines, self._first_lines, strict=True)
        return frozenset(line for it, line in lines if it.background or it.coproc)

    @cached_property
    def _statements(self) -> list[int]:
        """The lines on which the lists of the file itself begin."""
        pipelines = self._script.pipelines
        ends = (Connector.NONE, *(it.connector for it in pipelines))
        lists = (it for it, end in zip(pipelines, ends, strict=False) if end is Connector.NONE)
        return [self._line_of(it.span.start) for it in lists]

    @cached_property
    def _first_lines(self) -> list[int]:
        return [self._line_of(it.span.start) for it in self._pipelines]


def _innermost(commands: Iterable[Pipeline]) -> Pipeline | None:
    """The shortest of commands that have a place in common, the last one of several."""
    best: Pipeline | None = None
    for command in commands:
        if best is None or _length(command) <= _length(best):
            best = command
    return best


def _one_line(text: str) -> str:
    return " ".join(text.partition("\n")[0].split())


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    return sum(1 for _ in takewhile(lambda it: it[0] == it[1], zip(one, other, strict=False)))


def _length(pipeline: Pipeline) -> int:
    return pipeline.span.end - pipeline.span.start


class Sources:
    """The files of a start, each read once by `read` (None for one that cannot be read)."""

    def __init__(self, kind: str, read: Callable[[str], str | None]) -> None:
        self._dialect = Dialect.ZSH if kind == "zsh" else Dialect.BASH
        self._read = read
        self._files: dict[str, SourceFile | None] = {}
        self._of_kind = {kind: self}

    def of(self, path: str) -> SourceFile | None:
        """The file at `path`; None for one that cannot be read."""
        if path not in self._files:
            is_file = path.startswith("/") and not is_passing(path)
            text = self._read(path) if is_file else None
            self._files[path] = None if text is None else SourceFile(text, self._dialect)
        return self._files[path]

    def of_kind(self, kind: str) -> Sources:
        """The files as another kind of shell reads them."""
        if kind not in self._of_kind:
            self._of_kind[kind] = Sources(kind, self._read)
        return self._of_kind[kind]
