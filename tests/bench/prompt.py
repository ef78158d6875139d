"""What learning from the terminal costs a prompt: shells with the hook against shells without, in one run.

`python -m tests.bench prompt [LINES]`: real interactive shells on terminals of
their own are typed `true` many times; the rounds alternate, the best of each counts.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from tests.alan.test_terminal import Terminal

LINES = 300
ROUNDS = 5


def seconds(shell: str, lines: int, *, hook: bool) -> float:
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal(shell, Path(home))
        if not hook:
            terminal.rc.write_text("")
        began = time.perf_counter()
        terminal.types(*["true"] * lines)
        return time.perf_counter() - began


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
