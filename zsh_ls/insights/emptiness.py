"""Whether a script looks behind a command whether the variable it filled is empty."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.insights.reading import Reading, variable
from zsh_ls.model.syntax import Pipeline


def looks_whether_empty(reading: Reading, following: Sequence[Pipeline], name: str) -> bool:
    """Whether `following` tests `$name` for being empty or null, or gives it another value then."""
    if not following:
        return False
    read = rf"\"?{variable(name)}\}}?\"?"
    test = (
        rf"\[\[?\s+!?\s*(?:-[nz]\s+)?{read}\s*(?:\]|[!=]|\|\||&&|-[ao]\b)"
        rf"|\btest\s+!?\s*(?:-[nz]\s+)?{read}\s*(?:[!=;|&\n]|$)"
        rf"|-[nz]\s+\"?{variable(name)}|\$\{{{name}:?[-+=?]|X\$\{{?{name}\b"
    )
    return reading.mentions(test, following[0].span.start, following[-1].span.end)
