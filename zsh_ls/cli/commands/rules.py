"""The rules behind the insights, or the page of one.

Without NAME, one line a rule: its name, its level and what it saw. The names
are those of diagnostics, of `check` and of `# zsh-ls: ignore=NAME`.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """NAME, perhaps."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the rule whose page to print")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the page; 2 where no rule has that name."""
    from zsh_ls.cli.screen import folded, page
    from zsh_ls.insights import pages, registry

    if arguments.name is None:
        width = max((len(rule.name) for rule in registry.all_rules()), default=0)
        for kind in registry.RuleKind:
            rules = registry.rules_of(kind)
            if rules:
                print(f"{kind.value}:")
            for each in rules:
                label = f"  {each.name:{width}}  {pages.levels(each):15}  "
                print(folded(label, each.title))
        return 0
    if arguments.name in pages.OTHER_PAGES:
        print(page(pages.OTHER_PAGES[arguments.name].removeprefix("##")))
        return 0
    rule = registry.rule_named(arguments.name)
    if rule is None:
        print(f"zsh-ls rules: {unknown_rule(arguments.name)}", file=sys.stderr)
        return 2
    print(page(pages.page(rule)))
    return 0


def unknown_rule(name: str) -> str:
    """What to say of a name that no rule has, with the nearest ones."""
    from zsh_ls.insights.registry import nearest_names

    near = nearest_names(name)
    advice = f"did you mean {' or '.join(near)}?" if near else "`zsh-ls rules` lists them"
    return f"no rule is called {name!r}; {advice}"
