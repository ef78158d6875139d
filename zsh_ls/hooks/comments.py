"""JSON with comments, as several agents read their configuration: the same text without them."""

from __future__ import annotations

from zsh_ls.lazy import re

_TEXT_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n\r]*|/\*.*?\*/', re.DOTALL)
_NO_LINE_END = re.compile(r"[^\r\n]")


def without_comments(text: str) -> str:
    """The text with blanks where comments are: what is left stands where it stood."""
    return _TEXT_OR_COMMENT.sub(
        lambda it: it[0] if it[0][0] == '"' else _NO_LINE_END.sub(" ", it[0]), text
    )
