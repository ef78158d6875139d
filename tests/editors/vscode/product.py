"""The extension as people get it: `editors/vscode` packed into a .vsix by its own build."""

from __future__ import annotations

import os
from pathlib import Path

from tests.editors.environment import printed_by

from .kit import CACHE, EXTENSION, NPM

BUILD_PATIENCE_S = 280


def packed_extension(folder: Path) -> Path:
    """The .vsix, of the sources as they are; its tools are installed where the lock file changed."""
    target = folder / "zsh-ls.vsix"
    _built("./scripts/tools")
    _built(str(NPM), "run", "package", "--", "--out", str(target))
    return target


def _built(*command: str) -> None:
    path = os.pathsep.join([str(CACHE / "bin"), os.environ["PATH"]])
    env = {**os.environ, "PATH": path}
    printed_by(command, env, cwd=EXTENSION, patience_s=BUILD_PATIENCE_S)
