"""What a person sees of an editor: a program in a terminal of its own, its keys and its screen (tmux)."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PATIENCE_S = 60.0
PRESSED_AGAIN_S = 3.0


class Screen:
    """A terminal in which one program runs; a program that ends leaves its last screen."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        cwd: Path,
        *,
        cols: int = 120,
        rows: int = 40,
    ) -> None:
        self._name = f"zsh-ls-{uuid.uuid4().hex}"
        self._env = {"TERM": "xterm-256color", "COLORTERM": "truecolor", **env}
        size = ["-x", str(cols), "-y", str(rows)]
        options = ["set", "-g", "remain-on-exit", "on", ";", "set", "-s", "escape-time", "0", ";"]
        start = ["new-session", "-d", *size, "-c", str(cwd), shlex.join(command)]
        self._tmux("-f", "/dev/null", "start-server", ";", *options, *start)

    def text(self, *, styled: bool = False) -> str:
        """The screen as it is now, with its escape codes where `styled`."""
        return self._tmux("capture-pane", "-p", *(["-e"] if styled else []))

    def press(self, *keys: str) -> None:
        """Keys by tmux's names: `Enter`, `C-n`, `Escape`."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Text as it is."""
        self._tmux("send-keys", "-l", text)

    def shows(self, pattern: str, *, pressing: str = "") -> re.Match[str]:
        """Wait until the screen matches; the match, in the whole screen.

        `pressing` is a key that asks for it, pressed again as a person would who waits longer each time:
        an editor gives up what it was asked for when it is asked anew.
        """
        began = pressed = time.monotonic()
        patience_s = PRESSED_AGAIN_S
        while not (found := re.search(pattern, text := self.text(), re.MULTILINE)):
            now = time.monotonic()
            assert now < began + PATIENCE_S, f"{pattern!r} was not shown:\n{text}"
            if pressing and now > pressed + patience_s:
                pressed, patience_s = now, 2 * patience_s
                self.press(pressing)
            time.sleep(0.05)
        return found

    def lacks(self, pattern: str) -> None:
        """Wait until nothing of the screen matches."""
        end = time.monotonic() + PATIENCE_S
        while re.search(pattern, text := self.text(), re.MULTILINE):
            assert time.monotonic() < end, f"{pattern!r} is still shown:\n{text}"
            time.sleep(0.05)

    def ends(self) -> None:
        """Wait until the program has ended; tmux does not always get to write `Pane is dead`."""
        wait_until(lambda: self._tmux("display-message", "-p", "#{pane_dead}").strip() == "1")

    def close(self) -> None:
        """End the program and its terminal."""
        self._tmux("kill-server")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._name, *arguments]
        done = subprocess.run(command, env=self._env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


def wait_until(true: Callable[[], object]) -> None:
    """Wait for what no screen shows."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.05)
