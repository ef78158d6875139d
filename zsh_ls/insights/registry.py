"""The registry of rules. A rule is a function in a module under `rules/<kind>/`.

Its name in kebab-case is the diagnostic's code. Its docstring is its documentation
in `docs/insights.md`, hovers and `zsh-ls rules NAME`, and its first test. Modules
are found by walking the package.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from zsh_ls.lazy import attrs
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.system.packages import module_names

Subject = TypeVar("Subject")
Check = Callable[[Subject], Iterable[Insight]]


class RuleKind(StrEnum):
    """What a rule checks."""

    BEFORE_RUN = "before a run"
    AFTER_RUN = "after a run"
    STATIC = "static"


@attrs.frozen
class Rule:
    """One rule.

    `order` sorts the rules of a kind. `on_lines` says that its warnings are also shown
    on lines of a script from history alone (DOC-4). `levels` are those of its insights.
    `unproven` says that too few findings on real scripts were reviewed
    (`tests/data/rule_verdicts`). `judged` is how many of its findings on real scripts were useful
    (`tests/evidence`), as `15 of 27`, where that is less than 90%. With `is_off` it is off by default.
    It answers to the names that it had `formerly` as well: comments in scripts name it for years.
    """

    name: str
    kind: RuleKind
    order: int
    levels: tuple[Level, ...]
    check: Callable[[Any], Iterable[Insight]]
    on_lines: bool = False
    unproven: bool = False
    judged: str = ""
    is_off: bool = False
    formerly: tuple[str, ...] = ()

    @property
    def page(self) -> str:
        """The rule's documentation in Markdown."""
        return inspect.getdoc(self.check) or ""

    @property
    def title(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0]

    def insights(self, subject: object) -> list[Insight]:
        """The rule's insights about `subject`; none, and a log entry, if it raises."""
        try:
            return [attrs.evolve(insight, rule=self.name) for insight in self.check(subject)]
        except Exception:
            import logging  # noqa: PLC0415  takes as long to load as the rules of a run

            logging.getLogger(__name__).exception("rule %s failed and is left out", self.name)
            return []


_rules: dict[str, Rule] = {}


def rule(
    kind: RuleKind,
    *levels: Level,
    order: int = 0,
    on_lines: bool = False,
    unproven: bool = False,
    judged: str = "",
    is_off: bool = False,
    formerly: tuple[str, ...] = (),
) -> Callable[[Check[Subject]], Check[Subject]]:
    """Register a function as the rule of its name: `masked_pipe_failure` is `masked-pipe-failure`."""

    def register(check: Check[Subject]) -> Check[Subject]:
        name = check.__name__.replace("_", "-")
        if name in _rules:
            raise ValueError(f"two rules are called {name}")
        _rules[name] = Rule(
            name, kind, order, levels, check, on_lines, unproven, judged, is_off, formerly
        )
        return check

    return register


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by kind and order."""
    return tuple(each for kind in RuleKind for each in rules_of(kind))


@cache
def rules_of(kind: RuleKind) -> tuple[Rule, ...]:
    """The rules of one kind in their order; those of other kinds are not loaded for it."""
    folder = importlib.import_module(f"{__package__}.rules.{kind.name.lower()}")
    for name in module_names(folder):
        importlib.import_module(name)
    found = [each for each in _rules.values() if each.kind is kind]
    return tuple(sorted(found, key=lambda each: (each.order, each.name)))


def rule_named(name: str) -> Rule | None:
    """The rule that has that name, or had it formerly, if there is one."""
    return next((each for each in all_rules() if name in (each.name, *each.formerly)), None)


def nearest_names(name: str) -> list[str]:
    """Up to three rule names that look like `name`, the nearest first."""
    from difflib import get_close_matches  # noqa: PLC0415

    return get_close_matches(name, [each.name for each in all_rules()])
