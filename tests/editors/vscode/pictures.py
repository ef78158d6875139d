"""Takes the pictures of VS Code, for pages and the walkthrough: `python -m tests.editors.vscode.pictures`.

With names of files behind it, such as `vscode-failures.png`, only those.
"""

from __future__ import annotations

import asyncio
import io
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from tests.editors.environment import DEPLOY, EDITORS, ROOT, slow_start

from .host import packed_probe
from .product import packed_extension
from .studio import Studio
from .studio import studio as opened
from .workbench import ViewportSize, expect

PAGES = ROOT / "docs/pictures"
WALKTHROUGH = EDITORS / "vscode/media/walkthrough"
SMALL: ViewportSize = {"width": 760, "height": 480}
HIGH: ViewportSize = {"width": 760, "height": 640}
WIDE: ViewportSize = {"width": 1000, "height": 480}
WINDOW: ViewportSize = {"width": 1000, "height": 640}
COLOURS = 96  # as few as leave its text readable: a picture has some 40 kB
THEMES = {"light": "Default Light Modern", "dark": "Default Dark Modern"}
LOOK = {"workbench.colorTheme": THEMES["dark"], "breadcrumbs.enabled": False}
NAME = "backup.zsh"
SCRIPT = """\
#!/usr/bin/env zsh
# Keeps what is worth keeping.
backup() {
  local target=$(git rev-parse --show-toplevel) || return
  tar -cf - $target 2>/dev/null | gzip >$TMPPREFIX.tgz
}
backup /etc/hostname
curl --fail --silent http://localhost:1/status
ls /nowhere | sort -u
make test | tee test.log
print -l one two | grep -q three
sleep 3 && print ready
"""
LINE_OF_CURL, LINE_OF_LS, LINE_OF_SLEEP = 8, 9, 12

Scene = Callable[[Studio], Awaitable[None]]


async def run_line(studio: Studio, line: int) -> None:
    """Run one, counted from 1, as the command of the palette does."""
    await studio.host.ask("select", [line - 1, 0], [line - 1, 0])
    await studio.host.ask("command", "zsh-ls.runLine")


async def a_script(studio: Studio) -> None:
    """A picture of what the memory knows of a script before it is run."""
    await studio.host.ask("command", "workbench.action.closePanel")
    await expect(studio.screen.line("curl")).to_contain_text(re.compile("of.3"))
    await expect(studio.screen.squiggle("warning").first).to_be_visible()


async def a_run(studio: Studio) -> None:
    """The output of a line, and what its exits meant."""
    await studio.screen.go_to(LINE_OF_LS)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text("pipestatus")
    script = str(studio.environment.project / NAME)
    of_line = [LINE_OF_LS - 1, 0]
    await studio.host.until(
        "diagnostics", script, holds=lambda found: any(it["from"] == of_line for it in found)
    )
    await expect(studio.screen.squiggle("warning").first).to_be_visible()


async def a_trace(studio: Studio) -> None:
    """Every line with its exit and time."""
    await studio.host.ask("command", "zsh-ls.traceScript")
    await studio.host.ask("command", "workbench.action.closePanel")
    await expect(studio.screen.line("sleep")).to_contain_text("✓")


async def tasks(studio: Studio) -> None:
    """The list of tasks: one that runs, with its usual time, and what ran before."""
    await studio.host.ask("command", "zsh-ls.tasks.focus")
    for _ in range(3):
        await studio.host.ask("command", "workbench.action.increaseViewSize")
    await studio.screen.go_to(LINE_OF_SLEEP)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.task("sleep")).to_contain_text("%")


async def an_answer(studio: Studio) -> None:
    """What failed last, asked after it has."""
    await studio.host.ask("command", "workbench.action.closePanel")
    await studio.host.ask("command", "zsh-ls.ask", "what failed last")
    await expect(studio.screen.answer_page.locator("main")).to_be_visible()


