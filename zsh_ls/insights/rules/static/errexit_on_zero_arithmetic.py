"""Rule `errexit-on-zero-arithmetic`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zsh_ls.insights.place import Place
from zsh_ls.insights.reading import Reading
from zsh_ls.insights.registry import Kind, rule
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import SegmentKind
from zsh_ls.model.words import Level

STEP = re.compile(r"\(\(\s*(\w+)(?:\+\+|--)\s*\)\)|let\s+[\"']?(\w+)(?:\+\+|--)[\"']?")


@rule(Kind.STATIC, Level.WARNING, unproven=True)
def errexit_on_zero_arithmetic(reading: Reading) -> Iterator[Insight]:
    """Under `errexit`, counting up from 0 ends the script.

    An arithmetic command exits 1 when its value is 0, and `n++` has the value
    from before the step.

        #!/bin/bash
        set -e
        n=0
        for file in *.txt; do
          (( n++ ))
        # ^^^^^^^^^ warning: '(( n++ ))' exits 1 when n is 0, and errexit ends the script
        done

    The fix lets that exit pass. `(( ++n ))` and an assignment have no such
    trouble:

        #!/bin/bash
        set -e
        n=0
        for file in *.txt; do
          n=$(( n + 1 ))
        done
    """
    for place in reading.places:
        name = _stepped(reading, place)
        if name and place.ends_the_script and _begins_at_zero(reading, name, place.span.start):
            text = reading.source(place.span)
            yield Insight(
                Level.WARNING,
                f"'{text}' exits 1 when {name} is 0, and errexit ends the script",
                span=place.span,
                fix=reading.appended(place, " || true", "Let the exit pass"),
            )


def _stepped(reading: Reading, place: Place) -> str | None:
    only = place.only
    if only is None or only.kind not in {SegmentKind.ARITHMETIC, SegmentKind.SIMPLE}:
        return None
    found = STEP.fullmatch(reading.source(only.span))
    return None if found is None else found[1] or found[2]


def _begins_at_zero(reading: Reading, name: str, before: int) -> bool:
    return reading.mentions(rf"(?<![\w$]){name}=[\"']?0[\"']?(?![\w.])", end=before)
