"""Rule `late-pipestatus`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.lazy import re
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level

READ = {
    Dialect.BASH: re.compile(r"\$\{[#!]?PIPESTATUS\b[^}]*\}|\$PIPESTATUS\b"),
    Dialect.ZSH: re.compile(r"\$\{[#]?pipestatus\b[^}]*\}|\$pipestatus\b(?:\[[^]]*\])?"),
}
# Messages, tests and assignments: nobody asks for theirs.
SAYS_NOTHING = re.compile(r"(?:echo|print|printf|:|true|local|test|\[\[?|\(\()(?:\s|\Z|\()|\w+\+?=")


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
        if not any(len(before.segments) > 1 for before in place.before):
            continue
        first = model.first_simple(place.pipeline)
        found = None if first is None else model.read_in_words(first, pattern)
        if found is not None and _is_late(model, found):
            name = "PIPESTATUS" if model.dialect is Dialect.BASH else "pipestatus"
            yield Insight(
                Level.WARNING,
                f"{name} is that of the command just before, not of the pipeline any more",
                span=found,
            )


def _is_late(model: ScriptModel, span: Span) -> bool:
    """Whether what is read is certainly of single commands that say nothing of their own."""
    read = model.read_at(span)
    if read is None or read.unknown or not read.pipelines:
        return False
    return all(
        len(segments) == 1 and SAYS_NOTHING.match(segments[0].command) is not None
        for segments in read.pipelines
    )
