"""The extension as people get it: `editors/vscode` packed into a .vsix by its own build."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from .kit import CACHE, EXTENSION, NPM

BUILD_PATIENCE_S = 280


def packed_extension(folder: Path) -> Path:
    """The .vsix, of the sources as they are; its tools are installed where the lock file changed."""
    lock = hashlib.sha256((EXTENSION / "package-lock.json").read_bytes()).hexdigest()
    stamp = EXTENSION / "node_modules" / ".zsh-ls-stamp"
    if not stamp.exists() or stamp.read_text() != lock:
        _npm("ci", "--no-audit", "--no-fund")
        stamp.write_text(lock)
    target = folder / "zsh-ls.vsix"
    _npm("run", "package", "--", "--out", str(target))
    return target


def _npm(*args: str) -> None:
    path = os.pathsep.join([str(CACHE / "bin"), os.environ["PATH"]])
    said = subprocess.run(
        [str(NPM), *args],
        cwd=EXTENSION,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=BUILD_PATIENCE_S,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
