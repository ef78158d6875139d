"""Patterns with possessive groups, `(?:…)*+`, for every Python that is supported.

Python before 3.11.5 (Debian 12 has 3.11.2) loses its place in them: a match
fails, or begins again for ever (CPython issue 106052). There the same is said
by atomic groups, `(?>(?:…)*)`, which it gets right.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

IS_SOUND = sys.version_info >= (3, 11, 5)

_TOKEN = re.compile(r"\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^]\\])*\]|\)[*+?]\+|[\s\S]")


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile`, of a pattern that this Python's engine gets right."""
    return re.compile(pattern if IS_SOUND else with_atomic_groups(pattern), flags)


def with_atomic_groups(pattern: str) -> str:
    """The same language and the same groups, without possessive ones."""
    return "".join(_rewritten(_TOKEN.findall(pattern)))


def _rewritten(tokens: list[str]) -> Iterator[str]:
    opening: list[int] = []
    for at, token in enumerate(tokens):
        if token == "(":
            opening.append(at)
        elif token.startswith(")"):
            start = opening.pop()
            if len(token) > 1:
                tokens[start] = f"(?>{tokens[start]}"
                tokens[at] = f"{token[:2]})"
    yield from tokens
