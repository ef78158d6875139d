"""Starts the zsh-ls beside this file: `python -P launch.py serve`.

The libraries are put on the path of this process only. PYTHONPATH would reach
every command the server runs.
"""

import platform
import sys
from pathlib import Path

BUNDLED = Path(__file__).resolve().parent
sys.path.insert(0, str(BUNDLED / "libs"))
# Last: the person's own psutil, if there is one, was made for this very machine.
sys.path.append(str(BUNDLED / "compiled" / f"{sys.platform}-{platform.machine()}"))

from zsh_ls.cli import main  # noqa: E402

if __name__ == "__main__":
    raise SystemExit(main())
