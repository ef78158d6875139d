"""The names of manual pages for a command (MAN-3), and a page's content: name, purpose, options."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise
from typing import Any

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.shell.template.slots import sub_commands
from zsh_ls.shell.template.template import program_name
from zsh_ls.shell.words.words import Command, Word, read
from zsh_ls.shell.words.wrappers import base_name, last_simple, look_through

from .man import rendered
from .options import (
    OptionEntry,
    OptionForm,
    mentioned_options,
    parse_options,
    plain_text,
    undashed_options,
)


def page_names(command: str) -> tuple[str, ...]:
    """Names of pages for the command whose exit status `command` returns, best first.

    `git-push` and `git` for `git push origin x`; wrappers are skipped, unless nothing
    follows them. The pages need not exist.
    """
    reading = read(command)
    last = last_simple(reading.script.pipelines)
    if last is None:
        return ()
    found = reading.commands[last.span]
    words = own_words(found) or found.words[:1]
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
# "option can be any of the options accepted by declare", "Same as typeset".
_AS = re.compile(r"(?:options accepted by|\bSame as|\bEquivalent to)\s+(\w+)")
_SIGNS = frozenset("[-")
_SECTION_MACRO = re.compile(r"^\.S[Hh]\b", re.MULTILINE)
_DASH = re.compile(r"\s+-{1,2}\s+")


# Programs whose first argument may be options without a dash.
UNDASHED_OPTIONS = frozenset({"ar", "ps", "tar"})


class ManualPage(NamedTuple):
    """A parsed page; `purpose` is from its NAME section, `""` without one."""

    name: str
    purpose: str = ""
    options: tuple[OptionEntry, ...] = ()


def page_of(name: str, source: str) -> ManualPage:
    """Parse a page from its roff source."""
    text = rendered(source)
    page = page_of_text(name, text)
    undashed = undashed_options(text) if name in UNDASHED_OPTIONS else ()
    return page._replace(options=(*page.options, *undashed))


def without_options(name: str, source: str) -> ManualPage | None:
    """The page by its first section alone, as nearly all of a page is of its options.

    None where that does not say what the page is of.
    """
    begins = [it.start() for it in islice(_SECTION_MACRO.finditer(source), 2)]
    purpose = purpose_of(rendered(source[: begins[1]])) if len(begins) == 2 else ""
    return ManualPage(name, purpose) if purpose else None


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
    sharing: list[str] = []
    for (name, start), (_, end) in pairwise([*heads, ("", len(text))]):
        sharing.append(name)
        # One line alone is a head of the text below it: `declare` above `typeset`.
        if "\n" in text[start:end].strip():
            for each in dict.fromkeys(sharing):
                chunks[each] = chunks.get(each, "") + text[start:end]
            sharing = []
    chunks.update(dict.fromkeys(sharing, ""))
    options = {name: _options_of_builtin(chunk) for name, chunk in chunks.items()}
    for name, own in options.items():
        like = _AS.search(chunks[name])
        if like is not None and like[1] in options:
            known = {form.flag for entry in own for form in entry.forms}
            others = (it for it in options[like[1]] if not known & {form.flag for form in it.forms})
            options[name] = (*own, *others)
    return {name: ManualPage(name, "", own) for name, own in options.items()}


def _options_of_builtin(text: str) -> tuple[OptionEntry, ...]:
    """Those of its list, and those that its sentences tell of."""
    listed = parse_options(text)
    known = {form.flag for entry in listed for form in entry.forms}
    _, _, prose = text.partition("\n")
    told = (entry for entry in mentioned_options(prose) if entry.forms[0].flag not in known)
    return (*listed, *told)


def purpose_of(text: str) -> str:
    """The text after the dash in the NAME section: `print lines that match patterns`; `""` without."""
    found = _NAME_SECTION.search(plain_text(text))
    if found is None:
        return ""
    line = " ".join(found[1].split())
    return _DASH.split(line, maxsplit=1)[1].rstrip(".") if _DASH.search(line) else ""
