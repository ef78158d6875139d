"""Beside others: a chosen Python environment, a language model, MCP, several folders and windows."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from .host import packed_probe
from .kit import HERE, ROOT
from .studio import REAL_EDITOR, STARTED_BY, Studio
from .studio import studio as opened
from .workbench import Workbench, expect

pytestmark = REAL_EDITOR

PYTHON = shlex.quote(sys.executable)
STRANGE = "who wrote the first shell"
PARROT = "Ken Thompson, in 1971."


def python_with(folder: Path, name: str, start: str) -> Path:
    """The Python of an environment; `start` are the words it is started with."""
    program = folder / name
    program.write_text(f'#!/bin/sh\n{start} "$@"\n')
    program.chmod(0o755)
    return program


def installed_here(folder: Path) -> Path:
    """What says to Python that zsh-ls is installed; its code is that of the checkout."""
    about = folder / "installed" / "zsh_ls-9.9.9.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: zsh-ls\nVersion: 9.9.9\n")
    return about.parent


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def window(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    """A window with neighbours, where nothing is set and the person lets models in."""
    folder = tmp_path_factory.mktemp("neighbours")
    path = os.pathsep.join([str(installed_here(folder)), str(ROOT)])
    start = f"PYTHONPATH={shlex.quote(path)} exec {PYTHON}"
    python = python_with(folder, "python-with-server", start)
    neighbours = packed_probe(folder, HERE / "neighbours")
    settings = {"chat.disableAIFeatures": False, "zshLs.path": "", "chat.mcp.autostart": "never"}
    async with opened(
        folder / "home",
        [*vsixes, neighbours],
        settings=settings,
        env={"ZSH_LS_TEST_PYTHON": str(python)},
    ) as studio:
        await studio.screen.open(STARTED_BY)
        await expect(studio.screen.lens("▷ run")).to_be_visible()
        yield studio


@pytest_asyncio.fixture(loop_scope="package")
async def studio(window: Studio) -> Studio:
    await window.host.ask("tidy")
    return window


async def served_from(studio: Studio, origin: str) -> None:
    async with asyncio.timeout(60):
        while origin not in await studio.screen.language_status():
            await asyncio.sleep(0.2)


async def test_the_server_of_the_chosen_environment_is_started(studio: Studio) -> None:
    await studio.show("status.zsh", "#!/bin/zsh\nprint hi\n")
    assert "environment" in await studio.screen.language_status()
    server = await studio.server.language_server()
    assert server.cmdline()[:5] == [sys.executable, "-P", "-m", "zsh_ls", "serve"]


async def test_where_another_environment_is_chosen_its_server_is_started(studio: Studio) -> None:
    """An environment without zsh-ls leaves it to PATH: the test has one there."""
    before = await studio.server.language_server()
    bare = python_with(studio.environment.home, "python-without-server", f"exec {PYTHON} -S")
    await studio.host.ask("command", "neighbours.choose", str(bare))
    script = await studio.show("chosen.zsh", "#!/bin/zsh\nprint hi\n")
    await asyncio.to_thread(before.wait, 60)
    assert await studio.host.until("lenses", script)
    assert "PATH" in await studio.screen.language_status()


async def test_the_same_environment_chosen_again_leaves_the_server_alone(studio: Studio) -> None:
    await studio.show("other.zsh", "#!/bin/zsh\nprint hi\n")
    await studio.host.ask("command", "neighbours.choose", "/no/such/python")
    await served_from(studio, "PATH")
    before = await studio.server.language_server()
    await studio.host.ask("command", "neighbours.choose", "/no/such/python")
    script = await studio.show("same.zsh", "#!/bin/zsh\nprint hi\n")
    assert await studio.host.until("lenses", script)
    assert (await studio.server.language_server()).pid == before.pid


async def test_what_nobody_knows_is_asked_of_the_editors_model_if_the_person_allows_it(
    studio: Studio,
) -> None:
    asking = asyncio.create_task(studio.host.ask("command", "zsh-ls.ask", STRANGE))
    said = await studio.screen.in_dialog("Allow")
    assert STRANGE in said
    answer = await asking
    assert (answer["kind"], answer["summary"]) == ("llm", PARROT)
    assert STRANGE in (await studio.host.ask("command", "neighbours.asked"))[0]


async def test_no_model_is_asked_where_the_setting_says_so(studio: Studio) -> None:
    asked = await studio.host.ask("command", "neighbours.asked")
    await studio.host.ask("configure", "zshLs.ask.languageModel", False)
    answer = await studio.host.ask("command", "zsh-ls.ask", "who wrote the second shell")
    assert answer["kind"] == "fallback"
    assert await studio.host.ask("command", "neighbours.asked") == asked


async def test_what_an_agent_runs_over_mcp_is_in_the_list_of_this_window(studio: Studio) -> None:
    """VS Code starts `zsh-ls mcp`, which joins the server of the window."""
    await studio.screen.command("MCP: List Servers")
    await studio.screen.choose("zsh-ls")
    await studio.screen.choose("Start Server")
    assert await studio.host.until("tools", "mcp_zsh-ls_zsh")
    running = asyncio.create_task(
        studio.host.ask("tool", "mcp_zsh-ls_zsh", {"command": "sleep 305"})
    )
    await studio.screen.in_dialog("Yes")
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    await expect(studio.screen.task("sleep 305")).to_contain_text("agent")
    await running  # an agent is answered before what it runs has ended
    await studio.screen.command("zsh-ls: Stop Task")
    await expect(studio.screen.task("sleep 305")).to_contain_text("killed")


async def test_one_server_serves_all_folders_of_a_window(studio: Studio) -> None:
    """In a second window, which has several; it stays until VS Code ends, so this is the last test."""
    of_the_first = {it.pid for it in studio.server.language_servers()}
    folders = [studio.environment.home / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        (folder / f"{folder.name}.zsh").write_text("#!/bin/zsh\nprint hi\n")
    both = studio.environment.home / "both.code-workspace"
    both.write_text(json.dumps({"folders": [{"path": str(it)} for it in folders]}))
    browser = studio.screen.page.context.browser
    assert browser is not None
    page = await browser.new_page()
    await page.goto(f"{studio.server.url}/?workspace={both}")
    window = Workbench(page)
    await window.started_with_several_folders()
    for folder in folders:
        await window.open(f"{folder.name}.zsh")
        await expect(window.lens("▷ run")).to_be_visible()
    others = {it.pid for it in studio.server.language_servers()} - of_the_first
    assert len(others) == 1


async def test_why_mcp_cannot_start_is_said(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With a Python that has no MCP SDK: what is missing, where, and what to do."""
    folder = tmp_path_factory.mktemp("no-sdk")
    python = python_with(folder, "bare-python", f"exec {PYTHON} -S")
    settings = {
        "chat.disableAIFeatures": False,
        "zshLs.path": "",
        "zshLs.interpreter": str(python),
        "chat.mcp.autostart": "never",
    }
    async with opened(folder / "home", vsixes, settings=settings) as studio:
        await studio.ready()
        await studio.screen.command("MCP: List Servers")
        await studio.screen.choose("zsh-ls")
        await studio.screen.choose("Start Server")
        said = studio.screen.notifications.filter(has_text="needs the MCP SDK")
        await expect(said).to_contain_text(f"which {python} does not have")
        await expect(said).to_contain_text("python -m pip install mcp")
