"""What learning from the terminal costs a prompt: shells with the hook against shells without, in one run.

`python -m tests.bench prompt [LINES]`: real interactive shells in tmux are typed `true` many times;
the rounds alternate, the best of each counts.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tests.cli.test_terminal import Terminal

LINES = 300
ROUNDS = 5
READY, OVER = "ready", "over"


def seconds(shell: str, lines: int, *, hook: bool) -> float:
    """From the first line typed to the prompt behind the last one."""
    with tempfile.TemporaryDirectory() as home:
        rc = Terminal(shell, Path(home)).rc
        if not hook:
            rc.write_text("")
        tmux = ["tmux", "-L", f"zsh-ls-{secrets.token_hex(4)}", "-f", "/dev/null"]
        env = {
            "HOME": home,
            "ZDOTDIR": home,
            "PATH": os.environ["PATH"],
            "TERM": "xterm",
            "PS1": "$ ",
        }
        subprocess.run([*tmux, "new-session", "-d", shell, "-i"], env=env, check=True)
        try:
            _typed(tmux, f"{' '.join(tmux)} wait-for -S {READY}")
            subprocess.run([*tmux, "wait-for", READY], check=True)
            began = time.perf_counter()
            _typed(tmux, *["true"] * lines, f"{' '.join(tmux)} wait-for -S {OVER}")
            subprocess.run([*tmux, "wait-for", OVER], check=True)
            return time.perf_counter() - began
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)


def _typed(tmux: list[str], *lines: str) -> None:
    keys = [key for line in lines for key in (line, "Enter")]
    subprocess.run([*tmux, "send-keys", *keys], check=True)


def main(arguments: list[str]) -> None:
    lines = int(arguments[0]) if arguments else LINES
    for shell in filter(shutil.which, ("zsh", "bash")):
        rounds = [
            (seconds(shell, lines, hook=False), seconds(shell, lines, hook=True))
            for _ in range(ROUNDS)
        ]
        without, learning = (min(column) * 1000 / lines for column in zip(*rounds, strict=True))
        print(
            f"{shell}: a prompt {without:.3f} ms, learning {learning:.3f} ms:"
            f" {learning - without:+.3f} ms, {learning / without:.2f}x"
        )
