"""Rule `condition-without-then`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import BodyForm, Dialect, Role, Segment, SegmentKind
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
    """
    if model.dialect is not Dialect.ZSH:
        return
    for place in model.places:
        for segment in place.pipeline.segments:
            if segment.kind is SegmentKind.IF and _lacks_a_body(segment):
                yield Insight(
                    Level.WARNING,
                    "this if has no then: what follows runs always, as part of its condition",
                    span=Span(segment.span.start, segment.span.start + len("if")),
                )


def _lacks_a_body(segment: Segment) -> bool:
    """Whether a condition of several commands is followed by nothing."""
    return any(
        condition.role is Role.CONDITION
        and len(condition.pipelines) > 1
        and body.form is BodyForm.SHORT
        and not body.pipelines
        for condition, body in pairwise(segment.bodies)
    )
