"""A home of its own for a Neovim: the plugin where the README has it, the server on the PATH, memory empty."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import attrs

from tests.editors.fetch_debs import unpacked

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
INIT = HERE / "init.lua"
VERSIONS = ("0.12", "0.10")


@attrs.frozen
class Place:
    """One version of Neovim in one home."""

    version: str
    home: Path

    @classmethod
    def make(cls, version: str, home: Path) -> Place:
        """A home with the plugin in `~/src/zsh-ls`, `zsh-ls` on the PATH and a workspace `~/work`."""
        for folder in ("bin", "src", "work/.git", "run"):
            (home / folder).mkdir(parents=True)
        (home / "run").chmod(0o700)
        (home / "src/zsh-ls").symlink_to(REPOSITORY)
        program = home / "bin/zsh-ls"
        program.write_text(
            f'#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {sys.executable} -m zsh_ls "$@"\n'
        )
        program.chmod(0o755)
        return cls(version, home)

    @property
    def program(self) -> str:
        """The real editor."""
        return str(self._root / "usr/bin/nvim")

    @property
    def _root(self) -> Path:
        return unpacked(f"nvim-{self.version}")

    @property
    def environment(self) -> dict[str, str]:
        """Nothing of the person who runs the tests reaches the editor."""
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([str(self.home / "bin"), "/usr/bin", "/bin"]),
            "VIMRUNTIME": str(self._root / "usr/share/nvim/runtime"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """The editor without a screen, in the workspace, until it ends."""
        return subprocess.run(
            [self.program, "--clean", "--headless", "-u", str(INIT), *arguments],
            cwd=self.home / "work",
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
        )
