"""A question in any words: without courtesy and slips of the fingers, by its cues in any order.

Most questions are put as a family of them knows them, and then nobody asks for this.
"""

from __future__ import annotations

from zsh_ls.lazy import attrs

from .everyday import EVERYDAY, Everyday
from .family import MEMORY, Family
from .loose import STOPS, WORDS, LooseMatch, LooseQuestion, is_beyond
from .loose import match as loosely_match
from .matching import Matched, in_order
from .paraphrases import rephrased
from .pattern import QueryMatch
from .plain import plain
from .question import Question, parse_origin_filter
from .spelling import corrected
from .spoken import joined, written
from .vocabulary import CONCEPTS
from .words import MAX_QUESTION


@attrs.frozen
class Meanings:
    """The everyday questions that a text may be, and the families that match it in plain words."""

    everyday: tuple[tuple[Everyday, LooseMatch], ...] = ()
    of_plain: tuple[tuple[Family, QueryMatch], ...] = ()


def meanings(query: str, parsed: Matched) -> Meanings:
    """What `query` may mean beside the families that it matches as it stands (`parsed`)."""
    if len(query) > MAX_QUESTION:
        return Meanings()
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
            of_plain = in_order(text).matches
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
    return Meanings(tuple(everyday), of_plain)


def _as_written(match: LooseMatch, proper: str) -> LooseMatch:
    """The match with names as they were typed: whether something is installed is asked of no other name."""
    typed = {corrected(word, LEXICON, STOPS).lower(): word for word in proper.split()}
    return attrs.evolve(match, left=tuple(typed.get(word.lower(), word) for word in match.left))


def _proper(text: str) -> str:
    """The question proper, in plain words."""
    return rephrased(plain(rephrased(written(text))))


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
