"""Starting a keeper: a process that outlives this one and is offered one run (RUN-20)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from zsh_ls.model.errors import RequestRejected
from zsh_ls.sidecar.config import SidecarOptions
from zsh_ls.tasks.supervision import keepers

from . import order

# It starts as a server does, in a quarter of a second; a machine may be busy.
STARTS_WITHIN_S = 20.0
NO_KEEPER = "detached: the process that is to keep the run did not start"
_SCRIPT = Path(__file__).with_name("begin.py")


async def keeper_started(options: SidecarOptions, variables: Mapping[str, str] | None) -> Path:
    """The socket of a new keeper, which ends by itself where nobody gives it a run.

    `variables` are its environment and so its run's, None for this process's own. Raises RequestRejected
    where none can be started.
    """
    told = order.written(options)
    starting = asyncio.ensure_future(asyncio.to_thread(keepers.start, _SCRIPT, told, variables))
    try:
        async with asyncio.timeout(STARTS_WITHIN_S):
            return Path(os.fsdecode(await asyncio.shield(starting)))
    except TimeoutError:
        raise RequestRejected(f"{NO_KEEPER} within {STARTS_WITHIN_S:g}s") from None
    except OSError as refused:
        raise RequestRejected(f"{NO_KEEPER}: {refused.strerror or refused}") from None
