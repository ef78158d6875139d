"""The rules of Makefiles and the recipes of justfiles: which one a place is in, and what runs it."""

from __future__ import annotations

import shlex

from zsh_ls.lazy import attrs, re
from zsh_ls.model.span import Span

from . import justfile, makefile
from .hosts import LONGEST, HostKind

_READERS = {
    HostKind.MAKEFILE: ("make", makefile.rule_at),
    HostKind.JUSTFILE: ("just", justfile.rule_at),
}
# What may stand at the beginning of a line between those of a rule.
_BETWEEN = re.compile(r"#|(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b")
_FOUND_BY_NAME = {"makefile", "gnumakefile", "justfile", ".justfile"}


@attrs.frozen
class Rule:
    """A rule or a recipe: its lines, and the command that runs it in the folder of its file."""

    span: Span
    command: str


def runner_of(kind: HostKind) -> str | None:
    """The program that runs what is in a file of this kind; None where nobody runs a part of it."""
    return _READERS[kind][0] if kind in _READERS else None


def rule_at(text: str, kind: HostKind, offset: int, path: str) -> Rule | None:
    """The rule around a place; None where there is none, or none that can be asked for."""
    if kind not in _READERS or len(text) > LONGEST:
        return None
    runner, reader = _READERS[kind]
    found = reader(text, offset)
    if found is None:
        return None
    name, start = found
    file = path.rpartition("/")[2]
    named = [] if file.lower() in _FOUND_BY_NAME else ["-f", file]
    return Rule(Span(start, _end(text, start)), shlex.join([runner, *named, name]))


def _end(text: str, start: int) -> int:
    """Where the last of the indented lines below the line at `start` ends; others may stand between them."""
    line_end = text.find("\n", start)
    end = at = len(text) if line_end < 0 else line_end
    while at < len(text):
        line_end = text.find("\n", at + 1)
        stop = len(text) if line_end < 0 else line_end
        line = text[at + 1 : stop]
        if line[:1] in ("\t", " ") and line.strip():
            end = stop
        elif line.strip() and not _BETWEEN.match(line):
            break
        at = stop
    return end
