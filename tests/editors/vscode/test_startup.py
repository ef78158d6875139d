"""Where the time goes when the shell starts, in a real VS Code (START-4)."""

from __future__ import annotations

import re
from datetime import datetime

from .studio import REAL_EDITOR, Studio
from .workbench import expect

pytestmark = REAL_EDITOR

FAST = "slow() {\n  :\n}\nslow\n:\n"
SLOW = "slow() {\n  sleep 0.3\n}\nslow\n:\n"


async def test_the_lens_measures_with_a_progress_and_dear_lines_have_their_times(
    studio: Studio,
) -> None:
    home = studio.environment.home
    rc = home / ".zshrc"
    rc.write_text(SLOW)
    await studio.host.ask("open", str(rc))
    lenses = await studio.host.until(
        "lenses", str(rc), holds=lambda it: any(each["title"] == "measure start" for each in it)
    )
    [lens] = [it for it in lenses if it["title"] == "measure start"]
    assert (lens["command"], lens["args"]) == ("zsh.startup", [{"shell": "zsh"}])
    await studio.screen.lens("measure start").click()
    progress = studio.screen.status_bar.get_by_role("button", name="Measuring the start")
    await expect(progress.first).to_be_visible()
    hints = await studio.host.until("hints", str(rc), holds=lambda it: len(it) > 0)
    assert "ms · sleep" in str(hints)
    await expect(studio.screen.line("sleep")).to_contain_text("ms · sleep")
    told = studio.screen.notifications.filter(has_text="first prompt after")
    await studio.show("elsewhere.zsh", "#!/bin/zsh\n:\n")
    await told.get_by_role("button", name="Show Lines").click()
    row = studio.screen.page.locator(".quick-input-list .monaco-list-row", has_text="sleep")
    await expect(row).to_contain_text("~/.zshrc:2  sleep 0.3")
    await row.click()
    await expect(studio.screen.line("sleep")).to_contain_text("ms · sleep")
    await expect(studio.screen.status_bar).to_contain_text("Ln 2, Col 1")


async def test_a_command_measures_what_the_line_of_the_cursor_saves(studio: Studio) -> None:
    """START-2, START-4: away from the first line, which has the lens."""
    rc = studio.environment.home / ".zshrc"
    rc.write_text(SLOW)
    await studio.host.ask("open", str(rc))
    await studio.host.ask("select", [0, 2], [0, 2])
    await studio.host.until(
        "lenses", str(rc), holds=lambda it: any(each["title"] == "measure start" for each in it)
    )
    await studio.host.ask("command", "zsh-ls.startupWithout")
    refused = studio.screen.notifications.filter(has_text="No command of a start-up file")
    await expect(refused).to_be_visible()
    await studio.host.ask("select", [3, 2], [3, 2])
    await studio.host.ask("command", "zsh-ls.startupWithout")
    told = studio.screen.notifications.filter(has_text="first prompt after")
    await expect(told).to_contain_text(re.compile(r"Without ~/.zshrc:4: \d+ ms less"))
    await expect(studio.screen.line("without it: ")).to_contain_text("slow")
    await told.get_by_role("button", name="Clear Notification").click()
    await studio.host.ask("command", "zsh-ls.startup")
    await expect(told).to_be_visible()
    await expect(told).not_to_contain_text("Without")


async def test_a_file_that_a_start_reads_is_a_script_whatever_it_is_called(studio: Studio) -> None:
    home = studio.environment.home
    (home / "prompt_setup").write_text("sleep 0.2\n")
    (home / ".zshrc").write_text("source ~/prompt_setup\n")
    await studio.host.ask("open", str(home / ".zshrc"))
    await studio.screen.lens("measure start").click()
    told = studio.screen.notifications.filter(has_text="first prompt after")
    await told.get_by_role("button", name="Show Lines").click()
    row = studio.screen.page.locator(".quick-input-list .monaco-list-row", has_text="sleep")
    await row.click()
    await expect(studio.screen.line("sleep")).to_contain_text("ms · sleep")


async def test_a_measurement_that_is_cancelled_says_no_more(studio: Studio) -> None:
    rc = studio.environment.home / ".zshrc"
    rc.write_text(SLOW)
    await studio.host.ask("open", str(rc))
    await studio.screen.lens("measure start").click()
    progress = studio.screen.status_bar.get_by_role("button", name="Measuring the start")
    await progress.first.click()
    await studio.screen.page.get_by_role("button", name="Cancel").first.click()
    await expect(progress).to_have_count(0)
    # Its answer has come before that of the next one.
    await studio.screen.lens("measure start").click()
    told = studio.screen.notifications
    await expect(told.filter(has_text="first prompt after")).to_be_visible()
    await expect(told.filter(has_text="cancel")).to_have_count(0)


async def test_a_start_without_a_prompt_leads_to_where_it_ended(studio: Studio) -> None:
    rc = studio.environment.home / ".zshrc"
    rc.write_text("x=1\nsleep 0.1\nexit 3\n")
    await studio.host.ask("open", str(rc))
    await studio.screen.lens("measure start").click()
    told = studio.screen.notifications.filter(has_text="zsh came to no prompt: ~/.zshrc:3: exit 3")
    await told.get_by_role("button", name="Show Lines").click()
    row = studio.screen.page.locator(".quick-input-list .monaco-list-row", has_text="exit 3")
    await row.click()
    await expect(studio.screen.status_bar).to_contain_text("Ln 3, Col 1")
    await expect(studio.screen.line("exit 3")).to_contain_text("ends here, exit 3")


async def test_a_line_that_has_become_slower_says_since_when(studio: Studio) -> None:
    """START-6: measured, made slower, measured again; told in the message and in the list of lines."""
    home = studio.environment.home
    rc = home / ".zshrc"
    rc.write_text(FAST)
    told = studio.screen.notifications.filter(has_text="first prompt after")
    await studio.host.ask("open", str(rc))
    await studio.screen.lens("measure start").click()
    await expect(told).to_be_visible()
    await expect(told).not_to_contain_text("lower since")
    await told.get_by_role("button", name="Clear Notification").click()
    await expect(told).to_have_count(0)
    rc.write_text(SLOW)
    await expect(studio.screen.line("sleep")).to_be_visible()
    await studio.screen.lens("measure start").click()
    today = datetime.now().astimezone()
    since = f"lower since {today.day} {today:%b}: +3"
    await expect(told).to_contain_text(since)
    await expect(told).to_contain_text("ms, ~/.zshrc:2")
    await told.get_by_role("button", name="Show Lines").click()
    row = studio.screen.page.locator(".quick-input-list .monaco-list-row", has_text="sleep")
    await expect(row).to_contain_text("~/.zshrc:2")
    await expect(row).to_contain_text(since)
