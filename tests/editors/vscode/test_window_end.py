"""Tasks end with their window: the next start reports them, and offers VS Code's own question."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from .studio import REAL_EDITOR, STARTED_BY
from .studio import studio as opened
from .workbench import PATIENCE_MS, expect

pytestmark = REAL_EDITOR


async def test_what_the_end_of_a_window_stopped_is_told_and_a_question_offered(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with opened(tmp_path_factory.mktemp("window-end"), vsixes) as studio:
        await studio.ready()
        toast = studio.screen.notifications.filter(has_text="stopped when this window was closed")
        await studio.reload()
        # A window may be reloaded before it noted what it shows.
        await studio.screen.open(STARTED_BY)
        await expect(studio.screen.lens("run")).to_be_visible()
        await expect(toast).to_have_count(0)  # nothing ran

        await studio.show("long.zsh", "#!/bin/zsh\necho $$ >pid; sleep 300\n")
        await studio.screen.lens("▷ run").click()
        await expect(studio.screen.badge).to_have_text("1")
        task = int((studio.environment.project / "pid").read_text())
        await studio.reload()
        await expect(toast).to_be_visible()
        await expect(toast).to_contain_text("1 task of zsh-ls was stopped")
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while psutil.pid_exists(task):
                await asyncio.sleep(0.1)
        await studio.screen.command("zsh-ls: Focus on Tasks View")
        await expect(studio.screen.task("long.zsh")).to_contain_text("ended with its server")

        await toast.get_by_role("button", name="Ask Next Time").click()
        setting = "window.confirmBeforeClose"
        await studio.host.until("setting", setting, holds=lambda it: it == "always")
