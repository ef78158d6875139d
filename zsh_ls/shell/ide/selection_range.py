"""Selection ranges around an offset, from the name at the cursor to the whole file.

They are a name, the content of quotes, the word, the command, the pipeline, the
list, the block, the compound command or function, and so on outwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.lazy import re
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Script, Segment

_NAME = re.compile(r"\w+")
_QUOTED = re.compile(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)


def selections(script: Script, offset: int) -> list[Span]:
    """The ranges around `offset`, each within the next; the last is the whole text."""
    offset = max(0, min(offset, len(script.text)))
    found = [Span(0, len(script.text)), *_in_list(script, script.pipelines, offset)]
    for heredoc in script.heredocs:
        if heredoc.span.start <= offset <= heredoc.span.end:
            found += [heredoc.span, heredoc.body]
            for substitution in heredoc.substitutions:
                found += _in_code(script, substitution.span, substitution.pipelines, offset)
    found += [comment for comment in script.comments if _touches(comment, offset)]
    # The name at the offset; one that is longer than any is no name, and would take long to find.
    start = offset
    while start > 0 and offset - start < 200 and _NAME.match(script.text[start - 1]):
        start -= 1
    if name := _NAME.match(script.text, start):
        found.append(Span(*name.span()))
    # Those around the offset, each strictly within the one before.
    chain: list[Span] = []
    around = {span for span in found if _touches(span, offset)}
    for span in sorted(around, key=lambda it: it.start - it.end):
        if not chain or (chain[-1].start <= span.start and span.end <= chain[-1].end):
            chain.append(span)
    return chain[::-1]


def _touches(span: Span, offset: int) -> bool:
    return span.start <= offset <= span.end


def _in_list(script: Script, pipelines: Sequence[Pipeline], offset: int) -> Iterator[Span]:
    """The lists, pipelines and nested ranges at an offset."""
    start: int | None = None
    for pipeline in pipelines:
        start = pipeline.span.start if start is None else start
        if pipeline.connector is Connector.NONE:
            yield Span(start, pipeline.span.end)
            start = None
        if _touches(pipeline.span, offset):
            yield pipeline.span
            for segment in pipeline.segments:
                if _touches(segment.span, offset):
                    yield from _in_segment(script, segment, offset)


def _in_segment(script: Script, segment: Segment, offset: int) -> Iterator[Span]:
    yield segment.span
    words = [*segment.words, *(it.target for it in segment.redirections)]
    words += [it.span for it in segment.assignments]
    words += [it.value for it in segment.assignments]
    for word in words:
        if _touches(word, offset):
            yield word
            for found in _QUOTED.finditer(script.text, *word):
                yield from (Span(*found.span()), Span(*found.span(found.lastindex or 0)))
    for body in segment.bodies:
        if body.pipelines:
            yield Span(body.pipelines[0].span.start, body.pipelines[-1].span.end)
            yield from _in_list(script, body.pipelines, offset)
    for substitution in segment.substitutions:
        yield from _in_code(script, substitution.span, substitution.pipelines, offset)


def _in_code(
    script: Script, span: Span, pipelines: Sequence[Pipeline], offset: int
) -> Iterator[Span]:
    if _touches(span, offset):
        yield span
        if pipelines:
            yield Span(pipelines[0].span.start, pipelines[-1].span.end)
        yield from _in_list(script, pipelines, offset)
