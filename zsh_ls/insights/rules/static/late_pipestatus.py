"""Rule `late-pipestatus`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Dialect, Pipeline, SegmentKind
from zsh_ls.model.words import Level

READ = {
    Dialect.BASH: re.compile(r"\$\{[#!]?PIPESTATUS\b[^}]*\}|\$PIPESTATUS\b"),
    Dialect.ZSH: re.compile(r"\$\{[#]?pipestatus\b[^}]*\}|\$pipestatus\b(?:\[[^]]*\])?"),
}
# zsh leaves `$pipestatus` alone in these; bash in none.
SPARED_BY_ZSH = {SegmentKind.ARITHMETIC, SegmentKind.CONDITION}


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def late_pipestatus(model: ScriptModel) -> Iterator[Insight]:
    """The exits of a pipeline's segments are kept until the next command only.

    In bash an assignment is a command too, so that a second look finds nothing
    of the pipeline any more.

        #!/bin/bash
        pg_dump shop | gzip > shop.gz
        dumped=${PIPESTATUS[0]}
        zipped=${PIPESTATUS[1]}
        #      ^^^^^^^^^^^^^^^^ warning: PIPESTATUS is that of the command just before

    Take them all at once. In zsh assignments and conditions leave
    `$pipestatus` as it was:

        #!/bin/zsh
        pg_dump shop | gzip > shop.gz
        dumped=$pipestatus[1]
        zipped=$pipestatus[2]
    """
    pattern = READ.get(model.dialect)
    if pattern is None or not pattern.search(model.text):
        return
    for place in model.places:
        previous = place.siblings[place.position - 1] if place.position else None
        if previous is None or not _overwrites(model, previous):
            continue
        first = model.first_simple(place.pipeline)
        if first is None:
            continue
        found = model.read_in_words(first, pattern)
        if found is not None and previous.connector is Connector.NONE:
            name = "PIPESTATUS" if model.dialect is Dialect.BASH else "pipestatus"
            yield Insight(
                Level.WARNING,
                f"{name} is that of the command just before, not of the pipeline any more",
                span=found,
            )


def _overwrites(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether a pipeline surely is one simple command that leaves exits of its own."""
    segment = pipeline.segments[0]
    if len(pipeline.segments) > 1 or pipeline.background or segment.kind is not SegmentKind.SIMPLE:
        return False
    if model.dialect is Dialect.ZSH:
        return model.command(segment) in {"echo", "print", "printf", ":", "local"}
    says = model.command(segment) in {"echo", "printf", ":", "[", "test"}
    assigns = bool(segment.assignments) and not segment.words and not segment.substitutions
    return says or assigns
