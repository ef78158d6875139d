"""Parses the interpreter line of a script: its program and options."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import attrs

_LINE = re.compile(r"#![ \t]*(\S+)[ \t]*([^\r\n]*)")


@attrs.frozen
class Interpreter:
    """The base name of the program, and its own options (`-f`, `-eu`)."""

    name: str
    options: tuple[str, ...] = ()


def interpreter_of(text: str) -> Interpreter | None:
    """The interpreter in the first line of `text`, also after `env`; None if there is none."""
    found = _LINE.match(text)
    if found is None:
        return None
    words = [found[1], *found[2].split()]
    if PurePosixPath(words[0]).name == "env":
        words = words[1:]
        while words and (words[0].startswith("-") or "=" in words[0]):
            words = words[1:]
    if not words:
        return None
    options = tuple(word for word in words[1:] if word.startswith(("-", "+")))
    return Interpreter(PurePosixPath(words[0]).name, options)
