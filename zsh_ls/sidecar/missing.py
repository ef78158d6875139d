"""The question before a line of a document runs without what the lines above it give (SESS-3)."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from zsh_ls.lazy import attrs, re
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.shown_command import STOP_AT_FAILURE
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level
from zsh_ls.sessions.state import State
from zsh_ls.shell.symbols.missing import Dependencies, Kind, Missing, dependencies
from zsh_ls.shell.symbols.symbols import Names
from zsh_ls.shell.words.vocabulary import (
    BUILTINS,
    RESERVED_WORDS,
    SPECIAL_PARAMETERS,
    word_set,
)

# The shell has these, but what is in them comes from the line that fills them.
_FILLED = word_set(
    "REPLY reply MATCH match MBEGIN MEND mbegin mend OPTARG BASH_REMATCH COMPREPLY MAPFILE"
)
_PLAIN_NAME = re.compile(r"[\w.:+@-]+")


class MissingNames(RequestRejected):
    """A line was not run, for names are missing that the text gives above it; `offer` are the commands."""

    def __init__(self, missing: tuple[Missing, ...], offer: tuple[Span, ...]) -> None:
        super().__init__(in_one_sentence(missing))
        self.missing = missing
        self.offer = offer


@attrs.frozen
class Surroundings:
    """What is there where a line is to run: the session's state, the environment, the folder."""

    state: State | None
    environment: Mapping[str, str]
    own_names: frozenset[str]
    folder: str
    start: str

    def knows(self, names: Names, kind: Kind | Literal["command"], name: str) -> bool:
        """Whether a name is there without the line that gives it."""
        if kind == "variable":
            if self.state is not None and name in self.state.lost_variables:
                return name in self.own_names
            if name in self.environment or name in self.own_names:
                return True
            if name in SPECIAL_PARAMETERS[names.script.dialect] - _FILLED:
                return True
        if kind == "command":
            return self._runs(name, names.script.dialect)
        return self.state is not None and self.state.has(name, kind)

    def _runs(self, name: str, dialect: Dialect) -> bool:
        """Whether a command is a builtin, a program on the path, or the session's own."""
        if name in BUILTINS[dialect] or name in RESERVED_WORDS or not _PLAIN_NAME.fullmatch(name):
            return True
        if self.state is not None and any(self.state.has(name, it) for it in ("function", "alias")):
            return True
        return shutil.which(name, path=self.environment.get("PATH", os.defpath)) is not None

    def is_in(self, changes: Sequence[str]) -> bool:
        """Whether the folder is the one that these changes lead to, or they were made in the session."""
        wanted = tuple(changes)
        if self.state is not None and self.state.changes[-len(wanted) :] == wanted:
            return True
        place = self.after(wanted)
        return place is not None and os.path.normpath(place) == os.path.normpath(self.folder)

    def after(self, changes: Sequence[str]) -> str | None:
        """Where these changes lead, as far as their words tell."""
        place: str | None = self.start
        for change in changes:
            place = _joined(place, change)
        return place


def missing_of(
    names: Names,
    span: Span,
    there: Surroundings,
    *,
    given: Mapping[Span, frozenset[str]] | None = None,
    is_typed: bool = False,
) -> Dependencies:
    """What is missing for the commands in `span`; `is_typed` of a text that a reader types block by block.

    `given` are the functions of files that the text sources, by the word that names the file, with `""` where
    it may give others too.
    """

    def is_in(changes: Sequence[str]) -> bool:
        return there.is_in(changes) or (is_typed and _begins_nowhere(names, there, changes))

    knows = partial(there.knows, names)
    return dependencies(names, span, knows, is_in, given)


def _begins_nowhere(names: Names, there: Surroundings, changes: Sequence[str]) -> bool:
    """Whether a text begins with a `cd` to a folder of the reader's, which is not here: an example.

    Nothing before it could make the folder, and no later one leads to another that is there.
    """
    first = names.script.pipelines[0].segments[0]
    if first.command_word not in {"cd", "pushd"}:
        return False
    places = (there.after(changes[:1]), there.after(changes))
    return all(place is not None and not os.path.isdir(place) for place in places)


def offered_text(names: Names, offer: Sequence[Span], line: str | None = None) -> str:
    """The commands as one text, whose shell ends at the first that fails; `line` is a last one."""
    texts = [names.script.source(span) for span in offer]
    if line is not None:
        texts.append(line)
    return f"\n{STOP_AT_FAILURE}\n".join(text.rstrip("\n") for text in texts)


def warnings(missing: Sequence[Missing]) -> tuple[Insight, ...]:
    """An insight for each line that gives something that is missing."""
    return tuple(Insight(Level.WARNING, it, "missing-names") for it in sentences(missing))


def in_one_sentence(missing: Sequence[Missing]) -> str:
    """All that is missing, as a question is asked about it."""
    if len({it.line for it in missing}) == 1:
        return sentences(missing)[0]
    names = ", ".join(f"{it.name} (line {it.line + 1})" for it in missing)
    return f"Given above and not in this session: {names}."


def sentences(missing: Sequence[Missing]) -> list[str]:
    """What is missing, a sentence for each line that gives it."""
    lines: dict[int, list[str]] = {}
    for it in missing:
        lines.setdefault(it.line, []).append(it.name)
    return [
        f"{', '.join(dict.fromkeys(names))} given on line {line + 1}, not in this session."
        for line, names in lines.items()
    ]


def _joined(place: str | None, change: str) -> str | None:
    """Where a `cd` from `place` leads, as far as its words tell."""
    if place is None or any(sign in change for sign in "$`*?["):
        return None
    try:
        words = shlex.split(change)
    except ValueError:
        return None
    if len(words) != 1:
        return None
    folder = os.path.expanduser(change) if change.startswith("~") else words[0]
    return os.path.join(place, folder)
