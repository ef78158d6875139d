"""The third failure in a row brings the options of the manual page; nobody waits for it (MAN-1, MAN-2)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import attrs
import pytest

from zsh_ls.model.requests import RunRequest
from zsh_ls.model.words import Origin
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
case $MOOD in good) exit 0;; bad) echo 'mytool: no space left' >&2; exit 2;; slow) sleep 100;; esac
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
async def service(tool: None, options: SidecarOptions) -> AsyncIterator[Sidecar]:
    service = await Sidecar.open(settled(options, manopt_enabled=True, manopt_timeout_s=60.0))
    yield service
    await service.close()


async def tried(service: Sidecar, command: str, **more: float) -> str:
    """The option table that came with a run, empty for none."""
    result = await service.run(RunRequest(command, yield_after=60, **more))
    infos = (result.insights or {}).get("info", ())
    return next((info for info in infos if info.startswith("Options for mytool:\n")), "")


async def page_was_read(service: Sidecar) -> None:
    """Until the background has nothing to read any more."""
    while service._runs._manual._reading:
        await asyncio.gather(*service._runs._manual._reading.values())


async def test_the_table_comes_at_the_third_try_the_nearest_option_first(service: Sidecar) -> None:
    tables = []
    for _ in range(3):
        tables.append(await tried(service, "mytool --color"))
        await page_was_read(service)
    assert tables[:2] == ["", ""]
    assert tables[2].splitlines()[1].strip().startswith("--colour=WHEN")
    assert "-v, --verbose" in tables[2]


async def test_a_success_ends_the_row_and_a_timeout_is_passed_over(service: Sidecar) -> None:
    for _ in range(2):
        await tried(service, "mytool --color")
        await page_was_read(service)
    await tried(service, "MOOD=slow mytool --color", timeout=0.2)
    assert await tried(service, "mytool --color") != ""
    await tried(service, "MOOD=good mytool --color")
    assert await tried(service, "mytool --color") == ""


async def test_the_table_is_headed_by_the_command_whose_page_it_is(service: Sidecar) -> None:
    for command in ("cat /dev/null | mytool --color", "cd / && mytool build --color"):
        for _ in range(2):
            await tried(service, command)
            await page_was_read(service)
        assert await tried(service, command) != ""


async def test_a_failure_of_another_kind_is_none_of_usage_and_ends_the_row(
    service: Sidecar,
) -> None:
    for _ in range(3):
        assert await tried(service, "MOOD=bad mytool --verbose") == ""
        await page_was_read(service)
    for command in ("mytool --color", "mytool --color", "MOOD=bad mytool --color"):
        await tried(service, command)
        await page_was_read(service)
    assert await tried(service, "mytool --color") == ""


@pytest.mark.parametrize("origin", [Origin.EDITOR, Origin.LENS, Origin.CLI, Origin.AGENT])
async def test_the_text_for_a_person_names_the_page_and_agents_read_it(
    service: Sidecar, origin: Origin
) -> None:
    for _ in range(2):
        await tried(service, "mytool --color")
        await page_was_read(service)
    result = await service.run(RunRequest("mytool --color", yield_after=60, origin=origin))
    by_agent = origin is Origin.AGENT
    assert ("--colour=WHEN" in result.formatted) == by_agent
    assert ("Options for mytool: zsh-ls explain 'mytool'" in result.formatted) == (not by_agent)


async def test_it_can_be_switched_off(service: Sidecar) -> None:
    service.configure(attrs.evolve(service.settings, manopt_enabled=False))
    assert [await tried(service, "mytool --color") for _ in range(4)] == ["", "", "", ""]
