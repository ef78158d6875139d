"""VS Code as a person sees and uses it, in words of the screen: open, hover, click a lens, read the terminal.

Every wait is for something to be seen, with a deadline far beyond what a busy
machine needs; the failure says what was seen instead.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from . import kit

kit.use_fetched_python()

from playwright.async_api import (  # noqa: E402
    FrameLocator,
    Locator,
    Page,
    ViewportSize,
    async_playwright,
    expect,
)
from playwright.async_api import TimeoutError as PlaywrightTimeout  # noqa: E402

PATIENCE_MS = 60_000
POINTED_AT_MOST = 6
RELOADED_AT_MOST = 3
WINDOW: ViewportSize = {"width": 1280, "height": 800}
FILES = ".explorer-folders-view .monaco-list-row"
ROWS = ".quick-input-list .monaco-list-row"


@asynccontextmanager
async def workbench(url: str, folder: Path) -> AsyncIterator[Workbench]:
    """A browser with VS Code on a folder, ready to type in."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(kit.CHROMIUM), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        page = await browser.new_page(viewport=WINDOW)
        page.set_default_timeout(PATIENCE_MS)
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await page.goto(f"{url}/?folder={folder}")
        window = Workbench(page)
        await window.started()
        yield window
        await browser.close()


class Workbench:
    """One window of VS Code."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def started(self) -> None:
        """Until the files of the folder are listed: before that no key does anything."""
        await expect(self.page.locator(FILES).first).to_be_visible()

    async def started_with_several_folders(self) -> None:
        """The same for a window of a .code-workspace file, reloaded where VS Code lost its folders.

        A window in a browser begins with the folders that it remembers of that file (a new browser: none),
        while the file is read on the machine behind it. If that is done after the remembered ones were taken
        and before VS Code has made its workspace of them (WorkspaceService.initialize), the event that brings
        the folders finds no workspace and is dropped (onWorkspaceConfigurationChanged). Nothing logs it, and
        the explorer says for good that no folder was added: 2 of 12 windows beside six busy loops. What was
        read is remembered by then, so a reloaded window has its folders.
        """
        none = self.page.get_by_text("You have not yet added a folder to the workspace")
        for _ in range(RELOADED_AT_MOST):
            await expect(self.page.locator(FILES).or_(none).first).to_be_visible()
            if not await none.is_visible():
                break
            await self.page.reload()
        await self.started()

    # What a person does

    async def reload(self) -> None:
        """Reload the window; ready to type in when this returns."""
        await self.page.reload()
        await self.started()

    async def open(self, name: str) -> None:
        """A file of the folder, by its name."""
        await self._pick("Control+p", name, self.page.locator(ROWS, has_text=name))
        await expect(self.page.locator(".tab.active", has_text=name)).to_be_visible()

    async def command(self, title: str) -> None:
        """A command by its title in the palette, as `Category: Title`."""
        label = re.compile(rf"^{re.escape(title)}(,|$)")
        row = self.page.locator(ROWS).and_(self.page.get_by_role("option", name=label))
        await self._pick("F1", f">{title}", row)

    async def choose(self, text: str) -> None:
        """A row of the list at the top that has a text."""
        await self.page.locator(ROWS, has_text=text).first.click()

    async def answer(self, text: str) -> None:
        """Type into the box that asks at the top, and press Enter."""
        await self._ask(text)
        await self.page.keyboard.press("Enter")

    async def go_to(self, line: int, column: int = 1) -> None:
        """The cursor to a place, counted from 1."""
        await self.page.keyboard.press("Control+g")
        await self._ask(f":{line}:{column}")
        await self.page.keyboard.press("Enter")
        await expect(self.status_bar).to_contain_text(f"Ln {line}, Col {column}")

    async def hover(self, text: str) -> Locator:
        """Point at a text of the editor, anew where it was redrawn under the mouse; gives the hover."""
        hover = self.page.locator(".monaco-hover:not(.hidden)").first
        for _ in range(POINTED_AT_MOST):
            await self.page.mouse.move(1, 1)
            await self.editor.locator(".view-line span span", has_text=text).first.hover()
            with contextlib.suppress(AssertionError):
                await expect(hover.locator(".hover-contents").first).to_be_visible(
                    timeout=PATIENCE_MS / POINTED_AT_MOST
                )
                return hover
        raise AssertionError(f"no hover over {text!r}")

    async def in_dialog(self, button: str) -> str:
        """Press a button of the dialog in the middle; returns the text of the dialog."""
        dialog = self.page.locator(".monaco-dialog-box")
        await expect(dialog).to_be_visible()
        said = await dialog.inner_text()
        await dialog.get_by_role("button", name=button).click()
        await expect(dialog).to_be_hidden()
        return said

    async def picture(self, file: Path, part: Locator | None = None) -> None:
        """The screen, or a part of it, as a PNG."""
        file.parent.mkdir(parents=True, exist_ok=True)
        await (part or self.page).screenshot(path=file)

    async def _pick(self, key: str, text: str, row: Locator) -> None:
        """Choose what a list offers for a text; a list that VS Code closed meanwhile is opened anew."""
        for patience_ms in (PATIENCE_MS / 4, PATIENCE_MS / 4, PATIENCE_MS):
            await self.page.keyboard.press(key)
            with contextlib.suppress(AssertionError, PlaywrightTimeout):
                await self._ask(text, patience_ms)
                await row.first.click(timeout=patience_ms)
                return
            await self.page.keyboard.press("Escape")
        raise AssertionError(f"{text!r} is not offered")

    async def _ask(self, text: str, patience_ms: float = PATIENCE_MS) -> None:
        box = self.page.locator(".quick-input-widget:not(.hidden) input").first
        await expect(box).to_be_visible(timeout=patience_ms)
        await box.fill(text)

    # What a person sees

    @property
    def editor(self) -> Locator:
        return self.page.locator(".editor-instance .monaco-editor").first

    @property
    def status_bar(self) -> Locator:
        return self.page.locator(".part.statusbar")

    @property
    def notifications(self) -> Locator:
        return self.page.locator(".notifications-toasts .notification-list-item")

    @property
    def badge(self) -> Locator:
        """How many tasks run, on the icon of our view."""
        tab = self.page.locator(
            ".activitybar .action-item", has=self.page.locator('[aria-label^="zsh-ls"]')
        )
        return tab.locator(".badge-content")

    @property
    def question(self) -> Locator:
        """The box that asks at the top, while it asks: what it held last is still in it when it is hidden."""
        return self.page.locator(".quick-input-widget:visible")

    @property
    def answer_page(self) -> FrameLocator:
        """The page in the panel of answers."""
        return self.page.frame_locator("iframe.webview.ready").frame_locator("iframe#active-frame")

    def test_row(self, name: str) -> Locator:
        """A row of the Test Explorer; its label says how the test ended."""
        return self.tests(name).first

    def tests(self, name: str) -> Locator:
        """All rows of the Test Explorer with a name."""
        # A slash would end the pattern where it is looked for, in JavaScript.
        escaped = re.escape(name).replace("/", "\\/")
        label = re.compile(rf"^{escaped}(\s|\(|,|$)")
        rows = self.page.locator(".test-explorer-tree .monaco-list-row")
        return rows.and_(self.page.get_by_role("treeitem", name=label))

    async def unfold_test(self, name: str) -> None:
        """Show what is in an item of the Test Explorer."""
        row = self.test_row(name)
        await expect(row).to_be_visible()
        if await row.get_attribute("aria-expanded") == "false":
            await row.locator(".monaco-tl-twistie").click()
        await expect(row).to_have_attribute("aria-expanded", "true")

    @property
    def terminal(self) -> Locator:
        return self.page.locator(".terminal-wrapper.active .xterm-rows")

    def squiggle(self, level: str) -> Locator:
        """Underlines of a level: error, warning, info, hint."""
        return self.editor.locator(f".squiggly-{level}")

    def lens(self, text: str | re.Pattern[str]) -> Locator:
        return self.editor.locator(".codelens-decoration a", has_text=text).first

    def line(self, text: str | re.Pattern[str]) -> Locator:
        """A line of the editor as shown, its inlay hints included."""
        shown = text.replace(" ", "\u00a0") if isinstance(text, str) else text
        return self.editor.locator(".view-line", has_text=shown).first

    def task(self, text: str) -> Locator:
        """A row of the tasks view."""
        return self.page.locator(".sidebar .monaco-list-row", has_text=text).first

    async def language_status(self) -> str:
        """What the status of the document's language says, opened to be read."""
        await self.status_bar.locator('[id="status.languageStatus"]').hover()
        hover = self.page.locator(".hover-language-status", has_text="zsh-ls").first
        await expect(hover).to_be_visible()
        return await hover.inner_text()
