"""Compares what the static rules say of the cases with what they are to say.

`python -m tests.insights.failures.score` lists the cases that are not met and the totals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from zsh_ls.insights import static
from zsh_ls.insights.embedded import ONLY_IN_HOSTS
from zsh_ls.insights.registry import RuleKind, rules_of
from zsh_ls.shell.syntax.dialect import dialect_of

CASES = Path(__file__).parent / "cases.txt"
HEAD = re.compile(r"== (?P<name>[\w-]+): (?P<shells>[a-z ]+)")


class Case(NamedTuple):
    """A script of one shell, and the lines of it, counted from 1, that a rule is to speak of."""

    name: str
    text: str
    lines: frozenset[int]

    @property
    def said(self) -> frozenset[int]:
        """The lines that a rule speaks of today."""
        # Without those that are off because they are for the shell inside other files.
        off = {rule.name for rule in rules_of(RuleKind.STATIC) if rule.is_off} - ONLY_IN_HOSTS
        found = static(self.text, dialect_of(self.text), named=off)
        return frozenset(
            self.text.count("\n", 0, it.span.start) + 1 for it in found if it.span is not None
        )


def cases() -> Iterator[Case]:
    """Every script of the file, once for each of its shells."""
    head: re.Match[str] | None = None
    body: list[str] = []
    for line in [*CASES.read_text().splitlines(), "== end: end"]:
        found = HEAD.fullmatch(line)
        if found is None:
            # Comments of the file itself stand alone before a script begins.
            if head is not None and not line.startswith("# "):
                body.append(line)
            continue
        if head is not None:
            yield from _in_each_shell(head["name"], head["shells"].split(), body)
        head, body = found, []


def _in_each_shell(name: str, shells: list[str], body: list[str]) -> Iterator[Case]:
    while body and not body[-1]:
        body = body[:-1]
    marked = frozenset(at for at, line in enumerate(body, 2) if line.startswith("> "))
    plain = [line.removeprefix("> ") for line in body]
    for shell in shells:
        text = "\n".join([f"#!/usr/bin/env {shell}", *plain, ""])
        yield Case(f"{name}[{shell}]", text, marked)


def main() -> None:
    """Print the score."""
    total = met = 0
    wanted = found = wrong = 0
    for case in cases():
        total += 1
        said = case.said
        wanted += len(case.lines)
        found += len(case.lines & said)
        wrong += len(said - case.lines)
        if said == case.lines:
            met += 1
        else:
            print(
                f"{case.name}: silent of {sorted(case.lines - said)}, "
                f"speaks of {sorted(said - case.lines)}"
            )
    print(f"{met} of {total} cases; {found} of {wanted} lines; {wrong} wrong")


if __name__ == "__main__":
    main()