async def failures(studio: Studio) -> None:
    """What can fail unnoticed in a script: the lens with the count, and the hover on such a command."""
    await studio.show("deploy.sh", DEPLOY)
    await studio.host.ask("command", "workbench.action.closePanel")
    await expect(studio.screen.page.locator(".codelens-decoration").first).to_contain_text(
        "can fail unnoticed"
    )
    await expect(await studio.screen.hover("make")).to_contain_text("If this fails")


async def a_start(studio: Studio) -> None:
    """Where the time goes when the shell starts: behind the lines, and the offer to list them."""
    rc = str(slow_start(studio.environment.home))
    await studio.host.ask("open", rc)
    await studio.host.ask("command", "workbench.action.closePanel")
    await studio.screen.lens("measure start").click()
    await studio.host.until("hints", rc, holds=lambda it: "ms · pyenv" in str(it))
    await expect(studio.screen.line("pyenv")).to_contain_text("ms · pyenv")
    told = studio.screen.notifications.filter(has_text="first prompt after")
    await expect(told).to_be_visible()


async def a_saving(studio: Studio) -> None:
    """What a start would take without a line is asked by a code action of the line."""
    await a_start(studio)
    await studio.screen.notifications.get_by_role("button", name="Clear Notification").first.click()
    await studio.screen.go_to(4)
    await studio.screen.page.keyboard.press("Control+.")
    action = studio.screen.page.get_by_text("Measure the start without this line")
    await expect(action).to_be_visible()


# A traced script is listed by its path, which nobody else has: it comes last.
PICTURES: Sequence[tuple[Scene, ViewportSize, Path]] = (
    (a_script, SMALL, WALKTHROUGH / "open.png"),
    (a_run, HIGH, WALKTHROUGH / "run.png"),
    (tasks, HIGH, WALKTHROUGH / "tasks.png"),
    (an_answer, WIDE, WALKTHROUGH / "ask.png"),
    (a_run, WINDOW, PAGES / "vscode-run.png"),
    (tasks, WINDOW, PAGES / "vscode-tasks.png"),
    (failures, WIDE, PAGES / "vscode-failures.png"),
    (a_start, WIDE, PAGES / "vscode-startup.png"),
    (a_saving, WIDE, PAGES / "vscode-startup-without.png"),
    (a_trace, SMALL, WALKTHROUGH / "trace.png"),
    (a_trace, WIDE, PAGES / "vscode-trace.png"),
)


async def take(studio: Studio, scene: Scene, size: ViewportSize, target: Path) -> None:
    """One picture, of a tidy window with the script open."""
    await studio.screen.page.set_viewport_size(size)
    await studio.host.ask("tidy")
    await studio.host.ask("command", "workbench.action.closeSidebar")
    await studio.show(NAME, SCRIPT)
    await scene(studio)
    _save(await studio.screen.page.screenshot(animations="disabled"), target)


def _save(screenshot: bytes, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    image = Image.open(io.BytesIO(screenshot)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)
    print(target.relative_to(ROOT), target.stat().st_size)


async def main() -> None:
    """All of them, of one VS Code: those of the walkthrough in a dark and in a light theme."""
    with TemporaryDirectory(prefix="zsh-ls-") as folder:
        home = Path(folder)
        vsixes = [packed_extension(home), packed_probe(home)]
        async with opened(home / "home", vsixes, look=LOOK) as studio:
            await studio.ready()
            await studio.show(NAME, SCRIPT)
            for line in (LINE_OF_CURL, LINE_OF_SLEEP) * 3:
                await run_line(studio, line)
            wanted = sys.argv[1:] or [target.name for *_, target in PICTURES]
            for scene, size, target in PICTURES:
                if target.name not in wanted:
                    continue
                if target.parent != WALKTHROUGH:
                    await take(studio, scene, size, target)
                    continue
                for shade, theme in THEMES.items():
                    await studio.host.ask("configure", "workbench.colorTheme", theme)
                    shaded = target.with_stem(f"{target.stem}-{shade}")
                    await take(studio, scene, size, shaded)
                await studio.host.ask("configure", "workbench.colorTheme", THEMES["dark"])


if __name__ == "__main__":
    asyncio.run(main())
