r"""The user's own redaction patterns (setting `redact`), matched by RE2, so that no pattern hangs a run.

RE2's time is linear in the text, whatever the pattern. It has no look-around and
no back-references, and `\d`, `\w`, `\s` and `\b` mean ASCII in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zsh_ls.lazy import re
from zsh_ls.model.span import Span

if TYPE_CHECKING:
    import re2

# google-re2 is compiled code, so a bundle for all platforms, as in the VS Code extension, lacks it.
NO_RE2 = "google-re2 is not there to match it (python -m pip install google-re2)"
# RE2 restarts after each match and may scan the whole rest, so many matches take quadratic time.
MAX_STEPS = 20_000_000
# Instructions of a compiled pattern; RE2 may take a step for each of them at every character.
MAX_PROGRAM_SIZE = 10_000
_CHEAP_PROGRAM = 64
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_ADVICE = (
    (
        re.compile(r"\(\?<?[=!]"),
        r"look-around is not supported: put the secret in the first group, as in `code=(\d+)`",
    ),
    (re.compile(r"\\[1-9]|\(\?P="), "back-references are not supported: write the repetition out"),
    (re.compile(r"\(\?>|[*+?}]\+"), "possessive and atomic groups are not needed: leave them out"),
    (re.compile(r"\\Z"), r"\Z is written \z"),
    (re.compile(r"\{\d+"), "ask for fewer repetitions; at most 1000 are possible"),
    (re.compile(""), "see https://github.com/google/re2/wiki/Syntax"),
)


def fault_in(pattern: str) -> str | None:
    """What is wrong with a pattern and how to fix it, None if it can be used."""
    try:
        import re2  # noqa: PLC0415  milliseconds, for the few who have patterns
    except ImportError:
        return NO_RE2
    try:
        found = _compiled(pattern)
    except (re2.error, UnicodeEncodeError) as refused:
        message = refused.args[0]
        reason = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(refused)
        return f"{reason} ({next(it for shape, it in _ADVICE if shape.search(pattern))})"
    if found.programsize > MAX_PROGRAM_SIZE:
        return "pattern too large (ask for fewer repetitions)"
    return None


def matches(text: str, patterns: Sequence[str]) -> Iterator[Span]:
    """The spans of the patterns' matches: their first group, or the whole match without groups.

    Patterns that cannot be used are skipped (`fault_in` tells the user). If a text
    takes too long, all the rest of it matches, because hiding too much is safer than
    showing a secret.
    """
    usable = [pattern for pattern in patterns if fault_in(pattern) is None]
    if not usable:
        return
    # RE2 rejects surrogates; the replacement keeps the length, and so the offsets.
    text = _SURROGATES.sub("\ufffd", text)
    for pattern in usable:
        yield from _matches_of(_compiled(pattern), text)


def _matches_of(compiled: re2._Regexp, text: str) -> Iterator[Span]:
    weight = max(1, compiled.programsize // _CHEAP_PROGRAM)
    steps = at = 0
    found = compiled.finditer(text)
    while (steps := steps + (len(text) - at) * weight) <= MAX_STEPS:
        match = next(found, None)
        if match is None:
            return
        group = 1 if compiled.groups and match[1] is not None else 0
        at = match.end()
        yield Span(*match.span(group))
    yield Span(at, len(text))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    import re2  # noqa: PLC0415

    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)
