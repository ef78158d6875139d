"""Starts the zsh-ls beside this file: `python -P launch.py serve`.

The libraries are put on the path of this process only. PYTHONPATH would reach
every command the server runs.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "libs"))

from zsh_ls.cli import main  # noqa: E402

if __name__ == "__main__":
    raise SystemExit(main())
