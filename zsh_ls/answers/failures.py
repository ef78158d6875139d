"""The fates of a script's commands as they are told: entries, counts and sentences (FATE-3, 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import Script
from zsh_ls.shell.fates import Fate, FateKind, Sources, fates


@attrs.frozen
class FateCounts:
    """How many commands have each fate."""

    stops: int = 0
    stops_silently: int = 0
    handled: int = 0
    reported: int = 0
    unnoticed: int = 0
    unknown: int = 0

    @property
    def total(self) -> int:
        """How many commands there are."""
        return sum(attrs.astuple(self))


@attrs.frozen
class Failures:
    """What becomes of a script when each of its commands fails, in the order of the text."""

    commands: tuple[Fate, ...]
    counts: FateCounts


@attrs.frozen
class FateEntry:
    """One command's fate; lines and columns count from 1, columns in characters.

    `then_line` is the line that runs next, `exit` what the script ends with, where they are known.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    command: str
    fate: FateKind
    because: str
    then_line: int | None = None
    exit: int | None = None


def failures_of(script: Script, sources: Sources | None = None) -> Failures:
    """The fates of a script, and how many there are of each; `sources` knows the files that it sources."""
    found = fates(script, sources=sources)
    return Failures(found, counts_of(found))


def counts_of(found: Iterable[Fate]) -> FateCounts:
    """How many of these have each fate."""
    kinds = Counter(str(it.fate).replace("-", "_") for it in found)
    return FateCounts(**kinds)


def entry_of(fate: Fate) -> FateEntry:
    """A fate as the command line and agents are told of it."""
    return FateEntry(
        fate.line,
        fate.column,
        fate.end_line,
        fate.end_column,
        fate.command,
        fate.fate,
        reason(fate),
        fate.then_line,
        fate.exit,
    )


# What follows a count, of one command and of several; fates that none has are not named.
_SUM = (
    ("stops", "stops the script", "stop the script"),
    ("stops_silently", "stops it with exit 0", "stop it with exit 0"),
    ("handled", "handled", "handled"),
    ("reported", "reported by the exit", "reported by the exit"),
    ("unnoticed", "fails unnoticed", "fail unnoticed"),
    ("unknown", "unknown", "unknown"),
)


def sum_line(counts: FateCounts) -> str:
    """All counts in one line: `23 commands: 14 stop the script, 4 handled, 5 fail unnoticed`."""
    numbers = ((getattr(counts, name), one, many) for name, one, many in _SUM)
    parts = [f"{number} {one if number == 1 else many}" for number, one, many in numbers if number]
    commands = "1 command" if counts.total == 1 else f"{counts.total} commands"
    return f"{commands}: {', '.join(parts)}" if parts else commands


def unnoticed_line(counts: FateCounts) -> str:
    """How many of a script's commands fail unnoticed: `5 of 23 can fail unnoticed`."""
    return f"{counts.unnoticed} of {counts.total} can fail unnoticed"


def sentence(fate: Fate) -> str:
    """What becomes of the script when one command fails, and what decides it."""
    return f"If this fails, {_follows(fate)}: {reason(fate)}."


def reason(fate: Fate) -> str:
    """What decides a fate, and how many calls of its function give the command another one.

    As in `errexit is ignored … (at other calls: 2 handled, 1 stops)`; the worst is told.
    """
    others = ", ".join(f"{count} {kind.value}" for kind, count in fate.others)
    return f"{fate.because} (at other calls: {others})" if others else fate.because


def _follows(fate: Fate) -> str:
    exits = "" if fate.exit is None else f" with exit {fate.exit}"
    elsewhere = fate.then_line not in {None, fate.line}
    line = f", line {fate.then_line} runs next" if elsewhere else ""
    match fate.fate:
        case FateKind.STOPS:
            return f"the script stops{exits}"
        case FateKind.STOPS_SILENTLY:
            return "the script stops with exit 0, as if nothing had failed"
        case FateKind.HANDLED:
            return f"something else runs than without that{line}"
        case FateKind.REPORTED:
            return f"the same commands run and the script ends{exits}"
        case FateKind.UNNOTICED:
            return f"nothing notices{line}"
        case FateKind.UNKNOWN:
            return "what follows cannot be told from the text"
