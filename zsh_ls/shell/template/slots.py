"""Which words of a command are names and stay in its template, and which are values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_letters

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.shell.words.words import Word

from .tables import (
    ANY,
    FLAG_LETTERS,
    KNOWN_PROGRAMS,
    SINGLE_DASH_WORDS,
    SUB_COMMANDS,
    USUAL_SUB_COMMANDS,
    SubCommands,
)

VALUE = "*"
TARGET = re.compile(r"[a-z][a-z0-9_-]{0,30}(?::[a-z][a-z0-9:_-]{0,30})?")

_PLAIN = re.compile(r"[a-z][a-z0-9]{0,2}[a-z-]{0,18}")
_LONG = re.compile(r"--[A-Za-z][A-Za-z0-9-]{0,40}")
# D, J, P and X are excluded: `-Dname`, `-Xmx2g`, `-Pprofile` are a letter with a value.
_SINGLE_DASH_WORD = re.compile(r"-[A-Za-z]|-[A-CE-IK-OQ-WY-Za-z][A-Za-z-]{1,30}")
# Operands that are kept in templates but are no sub-commands.
_NO_SUB_COMMANDS = frozenset({("git", "origin"), ("git", "upstream")})


class Head(NamedTuple):
    """A command's sub-commands, the options before them, and the index of the remaining words."""

    names: tuple[str, ...]
    options: tuple[str, ...]
    end: int


def sub_commands(program: str, rest: Sequence[Word]) -> list[str]:
    """The sub-commands of `program` that `rest` begins with: `push` for `git push …`."""
    names = head_of(program, rest).names
    return [name for name in names if (program, name) not in _NO_SUB_COMMANDS]


def head_of(program: str, rest: Sequence[Word]) -> Head:
    """The head of a command, whose sub-commands are known from the tables or usual names."""
    table = SUB_COMMANDS.get(program)
    if table is None and program not in KNOWN_PROGRAMS:
        # Of an unknown program the first word is kept if it is a usual name of an action.
        usual = [word.text for word in rest[:1] if word.literal and word.text in USUAL_SUB_COMMANDS]
        return Head(tuple(usual), (), len(usual))
    names: list[str] = []
    options: list[str] = []
    at, in_doubt = 0, False
    while table is not None and at < len(rest) and len(names) < table.depth:
        word = rest[at]
        if _is_option(word.text):
            options.append(shown_option(program, word.text))
            at += 2 if word.text in table.valued else 1
            in_doubt = in_doubt or (word.text not in table.valued and "=" not in word.text)
        elif _is_name(word, names, table, in_doubt):
            names.append(word.text)
            at += 1
        else:
            break
    return Head(tuple(names), tuple(dict.fromkeys(options)), min(at, len(rest)))


def _is_name(word: Word, names: list[str], table: SubCommands, in_doubt: bool) -> bool:
    """Whether a word is a sub-command after the sub-commands `names`.

    `in_doubt` says that it may be an option's value, so that it must be a usual name.
    """
    allowed = table.first or ANY
    if names:
        allowed = table.then.get(names[-1]) or table.then.get("*", frozenset())
    if allowed == ANY and in_doubt:
        allowed = USUAL_SUB_COMMANDS
    shape = TARGET if names else _PLAIN
    return (
        word.literal
        and bool(shape.fullmatch(word.text))
        and (allowed == ANY or word.text in allowed)
    )


def _is_option(text: str) -> bool:
    return text.startswith("-") and len(text) > 1


def shown_argument(program: str, text: str) -> str:
    """An option without its value, VALUE for other words."""
    return shown_option(program, text) if _is_option(text) else VALUE


def shown_option(program: str, text: str) -> str:
    """An option without its value: `--name=*`, `-j*`, or `-la` if the letters are known flags."""
    name, equals, _ = text.partition("=")
    if text.startswith("--"):
        known = name if text == "--" or _LONG.fullmatch(name) else f"--{VALUE}"
        return f"{known}={VALUE}" if equals and known == name else known
    if program in SINGLE_DASH_WORDS and _SINGLE_DASH_WORD.fullmatch(name):
        return f"{name}={VALUE}" if equals else name
    if text[1:2] not in ascii_letters:
        return f"-{VALUE}"
    # Of letters that are flags the last one may take a value, so it need not be known.
    flags, letters = FLAG_LETTERS.get(program, ""), text[1:]
    is_known = all(letter in flags for letter in letters[:-1])
    are_flags = is_known and len(letters) <= 6 and letters[-1] in ascii_letters
    return text if are_flags else text[:2] + VALUE


def merged(shown: Iterable[str]) -> Iterator[str]:
    """The words without repeated options and consecutive VALUEs."""
    seen: set[str] = set()
    last = ""
    for text in shown:
        if text == VALUE:
            if last != VALUE:
                yield text
        elif text.startswith("-") and text in seen:
            continue
        else:
            seen.add(text)
            yield text
        last = text
