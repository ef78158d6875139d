"""The tree of an edited text, made from the tree before: only commands around the edit are parsed.

A *cut* is the beginning of a top-level command on a line of its own where no
here-document is pending and which no guess of the parser looked beyond. The
tree before the last cut in front of the edit stays as it is. So does the tree
behind the first cut after the edit at which parsing arrives, with its offsets
moved.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import (
    Assignment,
    Body,
    Connector,
    Dialect,
    Heredoc,
    Pipeline,
    Problem,
    Redirection,
    Script,
    Segment,
    SegmentKind,
    Substitution,
)
from zsh_ls.shell.syntax._regex import compiled

from .fast_path import pipeline_of, segment_of
from .lexer import UNCLOSED
from .parser import NO_SEPARATOR, Parser, deep_stack, parse
from .scanner import COST_OF_REWIND, FUEL_AT_LEAST


class Moving:
    """Copies parts of a tree with all offsets moved `by` characters.

    A function that is in `pipelines` and in `functions` stays one object.
    """

    def __init__(self, by: int) -> None:
        self.by = by
        self._functions: dict[int, Segment] = {}

    def span(self, span: Span) -> Span:
        """A range."""
        return span_of((span[0] + self.by, span[1] + self.by))

    def spans(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Ranges."""
        by = self.by
        return tuple([span_of((start + by, end + by)) for start, end in spans])

    def pipelines(self, pipelines: Iterable[Pipeline]) -> tuple[Pipeline, ...]:
        """The pipelines of a list and all that is in them."""
        moved, by, segment = [], self.by, self.segment
        for span, segments, operators, negated, coproc, timed, connector, background in pipelines:
            if len(segments) == 1:
                # Most are one segment, and its range is theirs: one object.
                [only] = segments
                command = segment(only)
                here = command[1] if only[1] is span else span_of((span[0] + by, span[1] + by))
                parts: tuple[Segment, ...] = (command,)
            else:
                here = span_of((span[0] + by, span[1] + by))
                parts = tuple([segment(each) for each in segments])
            moved.append(
                pipeline_of((here, parts, operators, negated, coproc, timed, connector, background))
            )
        return tuple(moved)

    def segment(self, segment: Segment) -> Segment:
        """A segment and all that is in it."""
        kind, span, command_word, words, assignments, redirections, bodies, inside = segment
        by = self.by
        moved = segment_of(
            (
                kind,
                span_of((span[0] + by, span[1] + by)),
                command_word,
                tuple([span_of((start + by, end + by)) for start, end in words]) if words else (),
                tuple([self.assignment(each) for each in assignments]) if assignments else (),
                tuple([self.redirection(each) for each in redirections]) if redirections else (),
                tuple([self.body(each) for each in bodies]) if bodies else (),
                self.substitutions(inside) if inside else (),
            )
        )
        if bodies and kind is SegmentKind.FUNCTION:
            self._functions[id(segment)] = moved
        return moved

    def functions(self, functions: Iterable[Segment]) -> tuple[Segment, ...]:
        """The functions of a script, the same ones as in its pipelines where these were moved."""
        return tuple([self._functions.get(id(each)) or self.segment(each) for each in functions])

    def assignment(self, assignment: Assignment) -> Assignment:
        """An assignment."""
        span, name, value, is_array, appends = assignment
        return Assignment(self.span(span), name, self.span(value), is_array, appends)

    def redirection(self, redirection: Redirection) -> Redirection:
        """A redirection."""
        span, operator, target, descriptor = redirection
        return Redirection(self.span(span), operator, self.span(target), descriptor)

    def body(self, body: Body) -> Body:
        """A list inside a compound command."""
        role, form, pipelines = body
        return Body(role, form, self.pipelines(pipelines))

    def substitutions(self, substitutions: Iterable[Substitution]) -> tuple[Substitution, ...]:
        """Substitutions and the code in them."""
        return tuple(
            [
                Substitution(kind, self.span(span), self.pipelines(pipelines))
                for kind, span, pipelines in substitutions
            ]
        )

    def heredoc(self, heredoc: Heredoc) -> Heredoc:
        """A here-document and the code in it."""
        return heredoc._replace(
            redirection=self.span(heredoc.redirection),
            body=self.span(heredoc.body),
            span=self.span(heredoc.span),
            substitutions=self.substitutions(heredoc.substitutions),
        )

    def problem(self, problem: Problem) -> Problem:
        """A problem."""
        return problem._replace(span=self.span(problem.span))


# What may stand between a command and a cut behind it.
_GAP = compiled(r"[ \t]*+(?:;|&[|!]?)?(?:[ \t]*+(?:#[^\n]*+)?\r?\n)++[ \t]*+")


def reparse(before: Script, text: str, dialect: Dialect) -> Script:
    """The result of `parse(text, dialect)`, in time that depends on the difference to `before`."""
    if dialect is not before.dialect or not _can_be_reused(before, text):
        return parse(text, dialect)
    edit = _Edit.between(before.text, text)
    first = bisect_right(before.pipelines, edit.start, key=_start) - 1
    while first > 0 and not _is_cut(before, first):
        first -= 1
    start = before.pipelines[first].span.start if first > 0 else 0
    head = _head(before, start)
    with deep_stack():
        for index in _cuts_behind(before, edit.old_end):
            cut = before.pipelines[index].span.start
            piece = Parser(text, dialect).stretch(start, cut + edit.grown)
            if piece is not None:
                script = _assembled(head, piece, _tail(before, cut, edit.grown))
                break
        else:
            script = _assembled(head, Parser(text, dialect).script(start))
    # An edit may also open a quote, and with it change what its text means to all behind.
    return script if _can_be_reused(script, text) else parse(text, dialect)


