"""`zsh/rule`: the page of a rule, to be read where the editor shows what the rule found."""

from __future__ import annotations

import attrs

from zsh_ls.insights import pages, registry
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/rule"


@attrs.frozen
class Params(RequestTokens):
    """Which rule.

    name: a diagnostic's `code`.
    """

    name: str


@attrs.frozen
class RulePage:
    """What a rule finds, why it matters, an example.

    name: the rule's name.
    markdown: the page.
    """

    name: str
    markdown: str


RESULT = RulePage


async def handle(server: ShellLanguageServer, params: Params) -> RulePage:
    """Look it up; raises InvalidRequest for a name that no rule has."""
    del server
    if params.name in pages.OTHER_PAGES:
        return RulePage(params.name, pages.OTHER_PAGES[params.name].removeprefix("##"))
    rule = registry.rule_named(params.name)
    if rule is None:
        raise InvalidRequest(f"name: expected the name of a rule, got {params.name!r}")
    return RulePage(rule.name, pages.page(rule))
