"""How a host file starts the shell of a block: as lines put before its text."""

from __future__ import annotations

from pathlib import PurePosixPath

from zsh_ls.lazy import attrs
from zsh_ls.shell.syntax.dialect import SHELLS


@attrs.frozen
class HostShell:
    """A shell that a host starts, with the options that decide what a failure does."""

    program: str
    errexit: bool = False
    pipefail: bool = False

    @property
    def prefix(self) -> str:
        """What a script begins with that is run so."""
        first = f"#!/bin/{self.program}{' -e' if self.errexit else ''}\n"
        return first + ("set -o pipefail\n" if self.pipefail else "")

    @property
    def language(self) -> str:
        """The language id that goes with it."""
        return SHELLS[self.program].value


def shell_of_words(words: list[str]) -> HostShell | None:
    """The shell that is started with these words (`bash -eo pipefail -c`); None where it is none of ours."""
    if words and PurePosixPath(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-")]
    if not words:
        return None
    program = PurePosixPath(words[0]).name
    if program not in SHELLS:
        return None
    errexit = pipefail = False
    for position, word in enumerate(words[1:], 1):
        if word == "pipefail":
            pipefail = words[position - 1].startswith("-") and words[position - 1].endswith("o")
        elif word.startswith("-") and not word.startswith("--"):
            errexit = errexit or "e" in word.removeprefix("-").partition("o")[0]
    return HostShell(program, errexit, pipefail)
