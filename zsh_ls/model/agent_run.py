"""A command that an agent ran in its own shell, as its hook tells of it, and what is said of it (HOOK-1)."""

from __future__ import annotations

from zsh_ls.lazy import attrs


@attrs.frozen
class AgentRun:
    """One command of an agent, run in its own shell tool.

    `exit` and `duration_s` are None where the agent tells none, `folder` is absolute. `output` is what the
    agent was shown, or what of it the hook passes on. `session` is the agent's own id of its session.
    """

    command: str
    folder: str
    output: str = ""
    exit: int | None = None
    duration_s: float | None = None
    timed_out: bool = False
    session: str = ""


@attrs.frozen
class AgentRunNotes:
    """What the agent is told of a run, at most two lines; `recorded` says whether memory has taken it."""

    lines: tuple[str, ...]
    recorded: bool
