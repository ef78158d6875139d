"""Answers a question: the best matching family answers, else a fallback names similar questions.

`understand` needs the question alone and says whether memory or the saved output
will be needed; `answer` takes the facts. Both are deterministic. Of several matches
the one whose pattern needs most words is first; if two families match equally well,
neither is used.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

from zsh_ls.model.answer import Answer, ProposedCommand

from .build import build, fallback
from .families import FAMILIES
from .family import Draft, Facts, Family, NotKnown
from .form import COMMANDS, SUMMARY, Sections, command_line, validate
from .markup import as_text, code_span, list_item
from .pattern import QueryMatch, closeness, read
from .question import Question

NEAR = 0.5
MAX_NEAREST = 3
ANYTHING = ProposedCommand("zsh-ls ask")


@attrs.frozen
class ParsedQuery:
    """A question with the matching families, best first."""

    question: Question
    matches: tuple[tuple[Family, QueryMatch], ...]

    @property
    def needs_output(self) -> bool:
        """Whether the answer needs the output of the last task that ended."""
        return any(family.needs_output for family, _ in self.matches)

    @property
    def needs_memory(self) -> bool:
        """Whether the answer needs ALAN's memory."""
        return any(family.needs_memory for family, _ in self.matches)


def understand(query: str) -> ParsedQuery:
    """Match `query` with all families."""
    parsed = _matched(Question.of(query))
    # `what changed in my repo` is of git's repository, not of what ran in it.
    if parsed.question.names_project and not parsed.matches:
        return _matched(Question.of(query, with_place=False))
    return parsed


def _matched(question: Question) -> ParsedQuery:
    if question.is_elsewhere or not question.words:
        return ParsedQuery(question, ())
    found = sorted(_matches(question), key=_weight, reverse=True)
    trusted = []
    for _, equals in groupby(found, key=_weight):
        group = list(equals)
        if len({family.name for family, _ in group}) == 1:
            trusted += group
    return ParsedQuery(question, tuple(trusted))


def _matches(question: Question) -> Iterator[tuple[Family, QueryMatch]]:
    for family in FAMILIES:
        if (question.origins is not None or question.names_project) and not family.by_origin:
            continue
        for pattern in family.patterns:
            match = read(pattern, question)
            if match is not None:
                yield family, match


def _weight(found: tuple[Family, QueryMatch]) -> tuple[bool, int, int]:
    """Sort key: matches that explain every word before those that take words as a command's name."""
    _, match = found
    named = len(match.subjects[0].split()) if match.subjects else 0
    return not match.subjects, match.weight, -named


def answer(parsed_query: ParsedQuery, facts: Facts) -> Answer:
    """The answer of the first family that has one; else that the first family does not know it."""
    origins = parsed_query.question.origins
    facts = facts if origins is None else attrs.evolve(facts, origins=origins.origins)
    if parsed_query.question.is_here:
        facts = attrs.evolve(facts, project=facts.here)
    not_known: tuple[Family, NotKnown] | None = None
    for family, match in parsed_query.matches:
        reply = family.answer(match, facts)
        if isinstance(reply, Draft):
            return _answer(family, reply, parsed_query.question)
        if reply is not None and not_known is None:
            not_known = family, reply
    if not_known is None:
        return _no_family(parsed_query.question)
    family, reply = not_known
    return fallback(
        reply.asked,
        reason=reply.reason,
        missing=reply.missing,
        collect=tuple(filter(_is_proposable, reply.collect)) or (ANYTHING,),
        more=_source(family, parsed_query.question),
    )


def _answer(family: Family, draft: Draft, question: Question) -> Answer:
    """A family's answer, with its source added unless the summary of a template names the program."""
    details = "\n".join(draft.details)
    if draft.kind != "template":
        details = "\n\n".join(filter(None, [details, _source(family, question)]))
    commands = tuple(filter(_is_proposable, draft.commands))
    sections = Sections(draft.summary, details or None, commands or None)
    return build(draft.kind, sections, output=draft.output)


def _source(family: Family, question: Question) -> str:
    whose = [question.origins.label] if question.origins else []
    if question.is_here and family.by_origin:
        whose.append("of this project")
    alone = f", runs {' '.join(whose)} alone" if whose else ""
    return f"Source: {family.source}{alone} (family {family.name})."


def _is_proposable(proposed: ProposedCommand) -> bool:
    """Whether a command can be proposed: the form only allows one line, and remembered ones may have more."""
    return not validate(f"{SUMMARY}\nx\n\n{COMMANDS}\n{command_line(proposed)}")


def _no_family(question: Question) -> Answer:
    """The fallback if no family matches the question, with the most similar known questions."""
    asked = as_text(question.text)
    nearest = nearest_questions(question)
    lines = ["Nearest questions that are known:", *map(list_item, nearest)] if nearest else []
    commands = tuple(ProposedCommand(f"zsh-ls ask {shlex.quote(near)}") for near in nearest)
    return fallback(
        f"an answer to {code_span(asked)}",
        reason="no question family knows this question",
        missing="a family that knows it, or a language model offered by the editor",
        collect=commands or (ANYTHING,),
        more="\n".join(lines) or None,
    )


def nearest_questions(question: Question) -> list[str]:
    """An example question of each of the most similar families."""
    near = [
        (max(closeness(pattern, question) for pattern in family.patterns), family)
        for family in FAMILIES
    ]
    near = [(score, family) for score, family in near if score >= NEAR]
    near.sort(key=lambda found: -found[0])
    return [family.examples[0] for _, family in near[:MAX_NEAREST]]


def known_questions() -> Sequence[tuple[str, Sequence[str]]]:
    """The name of every family with example questions."""
    return [(family.name, family.examples) for family in FAMILIES]
