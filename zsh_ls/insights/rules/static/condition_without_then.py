"""Rule `condition-without-then`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    BodyForm,
    Connector,
    Dialect,
    Pipeline,
    Role,
    Segment,
    SegmentKind,
)
from zsh_ls.model.words import Level


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def condition_without_then(model: ScriptModel) -> Iterator[Insight]:
    """In zsh an `if` without `then` may parse: all of its list is then the condition.

    What looks like the body runs always, as the condition's last command.

        #!/bin/zsh
        prompt_host() {
          if [[ -n $SSH_CONNECTION ]]
        # ^^ warning: this if has no then: what follows runs always, as part of its condition
            print -n $HOST
        }

    zsh's short form has a body:

        #!/bin/zsh
        prompt_host() {
          if [[ -n $SSH_CONNECTION ]] print -n $HOST
        }

    Of one list joined by `&&` nothing runs that should not: `if [[ -n $a ]] && found+=$a`
    does what it does without the `if`.
    """
    # What zsh refuses does not run at all.
    if model.dialect is not Dialect.ZSH or any(one.fatal for one in model.script.problems):
        return
    for place in model.places:
        for segment in place.pipeline.segments:
            lacking = _without_body(model, segment) if segment.kind is SegmentKind.IF else None
            if lacking is None:
                continue
            yield Insight(
                Level.WARNING,
                f"this {model.source(lacking)} has no then: what follows runs always, "
                "as part of its condition",
                span=lacking,
            )


def _without_body(model: ScriptModel, segment: Segment) -> Span | None:
    """The `if` or `elif` whose condition of several commands is followed by nothing."""
    for condition, body in pairwise(segment.bodies):
        if (
            condition.role is Role.CONDITION
            and len(condition.pipelines) > 1
            and body.form is BodyForm.SHORT
            and not body.pipelines
            and not _is_one_list(condition.pipelines)
        ):
            start = condition.pipelines[0].span.start
            before = model.text.rfind("elif", segment.span.start, start)
            is_first = condition is segment.bodies[0]
            at, word = (segment.span.start, "if") if is_first or before < 0 else (before, "elif")
            return Span(at, at + len(word))
    return None


def _is_one_list(pipelines: Sequence[Pipeline]) -> bool:
    """Whether each runs only where the one before succeeds."""
    return all(one.connector is Connector.AND for one in pipelines[:-1])
