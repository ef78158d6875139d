"""One version of the real Neovim in an environment of its own, with the plugin where the README has it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import attrs

from tests.editors.environment import ROOT, EditorEnvironment, editor_environment
from tests.editors.fetch_debs import unpacked
from tests.editors.screen import Screen

HERE = Path(__file__).parent
INIT = HERE / "init.lua"
VERSIONS = ("0.12", "0.10")


@attrs.frozen
class Neovim:
    """An editor that knows nothing but the README's init file."""

    version: str
    environment: EditorEnvironment

    @property
    def command(self) -> list[str]:
        """The program and what it reads."""
        return [str(self._root / "usr/bin/nvim"), "--clean", "-u", str(INIT)]

    @property
    def env(self) -> Mapping[str, str]:
        """All it is started with."""
        return {**self.environment.env, "VIMRUNTIME": str(self._root / "usr/share/nvim/runtime")}

    @property
    def _root(self) -> Path:
        return unpacked(f"nvim-{self.version}")

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Without a screen, until it ends."""
        return subprocess.run(
            [*self.command, "--headless", *arguments],
            cwd=self.environment.project,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
        )

    @contextmanager
    def shown(self, *arguments: str, cols: int = 100, rows: int = 30) -> Iterator[Screen]:
        """On a screen, until the test is over."""
        command = [*self.command, *arguments]
        screen = Screen(command, self.env, self.environment.project, cols=cols, rows=rows)
        try:
            yield screen
        finally:
            screen.close()


@contextmanager
def neovim(version: str, folder: Path) -> Iterator[Neovim]:
    """An editor whose home is `folder`."""
    with editor_environment(folder) as environment:
        (folder / "src").mkdir()
        (folder / "src/zsh-ls").symlink_to(ROOT)
        yield Neovim(version, environment)
