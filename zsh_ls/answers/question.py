"""Parses a question: its words, time, origins and possible concepts, and whether it is about this machine."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from .origin_filter import OriginFilter, parse_origin_filter
from .vocabulary import CONCEPTS, LONGEST_PHRASE, meanings
from .window import FoundWindow, find_window
from .words import MAX_QUESTION, QuestionWord, stem, words_of


@attrs.frozen
class Question:
    """A question's words, the stretch of time and the origins it names, and what its phrases may mean.

    `is_elsewhere` is for a text that may use the families' words and asks
    nothing of them: what a word means, an order to do something, a long story.
    """

    text: str
    words: tuple[QuestionWord, ...]
    found: FoundWindow | None
    is_elsewhere: bool
    concepts: frozenset[str]
    origins: OriginFilter | None = None

    @classmethod
    def of(cls, text: str) -> Question:
        """The question in `text`."""
        plain, origins = parse_origin_filter(text)
        words = tuple(words_of(plain))
        stems = [word.stem for word in words]
        found = find_window(stems)
        concepts = _concepts_of(words) | _ALWAYS
        too_long = len(text) > MAX_QUESTION
        elsewhere = too_long or _asks_what_a_word_means(words, stems) or _is_order(words)
        return cls(text, words, found, elsewhere, concepts, origins)


# Words with which `what is …` asks about this machine, not for the meaning of a word.
_TIED_TO_HERE = (
    "the my our this that current currently i we here now usage used free available left status"
    " utilization running"
)
_OF_THIS_MACHINE = frozenset(map(stem, _TIED_TO_HERE.split()))
_ORDER_VERBS = (
    "execute start launch kill take fill need want cancel abort stop begin sync connect"
    " configure schedule clean change send terminate interrupt serve drain burn break crash fail"
)
_ORDERS = frozenset(_ORDER_VERBS.split())
# Imperatives only before an article or possessive: `free the disk`, not `free memory`.
_OFTEN_NOUNS = frozenset(
    ("free", "open", "mount", "boot", "log", "commit", "time", "process", "load", "run", "use")
)
_DETERMINERS = ("the", "my", "our", "some", "up", "this", "that")
_VERB_FORM = re.compile(
    r".+(?:ing|ed|en)|using|free|up|wrong|slow|slowest|next|in|on|there|left|still"
)
_OF_ANY = ("a", "an")
# `how much is a GPU` asks for its price.
_PRICE = ["how", "much", "be"]


def _asks_what_a_word_means(words: Sequence[QuestionWord], stems: Sequence[str]) -> bool:
    """Whether it asks for a meaning: `what is swap`, `what does kill do`, `what is a kernel`."""
    triples = zip(["", *stems], stems, stems[1:], strict=False)
    if any(a in _OF_ANY and b in _ANY_MACHINE and before != "on" for before, a, b in triples):
        return True
    if stems[:2] == ["what", "do"] and stems[-1] in ("do", "mean"):
        return True
    if stems[:3] == _PRICE and stems[3:4] and stems[3] in (*_OF_ANY, "the"):
        return True
    if stems[:2] != ["what", "be"] or len(words) < 3:
        return False
    if stems[2] in _OF_ANY:
        return True
    told = _VERB_FORM.fullmatch(words[2].text.lower()) or not words[2].stem
    owned = any(word.text.endswith("'s") for word in words)
    return not told and not owned and _OF_THIS_MACHINE.isdisjoint(stems)


def _is_order(words: Sequence[QuestionWord]) -> bool:
    """Whether it is an order: `run my last command`, `free the disk`, but not `open ports`, `free memory`."""
    told = [word.text.lower() for word in words if "polite" not in meanings([word])]
    first, second = [*told, "", ""][:2]
    return first in _ORDERS or (first in _OFTEN_NOUNS and second in _DETERMINERS)


# Concepts without phrases: a time, and a number.
_ALWAYS = frozenset({"window", "digit"})
_ANY_MACHINE = frozenset(map(stem, CONCEPTS["machine"]))


def _concepts_of(words: Sequence[QuestionWord]) -> frozenset[str]:
    stretches = (
        words[at : at + length]
        for at in range(len(words))
        for length in range(1, min(LONGEST_PHRASE, len(words) - at) + 1)
    )
    return frozenset().union(*map(meanings, stretches))
