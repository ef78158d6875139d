"""The parts of a command, for explaining it: simple commands, their flags, and names of manual pages.

`outline` reads the text; whoever fetches manual pages gives them to
`described`, and `explain` makes an answer of both.
"""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import Dialect, SegmentKind
from zsh_ls.shell.manpages.option_table import find_options
from zsh_ls.shell.manpages.options import OptionEntry
from zsh_ls.shell.manpages.page import ManualPage, own_words, page_names
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.words import EXPANSION, read
from zsh_ls.shell.words.wrappers import RUNNERS, base_name, last_simple, wrapped_at

from .builtins import BUILTINS

# Further parts are counted, not described.
MAX_PARTS = 8
# `xargs ssh host sudo …`: what is deeper is not described.
MOST_NESTED = 3
_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


@attrs.frozen
class CommandPart:
    """A simple command: its text, its program, its flags as written, names of pages to try, its words.

    `is_run_by_another`: it stands in the words of a program, which runs it (`sed` in `xargs sed -i`).
    """

    text: str
    program: str
    flags: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    is_run_by_another: bool = False


@attrs.frozen
class Outline:
    """A command's parts in order, and the programs of each of its own pipelines of several segments."""

    command: str
    parts: tuple[CommandPart, ...]
    pipes: tuple[tuple[str, ...], ...] = ()


@attrs.frozen
class Described:
    """A part with information of its manual page: page name, purpose, and the flags it uses."""

    part: CommandPart
    page: str | None = None
    purpose: str = ""
    options: tuple[OptionEntry, ...] = ()


def outline(command: str, dialect: Dialect = Dialect.ZSH) -> Outline:
    """The parts of `command`, including those in compound commands and substitutions."""
    script = parse(command, dialect)
    texts = dict.fromkeys(  # each text once, where it stands first
        script.source(segment.span)
        for pipeline in script.every_pipeline()
        for segment in pipeline.segments
        if segment.kind is SegmentKind.SIMPLE and segment.command_word
    )
    pipes = (
        tuple(base_name(segment.command_word) or "(…)" for segment in pipeline.segments)
        for pipeline in script.pipelines
        if len(pipeline.segments) > 1
    )
    parts = (part for text in texts for part in _parts_of(text))
    return Outline(command, tuple(parts), tuple(pipes))


def _parts_of(text: str, depth: int = 0) -> list[CommandPart]:
    """The part for a simple command, after wrappers such as sudo, and those for what its program runs."""
    reading = read(text)
    last = last_simple(reading.script.pipelines)
    own = own_words(reading.commands[last.span]) if last else []
    if not own:
        return [CommandPart(text, "")]
    words = tuple(word.text for word in own)
    program, rest = base_name(words[0]), words[1:]
    if EXPANSION in program:  # nothing but the shell knows its name
        program = reading.script.source(own[0].span)
    run = _run_by(program, words) if depth < MOST_NESTED else []
    of_others = {at for start, stop in run for at in range(start, stop)}
    rest = tuple(word for at, word in enumerate(words) if at and at not in of_others)
    until = rest.index("--") if "--" in rest else len(rest)
    flags = tuple(word for word in rest[:until] if word[:1] == "-" and len(word) > 1)
    source = reading.script.text
    inner = (source[own[start].span.start : own[stop - 1].span.end] for start, stop in run)
    return [
        CommandPart(text, program, flags, page_names(text), words, depth > 0),
        *(part for one in inner for part in _parts_of(one, depth + 1)),
    ]


def _run_by(program: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """The words of each command that a program runs, as half-open ranges."""
    if program == "find":
        begun = [at + 1 for at, word in enumerate(words) if word in _RUNS]
        ends = [at for at, word in enumerate(words) if word in (";", "+")] + [len(words)]
        stops = [(start, next(at for at in ends if at >= start)) for start in begun]
        return [(start, stop) for start, stop in stops if start < stop]
    wrapper = RUNNERS.get(program)
    at = wrapped_at(words, wrapper) if wrapper else None
    return [] if at is None else [(at, len(words))]


def described(part: CommandPart, page: ManualPage | None = None) -> Described:
    """The part with its manual page's description, or for a builtin the one in `builtins`."""
    if page is None:
        return Described(part, None, BUILTINS.get(part.program, ""))
    used = dict.fromkeys(entry for flag in part.flags for entry in find_options(page.options, flag))
    return Described(part, page.name, BUILTINS.get(part.program, page.purpose), tuple(used))
