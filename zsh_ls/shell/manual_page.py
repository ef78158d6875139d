"""A manual page as values, from its source: its name, its purpose, its options."""

from __future__ import annotations

import re

import attrs

from .man_source import rendered
from .manpage import OptionEntry, parse_options, plain_text

_NAME_SECTION = re.compile(r"^NAME\s*\n((?:[ \t]+\S.*\n?)+)", re.MULTILINE)
_DASH = re.compile(r"\s+-{1,2}\s+")


@attrs.frozen
class Page:
    """What a page says: `purpose` is that of its NAME section, `""` without one."""

    name: str
    purpose: str = ""
    options: tuple[OptionEntry, ...] = ()


def page_of(name: str, source: str) -> Page:
    """The page of that name, from its roff source."""
    return page_of_text(name, rendered(source))


def page_of_text(name: str, text: str) -> Page:
    """The page of that name, from its text as `man` shows it."""
    return Page(name, purpose_of(text), parse_options(text))


def purpose_of(text: str) -> str:
    """What the NAME section says behind the dash: `print lines that match patterns`; `""` without one."""
    found = _NAME_SECTION.search(plain_text(text))
    if found is None:
        return ""
    line = " ".join(found[1].split())
    return _DASH.split(line, maxsplit=1)[1].rstrip(".") if _DASH.search(line) else ""
