"""Before a language model runs, reads or stops something, the person sees all that is at stake."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from .host import Failed
from .studio import REAL_EDITOR, Studio

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
