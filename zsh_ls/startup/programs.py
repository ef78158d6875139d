"""Which programs a command starts, from its text."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable

from zsh_ls.lazy import re
from zsh_ls.model.syntax import Dialect, Pipeline, SegmentKind
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.vocabulary import BUILTINS
from zsh_ls.shell.words.wrappers import base_name, look_through

# A text that is this long has been cut, perhaps within quotes, which its other lines may stand in.
_CUT_CHARACTERS = 155
# What runs another command without being what takes the time.
_NAME = re.compile(r"[\w./+~-]*\w[\w./+~-]*")
_PASSED = frozenset({"command", "noglob", "nocorrect", "exec", "builtin", "time", "-", "env"})


def programs_of(
    texts: Iterable[str],
    kind: str,
    functions: Container[str],
) -> tuple[str, ...]:
    """The base names of the programs, in order; `functions` are names that mean something else there."""
    dialect = Dialect.ZSH if kind == "zsh" else Dialect.BASH
    found: dict[str, None] = {}
    for text in texts:
        is_cut = len(text) > _CUT_CHARACTERS
        script = parse(text.partition("\n")[0] if is_cut else text, dialect)
        for pipeline in _plain(script.pipelines):
            for segment in pipeline.segments:
                words = [script.source(it) for it in segment.words]
                if not words and segment.command_word:
                    words = [segment.command_word]
                at = look_through(words)
                for word in words[at : at + 1]:
                    name = base_name(word)
                    own = name in BUILTINS[dialect] or name in functions or name in _PASSED
                    if _NAME.fullmatch(word) and not ("/" not in word and own):
                        found[posixpath.basename(name)] = None
    return tuple(found)


def _plain(pipelines: Iterable[Pipeline]) -> Iterable[Pipeline]:
    """Those of simple commands, and of what is substituted in their words: others are told by themselves."""
    for pipeline in pipelines:
        if all(it.kind is SegmentKind.SIMPLE for it in pipeline.segments):
            yield pipeline
        for segment in pipeline.segments:
            if segment.kind is SegmentKind.SIMPLE:
                for substitution in segment.substitutions:
                    yield from _plain(substitution.pipelines)
