"""Takes the pictures of the Neovim page anew: `python -m tests.editors.nvim.pictures [NAME…]`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.editors.drawing import draw
from tests.editors.environment import DEPLOY, ROOT, slow_start
from tests.editors.screen import Screen

from .neovim import neovim

PICTURES = ROOT / "docs/pictures"
COLS, ROWS = 100, 30
SCRIPT = """\
#!/usr/bin/env zsh
backup() {
  local target=$(readlink -f $1)
  tar -cf - $target 2>/dev/null | gzip >$TMPPREFIX.tgz
}
backup /etc/hostname
grep -c nobody /etc/passwd
print -l one two | grep -q three
for n in 1 2 3; do sleep 0.1; done
cat <<END | tr a-z A-Z
all of it runs
END
cd /nowhere
"""


def trace(screen: Screen) -> None:
    """A traced script, and what it printed."""
    screen.type("\\t")
    screen.shows(r"cd /nowhere +✗ 1")
    screen.shows(r"\[FAILED")
    screen.type(":")
    screen.press("Escape")


def floating(screen: Screen) -> None:
    """A run of one line, in a float."""
    screen.type(
        ":let g:zsh_ls = {'output': {'window': 'float'}} | ZshRun! ls --color=always -l /usr"
    )
    screen.press("Enter")
    screen.shows("COMPLETED")


def ask(screen: Screen) -> None:
    """A question, after a run that failed."""
    screen.type(":ZshRun curl --fail http://localhost:1/")
    screen.press("Enter")
    screen.shows("FAILED")
    screen.type(":only | ZshAsk what failed last?")
    screen.press("Enter")
    screen.shows(r"SUMMARY[\s\S]*curl")


def failures(screen: Screen) -> None:
    """What can fail unnoticed in a script, as a quickfix list, and the fate of one command."""
    screen.type(":edit deploy.sh")
    screen.press("Enter")
    screen.type(":ZshFailures")
    screen.press("Enter")
    screen.shows(r"deploy.sh.4 col")
    screen.press("Enter")
    screen.type("K")
    screen.shows("If this fails")


def startup(screen: Screen) -> None:
    """Where the time goes when the shell starts: on the lines, and the dearest as a list."""
    screen.type(":cd ~ | edit .zshrc")
    screen.press("Enter")
    screen.shows("measure start")
    screen.type(":lua require('zsh_ls.startup').measure({ shell = 'zsh' }, 0)")
    screen.press("Enter")
    screen.shows("ms · pyenv")
    screen.type(":copen 8")
    screen.press("Enter")
    screen.shows(r"zshrc.4. .* ms pyenv")


def startup_without(screen: Screen) -> None:
    """What a start takes less without the line of the cursor: on the line, and first in the list."""
    screen.type(":cd ~ | edit .zshrc")
    screen.press("Enter")
    screen.shows("measure start")
    screen.type(":4 | ZshStartup!")
    screen.press("Enter")
    screen.shows("without it: ")
    screen.type(":copen 8")
    screen.press("Enter")
    screen.shows(r"zshrc.4 info. without ~/.zshrc:4: ")


def take(name: str, scene: Callable[[Screen], None]) -> Path:
    """One picture of a fresh editor."""
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as home,
        neovim("0.12", Path(home)) as editor,
    ):
        editor.environment.write("backup.zsh", SCRIPT)
        editor.environment.write("deploy.sh", DEPLOY)
        slow_start(editor.environment.home)
        with editor.shown("backup.zsh", cols=COLS, rows=ROWS) as screen:
            screen.shows("▷ run")
            scene(screen)
            picture = PICTURES / f"nvim-{name}.png"
            draw(screen.text(styled=True), picture, cols=COLS, rows=ROWS)
    return picture


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    scenes = {
        "trace": trace,
        "float": floating,
        "ask": ask,
        "failures": failures,
        "startup": startup,
        "startup-without": startup_without,
    }
    for name in sys.argv[1:] or scenes:
        print(take(name, scenes[name]))
