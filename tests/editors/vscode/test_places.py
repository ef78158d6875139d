"""The places that outputs name, in a real VS Code (PLACE-2)."""

from __future__ import annotations

import contextlib
import re
import sys
from typing import Any

from .studio import REAL_EDITOR, Studio
from .workbench import expect

pytestmark = REAL_EDITOR

CLICKED_AT_MOST = 6

SCRIPT = """#!/bin/zsh
print 'one.c:2:3: error: bad'; print 'one.c:4:1: warning: old'; print 'gone.c:1:1: error: no'
cat messages
"""


async def run_line(studio: Studio, line: int) -> Any:
    await studio.host.ask("select", [line, 0], [line, 0])
    result = await studio.host.ask("command", "zsh-ls.runLine")
    if not result:
        seen = await studio.screen.page.locator("body").inner_text()
        raise AssertionError(f"nothing was run; the window shows:\n{seen}")
    return result


def told(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(it["source"], it["severity"], it["from"], it["message"]) for it in found]


async def test_what_an_output_names_is_a_problem_until_its_line_changes(studio: Studio) -> None:
    file = str(studio.environment.write("one.c", "a\nb();\nc\nd\n"))
    await studio.show("places.zsh", SCRIPT)
    await run_line(studio, 1)
    found = await studio.host.until("diagnostics", file, holds=lambda it: len(it) == 2)
    bad, old = ("gcc", "error", [1, 2], "bad"), ("gcc", "warning", [3, 0], "old")
    assert told(found) == [bad, old]
    await studio.host.ask("text", file)
    await studio.host.ask("replace", file, [[0, 0], [0, 0]], "new\n")
    moved = await studio.host.until("diagnostics", file, holds=lambda it: it[0]["from"] == [2, 2])
    assert told(moved)[1][2] == [4, 0]
    await studio.host.ask("replace", file, [[2, 0], [2, 1]], "B")
    [left] = await studio.host.until("diagnostics", file, holds=lambda it: len(it) == 1)
    assert left["message"] == "old"


async def test_the_same_line_once_more_takes_away_what_it_named(studio: Studio) -> None:
    file = str(studio.environment.write("two.c", "a\nb\n"))
    studio.environment.write("messages", "two.c:1:1: error: first\n")
    await studio.show("once-more.zsh", SCRIPT)
    await run_line(studio, 2)
    await studio.host.until("diagnostics", file)
    studio.environment.write("messages", "all is well\n")
    await run_line(studio, 2)
    await studio.host.until("diagnostics", file, holds=lambda it: not it)


async def test_the_output_links_to_the_places_it_names(studio: Studio) -> None:
    file = str(studio.environment.write("one.c", "a\nb\nc\nd\n"))
    await studio.show("links.zsh", SCRIPT)
    await run_line(studio, 1)
    await studio.host.ask("command", "zsh-ls.showOutput")
    links = await studio.host.until("links")
    assert links == [["one.c:2:3", file, "L2,3"], ["one.c:4:1", file, "L4,1"]]


async def test_the_terminal_links_to_the_places_its_output_names(studio: Studio) -> None:
    studio.environment.write("one.c", "a\nb();\nc\nd\n")
    await studio.show("terminal.zsh", SCRIPT)
    await run_line(studio, 1)
    row = studio.screen.terminal.locator("> div", has_text=re.compile(r"^one\.c:2")).first
    await expect(row).to_be_visible()
    place = await row.bounding_box()
    assert place is not None
    mouse, keyboard = studio.screen.page.mouse, studio.screen.page.keyboard
    x, y = place["x"] + 30, place["y"] + place["height"] / 2
    opened = studio.screen.page.locator(".tab.active", has_text="one.c")
    await keyboard.down("Control")
    for _ in range(CLICKED_AT_MOST):  # a link is looked for when the mouse comes
        await mouse.move(x - 5, y)
        await mouse.move(x, y)
        with contextlib.suppress(AssertionError):
            await expect(studio.screen.page.locator(".xterm-cursor-pointer")).to_be_visible(
                timeout=5_000
            )
        await mouse.click(x, y)
        if await opened.is_visible():
            break
    await keyboard.up("Control")
    await expect(opened).to_be_visible()
    assert (await studio.host.until("selected"))[0] == [1, 2]


async def test_a_test_that_fails_now_and_then_is_named_on_its_line(studio: Studio) -> None:
    """PLACE-3."""
    red = studio.environment.home / "red"
    text = f"import pathlib\ndef test_login(): assert not pathlib.Path({str(red)!r}).exists()\n"
    studio.environment.write("test_flaky.py", text)
    runner = f"{sys.executable} -m pytest -q -p no:cacheprovider -p no:xdist test_flaky.py"
    path = await studio.show("flaky.zsh", f"#!/bin/zsh\n{runner}\n")
    for fails in (False, True, False):
        red.touch() if fails else red.unlink(missing_ok=True)
        await run_line(studio, 1)
        told = await studio.host.until(
            "hints", path, holds=lambda it, sign="✗" if fails else "✓": sign in str(it)
        )
        assert [it["line"] for it in told if it["label"][0] in "✓✗"] == [1]
    name = "test_flaky.py::test_login"
    said = f"{name} failed 1 of the last 3 runs, and passed when run again unchanged"
    await studio.host.until("diagnostics", path, holds=lambda it: said in str(it))
