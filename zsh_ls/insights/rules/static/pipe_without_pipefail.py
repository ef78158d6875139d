"""Rule `pipe-without-pipefail`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.facts import Trait, has_trait
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

from .masked_build_failure import reads_pipestatus


@rule(RuleKind.STATIC, Level.WARNING, unproven=True, is_off=True)
def pipe_without_pipefail(model: ScriptModel) -> Iterator[Insight]:
    """A command fails in a pipe, and the exit is that of the last command.

    In a Dockerfile that exit decides whether the image is built: with a download that failed halfway it
    is built all the same. There the rule is on (hadolint knows it as DL4006), and
    `SHELL ["/bin/bash", "-o", "pipefail", "-c"]` above makes the failure count. In scripts it is off by
    default, for often the exit of a pipe does not matter.

        #!/bin/sh
        wget -O - https://example.org/list | sort > list
        #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: a failure of wget is not seen: the exit is that of sort

    Commands that only say something cannot fail:

        #!/bin/sh
        echo b a | sort > list
    """
    for place in model.piped:
        if place.context.pipefail is not Setting.OFF or reads_pipestatus(model, place):
            continue
        *producers, last = place.pipeline.segments
        for segment in producers:
            command, words = model.command(segment), model.words(segment)
            if command and not has_trait(Trait.SAYS, command, words):
                message = (
                    f"a failure of {command} is not seen: the exit is that of {model.command(last)}"
                )
                yield model.warning(message, segment.span, segment)
                break
