"""The simple command whose exit is the exit of a whole text."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.model.syntax import Pipeline, Segment, SegmentKind

_TRANSPARENT = frozenset({SegmentKind.SUBSHELL, SegmentKind.GROUP})
_SIMPLE = frozenset({SegmentKind.SIMPLE, SegmentKind.CONDITION, SegmentKind.ARITHMETIC})


def last_simple(pipelines: Sequence[Pipeline]) -> Segment | None:
    """The last segment of the last pipeline, looked for inside `( … )` and `{ …; }` too.

    None where a compound command gives the exit: which of its commands did is
    known only to the shell.
    """
    while pipelines and pipelines[-1].segments:
        segment = pipelines[-1].segments[-1]
        if segment.kind in _SIMPLE:
            return segment
        if segment.kind not in _TRANSPARENT or not segment.bodies:
            return None
        pipelines = segment.bodies[-1].pipelines
    return None
