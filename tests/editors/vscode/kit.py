"""The real VS Code that `fetch` downloaded, or what is missing if it was not run."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
EXTENSION = ROOT / "editors" / "vscode"
CACHE = ROOT / ".cache" / "vscode"
NODE = CACHE / "bin" / "node"
CODE_SERVER = CACHE / "code-server/node_modules/code-server/out/node/entry.js"
CHROMIUM = Path("/usr/bin/chromium")


def missing() -> str | None:
    """Why the real editor cannot be started here, if it cannot."""
    if not (CACHE / "stamp").exists():
        return "no real VS Code here: run tests/editors/vscode/fetch"
    if not CHROMIUM.exists():
        return "no Chromium here: apt-get install chromium"
    return None


def use_fetched_python() -> None:
    """Make what `fetch` installed importable; what the environment has goes first."""
    fetched = str(CACHE / "python")
    if fetched not in sys.path:
        sys.path.append(fetched)
