"""Which lines of shell are calls of this program: memory knows of what these ran without the line."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.model.syntax import Segment, SegmentKind

from .words import ParsedWords, read
from .wrappers import base_name, look_through

NAME = "zsh-ls"
_REMEMBERED = ("run", "trace")
# Parsing takes some 20 s per megabyte.
_LONGEST_READ = 16_384


def begins_with_ours(command: str) -> bool:
    """Whether the first command of a line is this program."""
    if NAME not in command:
        return False
    reading = read(command[:_LONGEST_READ])
    pipelines = reading.script.pipelines
    return bool(pipelines) and bool(_words_of_ours(reading, pipelines[0].segments[0]))


def remembers_itself(command: str) -> bool:
    """Whether a line is one of ours, and no more, that tells memory of what it ran.

    With more behind it (`zsh-ls run make && ./app`) it is a line of its own.
    """
    if NAME not in command:
        return False
    reading = read(command[:_LONGEST_READ])
    pipelines = reading.script.pipelines
    if len(pipelines) != 1 or len(pipelines[0].segments) != 1:
        return False
    words = _words_of_ours(reading, pipelines[0].segments[0])
    return len(words) > 2 and words[1] in _REMEMBERED


def _words_of_ours(reading: ParsedWords, segment: Segment) -> Sequence[str]:
    """The segment's words from this program's name on, past assignments and wrappers; else none."""
    if segment.kind is not SegmentKind.SIMPLE:
        return ()
    words = reading.commands[segment.span].texts
    at = look_through(words)
    return words[at:] if at < len(words) and base_name(words[at]) == NAME else ()
