r"""The person's own patterns of what is secret (`redact`), matched by RE2: no pattern hangs a run.

RE2's time grows with the text, whatever the pattern. It has no look-around and
no back-references, and `\d`, `\w`, `\s` and `\b` mean ASCII in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from zsh_ls.model.span import Span

if TYPE_CHECKING:
    import re2

# It is compiled code: a bundle for all platforms, as the VS Code extension has, comes without.
NO_RE2 = "google-re2 is not there to match it (python -m pip install google-re2)"
# RE2 begins anew behind each match, and may look through the whole rest for it.
MOST_STEPS = 20_000_000
# Instructions of a compiled pattern; each is a step where RE2 must follow them one by one.
LARGEST_PROGRAM = 10_000
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
    """What is wrong with a pattern and what to do, None where it can be used."""
    try:
        import re2  # noqa: PLC0415  milliseconds, for the few who have patterns
    except ImportError:
        return NO_RE2
    try:
        found = _compiled(pattern)
    except (re2.error, UnicodeEncodeError) as refused:
        said = refused.args[0]
        reason = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(refused)
        return f"{reason} ({next(it for shape, it in _ADVICE if shape.search(pattern))})"
    if found.programsize > LARGEST_PROGRAM:
        return "pattern too large (ask for fewer repetitions)"
    return None


def matches(text: str, patterns: Sequence[str]) -> Iterator[Span]:
    """What the patterns match: their first group, or all of the match where they have none.

    Patterns that cannot be used are passed over (`fault_in` says so to the
    person). Where the text would take too long all that is left of it matches:
    rather too much is hidden than a secret shown.
    """
    usable = [pattern for pattern in patterns if fault_in(pattern) is None]
    if not usable:
        return
    # Of the same length, and something that RE2 takes.
    text = _SURROGATES.sub("\ufffd", text)
    for pattern in usable:
        yield from _matches_of(_compiled(pattern), text)


def _matches_of(compiled: re2._Regexp, text: str) -> Iterator[Span]:
    weight = max(1, compiled.programsize // _CHEAP_PROGRAM)
    steps = at = 0
    found = compiled.finditer(text)
    while (steps := steps + (len(text) - at) * weight) <= MOST_STEPS:
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
