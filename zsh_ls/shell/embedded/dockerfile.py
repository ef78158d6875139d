"""`RUN`, `CMD` and `ENTRYPOINT` of Dockerfiles, with the shell that `SHELL` names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile

from zsh_ls.lazy import re
from zsh_ls.shell.syntax.dialect import interpreter_of

from .block import Block, BlockBuilder
from .shells import HostShell, shell_of_words

_INSTRUCTION = re.compile(r"[ \t]*(?:ONBUILD[ \t]+)?([A-Za-z]+)(?=[ \t\\`]|$)", re.IGNORECASE)
_FLAGS = re.compile(r"(?:[ \t]*--[a-z]+(?:=(?:\"[^\"\n]*\"|\S*))?(?=\s))*[ \t]*")
_ESCAPE = re.compile(r"#[ \t]*escape[ \t]*=[ \t]*(\S)", re.IGNORECASE)
_DIRECTIVE = re.compile(r"#[ \t]*\w+[ \t]*=", re.IGNORECASE)
_HEREDOC = re.compile(r"<<(-?)(['\"]?)([A-Za-z_][\w.]*)\2")
_SCRIPT = re.compile(r"<<(-?)(['\"]?)([A-Za-z_][\w.]*)\2[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"[ \t]*#")
SHELL = HostShell("sh")
STARTS = {"RUN", "CMD", "ENTRYPOINT"}


def blocks_of(text: str) -> Iterator[Block]:
    """The instructions that start a shell, in their order."""
    lines = [found.span() for found in re.finditer(r"[^\n]+\n?|\n", text)]
    escape = _escape_of(text)
    shell: HostShell | None = SHELL
    at = 0
    while at < len(lines):
        begin = lines[at][0]
        found = _INSTRUCTION.match(text, begin, _end(text, lines[at]))
        if found is None or _COMMENT.match(text, begin):
            at += 1
            continue
        last = _last_line(text, lines, at, escape)
        name = found[1].upper()
        if name == "FROM":
            shell = SHELL
        elif name == "SHELL":
            shell = _named(text[found.end() : _end(text, lines[last])])
        start = found.end()
        builder = BlockBuilder(text, shell.prefix if shell else "")
        after = last + 1
        if name in STARTS:
            flags = _FLAGS.match(text, start)
            start = flags.end() if flags else start
            script = _SCRIPT.match(text, start, _end(text, lines[at]))
            if name == "RUN" and script is not None:
                found_block, after = _script(text, lines, at, script[3], shell)
                if found_block is not None:
                    yield found_block
            elif text[start : start + 1] != "[":
                _take(builder, text, lines[at : last + 1], start, escape)
                if name == "RUN":
                    after = _heredocs(builder, text, lines, last)
                block = builder.block(shell.language) if shell else None
                if block is not None:
                    yield block
        at = after


def _end(text: str, line: tuple[int, int]) -> int:
    """Where a line ends, without its line end."""
    return line[0] + len(text[slice(*line)].rstrip("\r\n"))


def _escape_of(text: str) -> str:
    for line in text.splitlines():
        if found := _ESCAPE.match(line):
            return found[1]
        if not _DIRECTIVE.match(line):
            break
    return "\\"


def _is_left_out(text: str, line: tuple[int, int]) -> bool:
    """Whether a line within an instruction is a comment, or empty."""
    return bool(_COMMENT.match(text, line[0])) or not text[slice(*line)].strip()


def _last_line(text: str, lines: list[tuple[int, int]], at: int, escape: str) -> int:
    """The last line of the instruction that begins on a line."""
    last = at
    while text[slice(*lines[last])].rstrip().endswith(escape) or (
        last > at and _is_left_out(text, lines[last])
    ):
        if last + 1 == len(lines):
            break
        last += 1
    while last > at and _is_left_out(text, lines[last]):
        last -= 1
    return last


def _take(
    builder: BlockBuilder, text: str, lines: list[tuple[int, int]], start: int, escape: str
) -> None:
    """Take the lines of one instruction from `start` on, as Docker joins them."""
    for number, line in enumerate(lines):
        if number and _is_left_out(text, line):
            continue
        begin, end = (line[0] if number else start), _end(text, line)
        content = text[begin:end]
        goes_on = line is not lines[-1] and content.rstrip().endswith(escape)
        if goes_on:
            end = begin + len(content.rstrip()) - 1
        builder.copy(begin, end)
        if goes_on:
            builder.put("\\", end, end + 1)
        builder.end_line(_end(text, line))


def _script(
    text: str, lines: list[tuple[int, int]], at: int, name: str, shell: HostShell | None
) -> tuple[Block | None, int]:
    """The script that a here-document without a command is, and the line behind it."""
    body = [*takewhile(lambda it: text[slice(*it)].strip() != name, lines[at + 1 :])]
    behind = at + 2 + len(body)
    first = text[slice(*body[0])] if body else ""
    interpreter = interpreter_of(first)
    if interpreter is not None:
        shell = shell_of_words([interpreter.name])
    if shell is None:
        return None, behind
    builder = BlockBuilder(text, "" if interpreter else shell.prefix)
    for line in body:
        builder.copy(line[0], _end(text, line))
        builder.end_line(_end(text, line))
    return builder.block(shell.language, is_verbatim=True), behind


def _heredocs(builder: BlockBuilder, text: str, lines: list[tuple[int, int]], last: int) -> int:
    """Take the here-documents of an instruction; gives the line behind them."""
    wanted = [
        (it[1] == "-", it[3]) for it in _HEREDOC.finditer(text, lines[last][0], lines[last][1])
    ]
    at = last + 1
    for strips, name in wanted:
        while at < len(lines):
            content = text[lines[at][0] : _end(text, lines[at])]
            builder.copy(lines[at][0], _end(text, lines[at]))
            builder.end_line(_end(text, lines[at]))
            at += 1
            if (content.lstrip("\t") if strips else content) == name:
                break
    return at


def _named(words: str) -> HostShell | None:
    try:
        found = json.loads(words.replace("\\\n", " "))
    except ValueError:
        return SHELL
    if not isinstance(found, list) or not all(isinstance(it, str) for it in found):
        return SHELL
    return shell_of_words(found)
