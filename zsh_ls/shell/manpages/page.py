"""Which manual pages may describe a command (MAN-3), and what a page says: name, purpose, options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import attrs

from zsh_ls.shell.template.slots import sub_commands
from zsh_ls.shell.template.template import program_name
from zsh_ls.shell.words.words import Command, Word, read
from zsh_ls.shell.words.wrappers import base_name, last_simple, look_through

from .man import rendered
from .options import OptionEntry, parse_options, plain_text


def page_names(command: str) -> tuple[str, ...]:
    """Names of pages for the command that gives the exit of `command`, best first.

    `git push origin x` gives `git-push`, `git`; wrappers are looked through.
    They are names to try: a command without a page has none of them.
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
    """The words of a command behind assignments and wrappers."""
    return list(command.words[look_through([word.text for word in command.words]) :])


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
