"""A real terminal (tmux): its keys can be pressed and its screen read."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path

from tests.server.rpc import ROOT
from tests.server.shared import wait_until


class Tmux:
    """A tmux server of its own, with a zsh in its one window."""

    def __init__(
        self, home: Mapping[str, str], project: Path, *, cols: int = 100, rows: int = 24
    ) -> None:
        self._name = f"zsh-ls-{uuid.uuid4().hex}"
        self._env = {
            **{name: value for name, value in os.environ.items() if name != "TMUX"},
            **home,
            "PYTHONPATH": str(ROOT),
        }
        size = ["-x", str(cols), "-y", str(rows)]
        self("-f", "/dev/null", "new-session", "-d", *size, "-c", str(project), "zsh -f")
        self.type("PS1='READY> '")
        self.until("READY>")

    def __call__(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", "-L", self._name, *arguments],
            env=self._env,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def screen(self, *, styled: bool = False) -> str:
        return self("capture-pane", "-p", *(["-e"] if styled else []))

    def press(self, *keys: str) -> None:
        self("send-keys", *keys)

    def type(self, line: str) -> None:
        self("send-keys", "-l", line)
        self.press("Enter")

    def lives(self) -> bool:
        """Whether its server still runs; it ends with its last window."""
        asked = ["tmux", "-L", self._name, "list-sessions"]
        return (
            subprocess.run(asked, env=self._env, capture_output=True, check=False).returncode == 0
        )

    def end(self) -> None:
        if self.lives():
            self("kill-server")

    def until(self, *texts: str) -> str:
        try:
            wait_until(lambda: all(text in self.screen() for text in texts))
        except AssertionError:
            raise AssertionError(f"not all of {texts} in:\n{self.screen()}") from None
        return self.screen()
