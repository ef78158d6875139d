"""`zsh/terminalRun`: what ran in a terminal of the editor, for memory to learn from."""

from __future__ import annotations

import attrs

from zsh_ls.model.reports import TerminalRecord
from zsh_ls.model.requests import TerminalRunRequest
from zsh_ls.server.messages import RequestTokens
from zsh_ls.server.server import ShellLanguageServer

METHOD = "zsh/terminalRun"
RESULT = TerminalRecord


@attrs.frozen
class Params(RequestTokens):
    """One line that has ended.

    command: the line as it was typed, a leading space included: then its text is kept nowhere.
    exit: its exit status.
    cwd: the folder in which it began.
    duration_s: how long it took, in seconds.
    started_at: when it began, in Unix seconds; without it, `duration_s` ago.
    pipestatus: the statuses of its last pipeline, where the terminal tells them.
    process: the process id of the terminal's shell, to leave out what its own hook tells.
    """

    command: str
    exit: int
    cwd: str
    duration_s: float
    started_at: float | None = None
    pipestatus: tuple[int, ...] = ()
    process: int | None = None


async def handle(server: ShellLanguageServer, params: Params) -> TerminalRecord:
    """Remember it."""
    sidecar = await server.sidecar()
    return await sidecar.record_terminal_run(
        TerminalRunRequest(
            command=params.command,
            exit=params.exit,
            cwd=params.cwd,
            duration_s=params.duration_s,
            started_at=params.started_at,
            pipestatus=params.pipestatus,
            process=params.process,
        )
    )
