"""The lines of an output that say why it failed, found by the marks that the resolver goes by (ANS-7)."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import re
from zsh_ls.model.terminal_text import render

from . import salience
from .lines import RenderedLines
from .results import passed_lines
from .rules import rules

LONGEST_CHARS = 240
# Empty lines stand between an announcement and what it announces.
MOST_BELOW = 4
# `Traceback:`, `Errors:`: what it is about comes below. `FAIL` says what the exit does.
_HEADING = re.compile(r"\w+:|\W*|FAIL(?:ED)?|ERROR")
# TAP's reports of node: the kind of an error, not the error.
_KIND = re.compile(r"(?:name|code|type|failureType): '.*'")
# Where pytest was in the program.
_SOURCE = re.compile(r">\s{3,}.*")
# Rust says both values in the two lines below.
_COMPARED = re.compile(r"assertion `left \S+ right` failed")
_BLOCK = re.compile(r"\w+: [|>]-?")
# Where it was called from says nothing of what went wrong.
_FRAME = re.compile(r"at .*:\d+:\d+\)?(?: \{)?")
# The lines of a difference that pytest draws below what it says.
_DIFFERENCE = re.compile(r"E(?:\s+[-+?].*)?")
# make says that a step failed, and above it the step has said why.
_OF_MAKE = re.compile(r"g?make(?:\[\d+\])?: \*\*\* .*\bError \d+.*")
# Runners draw them around a title.
_RULES = " \t_=-─━"


def telling_lines(output: str, most: int, *, only_marked: bool = False) -> Sequence[str]:
    """At most `most` lines: errors, the last line of each traceback; else the last ones that say anything.

    With `only_marked` none of the latter.
    """
    lines = RenderedLines.of(render(output))
    blocks = salience.tracebacks(lines)
    ends = {_end(lines, block) for block in blocks}
    inside = {at for block in blocks for at in block} - ends
    errors = salience.few_of_each(lines, salience.matching(lines, rules().strong_error), 3)
    # Tests that passed have names such as "should catch the error".
    found = sorted((set(errors) - inside - set(passed_lines(lines))) | ends)
    of_others = (_HEADING, _FRAME, _DIFFERENCE, _KIND, _SOURCE)
    found = [
        at for at in found if not any(it.fullmatch(lines.rows[at].strip()) for it in of_others)
    ]
    if found and all(_OF_MAKE.fullmatch(lines.rows[at].strip()) for at in found):
        above = (at for at in range(found[0] - 1, -1, -1) if lines.rows[at].strip())
        found = [*(at for at in [next(above, None)] if at is not None), *found]
    rows = [_whole(lines, at) for at in salience.spread(found, most)]
    if not rows and not only_marked:
        rows = [row.strip() for row in lines.rows if row.strip()][-min(most, 3) :]
    return tuple(dict.fromkeys(row[:LONGEST_CHARS] for row in rows if row))


def _whole(lines: RenderedLines, at: int) -> str:
    """The line; what it announces (`…:`, or a block of YAML) with it: `… strictly equal: 205 !== 204`."""
    said = lines.rows[at].strip()
    if _COMPARED.match(said):
        return " ".join([said, *(row.strip() for row in lines.rows[at + 1 : at + 3])])
    is_block = _BLOCK.fullmatch(said)
    if not is_block and not said.endswith(":"):
        return said.strip(_RULES)
    below = iter(range(at + 1, min(at + 1 + MOST_BELOW, len(lines.rows))))
    text = next((row for it in below if (row := lines.rows[it].strip())), "")
    if is_block:
        more = next((row for it in below if (row := lines.rows[it].strip())), "")
        return f"{text} {more}" if text.endswith(":") else text
    return f"{said.strip(_RULES)} {text}".rstrip()


def _end(lines: RenderedLines, block: Sequence[int]) -> int:
    """The line of a traceback that says what happened: JavaScript says it above the frames, others below."""
    first = next(
        (at for at, row in enumerate(block) if _FRAME.fullmatch(lines.rows[row].strip())), 0
    )
    said = (row for row in reversed(block[:first]) if lines.rows[row].strip())
    return next(said, block[-1])
