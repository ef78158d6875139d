"""A detached run whose keeper was killed: its supervisor remembers it as killed, and says so to who asks."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

from zsh_ls.alan import Alan
from zsh_ls.insights.display import formatted
from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Outcome, Status
from zsh_ls.sidecar.config import SidecarOptions
from zsh_ls.sidecar.remote import rpc

from . import ended
from .order import read

KILLED_EXIT = 137
# The last of what was on disk by then; what the keeper held in memory is lost with it.
SHOWN_BYTES = 256 * 1024


@attrs.frozen
class Begun:
    """A detached run while it is on; `completed` as it is remembered if it is killed at once."""

    completed: CompletedRun
    summary: TaskSummary
    answer: TaskResult


def noted(begun: Begun) -> bytes:
    """The note of a run that has begun."""
    return json.dumps(rpc.packed(begun)).encode()


def remember(order: bytes, note: bytes) -> None:
    """Remember the run that was noted as killed now.

    Raises what goes wrong with its kept answer; by then it is recorded.
    """
    begun: Begun = rpc.unpacked(json.loads(note), Begun)
    options = read(order)
    lasted_s = max(0.0, time.time() - begun.completed.started_at)
    elapsed_s = round(lasted_s, 3)
    completed = attrs.evolve(
        begun.completed,
        outcome=Outcome.KILLED,
        exit=KILLED_EXIT,
        pipestatus=(KILLED_EXIT,),
        duration_s=lasted_s,
    )
    fault = _recording_fault(options, completed)
    answer = attrs.evolve(
        begun.answer,
        status=Status.KILLED,
        exit=KILLED_EXIT,
        elapsed_seconds=elapsed_s,
        success=False,
        pipestatus=(KILLED_EXIT,),
        error="Command was killed" if fault is None else f"Command was killed; {fault}",
        message=None,
        poll_meta=None,
        output=_last_output(options.places.outputs / begun.summary.task_id / "output"),
    )
    answer = attrs.evolve(answer, formatted=formatted(answer, colour=False))
    summary = attrs.evolve(
        begun.summary, status=Status.KILLED, exit=KILLED_EXIT, elapsed_seconds=elapsed_s
    )
    place = options.workspace or answer.cwd
    ended.write(options.places.outputs, ended.EndedRun(place, summary, answer))


def _recording_fault(options: SidecarOptions, completed: CompletedRun) -> str | None:
    """Record the run; why it is not recorded, where that fails."""

    async def record() -> None:
        database = options.settings.database
        alan = await Alan.open(
            Path(database) if database else options.places.database,
            clock=options.clock,
            session=options.session,
            half_life_h=options.settings.half_life_h,
            extra_redactions=options.settings.redact,
        )
        alan.remember(completed)
        await alan.close()

    try:
        asyncio.run(record())
    except Exception as fault:  # whatever it is, who asks for the run is answered
        return f"it is not remembered ({type(fault).__name__}: {fault})"
    return None


def _last_output(spool: Path) -> str:
    try:
        with open(os.open(spool, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - SHOWN_BYTES))
            return file.read(SHOWN_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
