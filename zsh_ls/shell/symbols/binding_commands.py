"""Finds the words of builtins that are names of parameters, functions and aliases.

From zshbuiltins(1), zshcontrib(1), zshmodules(1) and bash(1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.words.expansions import Use
from zsh_ls.shell.words.vocabulary import word_set
from zsh_ls.shell.words.words import Word


class NameKind(StrEnum):
    """What a name refers to."""

    FUNCTION = "function"
    VARIABLE = "variable"
    ALIAS = "alias"


class Named(NamedTuple):
    """A name among the words of a command; `is_local` if it belongs to the enclosing function."""

    kind: NameKind
    name: str
    span: Span
    use: Use
    is_local: bool = False


_LOCAL = {
    Dialect.SH: word_set("local private"),
    Dialect.BASH: word_set("local declare typeset"),
    Dialect.ZSH: word_set("local declare typeset integer float readonly private"),
}
DECLARING = word_set("local declare typeset integer float readonly private export")

# Option letters of `read` whose value is the next word.
_READ_VALUED = {Dialect.ZSH: "tkdu", Dialect.BASH: "adinNptu", Dialect.SH: "p"}
# Option letters whose value is the name of a parameter that the command sets.
_WRITES_BY_OPTION: Mapping[str, str] = {
    "printf": "v",
    "print": "v",
    "strftime": "s",
    "zstat": "AH",
    "wait": "p",
    "read": "a",
    "zparseopts": "aA",
    "set": "A",
}
# Which operands are names of parameters that the command sets.
_WRITTEN: Mapping[str, slice] = {
    "getopts": slice(1, 2),
    "mapfile": slice(0, 1),
    "readarray": slice(0, 1),
    "vared": slice(0, 1),
    "sysread": slice(0, 1),
    "unset": slice(0, None),
    "getln": slice(0, None),
}
_VALUED: Mapping[str, str] = {
    "mapfile": "dnOsuCc",
    "readarray": "dnOsuCc",
    "vared": "prMmtifA",
    "sysread": "cbtoi",
    "getopts": "",
}
# Which operands are names of functions.
_FUNCTIONS: Mapping[str, slice] = {
    "add-zsh-hook": slice(1, 2),
    "add-zle-hook-widget": slice(1, 2),
    "compdef": slice(0, 1),
    "autoload": slice(0, None),
    "unfunction": slice(0, None),
    "functions": slice(0, None),
    "whence": slice(0, None),
    "which": slice(0, None),
    "type": slice(0, None),
    "where": slice(0, None),
    "_call_function": slice(1, 2),
    "sched": slice(1, 2),
    "zpty": slice(1, 2),
}
_NAME = re.compile(r"[^\W\d]\w*")
_FUNCTION_NAME = re.compile(r"[^\s'\"$`(){}<>|&;=\\/~*?\[\]-][^\s'\"$`(){}<>|&;=\\]*")
_OPTION = re.compile(r"[-+][A-Za-z]\S*")


def names_in(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """The names among `words`, a command and its arguments, in `text`."""
    command = words[0].text
    if command in DECLARING:
        yield from _declared(words, text, dialect)
    elif reader := _READERS.get(command):
        yield from reader(words, text, dialect)
    elif command in _FUNCTIONS:
        use = Use.WRITTEN if command == "autoload" else Use.READ
        for word in _operands(words, "")[_FUNCTIONS[command]]:
            yield from _function(word, text, use)


def reads(command: str) -> bool:
    """Whether words of `command` may be names, files or code."""
    return command in _KNOWN


def _declared(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`local -a x y=1`; with `-f` the operands are functions."""
    letters = letters_of(words)
    operands = _operands(words, "")
    if "f" in letters and words[0].text not in {"float", "integer"}:
        for word in operands:
            yield from _function(word, text)
        return
    if "F" in letters and dialect is Dialect.BASH:
        return
    is_local = words[0].text in _LOCAL[dialect] and "g" not in letters
    for word in operands:
        if name := _name_at(word, text):
            yield Named(NameKind.VARIABLE, name, _span(word, name), Use.DECLARED, is_local)


