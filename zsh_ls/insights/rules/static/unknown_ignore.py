"""Rule `unknown-ignore`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from zsh_ls.insights.registry import RuleKind, nearest_names, rule, rule_named
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.insights.suppression import ignores
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.words import Level

# Whoever has more of them has one mistake.
MOST = 20
LONGEST_NAME = 60


@rule(RuleKind.STATIC, Level.WARNING)
def unknown_ignore(model: ScriptModel) -> Iterator[Insight]:
    """A comment that ignores a rule names none that exists, and silences nothing.

        make | tee log  # zsh-ls: ignore=masked-build-failur
        #                                ^^^^^^^^^^^^^^^^^^^ warning: no rule is called 'masked-build-failur'

    The name of a rule that has nothing to say here is no mistake:

        make  # zsh-ls: ignore=masked-build-failure
    """
    named = [each for ignore in ignores(model.script) for each in ignore.names]
    unknown = ((name, span) for name, span in named if rule_named(name) is None)
    for name, span in islice(unknown, MOST):
        near = nearest_names(name[:LONGEST_NAME])[:1]
        advice = f"; did you mean {near[0]}?" if near else ""
        fix = Fix(f"Write {near[0]}", (Replacement(span, near[0]),)) if near else None
        message = f"no rule is called '{name[:LONGEST_NAME]}'{advice}"
        yield Insight(Level.WARNING, message, span=span, fix=fix)
