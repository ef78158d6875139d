"""The first minute: the .vsix is installed, nothing is set, no zsh-ls is on the PATH."""

from __future__ import annotations

import os
import re
import shutil
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
    folder = tmp_path_factory.mktemp("first")
    async with opened(folder, vsixes, settings={}, env={"PATH": path_without_zsh_ls()}) as it:
        yield it


def path_without_zsh_ls() -> str:
    """The PATH as it is on a machine that has no zsh-ls."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(it for it in folders if not shutil.which("zsh-ls", path=it))


async def test_the_first_script_opened_has_lenses_from_the_bundled_server(studio: Studio) -> None:
    await studio.screen.open(STARTED_BY)
    await expect(studio.screen.lens("▷ run")).to_be_visible()
    server = await studio.server.language_server()
    assert any("bundled" in it for it in server.cmdline())
    assert "bundled" in await studio.screen.language_status()


async def test_the_first_run_shows_its_line(studio: Studio) -> None:
    await studio.show("first.zsh", "#!/bin/zsh\necho hello | grep nothing\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"pipestatus.0.1"))
    await expect(studio.screen.squiggle("info")).to_have_count(1)


async def test_the_bundled_server_answers_and_explains(studio: Studio) -> None:
    await studio.show("failed.zsh", "#!/bin/zsh\n(exit 4)\n")
    await studio.host.ask("select", [1, 0], [1, 0])
    await studio.host.ask("command", "zsh-ls.runLine")
    answer = await studio.host.ask("command", "zsh-ls.ask", "what failed last")
    assert "(exit 4)" in answer["text"]
    await expect(studio.screen.answer_page.locator("main")).to_contain_text("(exit 4)")
    await studio.show("explained.zsh", "#!/bin/zsh\ntar -czf a.tgz b\n")
    await studio.host.ask("select", [1, 1], [1, 1])
    explained = await studio.host.ask("command", "zsh-ls.explain")
    assert "tar" in explained["text"]
    await expect(studio.screen.answer_page.locator("main")).to_contain_text("tar")


async def test_nothing_asked_for_attention(studio: Studio) -> None:
    await expect(studio.screen.notifications).to_have_count(0)


async def test_once_vs_code_is_gone_nothing_of_ours_is_left(studio: Studio) -> None:
    """The last of this window."""
    await studio.show("left.zsh", "#!/bin/zsh\nsleep 303\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.badge).to_have_text("1")
    await studio.screen.page.close()
    studio.server.quit()
    await studio.server.until_nothing_is_left()
