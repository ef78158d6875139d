"""The programs a command line runs, whatever they are wrapped in.

`programs(text)` looks through pipelines, lists, loops and substitutions, and
through everything that runs another command (`sudo`, `docker exec`, `bash -c`,
`xargs`, `npx`, …: the table is in `rules.json`). An argument is never taken for
a program. It never raises, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import attrs

from zsh_ls.shell.word_lexer import EXPANSION, Command, lex
from zsh_ls.shell.wrappers import RESERVED, base_name, past_assignments, past_options

from .rules import Wrapper, rules

MAX_PROGRAMS = 200
MAX_DEPTH = 8
MAX_TEXT = 20_000

_ENDS_OF_COMPOUNDS = frozenset({"}", "fi", "done", "esac"})
_DATA_WORDS = frozenset({"for", "case", "select", "function", "foreach"})
_DEFINITION = re.compile(
    r"\s*(?:function\s+[\w-]+\s*(?:\(\))?|[\w-]+\s*\(\s*\))\s*\{[^}]*\}\s*;?\s*"
)
_HIDING_OPERATORS = frozenset({";", "\n", "|", "|&", "||", "&", "&!", "&|"})


@attrs.frozen
class Program:
    """One program with its arguments, quotes taken off.

    `exit_shows` is false where its failure need not reach the exit of the whole
    line. `target` says that the first word may be the name of a target, `script`
    that it is a file or module some interpreter runs.
    """

    words: tuple[str, ...]
    exit_shows: bool = True
    nested: bool = False
    background: bool = False
    piped: bool = False
    fed: bool = False
    target: bool = False
    script: bool = False

    @property
    def name(self) -> str:
        """The base name of the program."""
        return base_name(self.words[0])


def programs(text: str) -> tuple[Program, ...]:
    """The programs `text` runs, in the order they are written; at most MAX_PROGRAMS."""
    return tuple(islice(_of_text(text[:MAX_TEXT], Program(("",)), 0), MAX_PROGRAMS))


def _of_text(text: str, place: Program, depth: int) -> Iterator[Program]:
    if depth > MAX_DEPTH or _DEFINITION.fullmatch(text):
        return
    commands = lex(text).commands
    shows = _exits_shown(commands)
    for at, command in enumerate(commands):
        inner = attrs.evolve(
            place,
            exit_shows=place.exit_shows and shows[at],
            nested=place.nested or command.nesting > 0,
            background=place.background or command.operator in ("&", "&!", "&|"),
            piped=place.piped or command.operator in ("|", "|&"),
            fed=place.fed or (at > 0 and commands[at - 1].operator in ("|", "|&")),
        )
        words = [word.text for word in command.words]
        group = _group(text, command)
        yield from (
            _of_words(words, inner, depth) if group is None else _of_text(group, inner, depth + 1)
        )
        yield from _of_heredocs(text, command, words, inner, depth)


def _exits_shown(commands: Sequence[Command]) -> list[bool]:
    """For each command of a list, whether its failure is the failure of the list."""
    shown = [True] * len(commands)
    visible = True
    for at in range(len(commands) - 1, -1, -1):
        command = commands[at]
        last = all(_closes(later) for later in commands[at + 1 :][:4]) and at + 4 >= len(commands)
        if not last and (command.operator in _HIDING_OPERATORS or _is_left_for_next(commands, at)):
            visible = False
        elif last:
            visible = not _is_looped(command)
        shown[at] = visible and not command.nesting
    return shown


def _group(text: str, command: Command) -> str | None:
    """What stands in the brackets that follow a reserved word: `do (cd x && make)`."""
    for word in command.words:
        if word.text in RESERVED or word.text == "time":
            continue
        source = text[word.span.start : word.span.end]
        is_group = source.startswith("(") and source.endswith(")") and not source.startswith("((")
        return source[1:-1] if is_group else None
    return None


def _closes(command: Command) -> bool:
    words = command.words
    return not words or (len(words) == 1 and words[0].text in ("}", "fi"))


def _is_looped(command: Command) -> bool:
    return bool(command.words) and command.words[0].text in ("done", "do", "!", "while", "until")


def _is_left_for_next(commands: Sequence[Command], at: int) -> bool:
    """Whether a group ends here and something else follows it without a condition."""
    return commands[at].operator == ")" and at + 1 < len(commands) and bool(commands[at + 1].words)


def _of_heredocs(
    text: str, command: Command, words: list[str], place: Program, depth: int
) -> Iterator[Program]:
    if not command.heredocs or not words:
        return
    if any(wrapper.shell for wrapper in rules().wrappers.get(base_name(words[0]), ())):
        for span in command.heredocs:
            yield from _of_text(text[span.start : span.end], place, depth + 1)


def _of_words(words: list[str], place: Program, depth: int) -> Iterator[Program]:
    at = 0
    while at < len(words) and words[at] in RESERVED | _ENDS_OF_COMPOUNDS:
        at += 1
    at = past_assignments(words, at)
    words = words[at:]
    if words[1:2] == ["{"] and words[0].endswith(EXPANSION):  # a function's body
        words = words[2:]
    if not words or words[0] in _DATA_WORDS:
        return
    for wrapper in rules().wrappers.get(_plain_name(words[0]), ()) if depth <= MAX_DEPTH else ():
        inner = _inner(words, wrapper, place, depth)
        if inner is not None:
            yield from inner
            return
    yield attrs.evolve(place, words=tuple(words))


def _plain_name(word: str) -> str:
    """The name in the wrapper table: `python3.12` is `python3`."""
    name = base_name(word)
    return (
        re.sub(r"(?<=[a-z3])[.-]?\d+(?:\.\d+)*$", "", name)
        if name not in rules().wrappers
        else name
    )


def _inner(
    words: list[str], wrapper: Wrapper, place: Program, depth: int
) -> Iterator[Program] | None:
    """The programs `wrapper` runs with `words`; None where it runs none of them."""
    at = _past_verbs(words, wrapper)
    if at is None:
        return None
    code = _code(words, wrapper)
    if code is not None:
        return _of_text(wrapper.code_prefix + code, place, depth + 1)
    if wrapper.code_only:
        return None
    if wrapper.starts:
        return _between(words, wrapper, place, depth)
    return _rest(words, at, wrapper, place, depth)


def _past_verbs(words: list[str], wrapper: Wrapper) -> int | None:
    """Where the words after the wrapper's options and sub-command begin; None where it is another."""
    start = past_options(words, 1, wrapper.valued)
    if wrapper.queries.intersection(words[1:start]):
        return None
    for verb in wrapper.verbs:
        at = start
        for word in verb:
            if at >= len(words) or words[at] != word:
                break
            at = past_options(words, at + 1, wrapper.valued)
        else:
            return at
    return None if wrapper.verbs else start


