"""The environment of commands, as bytes, encoded once for all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .request import StartRequest
from .without_terminal import WITHOUT_TERMINAL, quoted

TASK_VARIABLE = b"ZSH_LS_TASK"
_TERMINALS_SIZE = (b"COLUMNS", b"LINES")

Environment = dict[bytes, bytes]


_EDITORS_OF_PROGRAMS = frozenset(
    b"CVSEDITOR FCEDIT GH_EDITOR GIT_SEQUENCE_EDITOR GLAB_EDITOR HGEDITOR JJ_EDITOR KUBE_EDITOR P4EDITOR"
    b" PSQL_EDITOR SUDO_EDITOR SVN_EDITOR SYSTEMD_EDITOR".split()
)
"""Variables that some programs ask before EDITOR: replaced where they are, and added nowhere (RUN-4)."""
_WITHOUT_TERMINAL = {os.fsencode(name): os.fsencode(it) for name, it in WITHOUT_TERMINAL.items()}


class Inherited:
    """The variables that commands inherit: those of this process when this is created, or a given set."""

    def __init__(self) -> None:
        self._own = dict(os.environb)
        self._given: Mapping[str, str] | None = None
        self._encoded: Environment = {}

    def of(self, given: Mapping[str, str] | None) -> Environment:
        """A copy for one command; `given` is usually the same object, and encoded only when it changes."""
        if given is None:
            return self._own.copy()
        if given is not self._given:
            self._encoded = {os.fsencode(name): os.fsencode(value) for name, value in given.items()}
            self._given = given
        return self._encoded.copy()


def environment_of(request: StartRequest, task_id: str, inherited: Inherited) -> Environment:
    """The environment of a task's command."""
    environment = inherited.of(request.base_env)
    if request.pty:
        if environment.get(b"TERM") in (None, b"", b"dumb"):
            environment[b"TERM"] = b"xterm-256color"
        for size in _TERMINALS_SIZE:  # they describe the terminal of this process, not the task's
            environment.pop(size, None)
    else:
        environment |= _WITHOUT_TERMINAL
        for editor in _EDITORS_OF_PROGRAMS.intersection(environment):
            environment[editor] = environment[b"EDITOR"]
    for name, value in request.env.items():
        if value is None:
            environment.pop(os.fsencode(name), None)
        else:
            environment[os.fsencode(name)] = os.fsencode(value)
    environment[TASK_VARIABLE] = task_id.encode()
    return environment


def set_after_startup(request: StartRequest) -> bytes:
    """Code for the shell to evaluate after the user's startup file, which often sets EDITOR and PAGER."""
    if request.pty:
        return b""
    ours = {name: value for name, value in WITHOUT_TERMINAL.items() if name not in request.env}
    return os.fsencode(
        f"builtin export {' '.join(f'{name}={quoted(value)}' for name, value in ours.items())}"
    )
