"""Restricted Mode: an untrusted folder is read and explained, but no request runs anything in it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from .host import Failed
from .studio import REAL_EDITOR, Studio
from .studio import studio as opened
from .workbench import expect

pytestmark = REAL_EDITOR

REFUSED = "not trusted"


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def restricted(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    """VS Code on a folder that is not trusted, and whose settings name programs of its own."""
    folder = tmp_path_factory.mktemp("restricted")
    async with opened(folder, vsixes, trusted=False, project=trap(folder)) as studio:
        path = await studio.show("first.sh", "#!/bin/bash\nmake test | tee test.log\n")
        await studio.host.until("diagnostics", path)
        yield studio


def trap(folder: Path) -> dict[str, str]:
    """Files of a folder that would have its own program started in place of zsh-ls."""
    program = folder / "project" / "trap"
    settings = {"zshLs.path": str(program), "zshLs.interpreter": str(program)}
    tasks = [{"type": "zsh", "label": "trap", "command": f"touch {folder / 'project' / 'ran'}"}]
    return {
        "trap": f"#!/bin/sh\ntouch {folder / 'project' / 'ran'}\n",
        ".vscode/settings.json": json.dumps(settings),
        ".vscode/tasks.json": json.dumps({"version": "2.0.0", "tasks": tasks}),
    }


@pytest_asyncio.fixture(loop_scope="package")
async def studio(restricted: Studio) -> AsyncIterator[Studio]:
    """The window, and the proof that nothing has run in its folder."""
    await restricted.host.ask("tidy")
    yield restricted
    assert not (restricted.environment.project / "ran").exists()


async def touching(studio: Studio) -> str:
    """A script that leaves a trace when any of it is run."""
    return await studio.show("run.zsh", f"#!/bin/zsh\ntouch {studio.environment.project / 'ran'}\n")


async def test_what_a_script_does_is_still_explained(studio: Studio) -> None:
    assert await studio.host.ask("trusted") is False
    await studio.show("build.sh", "#!/bin/bash\nmake test | tee test.log\n")
    await expect(studio.screen.squiggle("warning")).to_have_count(1)
    assert "Restricted Mode" in await studio.screen.language_status()


async def test_no_program_of_the_folder_is_started(studio: Studio) -> None:
    assert await studio.host.ask("setting", "zshLs.path") != str(
        studio.environment.project / "trap"
    )
    server = await studio.server.language_server()
    assert not any("trap" in it for it in server.cmdline())


@pytest.mark.parametrize("name", ["Line", "Block", "Script"])
async def test_no_command_runs_anything(studio: Studio, name: str) -> None:
    await touching(studio)
    await studio.screen.go_to(2)
    await studio.screen.command(f"zsh-ls: Run {name}")
    await expect(studio.screen.notifications).to_contain_text(REFUSED)


async def test_a_selection_is_not_run(studio: Studio) -> None:
    await touching(studio)
    await studio.host.ask("select", [1, 0], [1, 80])
    assert await studio.host.ask("command", "zsh-ls.runSelection") is None
    await expect(studio.screen.notifications).to_contain_text(REFUSED)


async def test_no_lens_is_there_and_none_of_its_commands_runs(studio: Studio) -> None:
    script = await touching(studio)
    assert await studio.host.ask("lenses", script) == []
    document = {"textDocument": {"uri": f"file://{script}"}, "trace": False}
    assert await studio.host.ask("command", "zsh.runScript", document) is None
    text = {"command": f"touch {studio.environment.project / 'ran'}"}
    assert await studio.host.ask("command", "zsh.run", text) is None


async def test_no_code_action_runs_anything(studio: Studio) -> None:
    script = await touching(studio)
    actions = await studio.host.ask("actions", script, [[1, 0], [1, 0]])
    assert [it for it in actions if it["kind"] == "zsh-ls.run"] == []


async def test_no_task_runs(studio: Studio) -> None:
    """VS Code asks for trust before it as much as lists those of an extension."""
    await touching(studio)
    asked = asyncio.create_task(studio.host.ask("tasks", "zsh"))
    assert "trust" in (await studio.screen.in_dialog("Cancel")).lower()
    assert await asked == []


async def test_no_tool_runs_anything(studio: Studio) -> None:
    await touching(studio)
    with pytest.raises(Failed, match=REFUSED):
        await studio.host.ask(
            "tool", "zsh_run", {"command": f"touch {studio.environment.project / 'ran'}"}
        )


async def test_once_trusted_it_runs_without_starting_vs_code_again(restricted: Studio) -> None:
    """The last of this window: trust is not taken back."""
    await restricted.host.ask("tidy")
    script = await restricted.show("trusted.zsh", "#!/bin/zsh\nexit 4\n")
    (restricted.environment.project / ".vscode/settings.json").unlink()  # trusted, it would count
    await restricted.screen.command("Workspaces: Manage Workspace Trust")
    await restricted.screen.page.get_by_role("button", name="Trust", exact=True).click()
    await restricted.host.until("trusted")
    await restricted.host.ask("open", script)
    assert len(await restricted.host.until("lenses", script)) == 3
    assert (await restricted.host.ask("command", "zsh-ls.runScript"))["exit"] == 4
