"""A manual page as values, from its source: its name, its purpose, its options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import attrs

from .man_source import rendered
from .manpage import OptionEntry, parse_options, plain_text

_NAME_SECTION = re.compile(r"^NAME\s*\n((?:[ \t]+\S.*\n?)+)", re.MULTILINE)
_BUILTINS_OF_BASH = "\nSHELL BUILTIN COMMANDS\n"
_SECTION = re.compile(r"^(?=\S)", re.MULTILINE)
_HEAD = re.compile(r"^ {7}(\S+)(?= |$)", re.MULTILINE)
_SIGNS = frozenset("[-")
_DASH = re.compile(r"\s+-{1,2}\s+")


@attrs.frozen
class ManualPage:
    """What a page says: `purpose` is that of its NAME section, `""` without one."""

    name: str
    purpose: str = ""
    options: tuple[OptionEntry, ...] = ()


def page_of(name: str, source: str) -> ManualPage:
    """The page of that name, from its roff source."""
    return page_of_text(name, rendered(source))


def page_of_text(name: str, text: str) -> ManualPage:
    """The page of that name, from its text as `man` shows it."""
    return ManualPage(name, purpose_of(text), parse_options(text))


def builtin_pages(source: str, builtins: AbstractSet[str]) -> Mapping[str, ManualPage]:
    """What a shell's manual says of each of its builtins, as if each had a page of its own."""
    text = rendered(source)
    _, found, behind = text.partition(_BUILTINS_OF_BASH)
    text = _SECTION.split(behind, maxsplit=1)[0] if found else text
    # `[` and `-` begin lines of synopses, and take no options.
    heads = [
        (head[1], head.start()) for head in _HEAD.finditer(text) if head[1] in builtins - _SIGNS
    ]
    ends = [*(start for _, start in heads[1:]), len(text)]
    chunks: dict[str, str] = {}
    for (name, start), end in zip(heads, ends, strict=True):
        chunks[name] = chunks.get(name, "") + text[start:end]
    return {name: ManualPage(name, "", parse_options(chunk)) for name, chunk in chunks.items()}


def purpose_of(text: str) -> str:
    """What the NAME section says behind the dash: `print lines that match patterns`; `""` without one."""
    found = _NAME_SECTION.search(plain_text(text))
    if found is None:
        return ""
    line = " ".join(found[1].split())
    return _DASH.split(line, maxsplit=1)[1].rstrip(".") if _DASH.search(line) else ""
