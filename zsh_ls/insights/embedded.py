"""Insights about shell inside other files (DOC-10): which rules hold there, and where the host has them."""

from __future__ import annotations

from collections.abc import Iterable, Set

from zsh_ls.lazy import attrs, re
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.shell.embedded.block import Block, host_line, renumbered
from zsh_ls.shell.embedded.hosts import HostKind

# Of rules that are off by default.
ON_IN: dict[HostKind, Set[str]] = {HostKind.DOCKERFILE: frozenset({"pipe-without-pipefail"})}
ONLY_IN_HOSTS = frozenset[str]().union(*ON_IN.values())
# They speak of what a script does next. A reader of Markdown looks before typing on, and make,
# just and Docker look at the exit of each line or instruction themselves.
OF_SCRIPTS = frozenset({"unchecked-cd", "background-exit-lost"})

# What a reader is to replace, as in `git clone <url>`: the shell reads redirections there.
_PLACEHOLDER = re.compile(r"<[A-Za-z][^<>\n;|&]*>")


def rules_on_in(kind: HostKind) -> Set[str]:
    """The rules that are on in the blocks of such a host beside those that are on by default."""
    return ON_IN.get(kind, frozenset())


def in_host(insights: Iterable[Insight], block: Block, host: str) -> list[Insight]:
    """The insights about a block as insights about its host; without those about what is not in it."""
    insights = list(insights)
    # Where a rule that is always on speaks of the same, it says more.
    said = {it.span for it in insights if it.rule not in ONLY_IN_HOSTS}
    wanted = (it for it in insights if it.rule not in ONLY_IN_HOSTS or it.span not in said)
    return [found for it in wanted if (found := _placed(it, block, host)) is not None]


def _placed(insight: Insight, block: Block, host: str) -> Insight | None:
    if insight.span is None or (block.is_typed and insight.rule in OF_SCRIPTS):
        return None
    if insight.rule == "syntax-error" and block.is_typed and _PLACEHOLDER.search(block.code):
        return None
    span = block.in_host(insight.span)
    if span is None:
        return None
    then_line = insight.then_line
    return attrs.evolve(
        insight,
        span=span,
        message=renumbered(insight.message, block, host),
        because=renumbered(insight.because, block, host),
        then_line=None if then_line is None else host_line(block, host, then_line - 1) + 1,
        fix=_fix(insight.fix, block),
    )


def _fix(fix: Fix | None, block: Block) -> Fix | None:
    """The edits as those of the host; None where its language would read them otherwise."""
    if fix is None or not block.is_verbatim:
        return None
    replacements = placed_edits([(it.span, it.text) for it in fix.replacements], block)
    if replacements is None:
        return None
    return Fix(fix.title, tuple(Replacement(span, text) for span, text in replacements))


def placed_edits(edits: Iterable[tuple[Span, str]], block: Block) -> list[tuple[Span, str]] | None:
    """Edits of a block as edits of its host; None where one of them stands nowhere in it."""
    placed = []
    for span, text in edits:
        there = block.in_host(span)
        if there is None:
            return None
        placed.append((there, text.replace("\n", f"\n{block.indent}")))
    return placed
