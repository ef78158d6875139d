"""Takes the picture of `zsh-ls stats` on the memory page anew: `python -m tests.cli.pictures`."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.editors.drawing import draw
from tests.server.rpc import ROOT
from zsh_ls.alan.store.database import open_database
from zsh_ls.alan.store.store import Store
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.words import Origin, Outcome

from .tmux import Tmux

PICTURE = ROOT / "docs/pictures/stats.png"
COLS, ROWS = 80, 39
COMMAND = "npm run build"
BEGIN_S = 1_789_600_000.0
SEED = 7


def runs() -> Iterator[CompletedRun]:
    """Builds that become slower by a change, fail early, and are killed or cut short by a time limit."""
    chance = random.Random(SEED)
    for number in range(48):
        lasts_s = chance.lognormvariate(3.2 if number < 30 else 3.9, 0.15)
        kind = chance.random()
        outcome, exit_status = Outcome.SUCCESS, 0
        if kind < 0.08:
            outcome, exit_status, lasts_s = Outcome.KILLED, 137, lasts_s * chance.random()
        elif kind < 0.14:
            outcome, exit_status, lasts_s = Outcome.TIMEOUT, 124, 60.0
        elif kind < 0.24:
            outcome, exit_status, lasts_s = Outcome.FAILURE, 1, lasts_s / 3
        yield CompletedRun(
            COMMAND,
            "zsh",
            exit_status,
            (exit_status,),
            outcome,
            lasts_s,
            BEGIN_S + 5000.0 * number,
            "picture",
            origin=Origin.EDITOR,
        )


def main() -> int:
    """Draw what a terminal of 80 columns shows."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        (home / "runtime").mkdir(mode=0o700)
        store = Store(open_database(home / "alan.db"))
        for run in runs():
            store.record(run)
        store.close()
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        places = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("STATE", "CONFIG")}
        own = {"ALAN_DB_PATH": str(home / "alan.db"), "XDG_RUNTIME_DIR": str(home / "runtime")}
        terminal = Tmux({**kept, **places, **own}, home, cols=COLS, rows=ROWS)
        try:
            terminal.type(f"zsh-ls() {{ {sys.executable} -m zsh_ls $@ }}; clear")
            terminal.type(f"zsh-ls stats '{COMMAND}'")
            terminal.until("ended by itself", "when", "READY>")
            draw(terminal.screen(styled=True), PICTURE, cols=COLS, rows=ROWS)
        finally:
            terminal.end()
    print(PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
