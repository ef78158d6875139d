"""What programs that read shell need for one bash script of 1,000 lines, started anew: processor time.

`python -m tests.bench script`: `zsh-ls check` beside shuck (PyPI), shellcheck and shfmt where they are
there. The first three look for defects, each for others; shfmt only reads and writes.
"""

from __future__ import annotations

import os
import shutil
import sys
from functools import partial
from pathlib import Path

from ._peers import interleaved, own_home, shuck, table
from .check import processor_s_of
from .server import SCRIPT

LINES = 1_000
ROUNDS = 3


def main(_arguments: list[str]) -> int:
    with own_home() as env:
        file = Path(env["HOME"], "script.sh")
        file.write_text(SCRIPT * (LINES // SCRIPT.count("\n")))
        commands = {"zsh-ls check": (sys.executable, "-m", "zsh_ls", "check", "--no-cache")}
        if (peer := shuck()) is not None:
            commands["shuck"] = (peer, "check", "--no-cache")
        if (shfmt := shutil.which("shfmt", path=Path(sys.executable).parent)) is not None:
            commands["shfmt"] = (shfmt,)
        if (shellcheck := shutil.which("shellcheck")) is not None:
            commands["shellcheck"] = (shellcheck,)
        environment = {**os.environ, **env}
        work = {
            name: partial(processor_s_of, (*command, str(file)), environment)
            for name, command in commands.items()
        }
        table(f"a script of {LINES:,} lines, processor time", interleaved(work, ROUNDS), "ms")
    return 0
