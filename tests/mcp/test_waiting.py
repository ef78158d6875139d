"""A server is started and awaited in one call, and what a task says to an input comes with it (POLL-9)."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from mcp.server.lowlevel import Server

from .session import session, text_of

SERVER = "print starting; sleep 0.3; print listening on 8080; sleep 1000"


async def test_a_server_is_one_call(home: dict[str, str], project: Path) -> None:
    async with session(home, project) as agent:
        wait = {"until": "match", "pattern": "listening on", "listen": 30}
        answer = await agent.call_tool("zsh", {"command": SERVER, "shell": "zsh", **wait})
        assert answer.structured_content is not None
        assert answer.structured_content["matched"] == {"line": 2, "text": "listening on 8080"}
        assert answer.structured_content["output"] == "starting\nlistening on 8080\n"
        text: str = answer.content[0].text  # type: ignore[union-attr]
        assert "ends at 120s" in text.splitlines()
        assert text.splitlines()[-1] == "matched line 2: listening on 8080"
        wait = {"until": "match", "pattern": "ready", "listen": 0.1}
        late = await text_of(agent, "zsh", command="sleep 1000", shell="zsh", **wait)
        assert late.splitlines()[-1] == "no line matched: ready"
        await text_of(agent, "zsh_kill", task_id=answer.structured_content["task_id"])


async def test_an_input_is_answered_in_one_call(home: dict[str, str], project: Path) -> None:
    async with session(home, project) as agent:
        command = "read who; print hello $who; sleep 1000"
        begun = await agent.call_tool(
            "zsh", {"command": command, "shell": "zsh", "interactive": True, "yield_after": 0}
        )
        assert begun.structured_content is not None
        task_id = begun.structured_content["task_id"]
        wait = {"listen": 30, "until": "match", "pattern": "hello"}
        answer = await agent.call_tool("zsh_send", {"task_id": task_id, "input": "Ann", **wait})
        assert answer.structured_content is not None
        assert answer.structured_content["matched"] == {"line": 1, "text": "hello Ann"}
        sent = await agent.call_tool("zsh_send", {"task_id": task_id, "input": "more"})
        assert sent.structured_content == {"success": True, "message": "Sent 5 characters"}
        refused = await agent.call_tool("zsh", {"command": "true", "pattern": "("})
        assert refused.is_error
        await text_of(agent, "zsh_kill", task_id=task_id)


async def test_what_an_input_brings_is_progress_too(home: dict[str, str], project: Path) -> None:
    """Clients give a call up that says nothing for a minute; a long answer to an input says where it is."""
    heard: list[str | None] = []

    async def hear(_: float, __: float | None, message: str | None) -> None:
        heard.append(message)

    async with session(home, project) as agent:
        command = "read -r who; for n in 1 2 3; do echo part $n; sleep 0.3; done; echo bye $who"
        begun = await agent.call_tool(
            "zsh", {"command": command, "interactive": True, "yield_after": 0}
        )
        assert begun.structured_content is not None
        wait = {"input": "Ann", "listen": 30, "until": "end"}
        answer = await agent.call_tool(
            "zsh_send",
            {"task_id": begun.structured_content["task_id"], **wait},
            progress_callback=hear,
        )
        assert answer.structured_content is not None
        assert answer.structured_content["output"].endswith("bye Ann\n")
    assert any("part 1" in (it or "") for it in heard), heard


@pytest.mark.slow
async def test_what_was_typed_is_neither_an_answer_nor_a_match(
    home: dict[str, str], project: Path
) -> None:
    """A terminal shows again what is typed: a call that came back with that alone had to be made twice."""
    async with session(home, project) as agent:
        command = "while read -r line; do sleep 0.5; echo answer to $line; done"
        begun = await agent.call_tool("zsh", {"command": command, "pty": True, "yield_after": 0})
        assert begun.structured_content is not None
        task_id = begun.structured_content["task_id"]
        first = await text_of(agent, "zsh_send", task_id=task_id, input="one two", listen=30)
        assert "answer to one two" in first
        wait = {"listen": 30, "until": "match", "pattern": "answer to|two"}
        answer = await agent.call_tool("zsh_send", {"task_id": task_id, "input": "say two", **wait})
        assert answer.structured_content is not None
        assert answer.structured_content["matched"]["text"] == "answer to say two"
        await text_of(agent, "zsh_kill", task_id=task_id)


@pytest.mark.slow
async def test_a_line_that_was_there_before_is_told_as_such(
    home: dict[str, str], project: Path
) -> None:
    """Of `node --watch` a new pattern found the start before the edit, as if it had just come."""
    async with session(home, project) as agent:
        command = "echo started 1; read -r _; echo started 2; sleep 1000"
        wait = {"until": "match", "pattern": "started", "listen": 30}
        begun = await agent.call_tool("zsh", {"command": command, "interactive": True, **wait})
        assert "before this wait" not in begun.content[0].text  # type: ignore[union-attr]
        assert begun.structured_content is not None
        task_id = begun.structured_content["task_id"]
        again = {"until": "match", "pattern": "Error|started", "listen": 30}
        old = await text_of(agent, "zsh_poll", task_id=task_id, **again)
        assert old.splitlines()[-2:] == [
            "zsh-ls: Line 1 was there before this wait; the same pattern again finds later ones.",
            "matched line 1: started 1",
        ]
        await text_of(agent, "zsh_send", task_id=task_id, input="")
        new = await text_of(agent, "zsh_poll", task_id=task_id, **again)
        assert "before this wait" not in new
        assert new.splitlines()[-1] == "matched line 2: started 2"
        await text_of(agent, "zsh_kill", task_id=task_id)


@pytest.mark.slow
async def test_the_enter_key_alone_shows_no_answer(home: dict[str, str], project: Path) -> None:
    """`npm init` takes its defaults so: a call came back with a line end, before the next question."""
    async with session(home, project) as agent:
        command = "while read -r line; do sleep 0.5; echo next question; done"
        begun = await agent.call_tool("zsh", {"command": command, "pty": True, "yield_after": 0})
        assert begun.structured_content is not None
        task_id = begun.structured_content["task_id"]
        answer = await text_of(agent, "zsh_send", task_id=task_id, input="", listen=30)
        assert "next question" in answer
        await text_of(agent, "zsh_kill", task_id=task_id)


@pytest.mark.slow
async def test_a_control_key_alone_shows_no_answer(home: dict[str, str], project: Path) -> None:
    """Ctrl-C in python's loop was answered by `^C`, before its traceback."""
    async with session(home, project) as agent:
        command = "trap 'sleep 0.5; echo interrupted' INT; echo ready; while :; do sleep 0.1; done"
        wait = {"until": "match", "pattern": "ready", "listen": 30}
        begun = await agent.call_tool(
            "zsh", {"command": command, "shell": "bash", "pty": True, **wait}
        )
        assert begun.structured_content is not None
        task_id = begun.structured_content["task_id"]
        typed = {"input": "\u0003", "newline": False, "listen": 30}
        assert "interrupted" in await text_of(agent, "zsh_send", task_id=task_id, **typed)
        await text_of(agent, "zsh_kill", task_id=task_id)


