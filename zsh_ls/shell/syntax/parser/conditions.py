"""The expression within `[[ … ]]`: whether its words and operators are in an order that the shell takes.

As par_cond_2 of zsh's parse.c and cond_term of bash's parse.y read them. What an unknown operator
such as `-foo` means is left to run time, as zsh does, whose modules may add it.
"""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.model.syntax import Dialect

JOINS = frozenset({"&&", "||"})
# Signs of their own; every other token is a word.
SIGNS = JOINS | {"(", ")", "<", ">", "&", "|", "!"}
BINARY = frozenset({"=", "==", "!=", "=~"})
BASH_UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS")
BASH_BINARY = BINARY | {"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"}


def misplaced(tokens: Sequence[str], dialect: Dialect) -> int | None:
    """The index of the first token that may not stand where it does; None where all are right.

    The number of tokens stands for an expression that ends too early.
    """
    depth = at = 0
    while True:
        # A term begins here.
        while at < len(tokens) and tokens[at] in {"!", "("}:
            depth += tokens[at] == "("
            at += 1
        length = _term(tokens, at, dialect)
        if not length:
            # bash takes an expression that ends where a term would begin, and fails when it runs.
            return None if at == len(tokens) and not depth and dialect is not Dialect.ZSH else at
        at += length
        while at < len(tokens) and tokens[at] == ")" and depth:
            depth -= 1
            at += 1
        if at == len(tokens):
            return at if depth else None
        if tokens[at] not in JOINS:
            return at
        at += 1


def _term(tokens: Sequence[str], at: int, dialect: Dialect) -> int:
    """How many tokens the test at `at` takes; 0 where none begins there."""
    words = at
    while words < len(tokens) and tokens[words] not in SIGNS:
        words += 1
    count = words - at
    if not count:
        return 0
    if dialect is Dialect.ZSH:
        return _zsh_term(tokens, at, count)
    return _bash_term(tokens, at, count)


def _zsh_term(tokens: Sequence[str], at: int, count: int) -> int:
    if count == 1:
        return _compared(tokens, at)
    first, second = tokens[at], tokens[at + 1]
    is_operator = len(first) > 1 and first[0] == "-"
    if count == 2 or (len(second) == 2 and second[0] == "-"):
        return 2 if is_operator else 0
    if count == 3 and (second in BINARY or second[0] == "-"):
        return 3
    return count if is_operator else 0


def _bash_term(tokens: Sequence[str], at: int, count: int) -> int:
    if tokens[at] in BASH_UNARY:
        return 2 if count > 1 else 0
    if count == 1:
        return _compared(tokens, at)
    if count < 3 or tokens[at + 1] not in BASH_BINARY:
        return 0
    # A pattern in parentheses needs the sign of an extended glob before it.
    return 0 if tokens[at + 2].startswith("(") and tokens[at + 1] != "=~" else 3


def _compared(tokens: Sequence[str], at: int) -> int:
    """The length of a lone word, or of `word < word`."""
    if at + 1 < len(tokens) and tokens[at + 1] in {"<", ">"}:
        return 3 if at + 2 < len(tokens) and tokens[at + 2] not in SIGNS else 0
    return 1
