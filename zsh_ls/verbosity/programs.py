"""Finds the programs that a command line runs, also within wrappers.

`programs(text)` searches pipelines, lists, loops and substitutions, and commands that
run another command (`sudo`, `docker exec`, `bash -c`, `xargs`, `npx`, …: the table is
in `rules.json`). An argument is never taken for a program. Never raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from zsh_ls.lazy import attrs, re
from zsh_ls.model.syntax import Connector, Pipeline, Role, Segment, SegmentKind
from zsh_ls.shell.words.words import ParsedWords, read
from zsh_ls.shell.words.wrappers import base_name, past_assignments, past_options

from .rules import WrapperRule, rules

MAX_PROGRAMS = 200
MAX_DEPTH = 8
MAX_TEXT = 20_000

# A loop's exit status is that of the last iteration only.
_LOOPS = frozenset(
    {SegmentKind.WHILE, SegmentKind.UNTIL, SegmentKind.FOR, SegmentKind.SELECT, SegmentKind.REPEAT}
)


@attrs.frozen
class Program:
    """One program with its arguments, without quotes.

    `exit_shows` is False if its failure may not reach the exit status of the line.
    `target` says that the first word may be the name of a target, `script` that it is
    a file or module that an interpreter runs, `fed` that it reads a pipe, `heredoc`
    that it reads a heredoc.
    """

    words: tuple[str, ...]
    exit_shows: bool = True
    nested: bool = False
    background: bool = False
    piped: bool = False
    fed: bool = False
    heredoc: bool = False
    target: bool = False
    script: bool = False

    @property
    def name(self) -> str:
        """The base name of the program."""
        return base_name(self.words[0])


def programs(text: str) -> tuple[Program, ...]:
    """The programs that `text` runs, in the order of the text; at most MAX_PROGRAMS."""
    return tuple(islice(_of_text(text[:MAX_TEXT], Program(("",)), 0), MAX_PROGRAMS))


def _of_text(text: str, place: Program, depth: int) -> Iterator[Program]:
    reading = read(text)
    pipelines = reading.script.pipelines
    segments = (segment for pipeline in pipelines for segment in pipeline.segments)
    only_defines = all(segment.kind is SegmentKind.FUNCTION for segment in segments)
    if depth <= MAX_DEPTH and not only_defines:
        yield from _of_list(reading, pipelines, place, depth)


def _of_list(
    reading: ParsedWords, pipelines: Sequence[Pipeline], place: Program, depth: int
) -> Iterator[Program]:
    """The programs of a list."""
    # A failure reaches the exit status of the list if only `&&` follows.
    shows: list[bool] = []
    reaches_end = True
    for number, pipeline in enumerate(reversed(pipelines)):
        reaches_end = number == 0 or (reaches_end and pipeline.connector is Connector.AND)
        shows.append(reaches_end and not pipeline.negated and not pipeline.background)
    for pipeline, shown in zip(pipelines, reversed(shows), strict=True):
        last = len(pipeline.segments) - 1
        for at, segment in enumerate(pipeline.segments):
            inner = attrs.evolve(
                place,
                exit_shows=place.exit_shows and shown and at == last,
                background=place.background or bool(pipeline.background),
                piped=place.piped or at < last,
                fed=place.fed or at > 0,
            )
            yield from _of_segment(reading, segment, inner, depth)


def _of_segment(
    reading: ParsedWords, segment: Segment, place: Program, depth: int
) -> Iterator[Program]:
    nested = attrs.evolve(place, nested=True, exit_shows=False)
    for substitution in segment.substitutions:
        yield from _of_list(reading, substitution.pipelines, nested, depth)
    if segment.kind in (SegmentKind.SIMPLE, SegmentKind.CONDITION):
        command = reading.commands[segment.span]
        words = command.texts if segment.kind is SegmentKind.SIMPLE else [segment.command_word]
        reads = attrs.evolve(place, heredoc=bool(command.heredocs))
        yield from _of_words(words, reads, depth)
        if command.heredocs and command.texts:  # of a shell they are a script
            wrappers = rules().wrappers.get(base_name(command.texts[0]), ())
            for span in command.heredocs if any(w.shell for w in wrappers) else ():
                yield from _of_text(reading.script.source(span), place, depth + 1)
    for body in segment.bodies:
        shows = place.exit_shows and body.role is Role.BODY and segment.kind not in _LOOPS
        inside = attrs.evolve(place, exit_shows=shows)
        yield from _of_list(reading, body.pipelines, inside, depth)


def _of_words(words: list[str], place: Program, depth: int) -> Iterator[Program]:
    words = words[past_assignments(words) :]
    if not words:
        return
    if depth and len(words[0].split()) > 1:  # a command line passed as one word
        yield from _of_text(words[0], place, depth + 1)
        return
    name = base_name(words[0])
    if name[-1:].isdigit() and name not in rules().wrappers:  # `python3.12` is `python3`
        name = re.sub(r"(?<=[a-z3])[.-]?\d+(?:\.\d+)*$", "", name)
    for wrapper in rules().wrappers.get(name, ()) if depth <= MAX_DEPTH else ():
        inner = _inner(words, wrapper, place, depth)
        if inner is not None:
            yield from inner
            return
    yield attrs.evolve(place, words=tuple(words))


def _inner(
    words: list[str], wrapper: WrapperRule, place: Program, depth: int
) -> Iterator[Program] | None:
    """The programs that `wrapper` runs with `words`; None if it runs none."""
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


def _past_verbs(words: list[str], wrapper: WrapperRule) -> int | None:
    """The index after the wrapper's options and sub-command; None if the sub-command is another."""
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


def _code(words: list[str], wrapper: WrapperRule) -> str | None:
    """The shell code that is an option's value; a shell's options may be combined (`-lc`)."""
    has_operands_first = wrapper.code_only or wrapper.verbs
    end = len(words) if has_operands_first else past_options(words, 1, wrapper.valued)
    for at, word in enumerate(words[1:end], 1):
        name, equals, value = word.partition("=")
        if name in wrapper.code:
            return value if equals else " ".join(words[at + 1 : at + 2])
        if wrapper.shell and re.match(r"-[a-z]*c", word):
            return " ".join(words[at + 1 : at + 2])
    return None


def _between(
    words: list[str], wrapper: WrapperRule, place: Program, depth: int
) -> Iterator[Program] | None:
    start = next((at for at, word in enumerate(words) if word in wrapper.starts), None)
    if start is None:
        return None
    rest = words[start + 1 :]
    end = next((at for at, word in enumerate(rest) if word in wrapper.ends), len(rest))
    return _of_words(rest[:end], place, depth + 1) if end else None


def _rest(
    words: list[str], at: int, wrapper: WrapperRule, place: Program, depth: int
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
