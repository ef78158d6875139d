"""The third failure in a row brings the options of the manual page; nobody waits for it (MAN-1, MAN-2)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import attrs
import pytest

from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar, SidecarOptions

from .conftest import settled

PAGE = """.TH MYTOOL 1
.SH NAME
mytool \\- a tool of this test
.SH OPTIONS
.TP
\\fB\\-v\\fR, \\fB\\-\\-verbose\\fR
Say more.
.TP
\\fB\\-\\-colour\\fR=\\fIWHEN\\fR
Colour the output.
"""
REFUSES = """#!/bin/sh
case $MOOD in good) exit 0;; slow) sleep 100;; esac
echo "mytool: unrecognized option '$1'" >&2
exit 2
"""


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program `mytool` that refuses its option, with a manual page."""
    program = tmp_path / "bin" / "mytool"
    program.parent.mkdir()
    program.write_text(REFUSES)
    program.chmod(0o755)
    page = tmp_path / "man" / "man1" / "mytool.1"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("MANPATH", str(tmp_path / "man"))


@pytest.fixture
async def house(tool: None, options: SidecarOptions) -> AsyncIterator[Sidecar]:
    house = await Sidecar.open(settled(options, manopt_enabled=True, manopt_timeout_s=60.0))
    yield house
    await house.close()


async def tried(house: Sidecar, command: str, **more: float) -> str:
    """The option table that came with a run, empty for none."""
    result = await house.run(RunRequest(command, yield_after=60, **more))
    infos = (result.insights or {}).get("info", ())
    return next((info for info in infos if info.startswith("Options for mytool:\n")), "")


async def page_was_read(house: Sidecar) -> None:
    """Until the background has nothing to read any more."""
    while house._runs._manual._reading:
        await asyncio.gather(*house._runs._manual._reading.values())


async def test_the_table_comes_at_the_third_try_the_nearest_option_first(house: Sidecar) -> None:
    tables = []
    for _ in range(3):
        tables.append(await tried(house, "mytool --color"))
        await page_was_read(house)
    assert tables[:2] == ["", ""]
    assert tables[2].splitlines()[1].strip().startswith("--colour=WHEN")
    assert "-v, --verbose" in tables[2]


async def test_a_success_ends_the_row_and_a_timeout_is_passed_over(house: Sidecar) -> None:
    for _ in range(2):
        await tried(house, "mytool --color")
        await page_was_read(house)
    await tried(house, "MOOD=slow mytool --color", timeout=0.2)
    assert await tried(house, "mytool --color") != ""
    await tried(house, "MOOD=good mytool --color")
    assert await tried(house, "mytool --color") == ""


async def test_the_table_is_headed_by_the_command_whose_page_it_is(house: Sidecar) -> None:
    for command in ("cat /dev/null | mytool --color", "cd / && mytool build --color"):
        for _ in range(2):
            await tried(house, command)
            await page_was_read(house)
        assert await tried(house, command) != ""


async def test_it_can_be_switched_off(house: Sidecar) -> None:
    house.configure(attrs.evolve(house.settings, manopt_enabled=False))
    assert [await tried(house, "mytool --color") for _ in range(4)] == ["", "", "", ""]
