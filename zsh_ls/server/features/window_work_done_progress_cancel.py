"""`window/workDoneProgress/cancel`: the user has cancelled a task, which is killed."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.server import ShellLanguageServer

METHOD = types.WINDOW_WORK_DONE_PROGRESS_CANCEL


def handle(server: ShellLanguageServer, params: types.WorkDoneProgressCancelParams) -> None:
    """Kill the task of the token."""
    server.work_done.cancelled(params.token)
