"""What commands find in their environment, as the system takes it: bytes, encoded once for all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .request import StartRequest

TASK_VARIABLE = b"ZSH_LS_TASK"
_TERMINALS_SIZE = (b"COLUMNS", b"LINES")

Environment = dict[bytes, bytes]


class Inherited:
    """What commands inherit: this process's own variables as they are now, or others given whole."""

    def __init__(self) -> None:
        self._own = dict(os.environb)
        self._given: Mapping[str, str] | None = None
        self._encoded: Environment = {}

    def of(self, given: Mapping[str, str] | None) -> Environment:
        """A copy for one command; `given` is the same for most, and encoded when it changes."""
        if given is None:
            return self._own.copy()
        if given is not self._given:
            self._encoded = {os.fsencode(name): os.fsencode(value) for name, value in given.items()}
            self._given = given
        return self._encoded.copy()


def environment_of(request: StartRequest, task_id: str, inherited: Inherited) -> Environment:
    """What the command of a task finds in its environment."""
    environment = inherited.of(request.base_env)
    if request.pty:
        environment[b"TERM"] = _terminal_type(environment.get(b"TERM"))
        for size in _TERMINALS_SIZE:  # of the terminal this process may have
            environment.pop(size, None)
    for name, value in request.env.items():
        if value is None:
            environment.pop(os.fsencode(name), None)
        else:
            environment[os.fsencode(name)] = os.fsencode(value)
    environment[TASK_VARIABLE] = task_id.encode()
    return environment


def _terminal_type(inherited: bytes | None) -> bytes:
    return inherited if inherited not in (None, b"", b"dumb") else b"xterm-256color"
