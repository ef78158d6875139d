"""Fenced code of Markdown: shell that a reader types, with or without prompts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from zsh_ls.lazy import re

from .block import Block, BlockBuilder

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LANGUAGES = {
    "zsh": "zsh",
    "bash": "bash",
    "sh": "sh",
    "shell": "shellscript",
    "shellscript": "shellscript",
    "console": "console",
    "shell-session": "console",
    "shellsession": "console",
    "sh-session": "console",
    "bash-session": "console",
    "terminal": "console",
}
_INFO = re.compile(r"\{?\s*\.?([A-Za-z][\w-]*)")
# `$ `, `user@host:~/src$ `, `(venv) % `, `❯ `: what a shell writes before a command.
_PROMPT = re.compile(
    r"[ \t]*(?:\([\w.-]+\)[ ]?)?(?:\[[^\]\n]{1,60}\][ ]?|[\w.-]+@[\w.-]+(?:[: ][^\s$%#]{0,80})?[ ]?)?"
    r"(?:[$%❯➜](?=[ \t]|$)|(?<=[\w~\])])#(?=[ ]))[ \t]?"
)
_CONTINUED = re.compile(r"[ \t]*>[ \t]?")
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)([\w.-]+)\1")


@cache
def _reader() -> MarkdownIt:
    """Blocks alone: what stands within paragraphs is no code that can be fenced."""
    from markdown_it import MarkdownIt  # noqa: PLC0415  few files need it

    reader = MarkdownIt("commonmark")
    reader.core.ruler.disable(["inline", "text_join"], ignoreInvalid=True)
    return reader


def blocks_of(text: str) -> Iterator[Block]:
    """The fenced shell of a Markdown text, in its order."""
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\n|\r", text))]
    for token in _reader().parse(text):
        named = _INFO.match(token.info) if token.type == "fence" else None
        language = LANGUAGES.get(named[1].lower()) if named else None
        if language is None or token.map is None:
            continue
        first = token.map[0]
        lines = list(_lines(text, starts, first + 1, token.content))
        has_prompts = language == "console" or _begins_with_prompt(text, lines)
        block = (_session if has_prompts else _code)(text, lines, language, starts[first])
        if block is not None:
            yield block


def _lines(text: str, starts: list[int], first: int, content: str) -> Iterator[tuple[int, int]]:
    """The range of each line of a fence in the text, without what its list or quote puts before it."""
    for number, line in enumerate(content.split("\n")[:-1], first):
        if number >= len(starts):
            return
        begin = starts[number]
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        end -= len(text[begin:end]) - len(text[begin:end].rstrip("\r\n"))
        # The reader turns some tabs of the indent into blanks.
        start = max(begin, end - len(line))
        if text[start:end] != line:
            start = end - len(text[begin:end].lstrip(" \t>"))
        yield start, end


def _begins_with_prompt(text: str, lines: list[tuple[int, int]]) -> bool:
    for start, end in lines:
        line = text[start:end].lstrip()
        if line and not line.startswith("#"):
            return line.startswith("$ ")
    return False


def _code(text: str, lines: list[tuple[int, int]], language: str, at: int) -> Block | None:
    builder = BlockBuilder(text)
    for start, end in lines:
        builder.copy(start, end)
        builder.end_line(end)
    indent = ""
    if lines:
        start = lines[0][0]
        indent = text[text.rfind("\n", 0, start) + 1 : start]
    return builder.block(language, at=at, is_verbatim=True, is_typed=True, indent=indent)


def _session(text: str, lines: list[tuple[int, int]], language: str, at: int) -> Block | None:
    """The commands of a session, without prompts and without what they printed."""
    builder = BlockBuilder(text)
    goes_on, ends_with = False, ""
    for start, end in lines:
        line = text[start:end]
        prompt = _PROMPT.match(line)
        if ends_with:
            more = _CONTINUED.match(line)
            begin = start + (more.end() if more else 0)
            ends_with = "" if text[begin:end].strip() == ends_with else ends_with
        elif goes_on:
            more = _CONTINUED.match(line)
            begin = start + (more.end() if more else 0)
        elif prompt is not None:
            begin = start + prompt.end()
        else:
            continue
        command = text[begin:end]
        goes_on = command.endswith("\\") and not ends_with
        if prompt is not None and not ends_with and (heredoc := _HEREDOC.search(command)):
            ends_with = heredoc[2]
        builder.copy(begin, end)
        builder.end_line(end)
    language = "shellscript" if language == "console" else language
    return builder.block(language, at=at, is_typed=True)