def _code(words: list[str], wrapper: Wrapper) -> str | None:
    """The shell text an option brings; a shell's options may be joined (`-lc`)."""
    for at, word in enumerate(words[1:], 1):
        name, equals, value = word.partition("=")
        if name in wrapper.code:
            return value if equals else " ".join(words[at + 1 : at + 2])
        if wrapper.shell:
            if not word.startswith(("-", "+")):
                return None
            if "c" in word[1:] and not word.startswith("--") and at + 1 < len(words):
                return words[at + 1]
    return None


def _between(
    words: list[str], wrapper: Wrapper, place: Program, depth: int
) -> Iterator[Program] | None:
    start = next((at for at, word in enumerate(words) if word in wrapper.starts), None)
    if start is None:
        return None
    rest = words[start + 1 :]
    end = next((at for at, word in enumerate(rest) if word in wrapper.ends), len(rest))
    return _of_words(rest[:end], place, depth + 1) if end else None


def _rest(
    words: list[str], at: int, wrapper: Wrapper, place: Program, depth: int
) -> Iterator[Program] | None:
    if wrapper.module and wrapper.module in words[1:at]:
        module = words[words.index(wrapper.module) + 1 :]
        return _of_words(module, attrs.evolve(place, script=True), depth + 1) if module else None
    at += wrapper.operands
    while at < len(words) and any(re.search(drop, words[at]) for drop in wrapper.drop):
        at += 1
    rest = words[past_options(words, at, wrapper.valued) :] if wrapper.operands else words[at:]
    if not rest or rest[0] in wrapper.own:
        return None
    if wrapper.each:
        return (found for code in rest for found in _of_text(code, place, depth + 1))
    if wrapper.joined:
        return _of_text(" ".join(rest), place, depth + 1)
    if wrapper.ends:
        rest = rest[: next((n for n, word in enumerate(rest) if word in wrapper.ends), len(rest))]
    inner = attrs.evolve(place, target=wrapper.targets, script=wrapper.script or wrapper.shell)
    return _of_words(rest, inner, depth + 1)
