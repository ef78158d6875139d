"""`zsh-ls run --shared`: the command runs in the workspace's server, its output comes live to the terminal.

Its environment and folder are this terminal's. Without a server the command
runs here, as without `--shared`. When this process is killed, the task stays
with the server: the editor sees it, and can stop it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

import attrs

from zsh_ls.model.requests import PollRequest, RunRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Status
from zsh_ls.sidecar.interface import TaskService
from zsh_ls.sidecar.remote.failover import open_failover_client
from zsh_ls.tasks.process.environment import WITHOUT_TERMINAL

from .running import Interrupts, exit_of, request_of, run_line, show
from .session import options_here

# A quick command is shown as `run` shows it; what takes longer is shown as it comes.
LIVE_AFTER_S = 0.2
LONGEST_LISTEN_S = 300.0
# So that a command which prints a line at a time is not asked for each of them.
BETWEEN_POLLS_S = 0.03


async def run_shared(arguments: argparse.Namespace) -> int:
    """Run one line in the server, or here; gives the exit status for this process."""
    async with open_failover_client(options_here()) as sidecar:
        request = request_of(arguments)
        if sidecar.is_joined:
            request = attrs.evolve(request, env=_own_environment(pty=request.pty))
        if not sidecar.is_joined or arguments.json:
            return await run_line(sidecar, request, as_json=arguments.json)
        return await _run_live(sidecar, request)


def _own_environment(*, pty: bool) -> dict[str, str]:
    """This terminal's; where the command has none, its editors and pagers are not what was asked for."""
    return {name: it for name, it in os.environ.items() if pty or name not in WITHOUT_TERMINAL}


async def _run_live(sidecar: TaskService, request: RunRequest) -> int:
    request = attrs.evolve(request, yield_after=LIVE_AFTER_S, progress=False)
    interrupts = Interrupts(sidecar)
    try:
        result = await shown_live(sidecar, await sidecar.run(request), interrupts)
    finally:
        interrupts.close()
    show(result, as_json=False)
    return exit_of(result)


async def shown_live(
    sidecar: TaskService, result: TaskResult, interrupts: Interrupts
) -> TaskResult:
    """Print what comes until the end; gives the last result, with what is not printed yet."""
    interrupts.reach(result.task_id)
    line_is_open = False
    while result.status is Status.RUNNING:
        if result.output:
            sys.stdout.write(result.output)
            sys.stdout.flush()
            line_is_open = not result.output.endswith("\n")
        await asyncio.sleep(BETWEEN_POLLS_S)
        result = await sidecar.poll(PollRequest(result.task_id, listen=LONGEST_LISTEN_S))
    if line_is_open and not result.output:
        print()
    return result
