"""The hook of `zsh-ls init` beside a theme with hooks of its own and beside fzf, as Debian has them, in tmux.

oh-my-zsh and powerlevel10k are no packages of Debian, and the tests fetch nothing from elsewhere.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli import test_prompt
from tests.cli.test_prompt import Opener, failing_tar
from tests.server.shared import wait_until
from zsh_ls.cli.terminal import SHELLS

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


FZF = {
    "zsh": "source /usr/share/doc/fzf/examples/key-bindings.zsh\n",
    "bash": "source /usr/share/doc/fzf/examples/key-bindings.bash\n",
    "fish": "source /usr/share/doc/fzf/examples/key-bindings.fish; fzf_key_bindings\n",
}


# PROMPT-1, PROMPT-2
@pytest.mark.parametrize("comes", ["first", "last"])
@pytest.mark.parametrize("shell", SHELLS)
def test_fzf_keeps_its_keys_and_the_hook_its_own(
    shell: str, comes: str, prompt: Opener, tmp_path: Path
) -> None:
    failing_tar(tmp_path)
    more, before = (FZF[shell], "") if comes == "last" else ("", FZF[shell])
    terminal = prompt(shell, more, before=before)
    for word in ("one", "two", "three"):
        terminal.type(f"tar {word}")
    terminal.until("tar: usage failed 3 times in a row here; ^Xy tells why")
    terminal("send-keys", "-l", "echo ty")
    terminal.press("C-x", "y")
    terminal.until("tar three failed with exit 64")
    terminal.type("ped")
    terminal.until("\ntyped\n")
    terminal.press("C-r")
    wait_until(lambda: re.search(r"^ +\d+/\d+", terminal.screen(), re.MULTILINE) is not None)
    terminal("send-keys", "-l", "tar two")
    wait_until(lambda: re.search(r"^ +1/\d+", terminal.screen(), re.MULTILINE) is not None)
    terminal.press("Enter")
    wait_until(lambda: on_the_last_line(terminal.screen(), "tar two"))


# PROMPT-2
@pytest.mark.parametrize("shell", SHELLS)
def test_ctrl_r_is_ours_beside_fzf_where_it_was_asked_for(
    shell: str, prompt: Opener, tmp_path: Path
) -> None:
    terminal = prompt(shell, before=FZF[shell], ctrl_r=True)
    terminal.type("echo kept")
    terminal.until("\nkept\n")
    terminal.press("C-r")
    terminal.until("nothing is run")
    terminal("send-keys", "-l", "echo k")
    terminal.until("> echo k▏")
    terminal.press("Enter")
    wait_until(lambda: on_the_last_line(terminal.screen(), "echo kept"))
