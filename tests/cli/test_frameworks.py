"""The hook of `zsh-ls init zsh` beside a theme with hooks of its own, as Debian has it, in tmux.

oh-my-zsh and powerlevel10k are no packages of Debian, and the tests fetch nothing from elsewhere.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import test_prompt
from tests.cli.test_prompt import Opener, failing_tar
from tests.server.shared import wait_until

pytestmark = pytest.mark.slow
prompt = test_prompt.prompt

# Its prompt ends as the tests expect one.
POWERLEVEL9K = (
    "POWERLEVEL9K_LEFT_PROMPT_ELEMENTS=(custom_ready)\nPOWERLEVEL9K_CUSTOM_READY='echo READY\\>'\n"
    "POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS=(status)\nPOWERLEVEL9K_DISABLE_RPROMPT=true\n"
    "source /usr/share/powerlevel9k/powerlevel9k.zsh-theme\n"
)


def on_the_last_line(screen: str, text: str) -> bool:
    """Whether this stands at the prompt; a theme may end it with signs of its own."""
    return text in screen.rstrip().splitlines()[-1]


# PROMPT-1, PROMPT-2
@pytest.mark.parametrize("comes", ["first", "last"])
def test_word_key_and_history_work_beside_a_framework(
    comes: str, prompt: Opener, tmp_path: Path
) -> None:
    failing_tar(tmp_path)
    more, before = (POWERLEVEL9K, "") if comes == "first" else ("", POWERLEVEL9K)
    terminal = prompt("zsh", more, before=before, own_prompt="")
    for word in ("one", "two", "three"):
        terminal.type(f"tar {word}")
    terminal.until("tar: usage failed 3 times in a row here; ^Xy tells why\n")
    terminal.type("clear; gti status")
    terminal.until("gti: not found; git?\n")
    terminal("send-keys", "-l", "print ty")
    terminal.until("print ty")
    terminal.press("C-x", "y")
    terminal.until("gti was not found; git is near.", "Exit 127: command not found.")
    terminal.type("ped; clear")
    terminal.type("false | true; print kept")
    terminal.until("\nkept\n")
    terminal.type("zsh-ls history")
    terminal.until("nothing is run")
    terminal("send-keys", "-l", "print kept")
    terminal.until("> print kept▏  1 · ")
    terminal.press("Enter")
    wait_until(lambda: on_the_last_line(terminal.screen(), "false | true; print kept"))
