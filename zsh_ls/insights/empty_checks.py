"""Whether a script checks a variable after the command that set it."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.model.syntax import Pipeline

from .reading import ScriptModel, variable


def checks_if_empty(reading: ScriptModel, following: Sequence[Pipeline], name: str) -> bool:
    """Whether `following` tests `$name` for being empty, or replaces an empty value."""
    test = rf"-[nz]\s+\"?{variable(name)}|\$\{{{name}:?[-+=?]|X\$\{{?{name}\b"
    return _is_found(reading, following, test)


def tests_variable(reading: ScriptModel, following: Sequence[Pipeline], name: str) -> bool:
    """Whether `following` tests `$name`, for being empty or against another value."""
    read = rf"\"?{variable(name)}\}}?\"?"
    test = (
        rf"\[\[?\s+!?\s*(?:-[nz]\s+)?{read}\s*(?:\]|[!=]|\|\||&&|-[ao]\b)"
        rf"|\btest\s+!?\s*(?:-[nz]\s+)?{read}\s*(?:[!=;|&\n]|$)"
    )
    return _is_found(reading, following, test) or checks_if_empty(reading, following, name)


def _is_found(reading: ScriptModel, following: Sequence[Pipeline], pattern: str) -> bool:
    if not following:
        return False
    return reading.mentions(pattern, following[0].span.start, following[-1].span.end)
