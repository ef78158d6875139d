"""What is asked before a script runs: its arguments, with what stands in for those left out."""

from __future__ import annotations

import asyncio
import re

import pytest

from .studio import REAL_EDITOR, Studio
from .workbench import expect

pytestmark = REAL_EDITOR

GREET = '#!/bin/zsh\nprint "<$1>"\nprint "<${2:-friend}>" $# ${3-}\n'


@pytest.mark.parametrize("lens", ["▷ run", "▷ trace"])
async def test_the_arguments_that_a_script_reads_are_asked_for(studio: Studio, lens: str) -> None:
    await studio.show(f"greet-{lens[2:]}.zsh", GREET)
    await studio.screen.lens(lens).click()
    await expect(studio.screen.question).to_contain_text(
        "$1 (line 2) · $2 = friend (line 3) · [$3] (line 3)"
    )
    await studio.screen.answer("'Ada Lovelace'")
    await expect(studio.screen.terminal).to_contain_text(
        re.compile(rf"greet-{lens[2:]}\.zsh.'Ada.Lovelace'")
    )
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"<Ada.Lovelace>"))
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"<friend>.1"))
    await studio.screen.lens(lens).click()
    await expect(studio.screen.question.locator("input")).to_have_value("'Ada Lovelace'")
    await studio.screen.question.locator("input").press("Escape")
    await expect(studio.screen.question).to_be_hidden()
    assert len(await studio.host.ask("terminals")) == 1


async def test_a_line_that_needs_one_that_reads_arguments_asks_for_them(studio: Studio) -> None:
    """Without them `$1/bin` would be the system's."""
    await studio.show("install.zsh", '#!/bin/zsh\nprefix=${1%/}\nprint "in $prefix/bin"\n')
    await studio.screen.go_to(3)
    running = asyncio.create_task(studio.host.ask("command", "zsh-ls.runLine"))
    assert "prefix=${1%/}" in await studio.screen.in_dialog("Run What Gives Them First")
    await expect(studio.screen.question).to_contain_text("$1 (line 2)")
    await studio.screen.answer("/opt/")
    assert (await running)["output"].strip() == "in /opt/bin"
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"in./opt/bin"))


async def test_arguments_mean_what_they_mean_at_a_prompt(studio: Studio) -> None:
    for name in ("one.log", "two.log"):
        studio.environment.write(name, "")
    await studio.show("typed.zsh", "#!/bin/zsh\nprint -rl -- '<'$^@'>'\n")
    await studio.screen.lens("▷ run").click()
    await studio.screen.answer("*.log '*.log' ~/x \"$LANG\" $(touch no)")
    for word in ("one.log", "two.log", r"\*.log", f"{studio.environment.home}/x", "C.UTF-8"):
        await expect(studio.screen.terminal).to_contain_text(re.compile(f"<{word}>"))
    assert not (studio.environment.project / "no").exists()


async def test_a_script_that_reads_none_is_run_at_once(studio: Studio) -> None:
    await studio.show("plain.zsh", "#!/bin/zsh\nf() { print $1 $@ }\nf none\n")
    await studio.screen.lens("▷ run").click()
    await expect(studio.screen.terminal).to_contain_text("none")
    await expect(studio.screen.question).to_be_hidden()


async def test_a_rehearsal_has_the_arguments_of_a_run(studio: Studio) -> None:
    path = await studio.show("stage.sh", '#!/bin/sh\ncurl -T "$1" https://example.org/\n')
    rehearsal = asyncio.create_task(studio.host.ask("command", "zsh-ls.rehearse"))
    await expect(studio.screen.question).to_contain_text("$1 (line 2)")
    await studio.screen.answer("notes.txt")
    assert "notes.txt" in str((await rehearsal)["lines"])
    await studio.host.until("hints", path)
