"""Rule `unknown-ignore`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.reading import Reading
from zsh_ls.insights.registry import Kind, nearest_names, rule, rule_named
from zsh_ls.insights.suppression import ignores
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.words import Level


@rule(Kind.STATIC, Level.WARNING)
def unknown_ignore(reading: Reading) -> Iterator[Insight]:
    """A comment that ignores a rule names none that exists, and silences nothing.

        make | tee log  # zsh-ls: ignore=masked-build-failur
        #                                ^^^^^^^^^^^^^^^^^^^ warning: no rule is called 'masked-build-failur'

    The name of a rule that has nothing to say here is no mistake:

        make  # zsh-ls: ignore=masked-build-failure
    """
    for ignore in ignores(reading.script):
        for name, span in ignore.names:
            if rule_named(name) is None:
                near = nearest_names(name)[:1]
                advice = f"; did you mean {near[0]}?" if near else ""
                fix = Fix(f"Write {near[0]}", (Replacement(span, near[0]),)) if near else None
                yield Insight(
                    Level.WARNING, f"no rule is called '{name}'{advice}", span=span, fix=fix
                )
