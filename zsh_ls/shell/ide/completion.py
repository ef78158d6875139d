"""Determines what is being typed at an offset: a command, a flag, a parameter, an option.

Only the line up to the offset is parsed, so that neither later text nor an unclosed
construct matters, and the time does not depend on the length of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Script, SegmentKind
from zsh_ls.shell.manpages.page import own_words
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.template.template import program_name
from zsh_ls.shell.words.vocabulary import SHELL_WORDS
from zsh_ls.shell.words.words import Word, read

from .cursor import command_at

MAX_LINES = 20
MAX_LINE_LENGTH = 4_000
# Appended in place of the word that is being typed; any letter would do.
_CURSOR = "x"
_PARAMETER = re.compile(
    r"\$(?:\{(?:\([^()]*\))?[#^=~+!]*)?(?P<name>[A-Za-z_]\w*)?\Z",
)
# The letters between the parentheses of zsh's `*(.om[1])` or `*(#q.)`, and of `${(s:,:)x}`.
_QUALIFIERS = re.compile(r"(?:[*?\])][\w./@%+:,~-]*\((?:#q)?|\(#q)[^|()\s$'\"]{0,40}\Z")
_EXPANSION_FLAGS = re.compile(r"\$\{\([^()'\"$\s]{0,40}\Z")
_BEGUN = re.compile(r"[^\s;|&<>(){}$`'\"]*\Z")


# Where a `$` is none of the text's own.
_EXPANDED = ("", '"')


class Wanted(StrEnum):
    """The kind of word that is being typed."""

    COMMAND = "command"
    SUB_COMMAND = "sub-command"
    FLAG = "flag"
    PARAMETER = "parameter"
    OPTION = "option"
    ARGUMENT = "argument"
    QUALIFIER = "glob qualifier"
    EXPANSION_FLAG = "expansion flag"


class Begun(NamedTuple):
    """A word that is being typed: its `prefix` so far, at `span`.

    `command` is the text of its command up to the offset; `takes` is the command whose
    options are completed (`setopt`, `set -o`), for Wanted.OPTION.
    """

    wanted: Wanted
    prefix: str
    span: Span
    command: str = ""
    takes: str = ""


def begun_at(text: str, offset: int, dialect: Dialect, script: Script | None) -> Begun | None:
    """What is being typed at an offset; None if nothing can be completed there.

    `script` is the last parse of the document, which may be a little older than
    `text`: it is only used to find the heredoc or quoted text around the line.
    """
    # The line, with those before it that a backslash joins to it.
    start = text.rfind("\n", 0, offset) + 1
    for _ in range(MAX_LINES):
        if not text.endswith("\\\n", 0, start):
            break
        start = text.rfind("\n", 0, start - 1) + 1
    before = text[start:offset]
    if len(before) > MAX_LINE_LENGTH:
        return None
    if any(comment.end >= len(before) for comment in parse(before, dialect).comments):
        return None
    parameter = _PARAMETER.search(before)
    if parameter is not None and _quoting(before[: parameter.start()]) in _EXPANDED:
        name = parameter["name"] or ""
        return Begun(Wanted.PARAMETER, name, Span(offset - len(name), offset))
    if dialect is Dialect.ZSH:
        flags, qualifiers = _EXPANSION_FLAGS.search(before), _QUALIFIERS.search(before)
        if flags is not None and _quoting(before[: flags.start()]) in _EXPANDED:
            return Begun(Wanted.EXPANSION_FLAG, "", Span(offset, offset))
        if qualifiers is not None and not _quoting(before[: qualifiers.start()]):
            return Begun(Wanted.QUALIFIER, "", Span(offset, offset))
    if script is not None:
        # In a heredoc, or in a word that began on an earlier line, nothing is a command.
        if any(one.body.start <= start < one.body.end for one in script.heredocs):
            return None
        around = command_at(script, start)
        if around is not None and any(word.start < start < word.end for word in around.words):
            return None
    return _word(before, offset, dialect)


def _quoting(before: str) -> str:
    """What the character after `before` is quoted by: a kind of quotes, a backslash or nothing."""
    state, escaped = "", False
    for char in before:
        if escaped:
            escaped = False
        elif char == "\\" and state != "'":
            escaped = True
        elif char == state:
            state = ""
        elif not state and char in "'\"":
            state = char
    return "\\" if escaped else state


def _word(before: str, offset: int, dialect: Dialect) -> Begun | None:
    """The word of a command at the cursor, None if there is none."""
    text = before + _CURSOR
    script = parse(text, dialect)
    segment = command_at(script, len(text))
    begun = _BEGUN.search(before)
    if segment is None or begun is None or segment.span.end != len(text):
        return None
    if segment.kind is not SegmentKind.SIMPLE or not segment.words:
        return None
    prefix = begun[0]
    if segment.words[-1].start != len(before) - len(prefix) or segment.words[-1].end != len(text):
        return None
    command = script.source(segment.span)
    found = read(command).commands.get(Span(0, len(command)))
    # Behind assignments and wrappers, the word being typed included.
    words = [] if found is None else own_words(found) or list(found.words[-1:])
    span = Span(offset - len(prefix), offset)
    return _classified(words, prefix, span, command[: -len(_CURSOR)], dialect)


def _classified(
    words: Sequence[Word], prefix: str, span: Span, command: str, dialect: Dialect
) -> Begun | None:
    if len(words) == 1:
        return Begun(Wanted.COMMAND, prefix, span, command) if "/" not in prefix else None
    if not words or any(word.text == "--" for word in words[:-1]):
        return None
    program = program_name(words[0])
    takes = program if program in SHELL_WORDS[dialect].options else ""
    if program == "set":
        takes = "set -o" if re.fullmatch(r"[-+][a-zA-Z]*o", words[-2].text) else ""
    if takes and not prefix.startswith(("-", "+")):
        return Begun(Wanted.OPTION, prefix, span, command, takes)
    if prefix.startswith("-"):
        return Begun(Wanted.FLAG, prefix, span, command)
    wanted = Wanted.SUB_COMMAND if len(words) == 2 else Wanted.ARGUMENT
    return Begun(wanted, prefix, span, command)
