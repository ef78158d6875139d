"""The rules of Makefiles and the recipes of justfiles: which one a place is in, and what runs it."""

from __future__ import annotations

import shlex

from zsh_ls.lazy import attrs
from zsh_ls.model.span import Span

from . import justfile, makefile
from .hosts import LONGEST, HostKind

_READERS = {
    HostKind.MAKEFILE: ("make", makefile.rule_at),
    HostKind.JUSTFILE: ("just", justfile.rule_at),
}
_FOUND_BY_NAME = {"makefile", "gnumakefile", "justfile", ".justfile"}


@attrs.frozen
class Rule:
    """A rule or a recipe: the line that begins it, and the command that runs it in the folder of its file."""

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
    end = text.find("\n", start)
    span = Span(start, len(text) if end < 0 else end)
    return Rule(span, shlex.join([runner, *named, name]))
