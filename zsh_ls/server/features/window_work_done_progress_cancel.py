"""`window/workDoneProgress/cancel`: the person has pressed cancel: the task is killed."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.WINDOW_WORK_DONE_PROGRESS_CANCEL


def handle(server: ShellLanguageServer, params: types.WorkDoneProgressCancelParams) -> None:
    """Kill the task that the token shows."""
    server.work_done.cancelled(params.token)
