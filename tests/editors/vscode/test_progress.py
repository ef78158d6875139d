"""What takes long has progress in VS Code's own place for it; a command that has no script says so."""

from __future__ import annotations

from .studio import REAL_EDITOR, Studio
from .workbench import expect

pytestmark = REAL_EDITOR


async def test_progress_is_in_the_status_bar_and_its_cancel_button_stops_the_task(
    studio: Studio,
) -> None:
    await studio.show("progress.zsh", "#!/bin/zsh\nprint begun; sleep 304\n")
    await studio.screen.go_to(2)
    await studio.screen.command("zsh-ls: Run Line")
    progress = studio.screen.status_bar.get_by_role("button", name="sleep 304")
    await progress.first.click()
    notification = studio.screen.page.locator(".notification-list-item", has_text="sleep 304")
    await notification.get_by_role("button", name="Cancel").click()
    await expect(studio.screen.terminal).to_contain_text("killed")


async def test_a_step_of_the_walkthrough_without_a_script_says_what_to_do(studio: Studio) -> None:
    assert await studio.host.ask("command", "zsh-ls.runLine") is None
    await expect(studio.screen.notifications).to_contain_text("Open a shell script first")
