"""Replaces the secrets in a command before it is hashed, stored, logged or shown (ALAN-7).

Secrets are searched in the words that the parser finds: after names (`PASSWORD=…`,
`--token …`, `"password": …`), in the places where known programs take them
(`mysql -p…`, `curl -u user:…`, `echo … | sudo -S`), and by the form of known
tokens. Text is never truncated, time is linear in its length, and redacting is
idempotent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from zsh_ls.model.span import Span, merged

from .text import defaults_in, holds_no_secret, tokens_in
from .user_patterns import matches

MARKER = "‹redacted›"


def redact(text: str, extra_patterns: Sequence[str] = ()) -> str:
    """`text` with every secret replaced by MARKER.

    `extra_patterns` are the user's regular expressions (`user_patterns`): the first
    group of each match is replaced too, or the whole match of a pattern without groups.
    """
    return without(text, [*_secrets_of_command(text), *matches(text, extra_patterns)])


def mask_output(text: str) -> str:
    """Output with secrets of known form replaced, for agents."""
    return without(text, tokens_in(text))


def secrets_of_output_as_json(text: str) -> str:
    """The spans that `mask_output` replaces, as a process sends them to another one."""
    return json.dumps(list(tokens_in(text)))


def secrets_of_command_as_json(text: str) -> str:
    """The spans that `redact` replaces, as a process sends them to another one."""
    return json.dumps(_secrets_of_command(text))


def _secrets_of_command(text: str) -> list[Span]:
    if holds_no_secret(text):
        return []
    # Its tables of programs are as long to load as a parser, and most commands have no use for them.
    from .in_commands import secrets_in_command  # noqa: PLC0415

    return [*secrets_in_command(text), *defaults_in(text)]


def without(text: str, spans: Iterable[Span]) -> str:
    """`text` with each of the spans replaced by MARKER, those that overlap by one."""
    pieces, at = [], 0
    for span in merged(spans):
        pieces += [text[at : span.start], MARKER]
        at = span.end
    return "".join([*pieces, text[at:]])
