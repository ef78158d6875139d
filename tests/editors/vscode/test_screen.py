"""What a person sees of the extension on the screen, and does there with mouse and keyboard."""

from __future__ import annotations

import asyncio
import re

import pytest

from .studio import REAL_EDITOR, STARTED_BY, Studio
from .workbench import expect

pytestmark = REAL_EDITOR


async def test_a_script_opened_shows_its_lenses(studio: Studio) -> None:
    await studio.screen.open(STARTED_BY)
    await expect(studio.screen.lens("▷ run")).to_be_visible()
    await expect(studio.screen.lens("▷ trace")).to_be_visible()


async def test_a_finding_is_underlined_and_explained_where_one_points(studio: Studio) -> None:
    await studio.show("build.sh", "#!/bin/bash\nmake test | tee test.log\n")
    await expect(studio.screen.squiggle("warning")).to_have_count(1)
    hover = await studio.screen.hover("test")
    await expect(hover).to_contain_text("a failure of 'make test' is lost")
    await expect(hover).to_contain_text("masked-build-failure")


async def test_a_lens_runs_the_script_and_says_how_it_ended(studio: Studio) -> None:
    await studio.show("run.zsh", "#!/bin/zsh\nprint -P '%F{red}from run%f'\nexit 3\n")
    await studio.screen.lens("▷ run").click()
    await expect(studio.screen.terminal).to_contain_text("from")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"exit.3"))


async def test_the_palette_runs_the_line_at_the_cursor_and_marks_it(studio: Studio) -> None:
    await studio.show("grep.zsh", "#!/bin/zsh\necho hello | grep nothing\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"pipestatus.0.1"))
    await expect(studio.screen.squiggle("info")).to_have_count(1)
    hover = await studio.screen.hover("grep")
    await expect(hover).to_contain_text("grep exit 1 = no match (normal)")


async def test_keys_run_the_line_at_the_cursor(studio: Studio) -> None:
    await studio.show("keys.zsh", "#!/bin/zsh\nprint by $((40 + 2)) keys\n")
    await studio.screen.go_to(2)
    await studio.screen.page.keyboard.press("Control+'")
    await studio.screen.page.keyboard.press("Control+r")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"by.42.keys"))


async def test_history_stands_at_the_end_of_its_line(studio: Studio) -> None:
    await studio.show("often.zsh", "#!/bin/zsh\nfalse often\n")
    for _ in range(3):
        await studio.host.ask("select", [1, 0], [1, 0])
        await studio.host.ask("command", "zsh-ls.runLine")
    await expect(studio.screen.line("false often")).to_contain_text(re.compile(r"0%.of.3"))
    await expect(studio.screen.line("false often")).to_contain_text(re.compile(r"✗.1.·.\d+\.\ds"))


async def test_results_stand_below_each_other(studio: Studio) -> None:
    """Behind the longest line, in the colour that the theme has for hints."""
    await studio.show("aligned.zsh", "#!/bin/zsh\ntrue\nprint a longer line | cat\n\t(exit 2)\n")
    for line in (1, 2, 3):
        await studio.host.ask("select", [line, 1], [line, 1])
        await studio.host.ask("command", "zsh-ls.runLine")
    hints = studio.screen.editor.locator(".view-line span span", has_text=re.compile("^[✓✗]"))
    await expect(hints).to_have_count(3)
    places = [await hints.nth(at).bounding_box() for at in range(3)]
    left = [round(place["x"]) for place in places if place]
    assert max(left) - min(left) <= 1, left
    longest = await studio.screen.line("longer").locator("> span > span").first.bounding_box()
    assert longest is not None
    assert min(left) > longest["x"] + longest["width"]


async def test_output_is_seen_while_it_comes_and_stop_ends_it(studio: Studio) -> None:
    """The second line is only written once the first was seen on the screen."""
    seen = studio.environment.project / "seen"
    text = f"print first; while [[ ! -e {seen} ]] sleep 0.1; print second; sleep 300"
    await studio.show("live.zsh", f"#!/bin/zsh\n{{ {text} }}\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    rows = studio.screen.terminal.locator("> div")
    await expect(rows.filter(has_text=re.compile(r"^first\s*$"))).to_have_count(1)
    await expect(rows.filter(has_text=re.compile(r"^second\s*$"))).to_have_count(0)
    seen.touch()
    await expect(rows.filter(has_text=re.compile(r"^second\s*$"))).to_have_count(1)
    await studio.screen.command("zsh-ls: Stop Task")
    await expect(studio.screen.terminal).to_contain_text("killed")


async def test_what_is_typed_into_the_terminal_reaches_the_command(studio: Studio) -> None:
    await studio.show("read.zsh", "#!/bin/zsh\nread name && print hello $name\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.badge).to_have_text("1")
    await studio.screen.command("Terminal: Focus Terminal")
    # Before that the keys go to the script.
    await expect(studio.screen.page.locator(".xterm.focus")).to_be_visible()
    await studio.screen.page.keyboard.type("Ada\n")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"hello.Ada"))


