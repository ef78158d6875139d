"""A server is started and awaited in one call, and what a task says to an input comes with it (POLL-9)."""

from __future__ import annotations

from pathlib import Path

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
