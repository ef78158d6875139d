"""Answers a question: the best matching family answers, else a fallback names similar questions.

`understand` needs the question alone and says whether memory or the saved output
will be needed; `answer` takes the facts. Both are deterministic. Of several matches
the one whose pattern needs most words is first; if two families match equally well,
neither is used.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import cached_property

from zsh_ls.lazy import attrs
from zsh_ls.model.answer import Answer, ProposedCommand

from .build import build, fallback
from .families import FAMILIES
from .family import Draft, Facts, Family, NotKnown, Reply
from .form import COMMANDS, SUMMARY, Sections, command_line, validate
from .markup import as_text, code_span, list_item
from .matching import Matched, in_order
from .pattern import QueryMatch, closeness
from .question import Question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .any_words import Meanings
    from .everyday import Everyday

NEAR = 0.5
MAX_NEAREST = 3
ANYTHING = ProposedCommand("zsh-ls ask")


@attrs.frozen
class ParsedQuery:
    """A question with the families that match its text, best first; what else it may mean is found late."""

    query: str
    matched: Matched

    @property
    def question(self) -> Question:
        """The question, as its words stand."""
        return self.matched.question

    @property
    def matches(self) -> tuple[tuple[Family, QueryMatch], ...]:
        """The families that match it as it stands."""
        return self.matched.matches

    @cached_property
    def meanings(self) -> Meanings:
        """What it may mean in other words."""
        from .any_words import meanings  # noqa: PLC0415  most of what understands questions

        return meanings(self.query, self.matched)

    @property
    def _known(self) -> tuple[tuple[Family, QueryMatch], ...]:
        # In plain words it matches only where it does not as it stands.
        return self.matches or self.meanings.of_plain

    @property
    def needs_output(self) -> bool:
        """Whether the answer needs the output of the last task that ended."""
        return any(family.needs_output for family, _ in self._known)

    @property
    def needs_memory(self) -> bool:
        """Whether the answer needs ALAN's memory."""
        return any(it.needs_memory for it, _ in self._known) or bool(self.meanings.everyday)


def understand(query: str) -> ParsedQuery:
    """Match `query` with all families as it stands; in any words when somebody asks for that."""
    return ParsedQuery(query, in_order(query))


def answer(parsed_query: ParsedQuery, facts: Facts) -> Answer:
    """The answer of the first family that has one; else that the first family does not know it."""
    return answered(parsed_query, facts)[1]


def answered(parsed_query: ParsedQuery, facts: Facts) -> tuple[str, Answer]:
    """The answer, and the name of the family that gave it; `""` where nobody knows the question."""
    origins = parsed_query.question.origins
    facts = facts if origins is None else attrs.evolve(facts, origins=origins.origins)
    if parsed_query.question.is_here:
        facts = attrs.evolve(facts, project=facts.here)
    not_known: tuple[Family | Everyday, NotKnown] | None = None
    for family, reply in _replies(parsed_query, facts):
        if isinstance(reply, Draft):
            return family.name, _answer(family, reply, parsed_query.question)
        if reply is not None and not_known is None:
            not_known = family, reply
    if not_known is None:
        return "", _no_family(parsed_query.question)
    asked, reply = not_known
    given = fallback(
        reply.asked,
        reason=reply.reason,
        missing=reply.missing,
        collect=tuple(filter(_is_proposable, reply.collect)) or (ANYTHING,),
        more=_source(asked, parsed_query.question),
    )
    return "", given


def _replies(parsed: ParsedQuery, facts: Facts) -> Iterator[tuple[Family | Everyday, Reply]]:
    """What each that may know the question says to it, the likeliest first."""
    for family, found in parsed.matches:
        yield family, family.answer(found, facts)
    meanings = parsed.meanings
    # A family that explains every word of the plain text knows more than cues in any order.
    # Recipes wait: everyday questions say first that the software is there already.
    whole = [
        (family, found)
        for family, found in meanings.of_plain
        if not found.subjects and not family.name.startswith("recipe:")
    ]
    for family, found in whole:
        yield family, family.answer(found, facts)
    for one, loose in meanings.everyday:
        yield one, one.answer(loose, facts)
    for family, found in meanings.of_plain:
        if (family, found) not in whole:
            yield family, family.answer(found, facts)


def _answer(family: Family | Everyday, draft: Draft, question: Question) -> Answer:
    """A family's answer, with its source added unless the summary of a template names the program."""
    details = "\n".join(draft.details)
    if draft.kind != "template":
        details = "\n\n".join(filter(None, [details, _source(family, question)]))
    commands = tuple(filter(_is_proposable, draft.commands))
    sections = Sections(draft.summary, details or None, commands or None)
    return build(draft.kind, sections, output=draft.output)


def _source(family: Family | Everyday, question: Question) -> str:
    whose = [question.origins.label] if question.origins else []
    if question.is_here and isinstance(family, Family) and family.by_origin:
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
    from .everyday import EVERYDAY  # noqa: PLC0415  seldom asked for

    families = [(family.name, family.examples) for family in FAMILIES]
    return families + [(one.name, one.examples) for one in EVERYDAY]
