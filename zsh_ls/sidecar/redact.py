"""Known forms of secrets, replaced in everything an agent is shown; the whole stays for the person."""

from __future__ import annotations

from typing import Any

from zsh_ls.shell.redaction.redact import mask_output, redact

# Texts that are commands: read as the shell reads them, so that a flag's value is known.
_COMMANDS = frozenset({"command"})


def redacted(value: Any, name: str = "") -> Any:
    """`value`, JSON as `sidecar.plain` gives it, without secrets of known form."""
    if isinstance(value, str):
        return redact(value) if name in _COMMANDS else mask_output(value)
    if isinstance(value, dict):
        return {key: redacted(item, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(item, name) for item in value]
    return value
