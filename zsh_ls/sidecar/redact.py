"""Known forms of secrets, replaced in everything an agent is shown; the whole stays for the person."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

from zsh_ls.machine.limited_process import result_of
from zsh_ls.model.span import Span
from zsh_ls.shell.redaction.redact import (
    mask_output,
    redact,
    secrets_of_command_as_json,
    secrets_of_output_as_json,
    without,
)

log = logging.getLogger(__name__)

# Texts that are commands: read as the shell reads them, so that a flag's value is known.
_COMMANDS = frozenset({"command"})
# Looking through so many characters takes a few milliseconds.
LONG_CHARACTERS = 20_000
# A pattern that matches nowhere lets no other thread run until it has seen all of a text: in a text of so
# many characters up to 50 ms. A process takes some 200 ms to begin.
HUGE_CHARACTERS = 200_000
# Seconds of processor time; it takes about two for a million characters that are all secrets.
_ALLOWED_S = 60


def redacted(value: Any, name: str = "") -> Any:
    """`value`, JSON as `sidecar.to_json` gives it, without secrets of known form."""
    return _redacted(value, name, {})


async def redacted_beside_the_loop(value: Any) -> Any:
    """The same: on the spot, in a thread where that takes long, huge texts in a process each."""
    sizes = [len(text) for text, _ in _texts(value)]
    if sum(sizes) <= LONG_CHARACTERS:
        return redacted(value)
    huge = list({each for each in _texts(value) if len(each[0]) > HUGE_CHARACTERS})
    masked = await asyncio.gather(*(_masked_elsewhere(*each) for each in huge))
    known = {each: text for each, text in zip(huge, masked, strict=True) if text is not None}
    return await asyncio.to_thread(_redacted, value, "", known)


_Known = dict[tuple[str, bool], str]


def _redacted(value: Any, name: str, known: _Known) -> Any:
    """`value` without secrets; `known` are texts without theirs, by text and whether it is a command."""
    if isinstance(value, str):
        is_command = name in _COMMANDS
        if known and (found := known.get((value, is_command))) is not None:
            return found
        return redact(value) if is_command else mask_output(value)
    if isinstance(value, dict):
        return {key: _redacted(item, key, known) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(item, name, known) for item in value]
    return value


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, bool]]:
    """All texts within `value`, each with whether it is a command."""
    if isinstance(value, str):
        yield value, name in _COMMANDS
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, key)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item, name)


async def _masked_elsewhere(text: str, is_command: bool) -> str | None:
    """The text without its secrets, which a process has found; None where none could."""
    function = secrets_of_command_as_json if is_command else secrets_of_output_as_json
    try:
        spans = await result_of(
            f"{function.__module__}:{function.__name__}", text, warm_up="a b", allowed_s=_ALLOWED_S
        )
    except OSError as error:  # out of processes or descriptors
        log.info("a long text is masked in a thread: %s", error)
        return None
    if spans is None:
        return None
    return await asyncio.to_thread(
        lambda: without(text, (Span(start, end) for start, end in json.loads(spans)))
    )