async def test_a_number_that_nobody_gave_is_named_where_it_ended_a_wait_or_a_run(
    home: dict[str, str], project: Path
) -> None:
    """`until: "end"` came back after two seconds; `listen: 200` was cut by the limit of a run."""
    waited = "Not ended within listen=0.1; one call waits up to 300 s."
    longer = "A longer run takes timeout; a server or watcher runs with detached."
    limits = {"NEVERHANG_TIMEOUT_DEFAULT": "0.5", "NEVERHANG_TIMEOUT_MAX": "0.6"}
    async with session(home, project) as agent:
        wait = {"until": "end", "listen": 0.1}
        begun = await agent.call_tool("zsh", {"command": "sleep 1000", **wait})
        assert begun.structured_content is not None
        task_id = begun.structured_content["task_id"]
        polled = await agent.call_tool("zsh_poll", {"task_id": task_id, **wait})
        for answer in (begun, polled):
            assert answer.content[0].text.endswith(f"\nzsh-ls: {waited}")  # type: ignore[union-attr]
            assert answer.structured_content is not None
            assert answer.structured_content["insights"]["info"][-1] == waited
            assert answer.structured_content["ends_at_s"] == 120
        assert "listen" not in await text_of(agent, "zsh_poll", task_id=task_id, listen=0.1)
        await text_of(agent, "zsh_kill", task_id=task_id)
    async with session({**home, **limits}, project) as agent:
        wait = {"until": "end", "listen": 60}
        ended = await agent.call_tool("zsh", {"command": "sleep 99", **wait})
        assert ended.structured_content is not None
        assert ended.structured_content["insights"]["info"][-1] == longer
        assert ended.content[0].text.endswith(f"\nzsh-ls: {longer}")  # type: ignore[union-attr]
        assert longer not in await text_of(agent, "zsh", command="sleep 98", timeout=0, **wait)


@pytest.mark.slow
async def test_a_run_that_is_awaited_is_shown_as_any_other(
    home: dict[str, str], project: Path
) -> None:
    """`until: "end"` is what agents are told to wait with: it must not cost them the whole log."""
    log = "sleep 0.3; for n in {1..900}; do print copied part $n; done"
    async with session(home, project) as agent:
        wait = {"until": "end", "listen": 60}
        awaited = await agent.call_tool("zsh", {"command": log, "shell": "zsh", **wait})
        raised = await agent.call_tool("zsh", {"command": log, "shell": "zsh", "yield_after": 60})
        quick = await agent.call_tool("zsh", {"command": "true; print done", **wait})
    assert awaited.structured_content is not None
    assert raised.structured_content is not None
    assert quick.structured_content is not None
    assert awaited.structured_content["output"] == raised.structured_content["output"]
    assert "of 900 lines omitted" in awaited.structured_content["output"].split("\n")[0]
    assert quick.structured_content["output"] == "done\n"


async def test_a_line_that_is_typed_ends_with_the_enter_key(
    home: dict[str, str], project: Path
) -> None:
    """fzf took the line feed for a move to the next line, and waited on."""
    async with session(home, project) as agent:
        command = "echo banana | fzf"
        wait = {"until": "match", "pattern": "1/1", "listen": 30}
        begun = await agent.call_tool("zsh", {"command": command, "pty": True, **wait})
        assert begun.structured_content is not None
        task_id = begun.structured_content["task_id"]
        ended = {"until": "end", "listen": 30}
        answer = await agent.call_tool("zsh_send", {"task_id": task_id, "input": "", **ended})
        assert answer.structured_content is not None
        assert answer.structured_content["status"] == "completed"
        assert answer.structured_content["output"].endswith("banana\n")


def test_the_sdk_serves_no_tasks_yet() -> None:
    """docs/agents.md says so: on the day it does, ours are to be offered as MCP Tasks."""
    taken = inspect.signature(Server.__init__).parameters
    assert "on_call_tool" in taken
    assert not [name for name in taken if "task" in name]