def _read(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`read -r x y`; in bash `-a` takes the array's name, in zsh all names follow the options."""
    yield from _by_option(words, text, dialect)
    valued = _READ_VALUED[dialect]
    for word in _operands(words, valued):
        name = _name_at(word, text, ends="?")
        if name:
            yield _written(word, name)


def _by_option(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`printf -v name`: the name after an option."""
    letters = _WRITES_BY_OPTION.get(words[0].text, "")
    if words[0].text == "read" and dialect is not Dialect.BASH:
        return
    for option, value in pairwise(words[1:]):
        is_asked = _OPTION.fullmatch(option.text) and option.text[-1] in letters
        if is_asked and (name := _name_at(value, text)):
            yield _written(value, name)


def _plain(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """Operands that are names of parameters that the command sets."""
    command = words[0].text
    if command == "unset" and "f" in letters_of(words):
        for word in _operands(words, ""):
            yield from _function(word, text)
        return
    for word in _operands(words, _VALUED.get(command, ""))[_WRITTEN[command]]:
        if name := _name_at(word, text, ends="["):
            yield _written(word, name)


def _zparseopts(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`zparseopts -A all h=help -name:=name`: the arrays after `=`."""
    yield from _by_option(words, text, dialect)
    for word in words[1:]:
        source = text[slice(*word.span)]
        found = re.search(r"=([^\W\d]\w*)\Z", source)
        if found:
            start = word.span.start + found.start(1)
            yield Named(
                NameKind.VARIABLE, found[1], Span(start, start + len(found[1])), Use.WRITTEN
            )


def _zstyle(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`zstyle -s context style name`."""
    asks = len(words) > 4 and words[1].text in {"-s", "-a", "-b"}
    if asks and (name := _name_at(words[4], text)):
        yield _written(words[4], name)


def _trap(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`trap cleanup EXIT`; an action of several words is code, which `collect` parses."""
    for word in _operands(words, "")[:1]:
        if len(words) > 2:
            yield from _function(word, text)


def _zle(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`zle -N widget function`; one word alone names both."""
    if len(words) > 2 and words[1].text in {"-N", "-C", "-F"}:
        yield from _function(words[-1], text)


def _command(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`command -v name`, which finds functions too."""
    if len(words) > 2 and words[1].text in {"-v", "-V"}:
        yield from _function(words[2], text)


def _alias(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    for word in words[1:]:
        source = text[slice(*word.span)]
        name, sign, _ = source.partition("=")
        if sign and _FUNCTION_NAME.fullmatch(name):
            yield Named(NameKind.ALIAS, name, _span(word, name), Use.DECLARED)


def _arithmetic(words: Sequence[Word], text: str, dialect: Dialect) -> Iterator[Named]:
    """`shift 2 array`, in zsh."""
    for word in words[1:]:
        if dialect is Dialect.ZSH and (name := _name_at(word, text)):
            yield _written(word, name)


_READERS: Mapping[str, Callable[[Sequence[Word], str, Dialect], Iterator[Named]]] = {
    **dict.fromkeys(_WRITTEN, _plain),
    **dict.fromkeys(["printf", "print", "strftime", "zstat", "wait", "set"], _by_option),
    "read": _read,
    "zparseopts": _zparseopts,
    "zstyle": _zstyle,
    "trap": _trap,
    "zle": _zle,
    "command": _command,
    "alias": _alias,
    "shift": _arithmetic,
}


_KNOWN = DECLARING | _READERS.keys() | _FUNCTIONS.keys() | {"source", ".", "let"}


def function_word(word: Word, text: str) -> str:
    """The word if it is unquoted and may be a function's name, else `""`."""
    source = text[slice(*word.span)]
    if word.literal and source == word.text and _FUNCTION_NAME.fullmatch(source):
        return source
    return ""


def _function(word: Word, text: str, use: Use = Use.READ) -> Iterator[Named]:
    if name := function_word(word, text):
        yield Named(NameKind.FUNCTION, name, word.span, use)


def _written(word: Word, name: str) -> Named:
    return Named(NameKind.VARIABLE, name, _span(word, name), Use.WRITTEN)


def _span(word: Word, name: str) -> Span:
    return Span(word.span.start, word.span.start + len(name))


def _name_at(word: Word, text: str, ends: str = "") -> str:
    """The name that a word begins with: `x`, `x=1`, `x+=1`."""
    source = text[slice(*word.span)]
    found = _NAME.match(source)
    if found is None:
        return ""
    rest = source[found.end() :]
    is_name = not rest or rest.startswith(("=", "+=", "[")) or (ends and rest.startswith(ends))
    return found[0] if is_name else ""


def letters_of(words: Sequence[Word]) -> str:
    """The letters of a command's options."""
    return "".join(word.text[1:] for word in words[1:] if _OPTION.fullmatch(word.text))


def _operands(words: Sequence[Word], valued: str) -> list[Word]:
    """The words after the options; an option that ends with a letter of `valued` takes the next word."""
    at = 1
    while at < len(words) and _OPTION.fullmatch(words[at].text):
        at += 2 if words[at].text[-1] in valued and not words[at].text.startswith("--") else 1
    if at < len(words) and words[at].text in {"--", "-"}:
        at += 1
    return list(words[at:])
