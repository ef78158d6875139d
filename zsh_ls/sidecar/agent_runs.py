"""What agents ran in their own shells, as hooks tell of it: remembered, and what is news of it (HOOK-1)."""

from __future__ import annotations

import asyncio
import logging
import os

from zsh_ls.alan import Alan
from zsh_ls.model.agent_run import AgentRun, AgentRunNotes
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.words import Origin
from zsh_ls.shell.status.usage import is_usage_failure
from zsh_ls.shell.template.identity import identify
from zsh_ls.system.projects import project_of

# A hook waits for the answer, and what memory has to say of a run's duration is the least of it.
MEMORY_PATIENCE_S = 0.3
log = logging.getLogger(__name__)


async def told(
    alan: Alan, run: AgentRun, *, workspace: str | None, now: float, is_trusted: bool
) -> AgentRunNotes:
    """Remember a run; gives what is news of it. Raises InvalidRequest for what is no run.

    `now` is when it ended, in Unix time. In a workspace that is not trusted nothing is remembered.
    """
    if not run.command.strip():
        raise InvalidRequest("params.run.command: expected the command that ran, got an empty one")
    if not os.path.isabs(run.folder):
        raise InvalidRequest(f"params.run.folder: expected an absolute folder, got {run.folder!r}")
    completed = await asyncio.to_thread(completed_run, run, workspace, now)
    estimate = None
    if run.timed_out or run.duration_s is not None:
        try:
            async with asyncio.timeout(MEMORY_PATIENCE_S):
                estimate = await alan.estimate(run.command, completed.scope)
        except TimeoutError:
            log.info("memory does not answer: nothing is said of a usual duration")
    if is_trusted:
        alan.remember(completed)
    # What judges is large, and few servers have an agent beside them.
    from zsh_ls.hooks.news import news_of  # noqa: PLC0415

    return AgentRunNotes(await asyncio.to_thread(news_of, run, estimate), recorded=is_trusted)


def completed_run(run: AgentRun, workspace: str | None, now: float) -> CompletedRun:
    """The run as memory learns from it: without an outcome or a duration where the agent tells none."""
    duration_s = run.duration_s or 0.0
    name = identify(run.command) if run.exit else None
    is_known = run.exit is not None or run.timed_out
    return CompletedRun(
        command=run.command,
        shell="",
        exit=run.exit,
        pipestatus=() if run.exit is None else (run.exit,),
        outcome=outcome_of(run.exit, timed_out=run.timed_out) if is_known else None,
        duration_s=duration_s,
        is_timed=run.duration_s is not None,
        started_at=now - duration_s,
        session=run.session,
        cwd=run.folder,
        project=project_of(run.folder, workspace),
        origin=Origin.AGENT,
        is_usage_failure=name is not None
        and is_usage_failure(name.command, run.exit, run.output, name.template),
    )
