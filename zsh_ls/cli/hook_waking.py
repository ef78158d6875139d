"""The hook that waits for the end of a detached run to wake its agent (Claude Code's `asyncRewake`).

It runs beside the agent, so that nobody waits for it; it ends with 2, and its words are on standard error.
"""

from __future__ import annotations

import json
import re
import sys

WAKES = 2
LONGEST_EVENT_BYTES = 64 << 20
LONGEST_LISTEN_S = 300.0
LONGEST_WORDS = 16_000
# What `zsh-ls run --detach` prints: with `--json`, and for a person.
_TASK = re.compile(r'"task_id": ?"([\w-]+)"|^zsh-ls output ([\w-]+) · ', re.MULTILINE)


def wake(agent: str) -> int:
    """Wait for the end of the detached run that an event tells of; gives 2 then, 0 where there is none."""
    try:
        task_id = _task_of(agent, sys.stdin.buffer.read(LONGEST_EVENT_BYTES))
        words = None if task_id is None else _end_of(task_id)
    except (Exception, KeyboardInterrupt):
        return 0
    if words is None:
        return 0
    print(words, file=sys.stderr)
    return WAKES


def _task_of(agent: str, event: bytes) -> str | None:
    """The detached run that the command of an event has started; None where it started none."""
    import importlib

    told = json.loads(event)
    spoken = importlib.import_module(f"zsh_ls.hooks.events.{agent}")
    run = spoken.read(told) if isinstance(told, dict) else None
    if run is None or "--detach" not in run.command:
        return None
    found = _TASK.search(run.output)
    return None if found is None else found[1] or found[2]


def _end_of(task_id: str) -> str | None:
    """What the run printed and how it ended, once it has; None where nobody knows it."""
    from zsh_ls.model.requests import PollRequest
    from zsh_ls.model.words import Status
    from zsh_ls.sidecar.remote.neighbours import with_detached

    from .session import run_reporting_errors, terminal_sidecar

    words: list[str] = []

    async def waited() -> int:
        async with terminal_sidecar(only_news=True) as sidecar:
            tasks = with_detached(sidecar)
            try:
                request = PollRequest(task_id, listen=LONGEST_LISTEN_S, until="end")
                result = await tasks.poll(request)
                while result.status is Status.RUNNING:
                    result = await tasks.poll(request)
            finally:
                await tasks.close()
        shown = result.formatted
        if len(shown) > LONGEST_WORDS:
            shown = f"… {shown[-LONGEST_WORDS:]}"
        words.append(f"The detached run {task_id} has ended.\n{shown}")
        return 0

    run_reporting_errors(waited())
    return words[0] if words else None
