"""`zsh-ls kill`: ends tasks of the workspace's server, and detached ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from zsh_ls.model.errors import InvalidRequest, SidecarError
from zsh_ls.model.requests import OutputRequest
from zsh_ls.sidecar.interface import TaskService
from zsh_ls.sidecar.remote.failover import open_failover_client

from .session import options_here


async def end_tasks(task_ids: Sequence[str]) -> int:
    """End each and say so; 1 where one of them is unknown or has ended."""
    failed = False
    async with open_failover_client(options_here(only_news=True)) as sidecar:
        for task_id in task_ids:
            try:
                result = await sidecar.kill(task_id)
            except SidecarError as fault:
                is_past = isinstance(fault, InvalidRequest) and await _is_kept(sidecar, task_id)
                why = f"Task {task_id} has already ended." if is_past else str(fault)
                print(f"zsh-ls: {why}", file=sys.stderr)
                failed = True
            else:
                print(result.message)
                if result.formatted_insight:
                    print(result.formatted_insight, file=sys.stderr)
    return 1 if failed else 0


async def _is_kept(sidecar: TaskService, task_id: str) -> bool:
    """Whether it is a past run, of another process too, whose output is kept: `tasks --all` lists it."""
    try:
        await sidecar.output(OutputRequest(task_id, from_line=1, to_line=1))
    except SidecarError:
        return False
    return True
