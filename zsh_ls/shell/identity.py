"""What a command is remembered as: its redacted text, hash, template, base, segments, ssh side.

`identify` is the one way from a command's text to the keys of memory. All of it
is computed after redaction. Whole commands of any length are handled, and the
time grows with the length alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import attrs

from zsh_ls.shell import redact
from zsh_ls.shell.command_word import command_word
from zsh_ls.shell.template import NOTHING, Ssh, Template, joined, template_of
from zsh_ls.shell.template_tables import CLOSERS, OPENERS, PREPARATIONS
from zsh_ls.shell.word_lexer import Command, Lexed, lex
from zsh_ls.shell.wrappers import RESERVED

# Of templates, hashes and redaction together: when it changes, stored keys are made anew.
RULES_VERSION = 1
MAX_COMMANDS = 6
MAX_LENGTH = 200
_CACHED_LENGTH = 16_384
_PIPES = frozenset({"|", "|&"})
_WHITE = re.compile(r"(?:\s|\\\n)+")
_WHOLE_NUMBER = re.compile(r"(?<!\w)(?<!\d\.)\d++(?!\w)(?!\.\d)", re.ASCII)


@attrs.frozen
class Identity:
    """A command's keys.

    `hash` (16 hex digits) ignores the amount of white space, the contents of
    quotes and whole numbers (RUN-15). `base` is the program and what it does
    (`git push`). `segments` are the templates of the last pipeline's segments
    where it has several. `command` gives the exit (exits.normal_meaning);
    `keeps_text` is False where the person began the command with a space.
    """

    text: str
    keeps_text: bool
    hash: str
    template: str
    base: str
    segments: tuple[str, ...]
    command: str
    ssh: Ssh | None


def identify(command: str, extra: tuple[str, ...] = ()) -> Identity:
    """The identity of `command`; `extra` are the user's own redaction patterns."""
    if len(command) > _CACHED_LENGTH:
        return _identify(command, extra)
    return _identify_cached(command, extra)


def _identify(command: str, extra: tuple[str, ...]) -> Identity:
    text = redact.redact(command, extra)
    lexed = lex(text)
    whole = [(item, item.operator) for item in lexed.commands if not item.nesting]
    pipeline = last_pipeline(lexed.commands)
    last = pipeline[-1][-1] if pipeline and pipeline[-1] else None
    template = _template(whole)
    return Identity(
        text=text,
        keeps_text=not command.startswith(" "),
        hash=_hash(text, lexed),
        template=template.text,
        base=template.base,
        segments=tuple(_template([(c, c.operator) for c in part]).text for part in pipeline)
        if len(pipeline) > 1
        else (),
        command=_command(last) if last else "",
        ssh=template_of(last.words).ssh if last else None,
    )


_identify_cached = lru_cache(maxsize=4096)(_identify)


# Templates of whole commands


def _template(commands: Sequence[tuple[Command, str]]) -> Template:
    parts = [(_simple(command), operator) for command, operator in commands]
    doing = [part for part in parts if part[0].text and not _prepares(part[0])]
    chosen = doing or [part for part in parts if part[0].text][-1:]
    more = len(chosen) > MAX_COMMANDS
    whole = joined(chosen[:MAX_COMMANDS])
    return Template(_cut(whole.text + (" ; …" if more else "")), _cut(whole.base), whole.ssh)


def _simple(command: Command) -> Template:
    is_case_pattern = command.operator == ")" and not command.group
    if is_case_pattern and not (command.words and command.words[0].text == "case"):
        return NOTHING
    if command.words and command.words[0].text in CLOSERS:
        return NOTHING
    return template_of(command.words)


def _prepares(template: Template) -> bool:
    return template.text.partition(" ")[0] in PREPARATIONS


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"


def _command(last: Command) -> str:
    """The command that gives the exit; `""` where a compound command does."""
    if last.words and last.words[0].text in CLOSERS:
        return ""
    return command_word([word.text for word in last.words])


# The last pipeline


def last_pipeline(commands: Sequence[Command]) -> list[list[Command]]:
    """The segments of the last pipeline, each with the simple commands it is made of."""
    pipelines: list[list[list[Command]]] = [[[]]]
    for command, level in _levels(commands):
        if command.words or command.inputs:
            pipelines[-1][-1].append(command)
        if level == 0 and command.operator in _PIPES:
            pipelines[-1].append([])
        elif level == 0 and command.operator != ")":
            pipelines.append([[]])
    filled = [[part for part in pipeline if part] for pipeline in pipelines]
    return next((pipeline for pipeline in reversed(filled) if pipeline), [])


def _levels(commands: Sequence[Command]) -> Iterator[tuple[Command, int]]:
    """Top-level commands with how deep in brackets and compound commands the text is behind each."""
    compounds = 0
    for command in commands:
        if command.nesting:
            continue
        compounds = max(0, compounds + _opened(command))
        brackets = command.group - (command.operator == ")" and command.group > 0)
        yield command, compounds + brackets


def _opened(command: Command) -> int:
    """How many compound commands this one opens, less those it closes."""
    opened = 0
    for word in command.words:
        if word.text in OPENERS:
            opened += 1
        elif word.text not in RESERVED:
            return opened - (word.text in CLOSERS and opened == 0)
    return opened


# RUN-15


def _hash(text: str, lexed: Lexed) -> str:
    return hashlib.sha256(canonical(text, lexed).encode("utf-8", "replace")).hexdigest()[:16]


def canonical(text: str, lexed: Lexed) -> str:
    """`text` with quotes emptied, white space and whole numbers evened out; what the hash is of."""
    pieces, at = [], 0
    for start, end, is_quote in _landmarks(lexed):
        pieces.append(text[at:start] if is_quote else f"{text[at:start]} {text[start:end]} ")
        at = end
    evened = _WHITE.sub(_white, "".join([*pieces, text[at:]]))
    return _WHOLE_NUMBER.sub("0", evened).strip()


def _landmarks(lexed: Lexed) -> list[tuple[int, int, bool]]:
    """Contents of quotes and the operators outside them, in order."""
    quotes = [(start, end, True) for start, end in lexed.quoted]
    operators = [(start, end, False) for start, end in lexed.operators]
    kept: list[tuple[int, int, bool]] = []
    for landmark in sorted([*quotes, *operators]):
        if not kept or landmark[0] >= kept[-1][1]:
            kept.append(landmark)
    return kept


def _white(found: re.Match[str]) -> str:
    return "\n" if "\n" in found[0].replace("\\\n", "") else " "
