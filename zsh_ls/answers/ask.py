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

from zsh_ls.lazy import attrs
from zsh_ls.model.answer import Answer, ProposedCommand

from .build import build, fallback
from .everyday import EVERYDAY, Everyday
from .families import FAMILIES
from .family import MEMORY, Draft, Facts, Family, NotKnown, Reply
from .form import COMMANDS, SUMMARY, Sections, command_line, validate
from .loose import STOPS, WORDS, LooseMatch, LooseQuestion, is_beyond
from .loose import match as loosely_match
from .markup import as_text, code_span, list_item
from .paraphrases import rephrased
from .pattern import QueryMatch, closeness, read
from .plain import plain
from .question import Question, parse_origin_filter
from .spelling import corrected
from .spoken import joined, written
from .vocabulary import CONCEPTS
from .words import MAX_QUESTION

NEAR = 0.5
MAX_NEAREST = 3
ANYTHING = ProposedCommand("zsh-ls ask")


@attrs.frozen
class ParsedQuery:
    """A question with the matching families, best first: of its text, in any words, of the plain text."""

    question: Question
    matches: tuple[tuple[Family, QueryMatch], ...]
    everyday: tuple[tuple[Everyday, LooseMatch], ...] = ()
    of_plain: tuple[tuple[Family, QueryMatch], ...] = ()

    @property
    def needs_output(self) -> bool:
        """Whether the answer needs the output of the last task that ended."""
        return any(family.needs_output for family, _ in (*self.matches, *self.of_plain))

    @property
    def needs_memory(self) -> bool:
        """Whether the answer needs ALAN's memory."""
        known = (*self.matches, *self.of_plain)
        return bool(self.everyday) or any(family.needs_memory for family, _ in known)


def understand(query: str) -> ParsedQuery:
    """Match `query` with all families, as it stands, then without courtesy and slips of the fingers."""
    parsed = _in_order(query)
    if len(query) > MAX_QUESTION:
        return parsed
    proper = _proper(query)
    texts = [proper]
    spelt = joined(corrected(proper, LEXICON, STOPS), _is_name)
    # How to do a thing is not known, but for installing it.
    if not is_beyond(proper) or ("install" in spelt and "install" not in proper):
        # A slip is no word: what its stem happens to be says less than the word that was meant.
        texts = list(dict.fromkeys([_proper(spelt), proper]))
    everyday: list[tuple[Everyday, LooseMatch]] = []
    of_plain: tuple[tuple[Family, QueryMatch], ...] = ()
    for text in texts:
        if is_beyond(text):
            break
        if not parsed.matches and not of_plain and text != query:
            of_plain = _in_order(text).matches
        found = _loosely(LooseQuestion.of(text)) + _of_an_origin(text)
        if text != proper:
            # A bare name is what it is: `gti` was typed, and it failed.
            found = [it for it in found if it[0].name != "by-name"]
            found = [
                (one, _as_written(it, proper) if one.name == "installed" else it)
                for one, it in found
            ]
        if parsed.question.is_elsewhere or Question.of(text).is_elsewhere:
            found = [it for it in found if it[0].name in ("exit-meaning", "signal")]
        everyday += found
    return attrs.evolve(parsed, everyday=tuple(everyday), of_plain=of_plain)


def _as_written(match: LooseMatch, proper: str) -> LooseMatch:
    """The match with names as they were typed: whether something is installed is asked of no other name."""
    typed = {corrected(word, LEXICON, STOPS).lower(): word for word in proper.split()}
    return attrs.evolve(match, left=tuple(typed.get(word.lower(), word) for word in match.left))


def _proper(text: str) -> str:
    """The question proper, in plain words."""
    return rephrased(plain(rephrased(written(text))))


def _in_order(query: str) -> ParsedQuery:
    parsed = _matched(Question.of(query))
    # `what changed in my repo` is of git's repository, not of what ran in it.
    if parsed.question.names_project and not parsed.matches:
        return _matched(Question.of(query, with_place=False))
    return parsed


def _loosely(question: LooseQuestion) -> list[tuple[Everyday, LooseMatch]]:
    """The everyday questions that it may be: those that need most first, then by words that are left."""
    found = [
        (one, it)
        for one in EVERYDAY
        for wanted in one.intents
        if (it := loosely_match(wanted, question)) is not None
    ]
    return sorted(found, key=lambda one: (-one[1].weight, len(one[1].left)))


def _of_an_origin(text: str) -> list[tuple[Everyday, LooseMatch]]:
    """The everyday questions about runs, where the text says whose: `what did the agent run`."""
    of_any, origins = parse_origin_filter(text)
    found = [] if origins is None else _loosely(LooseQuestion.of(of_any))
    return [it for it in found if it[0].source.startswith(MEMORY)]


def _is_name(word: str) -> bool:
    return word in LEXICON


_FORMS = """tests passing passed failed failing fails running runs killed yesterday today morning afternoon
evening tonight monday tuesday wednesday thursday friday saturday sunday build deploy lint dump
pull push commit docker server dev script traceback makefile did does was were has had been
would will should not never when where which while with because from since your their his her
reachable terraform kubectl flaky finished happened oclock attempt slowest longest breaks"""
LEXICON = WORDS.union(
    _FORMS.split(),
    (
        word.lstrip("=").lower()
        for phrases in CONCEPTS.values()
        for phrase in phrases
        for word in phrase.split()
        if word.lstrip("=").isalpha()
    ),
)


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
        if family.unless and family.unless.search(question.text):
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
    # A family that explains every word of the plain text knows more than cues in any order.
    # Recipes wait: everyday questions say first that the software is there already.
    whole = [
        (family, found)
        for family, found in parsed.of_plain
        if not found.subjects and not family.name.startswith("recipe:")
    ]
    for family, found in (*parsed.matches, *whole):
        yield family, family.answer(found, facts)
    for one, loose in parsed.everyday:
        yield one, one.answer(loose, facts)
    for family, found in parsed.of_plain:
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
    families = [(family.name, family.examples) for family in FAMILIES]
    return families + [(one.name, one.examples) for one in EVERYDAY]
