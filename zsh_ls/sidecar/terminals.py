"""Runs in an editor's terminals, as the editor tells of them: which ones memory takes (PROMPT-3).

Where the person's rc file evaluates `zsh-ls init` the shell's own hook tells memory more (the
statuses of a pipeline's segments), so that what the editor tells of that terminal is left out.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from zsh_ls.alan.terminal import hooked_shells, spool_beside, terminal_run
from zsh_ls.machine.shell_process import is_above, variables_of
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.reports import NotRecorded
from zsh_ls.model.requests import TerminalRunRequest
from zsh_ls.shell.words.ours import remembers_itself
from zsh_ls.system.process_ids import is_there
from zsh_ls.system.projects import project_of
from zsh_ls.system.terminals import terminal_session


def why_not(request: TerminalRunRequest, database: Path) -> NotRecorded | None:
    """Why the run is not for memory, None if it is. It waits for the system: not for the event loop."""
    if remembers_itself(request.command):
        return "own"
    if request.process is None:
        return None
    if not is_there(request.process):
        return "gone"
    if is_above(request.process, hooked_shells(spool_beside(database))):
        return "hook"
    return "off" if is_kept_out(request.command, variables_of(request.process)) else None


def is_kept_out(command: str, variables: Mapping[str, str]) -> bool:
    """Whether the variables that the hooks obey keep a command out of memory."""
    patterns = variables.get("ZSH_LS_IGNORE", "").split("|")
    return bool(variables.get("ZSH_LS_OFF")) or any(fnmatchcase(command, it) for it in patterns)


def run_of_terminal(request: TerminalRunRequest, workspace: str | None) -> CompletedRun:
    """The run as memory learns from it."""
    started_at = request.started_at
    if started_at is None:
        started_at = time.time() - request.duration_s
    return terminal_run(
        command=request.command,
        exit_status=request.exit,
        pipestatus=request.pipestatus or (request.exit,),
        started_at=started_at,
        duration_s=request.duration_s,
        session=terminal_session(request.process) if request.process else "",
        folder=request.cwd,
        project=project_of(request.cwd, workspace),
    )


def check(request: TerminalRunRequest) -> None:
    """Raise InvalidRequest for what is no run that has ended."""
    if not request.command.strip():
        raise InvalidRequest("params.command: expected the line that ran, got an empty one")
    if not Path(request.cwd).is_absolute():
        raise InvalidRequest(f"params.cwd: expected an absolute folder, got {request.cwd!r}")
    if request.duration_s < 0:
        raise InvalidRequest(f"params.duration_s: expected 0 or more, got {request.duration_s:g}")