def _can_be_reused(script: Script, text: str) -> bool:
    """Whether each part of the tree depends only on its own part of the text.

    It does not with an open quote, which changes the meaning of all that follows,
    nor where so much was read again that the parser stopped guessing.
    """
    spent = sum(guess.end - guess.start + COST_OF_REWIND for guess in script.guesses)
    same_line_ends = ("\r\n" in script.text) == ("\r\n" in text)
    is_open = any(problem.message.startswith(UNCLOSED) for problem in script.problems)
    return same_line_ends and spent < FUEL_AT_LEAST and not is_open


class _Edit(NamedTuple):
    """Where two texts differ: from `start` to `old_end` in the one, to `new_end` in the other."""

    start: int
    old_end: int
    new_end: int

    @classmethod
    def between(cls, old: str, new: str) -> _Edit:
        """The smallest range that differs."""
        shorter = min(len(old), len(new))
        start = _common(shorter, lambda size: old[:size] == new[:size])
        end = _common(
            shorter - start, lambda size: old[len(old) - size :] == new[len(new) - size :]
        )
        return cls(start, len(old) - end, len(new) - end)

    @property
    def grown(self) -> int:
        """How much longer the new text is."""
        return self.new_end - self.old_end


def _common(at_most: int, is_common: Callable[[int], bool]) -> int:
    """The greatest size up to `at_most` that `is_common`, which holds for all smaller sizes too."""
    return bisect_left(range(1, at_most + 1), True, key=lambda size: not is_common(size))


def _cuts_behind(script: Script, offset: int) -> Iterator[int]:
    """The indexes of pipelines on lines behind `offset` that begin at a cut, further apart each time.

    A cut at which parsing does not arrive was parsed for nothing. With steps that double
    each time, all attempts together read little more than twice the text.
    """
    line_end = script.text.find("\n", offset)
    if line_end < 0:
        return
    index, step = max(bisect_left(script.pipelines, line_end, key=_start), 1), 1
    while index < len(script.pipelines):
        if _is_cut(script, index):
            yield index
            index, step = index + step, 2 * step
        else:
            index += 1


def _is_cut(script: Script, index: int) -> bool:
    """Whether the pipeline and what stands before it can be parsed one without the other."""
    before, start = script.pipelines[index - 1], script.pipelines[index].span.start
    if before.connector is not Connector.NONE:
        return False
    heredocs = bisect_left(script.heredocs, start, key=_start)
    end = before.span.end
    if heredocs:
        end = max(end, script.heredocs[heredocs - 1].span.end)
    if _GAP.fullmatch(script.text, end, start) is None:
        return False
    problem = bisect_left(script.problems, start, key=_start)
    if any(it.message == NO_SEPARATOR for it in script.problems[problem : problem + 1]):
        return False
    return not any(guess.start < start < guess.end for guess in script.guesses)


def _start(part: Pipeline | Segment | Heredoc | Problem) -> int:
    return part.span.start


def _head(script: Script, end: int) -> Script:
    """The part of a script before the cut at `end`."""
    return script._replace(
        pipelines=script.pipelines[: bisect_left(script.pipelines, end, key=_start)],
        heredocs=script.heredocs[: bisect_left(script.heredocs, end, key=_start)],
        comments=script.comments[: bisect_left(script.comments, end, key=_begin)],
        functions=script.functions[: bisect_left(script.functions, end, key=_start)],
        problems=script.problems[: bisect_left(script.problems, end, key=_start)],
        guesses=script.guesses[: bisect_left(script.guesses, end, key=_begin)],
    )


def _tail(script: Script, start: int, by: int) -> Script:
    """The part of a script from the cut at `start` on, moved `by` characters."""
    move = Moving(by)
    pipelines = script.pipelines[bisect_left(script.pipelines, start, key=_start) :]
    heredocs = script.heredocs[bisect_left(script.heredocs, start, key=_start) :]
    functions = script.functions[bisect_left(script.functions, start, key=_start) :]
    problems = script.problems[bisect_left(script.problems, start, key=_start) :]
    return script._replace(
        pipelines=move.pipelines(pipelines),
        heredocs=tuple(map(move.heredoc, heredocs)),
        comments=move.spans(script.comments[bisect_left(script.comments, start, key=_begin) :]),
        functions=move.functions(functions),
        problems=tuple(map(move.problem, problems)),
        guesses=move.spans(script.guesses[bisect_left(script.guesses, start, key=_begin) :]),
    )


def _begin(span: Span) -> int:
    return span.start


def _assembled(head: Script, *rest: Script) -> Script:
    """One script of consecutive parts; the text is that of the second."""
    parts = (head, *rest)
    return rest[0]._replace(
        pipelines=tuple(chain.from_iterable(part.pipelines for part in parts)),
        heredocs=tuple(chain.from_iterable(part.heredocs for part in parts)),
        comments=tuple(chain.from_iterable(part.comments for part in parts)),
        functions=tuple(chain.from_iterable(part.functions for part in parts)),
        problems=tuple(chain.from_iterable(part.problems for part in parts)),
        guesses=tuple(chain.from_iterable(part.guesses for part in parts)),
    )
