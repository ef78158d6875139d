"""The hook of `zsh-ls init zsh` beside oh-my-zsh, powerlevel10k and what Debian has of their kind, in tmux.

oh-my-zsh and powerlevel10k are no packages of Debian: they are fetched at the commits that
`tests/startup/real.py` names, and where that is not possible their cases are skipped with git's words.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import test_prompt
from tests.cli.test_prompt import Opener, failing_tar
from tests.server.shared import wait_until
from tests.startup.real import CONFIGURATIONS, NotFetched, fetched

pytestmark = pytest.mark.slow
prompt = test_prompt.prompt

REAL = {each.name: each for each in CONFIGURATIONS if each.name in ("oh-my-zsh", "powerlevel10k")}
P9K = "/usr/share/powerlevel9k/powerlevel9k.zsh-theme"
# powerlevel10k draws its first prompt before the rc file has run.
INSTANT = (
    "if [[ -r $HOME/.cache/p10k-instant-prompt-${(%):-%n}.zsh ]]; then\n"
    "  source $HOME/.cache/p10k-instant-prompt-${(%):-%n}.zsh\nfi\n"
)
SEGMENTS = (
    "POWERLEVEL9K_INSTANT_PROMPT=quiet\nPOWERLEVEL9K_LEFT_PROMPT_ELEMENTS=(status newline ready)\n"
    "POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS=(command_execution_time)\n"
    "prompt_ready() { p10k segment -t 'READY>' }\nPOWERLEVEL9K_TRANSIENT_PROMPT=off\n"
)


def powerlevel9k(_: Path) -> str:
    """Debian's theme; its prompt ends as the tests expect one."""
    return (
        "POWERLEVEL9K_LEFT_PROMPT_ELEMENTS=(custom_ready)\nPOWERLEVEL9K_CUSTOM_READY='echo READY\\>'\n"
        "POWERLEVEL9K_RIGHT_PROMPT_ELEMENTS=(status)\nPOWERLEVEL9K_DISABLE_RPROMPT=true\n"
        f"source {P9K}\n"
    )


def real(name: str) -> Callable[[Path], str]:
    """What reads a configuration of `real.py`, with no delay planted in it."""

    def text(home: Path) -> str:
        found = REAL[name]
        try:
            for source in found.sources:
                shutil.copytree(fetched(source), home / source.folder, symlinks=True)
        except NotFetched as problem:
            pytest.skip(f"{name} is nowhere to be fetched from: {problem}")
        if name == "oh-my-zsh":
            return f"{found.files['.zshrc']}PROMPT+=$'\\nREADY> '\n"
        return f"{INSTANT}{SEGMENTS}{found.files['.zshrc']}"

    return text


FRAMEWORKS = {
    "powerlevel9k": powerlevel9k,
    "oh-my-zsh": real("oh-my-zsh"),
    "powerlevel10k": real("powerlevel10k"),
}


def on_the_last_line(screen: str, text: str) -> bool:
    """Whether this stands at the prompt; a theme may end it with signs of its own."""
    return text in screen.rstrip().splitlines()[-1]


# PROMPT-1, PROMPT-2
@pytest.mark.parametrize("comes", ["first", "last"])
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_word_key_and_history_work_beside_a_framework(
    name: str, comes: str, prompt: Opener, tmp_path: Path
) -> None:
    failing_tar(tmp_path)
    theirs = FRAMEWORKS[name](tmp_path)
    more, before = (theirs, "") if comes == "first" else ("", theirs)
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
