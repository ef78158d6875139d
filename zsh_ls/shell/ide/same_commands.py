"""Whether two texts are the same commands, written differently: what formatting may change."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import re
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline, Script, SegmentKind

# Commands within words are compared as commands of their own; of the words that hold them the rest must stay.
_SPACE = re.compile(r"(?:\\\n|\s)+")
# Their words are commands or patterns, which stand in bodies of their own or are laid out anew.
_ARITHMETIC = re.compile(r"\$\(\((?:[^()]|\([^()]*\))*\)\)")
# Two ways to write one operator of zsh.
_OPERATORS = {">!": ">|", ">>!": ">>|"}
_LAID_OUT = frozenset({SegmentKind.ARITHMETIC, SegmentKind.CONDITION})


def are_same(one: Script, other: Script) -> bool:
    """Whether both scripts have the same commands, words, redirections, here-documents and comments."""
    return list(_parts(one)) == list(_parts(other))


def _parts(script: Script) -> Iterator[tuple[object, ...]]:
    yield ("problems", sum(problem.fatal for problem in script.problems))
    for pipeline in script.every_pipeline():
        yield from _of_pipeline(script, pipeline)
    for heredoc in script.heredocs:
        body = script.source(heredoc.body)
        strips = "<<-" in script.source(heredoc.redirection)
        yield ("here-document", re.sub(r"(?m)^\t+", "", body) if strips else body)
    for comment in script.comments:
        yield ("comment", script.source(comment).strip())


def _of_pipeline(script: Script, pipeline: Pipeline) -> Iterator[tuple[object, ...]]:
    yield (
        "pipeline",
        pipeline.operators,
        pipeline.negated,
        pipeline.coproc,
        pipeline.timed,
        pipeline.connector,
        pipeline.background,
    )
    for segment in pipeline.segments:
        holds_commands = [it.span for it in segment.substitutions]

        def written(span: Span, inner: list[Span] = holds_commands) -> str:
            return _word(script, span, inner)

        words = [written(word) for word in segment.words]
        if segment.kind in _LAID_OUT:
            words = [_SPACE.sub("", script.source(segment.span))]
        yield (
            segment.kind,
            segment.command_word if segment.kind is SegmentKind.SIMPLE else "",
            *words,
            *((it.name, it.appends, written(it.value)) for it in segment.assignments),
            *(
                (it.descriptor, _OPERATORS.get(it.operator, it.operator), written(it.target))
                for it in segment.redirections
            ),
            *(body.role for body in segment.bodies),
        )


def _word(script: Script, span: Span, inner: list[Span]) -> str:
    """A word without the code in it, which is compared by itself, and without joined lines."""
    parts, at = [], span.start
    for nested in inner:
        if at <= nested.start and nested.end <= span.end:
            parts.append(script.text[at : nested.start])
            at = nested.end
    parts.append(script.text[at : span.end])
    text = _ARITHMETIC.sub(lambda found: _SPACE.sub("", found[0]), "\0".join(parts))
    # An array's elements may stand on lines of their own.
    return (
        _SPACE.sub(" ", text).replace("( ", "(").replace(" )", ")")
        if inner or "(" in text
        else text
    )
