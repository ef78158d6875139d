"""One server that an editor, the command line and an agent share."""

from __future__ import annotations

import asyncio
from typing import Any

from .agents import agent
from .cli import CommandLine, _rows
from .transcript import Transcript
from .wire import RICH, Editor, editor
from .world import PATIENCE_S, World


def record(world: World) -> Transcript:
    """The whole day; each title names the process that asks."""
    transcript = Transcript(world)
    with editor(world, transcript) as person:
        person.hello("the editor", RICH)
        person.step("the editor's server is up", "zsh/health")
        asyncio.run(_together(person))
        person.goodbye()
    line = CommandLine(world, transcript)
    line.step("the server has gone", "tasks")
    return transcript


async def _together(person: Editor) -> None:
    world, transcript = person.world, person.transcript
    line = CommandLine(world, transcript)
    async with agent(world, transcript) as ours:
        gated = world.gate("slow", "slow")
        begun = person.run("the editor begins", gated, yield_after=0)["task_id"]
        world.pass_time(5)
        await ours.step("the agent sees it", "zsh_tasks")
        await ours.step("the agent waits a moment", "zsh_poll", task_id=begun, listen=0)
        line.step("the command line sees it", "tasks", change=_rows)
        world.open_gate("slow")
        await ours.step(
            "the agent waits for its end", "zsh_poll", task_id=begun, until="end", listen=300
        )
        theirs = (await ours.step("the agent begins", "zsh", command=gated, yield_after=0))[
            "task_id"
        ]
        person.step("the editor sees it", "zsh/tasks", {})
        person.step("the editor ends it", "zsh/kill", {"task_id": theirs})
        await ours.step("the agent is told", "zsh_poll", task_id=theirs, until="end", listen=300)
        world.pass_time(1)  # what ran last comes first, where memory is asked
        _from_the_command_line(person, line)
        line.step("with those that ended", "tasks", "--all", change=_rows)
        await ours.step("what the editor ran is known", "zsh_alan_query", command=gated)


def _from_the_command_line(person: Editor, line: CommandLine) -> None:
    """A run of the command line, in the editor's server; the editor lets it through."""
    asked = ("run", "--shared", person.world.gate("shared", "shared"))
    running = line.start(*asked)
    heard: Any = lambda it: it["origin"] == "cli"  # noqa: E731
    person.news("zsh/progress", heard, PATIENCE_S)
    person.step("the editor sees the command line's", "zsh/tasks", {})
    person.world.open_gate("shared")
    line.end("in the editor's server", running, asked)
