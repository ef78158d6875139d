"""`zsh-ls ask` without a question, on a real terminal: a dialogue (ANS-4)."""

from __future__ import annotations

import shlex
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.shared import place, wait_until

from .tmux import Tmux

ASK = f"{shlex.quote(sys.executable)} -m zsh_ls ask"
SECRET = "ghp_" + "a1B2" * 9


class Asking(Tmux):
    """A terminal with the file of its questions."""

    def __init__(self, home: dict[str, str], project: Path) -> None:
        super().__init__(home, project)
        self._state = Path(home["XDG_STATE_HOME"])

    @property
    def kept(self) -> Path:
        return self._state / "zsh-ls" / "questions"

    def open_dialogue(self) -> None:
        self.press("C-l")
        self.type(ASK)
        self.until("Ctrl-D ends.", "ask>")

    def until_asked(self, *texts: str) -> str:
        """The screen once it has the texts and waits for the next question."""
        self.until(*texts)
        self.until_last("ask>")
        return self.screen()

    def until_last(self, line: str) -> None:
        wait_until(lambda: self.screen().rstrip().endswith(line))


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Asking]:
    with place(tmp_path) as (home, project):
        opened = Asking(home, project)
        yield opened
        opened.end()


@pytest.mark.slow
def test_questions_are_answered_one_after_the_other_and_kept(terminal: Asking) -> None:
    terminal.type(f"{shlex.quote(sys.executable)} -m zsh_ls run 'seq 3; ls nothing-there'")
    terminal.until("exit=2]")
    terminal.until_last("READY>")
    terminal.open_dialogue()
    terminal.type("what failed last")
    terminal.until_asked("seq 3; ls nothing-there failed with exit 2")
    terminal.type("show more")
    terminal.until_asked("1\n2\n3\nls:")
    terminal.type(f" what failed with {SECRET}")
    terminal.until_asked("no question family knows this question")
    terminal.type(f"what failed last with token={SECRET}")
    terminal.until_asked("Unable to determine an answer to what failed last with")
    terminal.press("Up", "Up")
    terminal.until("ask> show more")
    terminal.press("C-c")
    terminal.until_last("ask>")
    terminal.press("C-d")
    terminal.until_last("READY>")
    assert stat.S_IMODE(terminal.kept.stat().st_mode) == 0o600
    first, second, third = terminal.kept.read_text().splitlines()
    assert (first, second) == ("what failed last", "show more")
    assert third.startswith("what failed last with")
    assert SECRET not in third


@pytest.mark.slow
@pytest.mark.parametrize("word", ["exit", "quit"])
def test_a_word_ends_it_and_the_next_dialogue_knows_what_was_asked(
    terminal: Asking, word: str
) -> None:
    terminal.open_dialogue()
    terminal.type("check swap")
    terminal.until_asked("$ swapon --show")
    terminal.type(word)
    terminal.until_last("READY>")
    terminal("clear-history")
    terminal.type("clear")
    terminal.until_last("READY>")
    terminal.open_dialogue()
    terminal.press("Up", "Up")
    terminal.until("ask> check swap")


@pytest.mark.slow
def test_a_history_that_cannot_be_kept_stops_no_question(terminal: Asking) -> None:
    terminal.kept.mkdir(parents=True)
    terminal.open_dialogue()
    terminal.type("check swap")
    terminal.until_asked("$ swapon --show")
    terminal.type("help")
    terminal.until_asked("what-changed:")
    terminal.press("C-d")
    terminal.until_last("READY>")
