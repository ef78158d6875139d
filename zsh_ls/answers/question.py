"""Parses a question: its words, time, origins and possible concepts, and whether it is about this machine.

A phrase that names origins (`in the terminal`, `by the agent`, `without imports`) is
taken out before families match the question, so that every family about
remembered runs can be asked so, and no other.
"""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import attrs, re
from zsh_ls.model.words import Origin

from .vocabulary import CONCEPTS, LONGEST_PHRASE, meanings
from .window import FoundWindow, find_window
from .words import MAX_QUESTION, QuestionWord, stem, words_of

_ALL = frozenset(Origin)
OWN = frozenset(origin for origin in Origin if not origin.is_elsewhere)
_EDITOR = frozenset({Origin.EDITOR, Origin.LENS, Origin.TRACE})
_BY_HAND = frozenset({Origin.TERMINAL, Origin.CLI})
_THE = r"(?:(?:the|my|an|a) )?"
_EDITORS = r"(?:editor|ide|vs ?code|neovim|nvim|vim|helix|emacs|zed)"
_IMPORTS = r"(?:(?:history )?imports?|imported (?:runs|history|commands))"
_LEAVING_OUT = r"(?:without|excluding|except|ignoring|leaving out|not counting|minus)"


@attrs.frozen
class OriginFilter:
    """The origins that a question names, and how the answer names them."""

    origins: frozenset[Origin]
    label: str


@attrs.frozen
class _Phrase:
    """Words that name origins, and the words that replace them in the question."""

    words: re.Pattern[str]
    origins: OriginFilter
    instead: str = ""


def _phrase(words: str, origins: frozenset[Origin], label: str, instead: str = "") -> _Phrase:
    return _Phrase(
        re.compile(rf"\b{words}\b", re.IGNORECASE), OriginFilter(origins, label), instead
    )


_AGENT = frozenset({Origin.AGENT})
_OPENS = re.compile(r"\b(?:(?:open|edit)(?:s|ed|ing)?|spend|spent)\b", re.IGNORECASE)
_PHRASES = (
    _phrase(rf"did {_THE}(?:ai )?agents?(?= \w)", _AGENT, "by agents", "did I"),
    _phrase(rf"(?:when run )?(?:by|through|via) {_THE}(?:ai )?agents?", _AGENT, "by agents"),
    _phrase(rf"(?:in|from|inside|within) {_THE}{_EDITORS}", _EDITOR, "in the editor"),
    _phrase(rf"(?:in|from|on) {_THE}(?:terminal|command line)", _BY_HAND, "in the terminal"),
    _phrase("by hand", _BY_HAND, "in the terminal"),
    _phrase(rf"(?:in|from) {_THE}{_IMPORTS}", frozenset({Origin.IMPORT}), "imported"),
    _phrase(rf"{_LEAVING_OUT} {_THE}{_IMPORTS}", _ALL - {Origin.IMPORT}, "not imported"),
    _phrase("only (?:own runs|(?:runs )?from here)", OWN, "of zsh-ls itself"),
)


# `here` alone may stand in any question; what is asked of a project is asked of memory.
_HERE = re.compile(r"(?: \b(?:in|from))? \bhere\b", re.IGNORECASE)
_IN_THIS_PROJECT = re.compile(
    r" \b(?:in|of|for|from|within|inside) (?:this|the current|the|my|our)"
    r" (?:project|repo|repository|checkout|code ?base)\b",
    re.IGNORECASE,
)


def parse_place(text: str) -> tuple[str, bool, bool]:
    """The question without the words for this place, whether it has any, and whether they name a project."""
    for phrase, is_project in ((_IN_THIS_PROJECT, True), (_HERE, False)):
        if phrase.search(text):
            return phrase.sub("", text, count=1), True, is_project
    return text, False, False


def parse_origin_filter(text: str) -> tuple[str, OriginFilter | None]:
    """The question without the words that name origins, and the origins; None if it names none."""
    for phrase in _PHRASES:
        # `the file I opened in vim` is of the command vim.
        if phrase.origins.origins == _EDITOR and _OPENS.search(text):
            continue
        if phrase.words.search(text):
            return phrase.words.sub(phrase.instead, text, count=1), phrase.origins
    return text, None


@attrs.frozen
class Question:
    """A question's words, the stretch of time and the origins it names, and what its phrases may mean.

    `is_elsewhere` is for a text that may use the families' words and asks
    nothing of them: what a word means, an order to do something, a long story. `is_here` says that it
    has words for this place, `names_project` that they name a project.
    """

    text: str
    words: tuple[QuestionWord, ...]
    found: FoundWindow | None
    is_elsewhere: bool
    concepts: frozenset[str]
    origins: OriginFilter | None = None
    is_here: bool = False
    names_project: bool = False

    @classmethod
    def of(cls, text: str, *, with_place: bool = True) -> Question:
        """The question in `text`; words for this place are words like others without `with_place`."""
        of_any_place, origins = parse_origin_filter(text)
        plain, is_here, names_project = of_any_place, False, False
        if with_place:
            plain, is_here, names_project = parse_place(of_any_place)
        words = tuple(words_of(plain))
        stems = [word.stem for word in words]
        found = find_window(stems)
        stretches = (
            words[at : at + length]
            for at in range(len(words))
            for length in range(1, min(LONGEST_PHRASE, len(words) - at) + 1)
        )
        concepts = _ALWAYS.union(*map(meanings, stretches))
        too_long = len(text) > MAX_QUESTION
        elsewhere = too_long or _asks_what_a_word_means(words, stems) or _is_order(words)
        return cls(text, words, found, elsewhere, concepts, origins, is_here, names_project)


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
    r".+(?:ing|ed|en)|using|free|up|wrong|different|new|slow|slowest|next|in|on|there|left|still"
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
    if stems[:1] == ["how"] and stems[2:3] == ["be"] and stems[3:4] and stems[3] in _OF_ANY:
        return True
    if stems[:3] == _PRICE and stems[3:4] and stems[3] in (*_OF_ANY, "the"):
        return True
    if stems[:2] != ["what", "be"] or len(words) < 3:
        return False
    if stems[2] in _OF_ANY:
        return True
    is_state = _VERB_FORM.fullmatch(words[2].text.lower()) or not words[2].stem
    owned = any(word.text.endswith("'s") for word in words)
    return not is_state and not owned and _OF_THIS_MACHINE.isdisjoint(stems)


def _is_order(words: Sequence[QuestionWord]) -> bool:
    """Whether it is an order: `run my last command`, `free the disk`, but not `open ports`, `free memory`."""
    telling = [word.text.lower() for word in words if "polite" not in meanings([word])]
    first, second = [*telling, "", ""][:2]
    return first in _ORDERS or (first in _OFTEN_NOUNS and second in _DETERMINERS)


# Concepts without phrases: a time, and a number.
_ALWAYS = frozenset({"window", "digit"})
_ANY_MACHINE = frozenset(map(stem, CONCEPTS["machine"]))
