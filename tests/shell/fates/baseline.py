"""A naive guess at fates, which the analysis has to beat: each pipeline by its own line's context.

A command stops the script where errexit is on and nothing checks its status; it is handled where
something does, unnoticed where a later segment hides it, reported where it is the last of the text,
and unnoticed elsewhere. Nothing is known of calls, substitutions, traps or jobs.
"""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.model.context import Setting, StatusCheck
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.syntax.parser import parse


def baseline(text: str, dialect: Dialect) -> Mapping[int, str]:
    """The guess for each command, by the offset where it begins."""
    script = parse(text, dialect)
    last = script.pipelines[-1].span.start if script.pipelines else -1
    found: dict[int, str] = {}
    for placed in contexts(script):
        context, pipeline = placed.context, placed.pipeline
        for position, segment in enumerate(pipeline.segments):
            start = segment.words[0].start if segment.words else segment.span.start
            hidden = position < len(pipeline.segments) - 1 and context.pipefail is not Setting.ON
            if hidden or context.checked is StatusCheck.MASKED or context.background:
                fate = "unnoticed"
            elif context.checked is not StatusCheck.NONE:
                fate = "handled"
            elif context.errexit is Setting.ON:
                fate = "stops"
            else:
                fate = "reported" if pipeline.span.start == last else "unnoticed"
            found[start] = fate
    return found
