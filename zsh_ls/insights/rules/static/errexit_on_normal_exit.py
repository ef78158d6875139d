"""Rule `errexit-on-normal-exit`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.place import Place
from zsh_ls.insights.reading import COMMAND_SUBSTITUTIONS, Reading
from zsh_ls.insights.registry import Kind, rule
from zsh_ls.insights.script_words import has_flag
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Pipeline, Segment
from zsh_ls.model.words import Level
from zsh_ls.shell.exits import FILES_DIFFER, NO_MATCH, normal_meaning

ONLY_REAL_FAILURES = " || [ $? -eq 1 ]"


@rule(Kind.STATIC, Level.WARNING)
def errexit_on_normal_exit(reading: Reading) -> Iterator[Insight]:
    """Under `errexit`, an answer that is no failure ends the script.

    grep exits 1 when nothing matches, diff when files differ. Where their
    output is what is wanted, an empty answer ends the script without a word.

        #!/bin/bash
        set -e
        users=$(grep '^web' /etc/passwd)
        #       ^^^^^^^^^^^^^^^^^^^^^^^ warning: grep exits 1 for "no match", and errexit ends the script
        echo "$users"

    The fix lets 1 pass and still stops for 2, which is trouble. A search whose
    output nobody takes is an assertion, and is meant to stop:

        #!/bin/bash
        set -e
        users=$(grep '^web' /etc/passwd || true)
        grep -q '^root' /etc/passwd
        echo "$users"
    """
    for place in reading.places:
        if not place.ends_the_script or place.pipeline.negated or place.is_last_of_script:
            continue
        for segment in _deciding(place):
            command = reading.command(segment)
            meaning = normal_meaning(command, 1)
            if meaning in {NO_MATCH, FILES_DIFFER} and not _is_quiet(reading, segment):
                yield Insight(
                    Level.WARNING,
                    f'{command} exits 1 for "{meaning}", and errexit ends the script',
                    span=segment.span,
                    fix=reading.appended(place, ONLY_REAL_FAILURES, "Let exit 1 pass"),
                )


def _deciding(place: Place) -> Sequence[Segment]:
    """The segments whose exit decides here: the last ones, under `pipefail` all."""
    whole = place.context.pipefail is Setting.ON
    only = place.only
    if only is None or only.words:
        return _of(place.pipeline, whole)
    assigned = [one for one in only.substitutions if one.kind in COMMAND_SUBSTITUTIONS]
    if not only.assignments or not assigned or not assigned[-1].pipelines:
        return ()
    return _of(assigned[-1].pipelines[-1], whole)


def _of(pipeline: Pipeline, whole: bool) -> Sequence[Segment]:
    if pipeline.negated:
        return ()
    return pipeline.segments if whole else pipeline.segments[-1:]


def _is_quiet(reading: Reading, segment: Segment) -> bool:
    """Whether only the exit is wanted, so that 1 is meant to stop."""
    words = reading.words(segment)
    targets = {reading.source(one.target) for one in segment.redirections if one.operator != "<"}
    return "/dev/null" in targets or has_flag(words, "q", "--quiet", "--silent", "--brief")
