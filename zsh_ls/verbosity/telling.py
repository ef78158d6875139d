"""The lines of an output that say why it failed, found by the marks that the resolver goes by (ANS-7)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zsh_ls.model.terminal_text import render

from . import salience
from .lines import RenderedLines
from .results import passed_lines
from .rules import rules

LONGEST_CHARS = 240
# `Traceback:`, `Errors:`: what it is about comes below.
_HEADING = re.compile(r"\w+:|\W*")
# Where it was called from says nothing of what went wrong.
_FRAME = re.compile(r"at .*:\d+:\d+\)?(?: \{)?")
# The lines of a difference that pytest draws below what it says.
_DIFFERENCE = re.compile(r"E(?:\s+[-+?].*)?")
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
    of_others = (_HEADING, _FRAME, _DIFFERENCE)
    found = [
        at for at in found if not any(it.fullmatch(lines.rows[at].strip()) for it in of_others)
    ]
    rows = [lines.rows[at].strip(_RULES) for at in salience.spread(found, most)]
    if not rows and not only_marked:
        rows = [row.strip() for row in lines.rows if row.strip()][-min(most, 3) :]
    return tuple(dict.fromkeys(row[:LONGEST_CHARS] for row in rows if row))


def _end(lines: RenderedLines, block: Sequence[int]) -> int:
    """The line of a traceback that says what happened: JavaScript says it above the frames, others below."""
    first = next(
        (at for at, row in enumerate(block) if _FRAME.fullmatch(lines.rows[row].strip())), 0
    )
    said = (row for row in reversed(block[:first]) if lines.rows[row].strip())
    return next(said, block[-1])
