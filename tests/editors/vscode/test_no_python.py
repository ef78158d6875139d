"""Without Python the extension explains what to install, and works once that is done."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from .studio import REAL_EDITOR, STARTED_BY, Studio
from .studio import studio as opened
from .workbench import expect

pytestmark = REAL_EDITOR


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def studio(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    """A window whose PATH leads to nothing."""
    folder = tmp_path_factory.mktemp("no-python")
    (folder / "nothing").mkdir()
    path = str(folder / "nothing")
    async with opened(folder / "home", vsixes, settings={}, env={"PATH": path}) as studio:
        await studio.screen.open(STARTED_BY)
        yield studio


async def test_it_is_said_that_python_is_missing_and_how_to_get_it(studio: Studio) -> None:
    toast = studio.screen.notifications.filter(has_text="No Python 3.11 or later was found")
    await expect(toast).to_contain_text("apt install python3")
    await expect(toast.get_by_role("button", name="Settings")).to_be_visible()
    status = await studio.screen.language_status()
    assert "does not run" in status
    assert "No Python 3.11" in status


async def test_the_tasks_view_says_that_nothing_can_be_run(studio: Studio) -> None:
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    view = studio.screen.page.locator(".sidebar")
    await expect(view).to_contain_text("The zsh-ls server does not run")
    await expect(view.get_by_role("button", name="Restart Server")).to_be_visible()


async def test_a_command_says_why_it_does_nothing(studio: Studio) -> None:
    await studio.screen.command("Notifications: Clear All Notifications")
    await studio.show("why.zsh", "#!/bin/zsh\nprint hi\n")
    assert await studio.host.ask("command", "zsh-ls.runLine") is None
    await expect(studio.screen.notifications).to_contain_text("No Python 3.11")


async def test_the_extensions_own_server_runs_once_a_python_is_named(studio: Studio) -> None:
    """The last of this window."""
    script = await studio.show("named.zsh", "#!/bin/zsh\nprint hi\n")
    await studio.host.ask("configure", "zshLs.importStrategy", "useBundled")
    await studio.host.ask("configure", "zshLs.interpreter", sys.executable)
    assert await studio.host.until("lenses", script)
    server = await studio.server.language_server()
    assert any("bundled" in it for it in server.cmdline())
