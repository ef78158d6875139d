"""Before a model runs, reads or stops something, or a restart does, the person sees what is at stake."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from .host import Failed
from .studio import REAL_EDITOR, Studio
from .workbench import expect

pytestmark = REAL_EDITOR


def asked(studio: Studio, name: str, given: object) -> asyncio.Task[Any]:
    return asyncio.create_task(studio.host.ask("tool", name, given))


async def test_what_a_shell_is_fed_is_shown_with_it(studio: Studio) -> None:
    running = asked(studio, "zsh_run", {"command": "sh", "stdin": "print -n; echo fed to it"})
    said = await studio.screen.in_dialog("Yes")
    assert "fed to it" in said
    assert "fed to it" in (await running)[0]


async def test_what_a_person_ran_is_read_only_where_the_person_lets_it(studio: Studio) -> None:
    await studio.show("own.zsh", "#!/bin/zsh\nprint -r -- my own\n")
    await studio.host.ask("select", [1, 0], [1, 0])
    result = await studio.host.ask("command", "zsh-ls.runLine")
    task = {"task_id": result["task_id"]}
    reading = asked(studio, "zsh_output", task)
    assert "my own" in await studio.screen.in_dialog("Cancel")
    with pytest.raises(Failed, match="(?i)cancel"):
        await reading
    reading = asked(studio, "zsh_output", task)
    await studio.screen.in_dialog("Yes")
    assert await reading == ["my own"]


async def test_a_restart_says_first_what_it_stops(studio: Studio) -> None:
    await studio.show("restarted.zsh", "#!/bin/zsh\nsleep 306\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.badge).to_have_text("1")
    before = await studio.server.language_server()
    restarting = asyncio.create_task(studio.host.ask("command", "zsh-ls.restart"))
    assert "sleep 306" in await studio.screen.in_dialog("Cancel")
    await restarting
    assert (await studio.server.language_server()).pid == before.pid
    await studio.screen.command("zsh-ls: Stop Task")
    await expect(studio.screen.terminal).to_contain_text("killed")
