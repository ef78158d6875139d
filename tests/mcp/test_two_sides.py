"""One task list: the person in the editor and the agent see, type into and stop each other's tasks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.rpc import Peer
from tests.server.shared import place, started

from .session import session, text_of

pytestmark = pytest.mark.slow
Place = tuple[dict[str, str], Path]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Place]:
    with place(tmp_path) as found:
        yield found


@pytest.fixture
def editor(here: Place) -> Iterator[Peer]:
    found = started(*here)
    yield found
    found.end()


async def test_the_agents_task_is_in_the_editor_and_the_person_types_into_it_and_stops_it(
    editor: Peer, here: Place
) -> None:
    home, project = here
    async with session(home, project) as agent:
        text = "read x; echo the agent heard $x; sleep 1000"
        first = await agent.call_tool("zsh", {"command": text, "pty": True, "yield_after": 0.3})
        task = first.structured_content["task_id"]
        [listed] = editor.call("zsh/tasks")["tasks"]
        assert (listed["task_id"], listed["origin"]) == (task, "agent")
        editor.call("zsh/send", {"task_id": task, "input": "a person"})
        polled = await text_of(agent, "zsh_poll", task_id=task, listen=30)
        if "the agent heard" not in polled:
            polled += await text_of(agent, "zsh_poll", task_id=task, listen=30)
        assert "the agent heard a person" in polled
        news = editor.news("zsh/progress", lambda it: "heard a person" in it["output"])
        assert (news["task_id"], news["origin"]) == (task, "agent")
        assert editor.call("zsh/kill", {"task_id": task})["success"]
        last = await agent.call_tool("zsh_poll", {"task_id": task})
        assert last.structured_content["status"] == "killed"


async def test_the_persons_task_is_the_agents_to_see_type_into_and_stop(
    editor: Peer, here: Place
) -> None:
    home, project = here
    text = "echo begun; read x; echo heard $x; sleep 1000"
    run = editor.call("zsh/run", {"command": text, "interactive": True, "yield_after": 0.3})
    task = run["task_id"]
    async with session(home, project) as agent:
        assert f"{task} running" in await text_of(agent, "zsh_tasks")
        assert "shared with the editor" in await text_of(agent, "zsh_health")
        await text_of(agent, "zsh_send", task_id=task, input="an agent")
        editor.news("zsh/progress", lambda it: "heard an agent" in it["output"])
        # The agent's polls have a cursor of their own, from the first byte.
        assert "begun" in await text_of(agent, "zsh_poll", task_id=task)
        assert f"Task {task} killed" in await text_of(agent, "zsh_kill", task_id=task)
    assert editor.call("zsh/poll", {"task_id": task})["status"] == "killed"


async def test_when_the_editor_ends_the_agent_is_told_and_goes_on_alone(
    editor: Peer, here: Place
) -> None:
    home, project = here
    async with session(home, project) as agent:
        first = await agent.call_tool("zsh", {"command": "sleep 1000", "yield_after": 0.1})
        task = first.structured_content["task_id"]
        editor.leave()
        gone = await agent.call_tool("zsh_poll", {"task_id": task, "listen": 60, "until": "end"})
        assert gone.is_error
        assert "a" in await text_of(agent, "zsh", command="echo a")
        assert "no editor's server" in await text_of(agent, "zsh_health")


async def test_when_the_agent_ends_its_task_stays_with_the_editor(
    editor: Peer, here: Place
) -> None:
    home, project = here
    async with session(home, project) as agent:
        first = await agent.call_tool("zsh", {"command": "sleep 1000", "yield_after": 0.1})
    task = first.structured_content["task_id"]
    [listed] = editor.call("zsh/tasks")["tasks"]
    assert listed["task_id"] == task
    editor.call("zsh/kill", {"task_id": task})
