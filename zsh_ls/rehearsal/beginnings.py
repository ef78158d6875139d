"""The line on which a command begins, where a shell names another one of its lines.

bash names the last line of an assignment over several lines, and some line between for a command whose
words are on several; the page, the analysis and sh mean the first. For what a trap for the end runs bash
counts lines from that trap's text, as if it stood on the first one.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

COMPARED_CHARACTERS = 12
_ENDS = frozenset({"EXIT", "0"})
_LETTERS = re.compile(r"[^a-zA-Z0-9_.-]")


@attrs.frozen
class _Command:
    first: int
    last: int
    letters: str

    def is_said(self, said: str) -> bool:
        """Whether a shell that says `said`, the letters of a command, means this one."""
        size = min(len(said), len(self.letters), COMPARED_CHARACTERS)
        return bool(size) and said[:size] == self.letters[:size]


@attrs.frozen
class Redirected:
    """A group or a loop whose output goes to a file.

    `first` and `last` are its lines, `body` that of its first command, `line` that of the redirection,
    to a file `name`, None where only a run knows it.
    """

    first: int
    last: int
    body: int
    line: int
    name: str | None


def redirected(text: str, dialect: Dialect) -> tuple[Redirected, ...]:
    """The groups and loops of a script whose output goes to files, the outer ones first."""
    index = LineIndex(text)
    found = []
    for pipeline in parse(text, dialect).every_pipeline():
        for segment in pipeline.segments:
            inner = [it for body in segment.bodies for it in body.pipelines]
            for redirection in segment.redirections if inner else ():
                target = text[slice(*redirection.target)].strip("'\"")
                if not redirection.operator.endswith((">", ">|")) or target == "/dev/null":
                    continue
                found.append(
                    Redirected(
                        index.line_of(segment.span.start) + 1,
                        index.line_of(max(segment.span.start, segment.span.end - 1)) + 1,
                        index.line_of(inner[0].span.start) + 1,
                        index.line_of(redirection.target.start) + 1,
                        None if set(target) & set("$`*?") else os.path.basename(target),
                    )
                )
    return tuple(found)


@attrs.frozen
class Beginnings:
    """Where the commands of one script begin.

    `covering` has those of several lines, the innermost first; `trap` is the line of the last trap for
    the end, `letters` has those of each line.
    """

    starting: dict[int, list[_Command]]
    covering: tuple[_Command, ...]
    trap: int | None
    letters: tuple[str, ...]

    @classmethod
    def of(cls, text: str, dialect: Dialect) -> Beginnings:
        """Those of a script."""
        index = LineIndex(text)
        commands, trap = [], None
        for pipeline in parse(text, dialect).every_pipeline():
            for segment in pipeline.segments:
                if segment.bodies:
                    continue
                first = index.line_of(segment.span.start) + 1
                last = index.line_of(max(segment.span.start, segment.span.end - 1)) + 1
                letters = _LETTERS.sub("", text[segment.span.start : segment.span.end])
                commands.append(_Command(first, last, letters))
                ends = {text[slice(*word)] for word in segment.words[2:]} & _ENDS
                if segment.command_word == "trap" and ends:
                    trap = first
        starting = defaultdict(list)
        for command in commands:
            starting[command.first].append(command)
        several = [it for it in commands if it.last > it.first]
        several.sort(key=lambda it: it.last - it.first)
        written = tuple(_LETTERS.sub("", line) for line in text.split("\n"))
        return cls(dict(starting), tuple(several), trap, written)

    def line(self, line: int, said: str) -> int:
        """The line on which the command begins that has the letters `said` and a line in `line`."""
        starting = self.starting.get(line, [])
        if any(it.is_said(said) for it in starting):
            return line
        covering = [it for it in self.covering if it.first < line <= it.last]
        meant = next((it for it in covering if it.is_said(said)), None)
        if meant is None and covering and not starting:
            meant = covering[0]
        if self.trap is not None and not starting and not covering:
            written = self.letters[line - 1] if line <= len(self.letters) else ""
            if said[:COMPARED_CHARACTERS] not in written:
                return self.trap + line - 1
        return meant.first if meant is not None else line
