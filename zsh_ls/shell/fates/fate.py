"""The fate of a command: what becomes of the script when that command fails."""

# No `from __future__ import annotations`: cattrs takes the types of a NamedTuple as they stand.

from enum import StrEnum

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span

from .because import Rule


class FateKind(StrEnum):
    """What follows a failure; the worst is first, as where a function is called more than once."""

    # They are in keys all the time, and that of enumerations is written in Python.
    __hash__ = str.__hash__

    UNNOTICED = "unnoticed"
    STOPS_SILENTLY = "stops-silently"
    UNKNOWN = "unknown"
    REPORTED = "reported"
    HANDLED = "handled"
    STOPS = "stops"


class Fate(NamedTuple):
    """The fate of the command at `span`; lines and columns count from 1, in characters.

    `because` says in one sentence what decides it. `then_line` is the line that runs next, `exit`
    the status that the script ends with; each is None where it is not known. `others` says how
    many calls of its function give it another fate (at most 8 are counted of each).
    """

    span: Span
    line: int
    column: int
    end_line: int
    end_column: int
    command: str
    fate: FateKind
    because: str
    then_line: int | None = None
    exit: int | None = None
    others: tuple[tuple[FateKind, int], ...] = ()
    rule: Rule | None = None
    """What decides it, for who asks and does not read `because`."""
