"""The dialogue of `zsh-ls ask` on a terminal: questions are edited, kept and answered."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.history import History
from prompt_toolkit.output import ColorDepth

from zsh_ls.shell.redaction.redact import redact
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.system.private_folders import make_private, state_folder

from .answering import print_known_questions
from .screen import page

PROMPT = "ask> "
GREETING = (
    "Ask what ran, what failed and why, about this machine, or how to install something. "
    "`help` lists the questions that are known, Ctrl-D ends."
)
ENDING = frozenset({"exit", "quit"})
HISTORY_FILE = "questions"
MOST_KEPT = 1000
# A file beyond this was not written here.
LARGEST_HISTORY_BYTES = 4 << 20
_LONGEST_QUESTION = 1000


class QuestionHistory(History):
    """The questions asked, one a line, in a file that only its user reads (mode 0600).

    What begins with a space is not kept, and secrets are kept of none. A folder or file that cannot be
    read or written keeps nothing and stops nothing.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def load_history_strings(self) -> Iterable[str]:
        """The kept questions, the newest first."""
        return reversed(self._kept())

    def append_string(self, string: str) -> None:
        """Keep a question, unless it begins with a space."""
        if not string.startswith(" "):
            super().append_string(redact(" ".join(string.split())[:_LONGEST_QUESTION]))

    def store_string(self, string: str) -> None:
        """Write a question to the file, which keeps the newest ones."""
        with contextlib.suppress(OSError):
            make_private(self._path.parent)
            # Read again: another terminal may have asked in between.
            kept = [*self._kept(), string][-MOST_KEPT:]
            fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}")
            try:
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
                with os.fdopen(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
                    file.writelines(f"{line}\n" for line in kept)
                os.replace(fresh, self._path)
            finally:
                fresh.unlink(missing_ok=True)

    def _kept(self) -> list[str]:
        try:
            content = read_bytes(self._path, LARGEST_HISTORY_BYTES, follow_links=False)
        except (OSError, NotRead):
            return []
        return [line for line in content.decode("utf-8", "replace").split("\n") if line]


def hold_dialogue(answer: Callable[[str], int]) -> int:
    """Read questions and have each answered until the input ends.

    Ctrl-C clears the line, or gives up the answer that is waited for.
    """
    history = QuestionHistory(Path(state_folder()) / HISTORY_FILE)
    colours = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
    session: PromptSession[str] = PromptSession(PROMPT, history=history, color_depth=colours)
    print(page(GREETING))
    while True:
        try:
            question = session.prompt().strip()
            if question in ENDING:
                return 0
            if question == "help":
                print_known_questions(as_json=False)
            elif question:
                answer(question)
                print()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
