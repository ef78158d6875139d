"""Answers and pages of rules, rendered in one panel beside the script, which the next one takes over."""

from __future__ import annotations

import re

from .studio import REAL_EDITOR, Studio
from .workbench import expect

pytestmark = REAL_EDITOR


async def test_an_answer_is_rendered_beside_the_script_and_the_next_takes_its_place(
    studio: Studio,
) -> None:
    await studio.show("asked.zsh", "#!/bin/zsh\nfalse asked\n")
    await studio.host.ask("select", [1, 0], [1, 0])
    await studio.host.ask("command", "zsh-ls.runLine")
    answer = await studio.host.ask("command", "zsh-ls.ask", "what failed last")
    assert "false asked" in answer["text"]
    page = studio.screen.answer_page
    await expect(page.locator("h1")).to_have_text("what failed last")
    await expect(page.locator("main code", has_text="false asked").first).to_be_visible()
    await studio.host.ask("command", "zsh-ls.ask", "how much memory is free")
    await expect(page.locator("h1")).to_have_text("how much memory is free")
    await expect(studio.screen.page.locator(".webview.ready")).to_have_count(1)
    tabs = studio.screen.page.locator(".tab", has_text=re.compile("what failed|how much"))
    await expect(tabs).to_have_count(1)


async def test_a_proposed_command_is_run_when_its_button_is_pressed(studio: Studio) -> None:
    answer = await studio.host.ask("command", "zsh-ls.ask", "how do I list hidden files")
    assert answer["commands"]
    page = studio.screen.answer_page
    await page.get_by_role("button", name="Copy").first.click()
    copied = await studio.host.until("clipboard")
    assert copied == answer["commands"][0]["command"]
    await page.get_by_role("button", name="Run").first.click()
    await expect(studio.screen.terminal).to_contain_text(copied.split()[0])


async def test_the_code_of_a_finding_leads_to_the_page_of_its_rule(studio: Studio) -> None:
    await studio.show("build.sh", "#!/bin/sh\nmake test | tee build.log\n")
    await expect(studio.screen.squiggle("warning").first).to_be_visible()
    hover = await studio.screen.hover("make")
    await hover.locator("a", has_text="masked-build-failure").click()
    page = studio.screen.answer_page  # the preview is a page of the same kind
    await expect(page.locator("h1")).to_have_text("masked-build-failure")
    await expect(page.locator("pre").first).to_contain_text("tee")


async def test_what_an_answer_quotes_runs_nothing_in_its_page(studio: Studio) -> None:
    """A command with markup in it is shown as it was."""
    text = "false '<img src=x onerror=alert(1)><script>alert(2)</script>'"
    await studio.show("markup.zsh", f"#!/bin/zsh\n{text}\n")
    await studio.host.ask("select", [1, 0], [1, 0])
    await studio.host.ask("command", "zsh-ls.runLine")
    await studio.host.ask("command", "zsh-ls.ask", "what failed last")
    page = studio.screen.answer_page
    await expect(page.locator("main")).to_contain_text("<script>")
    await expect(page.locator("main script, main img")).to_have_count(0)