async def test_the_tasks_view_lists_what_runs_and_its_button_stops_it(studio: Studio) -> None:
    await studio.show("view.zsh", "#!/bin/zsh\nsleep 301\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    task = studio.screen.task("sleep 301")
    await expect(task).to_be_visible()
    await task.hover()
    await task.get_by_role("button", name=re.compile("Stop Task")).click()
    await expect(studio.screen.terminal).to_contain_text("killed")
    await expect(task).to_contain_text("killed")


async def test_what_an_agent_runs_is_listed_with_its_origin(studio: Studio) -> None:
    params = {"command": "sleep 302", "yield_after": 0}
    asked = asyncio.create_task(studio.host.ask("tool", "zsh_run", params))
    await studio.screen.in_dialog("Yes")
    await asked
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    await expect(studio.screen.task("sleep 302")).to_contain_text("agent")
    await studio.screen.command("zsh-ls: Stop Task")
    await expect(studio.screen.task("sleep 302")).to_contain_text("killed")


async def test_full_output_opens_beside_the_script(studio: Studio) -> None:
    await studio.show("full.zsh", "#!/bin/zsh\nprint -l line-{1..500}\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text("exit")
    await studio.screen.command("zsh-ls: Show Full Output")
    await expect(studio.screen.page.locator(".view-lines", has_text="line-1").last).to_be_visible()


async def test_a_question_is_asked_and_answered(studio: Studio) -> None:
    await studio.show("asked.zsh", "#!/bin/zsh\nfalse asked\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"exit.1"))
    await studio.screen.command("zsh-ls: Ask")
    await studio.screen.answer("what failed last")
    await expect(studio.screen.answer_page.locator("main")).to_contain_text("false asked")


async def test_the_status_of_the_server_is_shown_with_its_version(studio: Studio) -> None:
    await studio.show("status.zsh", "#!/bin/zsh\nprint hi\n")
    assert re.search(r"zsh-ls \d+\.\d+", await studio.screen.language_status())


async def test_the_walkthrough_opens_with_its_pictures(studio: Studio) -> None:
    await studio.host.ask("command", "workbench.action.closeSidebar")  # the pictures need room
    await studio.screen.command("Welcome: Open Walkthrough...")
    await studio.screen.answer("zsh-ls")
    page = studio.screen.page.locator(".gettingStartedContainer")
    await expect(page).to_contain_text("zsh-ls")
    picture = page.get_by_role("img", name="A shell script with lenses")
    await expect(picture).to_be_visible()
    assert await picture.evaluate("it => it.decode().then(() => it.naturalWidth)") > 0


ASKING = {
    "ask.bash": '#!/bin/bash\nread -p "Continue? " a\necho "got <$a>"\n',
    "ask.zsh": '#!/bin/zsh\nread "a?Continue? "\necho "got <$a>"\n',
}


@pytest.mark.parametrize("lens", ["▷ run", "▷ trace"])
@pytest.mark.parametrize("name", ASKING)
async def test_a_script_asks_and_is_answered_in_its_terminal(
    studio: Studio, name: str, lens: str
) -> None:
    await studio.show(name, ASKING[name])
    await studio.screen.lens(lens).click()
    await expect(studio.screen.terminal).to_contain_text(re.compile("Continue."))
    await expect(studio.screen.page.locator(".xterm.focus")).to_be_visible()
    await studio.screen.page.keyboard.type("Ada\n")
    await expect(studio.screen.terminal).to_contain_text("got <Ada>")


async def test_keys_meant_for_the_script_stay_there_when_a_task_asks(studio: Studio) -> None:
    """Who has typed since the run began is told of a question, and goes to it when they like."""
    text = (
        "#!/bin/zsh\nprint begun\nuntil [[ -e go ]]; do sleep 0.1; done\nread it; print got $it\n# "
    )
    await studio.show("later.zsh", text)
    await studio.screen.lens("▷ run").click()
    await expect(studio.screen.terminal).to_contain_text("begun")
    await studio.screen.go_to(5, 3)
    await studio.screen.page.keyboard.type("first")
    await expect(studio.screen.line("# first")).to_be_visible()
    studio.environment.write("go", "")
    told = studio.screen.notifications.filter(has_text="waits for input")
    await expect(told).to_be_visible()
    await studio.screen.page.keyboard.type(" second")
    await expect(studio.screen.line(re.compile("first.second"))).to_be_visible()
    await told.get_by_role("button", name="Show").click()
    await expect(studio.screen.page.locator(".xterm.focus")).to_be_visible()
    await studio.screen.page.keyboard.type("third\n")
    await expect(studio.screen.terminal).to_contain_text("got third")


async def test_a_script_has_a_terminal_as_large_as_what_is_seen(studio: Studio) -> None:
    text = "#!/bin/bash\nstty size\n[[ -t 0 && -t 1 && -t 2 ]] && echo all three\n"
    await studio.show("size.bash", text)
    result = await studio.host.ask("command", "zsh-ls.traceScript")
    assert result["is_pty"]
    rows, cols = result["output"].split()[:2]
    assert (int(rows), int(cols)) != (24, 80)
    assert "all three" in result["output"]
