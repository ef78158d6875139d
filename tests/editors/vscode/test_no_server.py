"""If the server does not start, or crashes repeatedly, VS Code shows why and stops trying."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from .studio import REAL_EDITOR, Studio
from .studio import studio as opened
from .workbench import expect

pytestmark = REAL_EDITOR


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def studio(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    """VS Code whose setting names a server that ends at once."""
    folder = tmp_path_factory.mktemp("no-server")
    program = folder / "falls"
    program.write_text("#!/bin/sh\necho a fault of its own >&2\nexit 7\n")
    program.chmod(0o755)
    async with opened(folder, vsixes, settings={"zshLs.path": str(program)}) as it:
        yield it


async def test_the_failure_is_told_with_what_can_be_done(studio: Studio) -> None:
    await studio.show("first.zsh", "#!/bin/zsh\nprint hi\n")
    toast = studio.screen.notifications.filter(has_text="zsh-ls")
    await expect(toast.first).to_be_visible()
    await expect(toast.first).to_contain_text("It ended with exit 7: a fault of its own")
    await expect(toast.first.get_by_role("button", name="Restart")).to_be_visible()
    await expect(toast.first.get_by_role("button", name="Show Logs")).to_be_visible()


async def test_the_status_says_that_it_does_not_run_and_does_not_spin(studio: Studio) -> None:
    await studio.show("status.zsh", "#!/bin/zsh\nprint hi\n")
    status = await studio.screen.language_status()
    assert "does not run" in status
    assert "Restart" in status
    await expect(studio.screen.status_bar.locator(".codicon-loading")).to_have_count(0)


async def test_a_run_ends_with_the_reason_in_its_terminal(studio: Studio) -> None:
    await studio.show("run.zsh", "#!/bin/zsh\nprint hi\n")
    assert await studio.host.ask("command", "zsh-ls.runScript") is None
    await expect(studio.screen.terminal).to_contain_text("does not run")


async def test_a_task_ends_and_has_failed(studio: Studio) -> None:
    await studio.show("task.zsh", "#!/bin/zsh\nprint hi\n")
    assert await studio.host.ask("task", "zsh", "run task.zsh") == {"exit": 1}


async def test_a_path_that_is_set_right_is_used_at_once(studio: Studio) -> None:
    script = await studio.show("mended.zsh", "#!/bin/zsh\nprint hi\n")
    await studio.host.ask(
        "configure", "zshLs.path", str(studio.environment.home / "bin" / "zsh-ls")
    )
    assert await studio.host.until("lenses", script)


async def test_a_run_that_is_asked_for_while_the_server_starts_waits_for_it(studio: Studio) -> None:
    """And that it was heard is said: nothing else would be seen until then."""
    home = studio.environment.home
    slow, may_start = home / "slow", home / "may-start"
    slow.write_text(
        f'#!/bin/sh\nuntil [ -e {may_start} ]; do sleep 0.1; done\nexec {home}/bin/zsh-ls "$@"\n'
    )
    slow.chmod(0o755)
    await studio.show("early.zsh", "print early\n")
    await studio.host.ask("configure", "zshLs.path", str(slow))
    # Until then the server from before would run it.
    await expect(studio.screen.status_bar.locator(".codicon-loading")).not_to_have_count(0)
    early = asyncio.create_task(studio.host.ask("command", "zsh-ls.runLine"))
    await expect(studio.screen.status_bar).to_contain_text("the server is starting; then it runs")
    may_start.touch()
    result = await early
    assert (result["command"], result["exit"]) == ("print early", 0)
    await expect(studio.screen.status_bar).not_to_contain_text("the server is starting")
    await studio.host.ask("configure", "zshLs.path", str(home / "bin" / "zsh-ls"))


async def test_a_server_that_falls_again_and_again_is_given_up_with_a_word(studio: Studio) -> None:
    """It is killed as often as it comes back; the number is the extension's own. How it ended is told."""
    await studio.screen.command("Notifications: Clear All Notifications")
    await studio.show("falls.zsh", "#!/bin/zsh\nprint hi\n")
    toast = studio.screen.notifications.filter(has_text="zsh-ls")
    while not await toast.count():
        for server in studio.server.language_servers():
            with contextlib.suppress(psutil.NoSuchProcess):
                server.kill()
    await expect(toast.first).to_contain_text("It was ended by SIGKILL.")
    assert "does not run" in await studio.screen.language_status()
    assert studio.server.language_servers() == []
