"""A copy of a script of sh in which each command says where it stands; dash has no trap for that."""

from __future__ import annotations

import re

from zsh_ls.model.syntax import Dialect, SegmentKind
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

LOG = "/run/rehearse/log"
# Words at which no redirection may stand: they open a compound command.
_PLAIN = re.compile(r"[\w./$\"'{}\[:-]")
_DIGIT_IN_USE = re.compile(r"\b([3-9])[<>]|[<>]&([3-9])|(?:flock|-u)\s+(?:-\w+\s+)*([3-9])\b")
LONGEST_NAME = 150
# As the hooks of bash and zsh say which command it is.
_LETTERS = re.compile(r"[^a-zA-Z0-9_.-]")
MOST_LETTERS = 50


def name_of(path: str) -> str:
    """A path within the name of a file; the end of one that is too long."""
    return path.replace("/", "%")[-LONGEST_NAME:]


def marked(text: str, path: str) -> str:
    """The copy. Before each simple command stands a redirection to a file whose name says which.

    A program that the command starts has the file open, by which it knows its line.
    """
    used = {digit for found in _DIGIT_IN_USE.findall(text) for digit in found if digit}
    free = next((digit for digit in "9876543" if digit not in used), None)
    script = parse(text, Dialect.SH)
    if free is None or any(problem.fatal for problem in script.problems):
        return text
    lines, name = LineIndex(text), name_of(path)
    quoted = re.sub(r"([^\w.@%/-])", r"\\\1", name)
    places: dict[int, str] = {}
    for pipeline in script.every_pipeline():
        for segment in pipeline.segments:
            if segment.kind is SegmentKind.SIMPLE and (segment.words or segment.assignments):
                start = segment.span.start
                if _PLAIN.match(text[start : start + 1]):
                    said = _LETTERS.sub("", text[start : segment.span.end])[:MOST_LETTERS]
                    places[start] = said
    pieces, at = [], 0
    for start, said in sorted(places.items()):
        line = lines.line_of(start) + 1
        pieces += [text[at:start], f"{free}>|{LOG}/m{line}@{said}@{quoted} "]
        at = start
    return "".join(pieces) + text[at:]
