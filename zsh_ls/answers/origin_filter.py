"""Finds the origins of runs that a question names: `in the terminal`, `by the agent`, `without imports`.

The phrase is taken out of the question before the families read it, so that
every family about remembered runs can be asked so, and no other.
"""

from __future__ import annotations

import re

import attrs

from zsh_ls.model.words import Origin

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


def parse_origin_filter(text: str) -> tuple[str, OriginFilter | None]:
    """The question without the words that name origins, and the origins; None if it names none."""
    for phrase in _PHRASES:
        if phrase.words.search(text):
            return phrase.words.sub(phrase.instead, text, count=1), phrase.origins
    return text, None
