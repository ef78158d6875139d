"""Finds what zsh's manual says of the parts of a text: `setopt extendedglob`, `${(@f)x}`, `*(.om[1])`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pkgutil import get_data

from zsh_ls.lazy import attrs, re
from zsh_ls.model.span import Span


@attrs.frozen
class ManualEntry:
    """One entry: `kind` is a word of `manual.tsv` (`option`, `parameter`, …), `page` the manual page."""

    kind: str
    name: str
    heading: str
    text: str
    page: str


@attrs.frozen
class Mention:
    """A place of a text and the entries that tell of it."""

    span: Span
    entries: tuple[ManualEntry, ...]


@cache
def manual() -> Mapping[tuple[str, str], ManualEntry]:
    """All entries by kind and name."""
    lines = (get_data(__package__, "manual.tsv") or b"").decode()
    rows = (
        line.split("\t") for line in lines.splitlines() if line and not line.startswith("#\x20")
    )
    return {(row[0], row[1]): ManualEntry(*row) for row in rows}


def entry(kind: str, name: str) -> ManualEntry | None:
    """The entry of a name, None without one."""
    return manual().get((kind, name))


def option(name: str) -> ManualEntry | None:
    """The entry of an option however it is written: `EXTENDED_GLOB`, `extendedglob`, `noextendedglob`."""
    plain = name.lower().replace("_", "")
    return entry("option", plain) or entry("option", plain.removeprefix("no"))


def command(name: str) -> ManualEntry | None:
    """The entry of a builtin, or of a function that zsh brings along (`zmv`, `add-zsh-hook`)."""
    return entry("builtin", name) or entry("function", name)


_SINGLE_QUOTED = re.compile(r"(?<![\w$\"])'[^'\n]*'")
_SETS_OPTIONS = re.compile(
    r"(?:^|[;&|(){}\n]|\b(?:then|do|else)\b)\s*"
    r"(?:(?:un)?setopt\s+|(?:builtin\s+)?set\s+(?:[-+]\w+\s+)*[-+]\w*o\s+|emulate\s+(?:-\w+\s+)*\w+\s+-o\s+)"
    r"(?P<names>[^;&|\n()#]+)"
)
# One letter is an option of set; `-A name` fills an array, `-o name` names its option.
_SET_LETTERS = re.compile(r"\bset\s+[-+](?P<letters>[A-Za-z]+)(?=[\s;]|$)")
_LETTER_OF_OPTION = re.compile(r"\((?!ksh)[-+](\w)")
_BEGINS_TEST = re.compile(r"(?<![\w-])(?:\[\[?|test)\s")
_ENDS_TEST = re.compile(r"\s\]\]?(?=[\s;&|)}]|$)|[;\n]")
_TEST = re.compile(r"(?<=[\s(])-[A-Za-z]{1,2}(?=\s)")
_OPTION_NAME = re.compile(r"[A-Za-z][A-Za-z_]+")
_EXPANSION_FLAGS = re.compile(r"\$\{\((?P<flags>(?:[^()'\"$\n]|\([^()\n]*\)){1,40})\)")
_PARAMETER = re.compile(
    r"\$\{?(?:\([^()\n]*\))?[#=^~+]{0,2}(?P<name>[A-Za-z_]\w*|[?$!*@#-](?![\w({]))"
)
_MODIFIERS = re.compile(r"\$\{?[A-Za-z_0-9]+(?P<modifiers>(?::[acehlpPqQrtuxA](?![\w-]))+)")
_GLOBBING_FLAG = re.compile(r"\(#(?P<flags>(?:[ilIbBmMsueU]|a\d+|c\d+(?:,\d*)?)+)\)")
_QUALIFIERS = re.compile(
    r"(?<=[*?\])\w/])\((?P<glob>#q)?(?P<flags>[^|()\s$'\"]{1,40})\)(?=[\s;&|)\"]|$)"
)


def mentions(text: str) -> list[Mention]:
    """What the manual tells of in a zsh text, by place; nothing inside single quotes is code."""
    code = text
    if "'" in text:
        code = _SINGLE_QUOTED.sub(lambda found: " " * len(found[0]), text)
    # The patterns take longer to compile than the signs to look for, and most commands have none of these.
    found: list[Mention] = []
    if "set" in code or "emulate" in code:
        found += [*_options(code), *_letters_of_set(code)]
    if "[" in code or "test" in code:
        found += _tests(code)
    if "$" in code:
        found += [*_flags(code), *_parameters(code), *_modifiers(code)]
    if "(" in code:
        found += _globs(code)
    return sorted(found, key=lambda it: it.span.start)


def _options(code: str) -> Iterator[Mention]:
    for group in _SETS_OPTIONS.finditer(code):
        for word in _OPTION_NAME.finditer(code, *group.span("names")):
            known = option(word[0])
            if known is not None:
                yield Mention(Span(*word.span()), (known,))


@cache
def _by_letter() -> Mapping[str, ManualEntry]:
    """The options that a single letter sets: ERR_EXIT by `e`."""
    lettered = ((_LETTER_OF_OPTION.search(it.heading), it) for it in manual().values())
    return {found[1]: it for found, it in lettered if found and it.kind == "option"}


def _letters_of_set(code: str) -> Iterator[Mention]:
    for group in _SET_LETTERS.finditer(code):
        letters = dict.fromkeys(group["letters"].replace("o", ""))
        told = tuple(_by_letter()[letter] for letter in letters if letter in _by_letter())
        if told and "A" not in letters:
            yield Mention(Span(group.start("letters") - 1, group.end("letters")), told)


def _tests(code: str) -> Iterator[Mention]:
    for begin in _BEGINS_TEST.finditer(code):
        end = _ENDS_TEST.search(code, begin.end())
        for word in _TEST.finditer(code, begin.end() - 1, end.start() if end else len(code)):
            known = entry("test", word[0])
            if known is not None:
                yield Mention(Span(*word.span()), (known,))


def _flags(code: str) -> Iterator[Mention]:
    for group in _EXPANSION_FLAGS.finditer(code):
        told = tuple(_told("expansion flag", _letters(group["flags"])))
        if told:
            yield Mention(Span(group.start("flags") - 1, group.end("flags") + 1), told)


def _parameters(code: str) -> Iterator[Mention]:
    for group in _PARAMETER.finditer(code):
        known = entry("parameter", group["name"])
        if known is not None:
            yield Mention(Span(*group.span("name")), (known,))


def _modifiers(code: str) -> Iterator[Mention]:
    for group in _MODIFIERS.finditer(code):
        told = tuple(_told("modifier", group["modifiers"].replace(":", "")))
        if told:
            yield Mention(Span(*group.span("modifiers")), told)


def _globs(code: str) -> Iterator[Mention]:
    for group in _GLOBBING_FLAG.finditer(code):
        told = tuple(_told("globbing flag", re.sub(r"[\d,]", "", group["flags"])))
        if told:
            yield Mention(Span(*group.span("flags")), told)
    for group in _QUALIFIERS.finditer(code):
        # Of a function's definition, and of an alternative, nothing is told: `f(x)` may be either.
        if not group["glob"] and code[group.start() - 1] not in "*?])/":
            continue
        letters = _qualifier_letters(group["flags"])
        told = tuple(_told("glob qualifier", letters))
        if letters and len(told) == len(dict.fromkeys(letters)):
            yield Mention(Span(*group.span("flags")), told)


def _letters(flags: str) -> str:
    """The flags without their arguments: `sn` of `s:/:n`."""
    letters, at = "", 0
    while at < len(flags):
        letter = flags[at]
        letters += letter
        at += 1
        if letter in "sjglrZI" and at < len(flags) and not flags[at].isalnum():
            close = {"(": ")", "[": "]", "{": "}", "<": ">"}.get(flags[at], flags[at])
            end = flags.find(close, at + 1)
            while letter in "lr" and end >= 0 and flags[end : end + 2] == close * 2:
                end = flags.find(close, end + 2)  # `l:10::0:` has two more arguments
            at = end + 1 if end >= 0 else len(flags)
    return letters


def _qualifier_letters(flags: str) -> str:
    """The qualifiers without what they take: `.om` of `.om[1]`, `m` of `mh-2`."""
    plain = re.sub(r"\[[^\]]*\]|[+-]?\d+|:[a-z]+", "", flags)
    plain = re.sub(r"([amc])[Mwhms]?[+-]?", r"\1", plain) if not plain.startswith("o") else plain
    plain = re.sub(r"([oO])[nLlamcdN+]", r"\1", plain)
    return re.sub(r"L[kKmMgGtTpP]?[+-]?", "L", plain).lstrip("^-")


def _told(kind: str, letters: str) -> Iterator[ManualEntry]:
    for letter in dict.fromkeys(letters):
        known = entry(kind, letter)
        if known is not None:
            yield known
