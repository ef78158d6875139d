"""The extension as people get it: `editors/vscode` packed into a .vsix by its own build."""

from __future__ import annotations

import fcntl
import os
import sys
from pathlib import Path

from tests.editors.environment import printed_by

from .kit import CACHE, EXTENSION

BUILD_PATIENCE_S = 280


def packed_extension(folder: Path) -> Path:
    """The .vsix in this folder, of the sources as they are; beside it is what the build said, in `said`.

    It is built where it is not there yet: of several that ask at once by one, and the others wait.
    """
    target = folder / "zsh-ls.vsix"
    with (folder / "zsh-ls.vsix.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not target.exists():
            _built("./scripts/tools")
            unfinished = folder / "unfinished.vsix"
            said = _built("npm", "run", "--silent", "package", "--", "--out", str(unfinished))
            (folder / "said").write_text(said)
            unfinished.rename(target)
    return target


def _built(*command: str) -> str:
    path = os.pathsep.join([str(CACHE / "bin"), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "PYTHON": sys.executable}
    return printed_by(command, env, cwd=EXTENSION, patience_s=BUILD_PATIENCE_S)
