"""What learning from the terminal costs a shell's start, and a prompt.

`zsh-ls init` against Python alone, shells with the hook against shells without, in one run.

`python -m tests.bench prompt [LINES]`: real interactive shells in tmux are typed `true` many times;
the rounds alternate, the best of each counts.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cli.test_terminal import Terminal
from zsh_ls.cli.terminal import SHELLS

LINES = 300
STARTS = 20
ROUNDS = 5
READY, OVER = "ready", "over"


def seconds(shell: str, lines: int, *, hook: bool) -> float:
    """From the first line typed to the prompt behind the last one."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
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


def start_of(shell: str) -> tuple[float, float]:
    """The best milliseconds of Python that does nothing, and of `zsh-ls init`, in turn."""
    nothing = [sys.executable, "-c", "pass"]
    ours = [str(Path(sys.executable).with_name("zsh-ls")), "init", shell]
    best = [1e9, 1e9]
    for _ in range(STARTS):
        for at, command in enumerate((nothing, ours)):
            began = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            best[at] = min(best[at], (time.perf_counter() - began) * 1000)
    return best[0], best[1]


def _typed(tmux: list[str], *lines: str) -> None:
    keys = [key for line in lines for key in (line, "Enter")]
    subprocess.run([*tmux, "send-keys", *keys], check=True)


def main(arguments: list[str]) -> None:
    lines = int(arguments[0]) if arguments else LINES
    for shell in SHELLS:
        bare, ours = start_of(shell)
        print(f"init {shell}: {ours:.1f} ms, {ours / bare:.2f} x `python -c pass` ({bare:.1f} ms)")
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
