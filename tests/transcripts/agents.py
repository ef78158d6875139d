"""An agent's day: every MCP tool, by the SDK's own client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from .plain_text import Change, numbers
from .transcript import Transcript, _unchanged
from .wire import _manual_was_read
from .world import MADE_UP_TOKEN, PROGRAM, World


class Agent:
    """Calls tools and writes down what it reads: the text and the structure."""

    def __init__(self, world: World, transcript: Transcript, session: ClientSession) -> None:
        self.world = world
        self.transcript = transcript
        self.session = session

    async def step(
        self, title: str, tool: str, change: Change = _unchanged, **arguments: Any
    ) -> Any:
        """Call a tool; gives its structure."""
        answer = await self.session.call_tool(tool, arguments)
        seen = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
        self.transcript.step(f"{tool}: {title}", arguments, seen, change, covers=tool)
        return seen.get("structuredContent")


@asynccontextmanager
async def agent(world: World, transcript: Transcript, *arguments: str) -> AsyncIterator[Agent]:
    """An initialized agent with its server; the answers that it gets are written down."""
    started = StdioServerParameters(
        command=PROGRAM[0],
        args=[*PROGRAM[1:], "mcp", *arguments],
        env=dict(world.env),
        cwd=world.work,
    )
    async with (
        stdio_client(started) as (reading, writing),
        ClientSession(reading, writing) as session,
    ):
        hello = await session.initialize()
        seen = hello.model_dump(mode="json", by_alias=True, exclude_none=True)
        transcript.step("initialize: an agent", list(arguments), seen)
        yield Agent(world, transcript, session)


def record(world: World) -> Transcript:
    """The whole day."""
    transcript = Transcript(world)
    asyncio.run(_day(world, transcript))
    return transcript


async def _day(world: World, transcript: Transcript) -> None:
    async with agent(world, transcript) as ours:
        tools = await ours.session.list_tools()
        listed = tools.model_dump(mode="json", by_alias=True, exclude_none=True)
        transcript.step("tools/list: all", None, listed)
        await _running(ours)
        await _waiting(ours)
        await _memory(ours)
        await _reading(ours)
        await _refusals(ours)
        forgotten = {tool.name for tool in tools.tools} - transcript.covered
        assert not forgotten, f"the day calls nothing of {sorted(forgotten)}"
    async with agent(world, transcript, "--color") as ours:
        await ours.step("in colour", "zsh", command="ls /nowhere | wc -l")


async def _running(ours: Agent) -> None:
    await ours.step("in the morning", "zsh_health")
    for title, command in (
        ("a line", "echo hello"),
        ("the same again", "echo hello"),
        ("nothing printed", "true"),
        ("a masked failure", "ls /nowhere | wc -l"),
        ("a normal exit", "grep nothing notes.txt"),
        ("not there", "gti status"),
        ("a long output", "seq 1 400"),
        ("a failed test run", "touch broken; pytest"),
        ("a passed test run", "rm broken; pytest"),
        ("a failed build", "make broken"),
        ("a secret printed", f"echo {MADE_UP_TOKEN}"),
    ):
        await ours.step(title, "zsh", command=command, yield_after=300)
    await ours.step("bash", "zsh", command="false | true", shell="bash", yield_after=300)
    await ours.step("standard input", "zsh", command="wc -c", stdin="12345", yield_after=300)
    await ours.step(
        "everything, please", "zsh", command="seq 1 200", verbosity="debug", yield_after=300
    )


async def _waiting(ours: Agent) -> None:
    gated = ours.world.gate("slow", "slow")
    for seconds in (40, 47, 60):
        task = await ours.session.call_tool("zsh", {"command": gated, "yield_after": 0})
        ours.world.pass_time(seconds)
        ours.world.open_gate("slow")
        until_end = {"task_id": task.structured_content["task_id"], "until": "end", "listen": 300}
        await ours.session.call_tool("zsh_poll", until_end)
    task_id = (await ours.step("takes its time", "zsh", command=gated, yield_after=0))["task_id"]
    ours.world.pass_time(20)
    await ours.step("nothing yet", "zsh_poll", task_id=task_id, listen=0)
    await ours.step("while it runs", "zsh_tasks")
    ours.world.open_gate("slow")
    await ours.step("its end", "zsh_poll", task_id=task_id, until="end", listen=300)
    killed = (await ours.step("to be killed", "zsh", command=gated, yield_after=0))["task_id"]
    ours.world.pass_time(3)
    await ours.step("early", "zsh_kill", task_id=killed)
    asking = f"{ours.world.gate('ask')}; read -r name; echo hello $name"
    typed = await ours.step("asks", "zsh", command=asking, interactive=True, yield_after=0)
    ours.world.open_gate("ask")
    await ours.step("a line", "zsh_send", task_id=typed["task_id"], input="world")
    await ours.step("answered", "zsh_poll", task_id=typed["task_id"], until="end", listen=300)
    hung = ours.world.gate("never", "hung")
    for title in ("a time limit", "the second time", "the third time"):
        await ours.step(title, "zsh", command=hung, timeout=0.2, yield_after=300)
    await ours.step("refused", "zsh", command=hung)
    await ours.step("held back", "zsh_neverhang_status")
    await ours.step("let through again", "zsh_neverhang_reset")
    await ours.step("all", "zsh_tasks", all=True)


async def _memory(ours: Agent) -> None:
    for _ in range(2):
        await ours.step("usage", "zsh", command="frob --wrong host", yield_after=300)
    _manual_was_read(ours.world)
    ours.world.pass_time(1)  # the kept output of a run is found by its end
    await ours.step("options are offered", "zsh", command="frob --wrong host", yield_after=300)
    await ours.step("in all", "zsh_alan_stats")
    await ours.step("of a command", "zsh_alan_query", command="echo hello")
    await ours.step("of what never ran", "zsh_alan_query", command="zip -r a.zip .")


async def _reading(ours: Agent) -> None:
    await ours.step("some lines", "zsh_output", from_line=1, to_line=2)
    await ours.step("a search", "zsh_output", search="unknown")
    for query in (
        "what failed last",
        "show full output",
        "install docker",
        "will it rain tomorrow",
    ):
        await ours.step(query, "zsh_ask", query=query)
    await ours.step("why the last run failed", "zsh_why")
    await ours.step("of the machine", "zsh_ask", numbers, query="how much memory is free")
    await ours.step("a command", "zsh_explain", command="frob --level 3 host | grep x")
    await ours.step("a file", "zsh_check", path=str(ours.world.work / "deploy.zsh"))
    await ours.step("a text", "zsh_check", text="cd /x\nrm -rf ./y\n")
    await ours.step("clean", "zsh_check", path=str(ours.world.work / "lib.zsh"))
    deploy = str(ours.world.work / "deploy.zsh")
    await ours.step("before it runs", "zsh_rehearse", path=deploy)


async def _refusals(ours: Agent) -> None:
    await ours.step("no command", "zsh")
    await ours.step("an empty command", "zsh", command=" ")
    await ours.step("no such field", "zsh", command="true", colour=True)
    await ours.step("no such task", "zsh_poll", task_id="00000000")
    await ours.step("no such task", "zsh_kill", task_id="00000000")
    await ours.step("neither file nor text", "zsh_check")
    await ours.step("no such script", "zsh_rehearse", path="/nowhere/deploy.sh")
    await ours.step("in the evening", "zsh_health")
