"""Rule `errexit-off-after-not`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.facts import Trait, has_trait
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.model.context import Setting, StatusCheck
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, SegmentKind
from zsh_ls.model.words import Level


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def errexit_off_after_not(model: ScriptModel) -> Iterator[Insight]:
    """Under `errexit`, `! grep -q …` checks nothing: the script goes on either way.

    `errexit` ignores a command with `!` before it, whatever its exit.

        #!/bin/bash
        set -e
        ! grep -q TODO main.c
        #^^^^^^^^^^^^^^^^^^^^ warning: errexit ignores a command after !: nothing happens where
        make

    An `if`, or `|| exit`, takes its answer:

        #!/bin/bash
        set -e
        if grep -q TODO main.c; then
          exit 1
        fi
        ! grep -q FIXME main.c || exit 1
        make
    """
    for place in model.places:
        only = place.only
        if only is None or not place.pipeline.negated or place.context.errexit is not Setting.ON:
            continue
        if place.context.checked is not StatusCheck.NEGATED or place.context.background:
            continue
        before = place.siblings[place.position - 1] if place.position else None
        joined = before is not None and before.connector is not Connector.NONE
        if joined or place.pipeline.connector is not Connector.NONE:
            continue
        asks = only.kind is SegmentKind.CONDITION or has_trait(
            Trait.TEST, model.command(only), model.words(only)
        )
        if (
            not asks
            or place.next is None
            or model.status_read(place.next) is not None
            or not model.is_unnoticed(only)
        ):
            continue
        text = model.first_line(only.span)
        yield model.warning(
            f"errexit ignores a command after !: nothing happens where '{text}' succeeds",
            place.span,
            only,
        )
