"""`zsh-ls run --detach`: starts a run that outlives the terminal, and says how to reach it (RUN-20)."""

from __future__ import annotations

import json
import sys

from zsh_ls.lazy import attrs
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.words import Status
from zsh_ls.sidecar.remote.neighbours import with_detached
from zsh_ls.sidecar.to_json import to_json

from .run_end import exit_of, tell
from .run_request import fields_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from zsh_ls.sidecar import Sidecar

# A command that is mistyped has ended by then.
WATCHED_S = 0.5
REACHED = "zsh-ls output {id} · zsh-ls kill {id} · zsh-ls tasks --watch"


async def run_detached(sidecar: Sidecar, arguments: argparse.Namespace) -> int:
    """Start it and print its id; what it printed and how it ended, where it has ended at once.

    The exit status is 0 where it runs on, the command's own where it has ended.
    """
    tasks = with_detached(sidecar)
    try:
        request = attrs.evolve(
            RunRequest(**fields_of(arguments)),
            detached=True,
            yield_after=WATCHED_S,
            progress=False,
            tag=None,
        )
        result = await tasks.run(request)
    finally:
        await tasks.close()
    runs_on = result.status is Status.RUNNING
    if arguments.json:
        print(json.dumps(to_json(result), ensure_ascii=False))
        return 0 if runs_on else exit_of(result)
    print(result.task_id, flush=True)
    print(result.output, end="", file=sys.stderr)
    tell(result, after_open_line=result.output[-1:] not in ("", "\n"))
    if not runs_on:
        return exit_of(result)
    print(REACHED.format(id=result.task_id), file=sys.stderr)
    return 0
