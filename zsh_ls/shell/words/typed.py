"""What a person types as the arguments of a script, as the words that a shell would make of it.

Quotes, `~`, variables and patterns mean what they mean at a prompt; nothing is run, so that `$(…)` and
`;` are text. Patterns are looked for by whoever has the disk.
"""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple

_PART = re.compile(
    r"'(?P<single>[^']*)'?"
    r'|"(?P<double>(?:[^"\\]|\\.)*)"?'
    r"|\\(?P<escaped>.)"
    r"|(?P<space>\s+)"
    r"|(?P<plain>[^\s'\"\\]+)"
    r"|\\$",
    re.DOTALL,
)
_VARIABLE = re.compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")
_IN_DOUBLE = re.compile(r"\\([\"\\$`])|\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")
_SPECIAL = re.compile(r"[*?[]")


class TypedWord(NamedTuple):
    """A word, and the pattern of the files that stand in for it where there are some."""

    text: str
    pattern: str | None = None


def typed_words(typed: str, variables: Mapping[str, str]) -> list[TypedWord]:
    """The words of a text; one that is nothing but empty variables is none, as in zsh."""
    words: list[TypedWord] = []
    word: _Word | None = None
    for part in _PART.finditer(typed):
        kind, text = part.lastgroup, part[part.lastgroup] if part.lastgroup else ""
        if kind == "space":
            words += word.made() if word else []
            word = None
            continue
        word = word or _Word(variables)
        if kind == "plain":
            word.add_plain(text)
        else:
            word.add_quoted(word.in_double(text) if kind == "double" else text)
    return words + (word.made() if word else [])


class _Word:
    """A word that is being read."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._text = self._pattern = ""
        self._is_quoted = self._is_pattern = self._has_begun = False

    def add_quoted(self, text: str) -> None:
        """Text in which nothing is special."""
        self._add(text)
        self._is_quoted = True

    def add_plain(self, text: str) -> None:
        """Text outside of quotes."""
        home = self._variables.get("HOME")
        if not self._has_begun and home and text.partition("/")[0] == "~":
            self._add(home)
            text = text[1:]
        at = 0
        for found in _VARIABLE.finditer(text):
            self._add_unquoted(text[at : found.start()])
            self._add(self._value(found[1] or found[2]))
            at = found.end()
        self._add_unquoted(text[at:])

    def in_double(self, text: str) -> str:
        """The contents of double quotes."""
        return _IN_DOUBLE.sub(lambda it: it[1] or self._value(it[2] or it[3]), text)

    def made(self) -> list[TypedWord]:
        """The word, if there is one."""
        if not self._text and not self._is_quoted:
            return []
        return [TypedWord(self._text, self._pattern if self._is_pattern else None)]

    def _value(self, name: str) -> str:
        return self._variables.get(name, "")

    def _add(self, text: str) -> None:
        self._has_begun = True
        self._text += text
        self._pattern += _SPECIAL.sub(r"[\g<0>]", text)

    def _add_unquoted(self, text: str) -> None:
        self._has_begun = self._has_begun or bool(text)
        self._text += text
        self._pattern += text
        self._is_pattern = self._is_pattern or _SPECIAL.search(text) is not None
