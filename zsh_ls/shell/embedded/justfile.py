"""Recipes of justfiles: each line is read by a shell of its own, one with a shebang by its interpreter."""

from __future__ import annotations

import json
from collections.abc import Iterator

from zsh_ls.lazy import re
from zsh_ls.shell.syntax.dialect import interpreter_of

from .block import Block, BlockBuilder
from .shells import HostShell, shell_of_words

_SET_SHELL = re.compile(r"^set[ \t]+shell[ \t]*:=[ \t]*(\[[^\]\n]*\])", re.MULTILINE)
_RECIPE = re.compile(r"@?[A-Za-z_][\w-]*[^\n:=]*(?:=[^\n:]*)*:(?!=)")
INTERPOLATION = re.compile(r"(?<!\{)\{\{(?!\{).*?\}\}")
_FLAGS = re.compile(r"[@-]*[ \t]*")


def blocks_of(text: str) -> Iterator[Block]:
    """The recipes of a justfile: a block for each line, one for all lines of a script."""
    shell = _shell_of(text)
    body: list[tuple[int, int]] = []
    is_recipe = False
    for found in re.finditer(r"[^\n]+\n?|\n", text):
        start, end = found.start(), found.start() + len(found[0].rstrip("\r\n"))
        line = text[start:end]
        if is_recipe and (not line.strip() or line[0] in " \t"):
            body.append((start, end))
            continue
        yield from _blocks(text, body, shell)
        body = []
        is_recipe = _RECIPE.match(line) is not None
    yield from _blocks(text, body, shell)


def rule_at(text: str, offset: int) -> tuple[str, int] | None:
    """The recipe that a place is in, and where its line begins; None elsewhere."""
    rule: tuple[str, int] | None = None
    for found in re.finditer(r"[^\n]+\n?|\n", text):
        start, line = found.start(), found[0].rstrip("\r\n")
        if line.strip() and line[0] not in " \t":
            is_rule = _RECIPE.match(line) is not None
            rule = (
                (re.split(r"[^\w-]", line.removeprefix("@"), maxsplit=1)[0], start)
                if is_rule
                else None
            )
        if offset < found.end() or found.end() == len(text):
            return rule if line.strip() else None
    return None


def _shell_of(text: str) -> HostShell | None:
    named = _SET_SHELL.search(text)
    if named is None:
        return HostShell("sh")
    try:
        words = json.loads(named[1].replace("'", '"'))
    except ValueError:
        return None
    return shell_of_words([str(word) for word in words])


def _blocks(text: str, body: list[tuple[int, int]], shell: HostShell | None) -> Iterator[Block]:
    filled = [line for line in body if text[slice(*line)].strip()]
    if not filled:
        return
    first = text[slice(*filled[0])]
    depth = len(first) - len(first.lstrip())
    if first.strip().startswith("#!"):
        interpreter = interpreter_of(first.strip())
        own = shell_of_words([interpreter.name]) if interpreter else None
        if own is None:
            return
        builder = BlockBuilder(text)
        for start, end in body:
            builder.copy_masked(min(start + depth, end), end, INTERPOLATION)
            builder.end_line(end)
        script = builder.block(own.language, is_verbatim=True, indent=first[:depth])
        if script is not None:
            yield script
        return
    if shell is None:
        return
    builder, goes_on = BlockBuilder(text, shell.prefix), False
    for start, end in filled:
        begin = min(start + depth, end)
        if not goes_on:
            flags = _FLAGS.match(text, begin, end)
            begin = flags.end() if flags else begin
        goes_on = text[begin:end].endswith("\\")
        builder.copy_masked(begin, end, INTERPOLATION)
        builder.end_line(end)
        if not goes_on:
            block = builder.block(shell.language)
            if block is not None:
                yield block
            builder = BlockBuilder(text, shell.prefix)
