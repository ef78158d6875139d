"""The names of manual pages for a command (MAN-3), and a page's content: name, purpose, options."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, NamedTuple

from zsh_ls.lazy import re
from zsh_ls.shell.template.slots import sub_commands
from zsh_ls.shell.template.template import program_name
from zsh_ls.shell.words.words import Command, Word, read
from zsh_ls.shell.words.wrappers import base_name, last_simple, look_through

from .man import rendered
from .options import OptionEntry, OptionForm, parse_options, plain_text


def page_names(command: str) -> tuple[str, ...]:
    """Names of pages for the command whose exit status `command` returns, best first.

    `git-push` and `git` for `git push origin x`; wrappers are skipped. The pages need
    not exist.
    """
    reading = read(command)
    last = last_simple(reading.script.pipelines)
    words = own_words(reading.commands[last.span]) if last else []
    if not words or not words[0].literal:
        return ()
    typed, program = base_name(words[0].text), program_name(words[0])
    names = [program, *sub_commands(program, words[1:])]
    pages = ["-".join(names[:length]) for length in range(len(names), 1, -1)]
    return tuple(dict.fromkeys([*pages, typed, program]))


def own_words(command: Command) -> list[Word]:
    """The words of a command after assignments and wrappers."""
    return list(command.words[look_through([word.text for word in command.words]) :])


_NAME_SECTION = re.compile(r"^NAME\s*\n((?:[ \t]+\S.*\n?)+)", re.MULTILINE)
_BUILTINS_OF_BASH = "\nSHELL BUILTIN COMMANDS\n"
_SECTION = re.compile(r"^(?=\S)", re.MULTILINE)
_HEAD = re.compile(r"^ {7}(\S+)(?= |$)", re.MULTILINE)
_SIGNS = frozenset("[-")
_DASH = re.compile(r"\s+-{1,2}\s+")


class ManualPage(NamedTuple):
    """A parsed page; `purpose` is from its NAME section, `""` without one."""

    name: str
    purpose: str = ""
    options: tuple[OptionEntry, ...] = ()


def page_of(name: str, source: str) -> ManualPage:
    """Parse a page from its roff source."""
    return page_of_text(name, rendered(source))


def page_as_json(source: str) -> str:
    """What `page_of` finds, as a process sends it to another one."""
    return json.dumps(page_of("", source))


def builtin_pages_as_json(source: str, builtins: str) -> str:
    """What `builtin_pages` finds, as a process sends it to another one; of names divided by blanks."""
    return json.dumps(list(builtin_pages(source, frozenset(builtins.split())).values()))


def page_from_json(given: Sequence[Any]) -> ManualPage:
    """The page that a process described."""
    name, purpose, options = given
    return ManualPage(
        name,
        purpose,
        tuple(
            OptionEntry(tuple(OptionForm(*form) for form in forms), description)
            for forms, description in options
        ),
    )


def page_of_text(name: str, text: str) -> ManualPage:
    """Parse a page from its text as `man` shows it."""
    return ManualPage(name, purpose_of(text), parse_options(text))


def builtin_pages(source: str, builtins: AbstractSet[str]) -> Mapping[str, ManualPage]:
    """A page for each builtin, from the shell's manual."""
    text = rendered(source)
    _, found, behind = text.partition(_BUILTINS_OF_BASH)
    text = _SECTION.split(behind, maxsplit=1)[0] if found else text
    # `[` and `-` also begin lines of synopses, and take no options.
    heads = [
        (head[1], head.start()) for head in _HEAD.finditer(text) if head[1] in builtins - _SIGNS
    ]
    chunks: dict[str, str] = {}
    for (name, start), (_, end) in pairwise([*heads, ("", len(text))]):
        chunks[name] = chunks.get(name, "") + text[start:end]
    return {name: ManualPage(name, "", parse_options(chunk)) for name, chunk in chunks.items()}


def purpose_of(text: str) -> str:
    """The text after the dash in the NAME section: `print lines that match patterns`; `""` without."""
    found = _NAME_SECTION.search(plain_text(text))
    if found is None:
        return ""
    line = " ".join(found[1].split())
    return _DASH.split(line, maxsplit=1)[1].rstrip(".") if _DASH.search(line) else ""
