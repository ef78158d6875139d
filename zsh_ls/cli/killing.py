"""`zsh-ls kill`: ends tasks of the workspace's server, and detached ones."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from zsh_ls.model.errors import SidecarError
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
                print(f"zsh-ls: {fault}", file=sys.stderr)
                failed = True
            else:
                print(result.message)
                if result.formatted_insight:
                    print(result.formatted_insight, file=sys.stderr)
    return 1 if failed else 0
