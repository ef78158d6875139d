"""A real server, one step of which hangs: `python -m tests.server.hanging_server STEP`.

The step hangs as it would on a disk that does not answer (a thread waits for ever), or as a mistake in
a loop would (the event loop is stuck, or nobody sets what is waited for).
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import sys
import threading
from typing import Any

from zsh_ls.server import boot
from zsh_ls.server.main import main


def stuck(*_: object, **__: object) -> Any:
    """Block the calling thread for ever."""
    threading.Event().wait()


async def never(*_: object, **__: object) -> Any:
    """Wait for ever."""
    await asyncio.Event().wait()


async def deaf(*_: object, **__: object) -> Any:
    """Wait for ever, also when cancelled."""
    while True:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


STEPS = {
    "the trace is read": ("zsh_ls.shell.tracing.timeline", "Tracing.feed", stuck),
    "memory is asked": ("zsh_ls.alan.store.reader", "Reader.ask", stuck),
    "the run is written": ("zsh_ls.alan.store.fallback_store", "FallbackStore.record", stuck),
    "memory is closed": ("zsh_ls.alan.store.fallback_store", "FallbackStore.close", stuck),
    "an output is kept": ("zsh_ls.tasks.output.stored_output", "store_output", stuck),
    "processes are ended": ("zsh_ls.tasks.supervision.ender", "Ender.end", stuck),
    "the engine is closed": ("zsh_ls.tasks.engine", "Engine.close", deaf),
    "the end is judged": ("zsh_ls.sidecar.runs.runs", "after_run", stuck),
    "what is shown is chosen": ("zsh_ls.verbosity.resolve", "resolve", stuck),
    "progress is told": ("zsh_ls.server.work_done", "WorkDone.on_progress", stuck),
    "diagnostics are found": ("zsh_ls.sidecar.documents.insights", "Scripts.insights", deaf),
    "an answer is waited for": ("zsh_ls.sidecar.runs.result", "first_answer", deaf),
    "the sidecar is opened": ("zsh_ls.sidecar.service", "Sidecar.open", never),
}


def break_step(name: str) -> None:
    """Make this step hang in this process."""
    module, path, replacement = STEPS[name]
    *owners, attribute = path.split(".")
    owner: Any = importlib.import_module(module)
    for part in owners:
        owner = getattr(owner, part)
    getattr(owner, attribute)  # raises if the step has another name by now, and nothing would hang
    setattr(owner, attribute, replacement)


if __name__ == "__main__":
    take_wire = boot.take_wire

    def take_wire_and_break() -> boot.Wire:
        """Runs after the supervisor was forked, which stays as it is."""
        break_step(sys.argv[1])
        return take_wire()

    boot.take_wire = take_wire_and_break
    main()
