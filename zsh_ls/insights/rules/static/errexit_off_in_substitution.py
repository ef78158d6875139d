"""Rule `errexit-off-in-substitution`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import COMMAND_SUBSTITUTIONS, PipelinePlace, ScriptModel
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level

from .errexit_off_in_condition import passed_over


@rule(RuleKind.STATIC, Level.WARNING, unproven=True, judged="8 of 11")
def errexit_off_in_substitution(model: ScriptModel) -> Iterator[Insight]:
    """In bash a function called in `$(…)` runs without `errexit`.

    Only the exit of its last command comes back; a step that fails in the
    middle is passed over.

        #!/bin/bash
        set -e
        build() {
          make
          cp app.tar build/app.tar
          echo build/app.tar
        }
        package=$(build)
        #^^^^^^^^^^^^^^^ warning: bash drops errexit in $(build): a failing 'make' does not stop it
        scp "$package" web:

    `shopt -s inherit_errexit` keeps it, as zsh and sh always do:

        #!/bin/bash
        set -e
        shopt -s inherit_errexit
        build() {
          make
          cp app.tar build/app.tar
          echo build/app.tar
        }
        package=$(build)
        scp "$package" web:
    """
    if model.dialect is not Dialect.BASH or not model.functions or model.is_test_suite:
        return
    # The function is where it is mended, however often it is called.
    told: set[str] = set()
    for place in model.places:
        substitution, owner = place.substitution, place.owner
        if substitution is None or owner is None or place.only is None or not place.only.words:
            continue
        is_whole = len(substitution.pipelines) == 1
        if not is_whole or substitution.kind not in COMMAND_SUBSTITUTIONS:
            continue
        name = place.only.command_word
        if name not in model.functions or not _asks_for_errexit(owner):
            continue
        risk = None if name in told else passed_over(model, model.functions[name])
        if risk is not None:
            told.add(name)
            text = model.first_line(risk.span)
            message = f"bash drops errexit in $({name}): a failing '{text}' does not stop it"
            message += model.goes_on(risk)
            yield model.warning(message, owner.span, risk)


def _asks_for_errexit(owner: PipelinePlace) -> bool:
    while owner.owner is not None:
        owner = owner.owner
    return owner.context.errexit is Setting.ON and not owner.is_forgiven
