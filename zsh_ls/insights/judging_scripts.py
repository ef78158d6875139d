"""Which rules speak of a script, and where nothing is said."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from zsh_ls.lazy import re
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.syntax.parser import parse

if TYPE_CHECKING:
    from zsh_ls.shell.fates import Sources

# Without an end of line, a list, a pipe, an expansion or a comment, no rule has anything to speak of.
_ONE_PLAIN_COMMAND = re.compile(r"[A-Za-z0-9_./,+:@%= -]*")


def static(
    text: str, dialect: Dialect, sources: Sources | None = None, named: Set[str] = frozenset()
) -> list[Insight]:
    """The static rules' insights about a script, in the order of its text (DOC-5).

    The rules are those that are on by default, and those that are `named`.

    Spans are of `text`; insights that `# zsh-ls: ignore=…` comments or ShellCheck
    directives suppress are left out. `sources` knows the files that it sources (FATE-12).
    """
    return static_of(parse(text, dialect), sources, named)


def static_of(
    script: Script, sources: Sources | None = None, named: Set[str] = frozenset()
) -> list[Insight]:
    """`static` of a script that is parsed already.

    In a template nothing is said near a placeholder, and of a script that another language's interpreter
    reads nothing behind the line that starts it (FATE-11).
    """
    # What follows is large, and most explanations are of one command.
    if _ONE_PLAIN_COMMAND.fullmatch(script.text):
        return []
    from zsh_ls.shell.syntax.templates import placeholders  # noqa: PLC0415

    spots = placeholders(script.text)
    if spots:
        return _static_of_template(script, spots, named)
    return _found_in(script, sources, named)


def _static_of_template(script: Script, spots: Sequence[Span], named: Set[str]) -> list[Insight]:
    from zsh_ls.shell.syntax.lines import LineIndex  # noqa: PLC0415
    from zsh_ls.shell.syntax.templates import lines_near, without_placeholders  # noqa: PLC0415

    unsure = lines_near(script.text, spots)
    lines = LineIndex(script.text)
    plain = parse(without_placeholders(script.text, spots), script.dialect)
    found = _found_in(plain, None, named)
    return [
        each
        for each in found
        if each.span is None
        or unsure.isdisjoint(
            range(lines.line_of(each.span.start), lines.line_of(each.span.end) + 1)
        )
    ]


def _found_in(script: Script, sources: Sources | None, named: Set[str]) -> list[Insight]:
    from zsh_ls.shell.syntax.error_policy import lines_of_shell  # noqa: PLC0415
    from zsh_ls.system.sorting import sorted_in_turns  # noqa: PLC0415
    from zsh_ls.system.taking_down import take_down  # noqa: PLC0415

    from .registry import RuleKind, rules_of  # noqa: PLC0415
    from .script_model import ScriptModel  # noqa: PLC0415
    from .suppression import without_disabled, without_ignored  # noqa: PLC0415

    model = ScriptModel(script, sources)
    rules = [it for it in rules_of(RuleKind.STATIC) if not it.is_off or it.name in named]
    found = [each for rule in rules for each in rule.insights(model)]
    found = [each for each in found if each.span is None or each.span.start < model.end]
    last = lines_of_shell(script)
    if last <= script.text.count("\n"):
        found = [each for each in found if each.span is None or _line(script, each.span) < last]
    shown = without_disabled(script, without_ignored(script, found))
    made: list[object] = [model]
    del model
    take_down(made)
    return sorted_in_turns(shown, lambda each: each.span or (0, 0))


def _line(script: Script, span: Span) -> int:
    return script.text.count("\n", 0, span.start)
