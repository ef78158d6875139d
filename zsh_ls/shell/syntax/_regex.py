"""Patterns with possessive groups, `(?:…)*+`, for every Python that is supported.

Python before 3.11.5 (Debian 12 has 3.11.2) has a bug in them: a match fails or never
ends (CPython issue 106052). There they are replaced by atomic groups, `(?>(?:…)*)`,
which are not affected.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from zsh_ls.lazy import re

IS_SOUND = sys.version_info >= (3, 11, 5)

_TOKEN = re.compile(r"\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^]\\])*\]|\)[*+?]\+|[\s\S]")


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile`, without possessive groups if this Python's have the bug."""
    return re.compile(pattern if IS_SOUND else with_atomic_groups(pattern), flags)


def with_atomic_groups(pattern: str) -> str:
    """An equivalent pattern with atomic groups in place of possessive ones."""
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
