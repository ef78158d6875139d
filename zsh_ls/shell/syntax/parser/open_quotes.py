"""Where a quote was likely left open, so that the text after it is read inside out.

It is likely in the first string over several lines that ends in the middle of
a word, since a later line's opening quote was taken for its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline
from zsh_ls.shell.syntax._regex import compiled

# What may stand before an opening quote on its line: closed quotes, escapes, all else.
_BEFORE_QUOTE = compiled(r"""(?:[^'"\\\n]++|\\.|'[^'\n]*+'|"(?:[^"\\\n]++|\\.)*+")*+""")
_CLOSED_WITHIN_A_WORD = compiled(
    r"""(['"])(?:(?!\1)[^\\]|\\.)*+\1(?=[^\s;|&()<>{}'"`])""", re.DOTALL
)


def open_quote(text: str, pipelines: Iterable[Pipeline]) -> int | None:
    """The offset of the quote that was likely left open; None without a sign of one."""
    for word in _long_words(text, pipelines):
        before = _BEFORE_QUOTE.match(text, word.start, word.end)
        if before and _CLOSED_WITHIN_A_WORD.match(text, before.end(), word.end):
            return before.end()
    return None


def _long_words(text: str, pipelines: Iterable[Pipeline]) -> Iterator[Span]:
    """The words and values that span lines, in the order of the text."""
    for pipeline in pipelines:
        for segment in pipeline.segments:
            values = [assignment.value for assignment in segment.assignments]
            for word in sorted((*segment.words, *values)):
                if text.find("\n", *word) >= 0:
                    yield word
            for body in segment.bodies:
                yield from _long_words(text, body.pipelines)
