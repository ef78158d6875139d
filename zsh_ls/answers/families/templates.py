"""Commands that answer better than any words here could: `Running PROGRAM to …` and the command."""

from __future__ import annotations

from collections.abc import Callable

from zsh_ls.answers.family import Draft, Facts, Family, Reply
from zsh_ls.answers.pattern import QueryMatch
from zsh_ls.answers.system_commands import SYSTEM_QUERIES, SystemQuery
from zsh_ls.model.answer import ProposedCommand


def _answer(template: SystemQuery) -> Callable[[QueryMatch, Facts], Reply]:
    def answer(reading: QueryMatch, facts: Facts) -> Reply:
        """The template's command for this system."""
        line = template.darwin if facts.machine.system() == "darwin" else template.linux
        if "{}" in line and reading.number is None:
            return None
        command = line.removeprefix("# ").replace("{}", str(reading.number))
        proposed = ProposedCommand(command, "root" if line.startswith("# ") else "user")
        program = command.split()[0]
        return Draft("template", f"Running {program} to {template.purpose}.", commands=(proposed,))

    return answer


FAMILIES = tuple(
    Family(
        name=f"template:{template.name}",
        source="the program it names",
        examples=template.examples,
        patterns=template.patterns,
        answer=_answer(template),
    )
    for template in SYSTEM_QUERIES
)
