"""Known forms of secrets, replaced in everything an agent is shown; the whole stays for the person."""

from __future__ import annotations

import asyncio
from typing import Any

from zsh_ls.shell.redaction.redact import mask_output, redact

# Texts that are commands: read as the shell reads them, so that a flag's value is known.
_COMMANDS = frozenset({"command"})
# Looking through so many characters takes a few milliseconds.
LONG_CHARACTERS = 20_000


def redacted(value: Any, name: str = "") -> Any:
    """`value`, JSON as `sidecar.to_json` gives it, without secrets of known form."""
    if isinstance(value, str):
        return redact(value) if name in _COMMANDS else mask_output(value)
    if isinstance(value, dict):
        return {key: redacted(item, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item, name) for item in value]
    return value


async def redacted_maybe_in_thread(value: Any) -> Any:
    """The same: on the spot, or in a thread of its own where that takes long."""
    if _characters(value) <= LONG_CHARACTERS:
        return redacted(value)
    return await asyncio.to_thread(redacted, value)


def _characters(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_characters, value.values()))
    return sum(map(_characters, value)) if isinstance(value, list | tuple) else 0
