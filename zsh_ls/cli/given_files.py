"""The files that a command was given, and which of them a script among them sources (FATE-12)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import partial

from zsh_ls.model.syntax import Script
from zsh_ls.shell.fates import Sources
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_named

# Ways to write the folder of the script itself before a name.
OWN_FOLDER = re.compile(
    r"""(?x)
    \$\{0:[aA]:h\} | \$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}
    | \$\(\s*dirname\s+(?:--\s+)?"?\$(?:0|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\}|\{0\})"?\s*\)
    """
)
CONSTANT = re.compile(r"[\w./+@%:,-]+")
# Parsed files that are kept, for the next script that sources them.
MOST_KEPT = 50


class GivenFiles:
    """Files by where they are; each that is sourced is read once, and as long as it is kept."""

    def __init__(self, files: Iterable[str]) -> None:
        self._places = {os.path.realpath(file) for file in files}
        self._scripts: dict[str, Script | None] = {}

    def sources_of(self, file: str) -> Sources:
        """What the words of `source` commands in a script name, as far as it is among these files."""
        return partial(self._sourced, os.path.dirname(os.path.abspath(file)))

    def _sourced(self, folder: str, word: str) -> Script | None:
        plain = OWN_FOLDER.sub(".", word).replace('"', "").replace("'", "")
        if not CONSTANT.fullmatch(plain):
            return None
        # Beside the script, or from where the command is run.
        for base in (folder, os.curdir):
            place = os.path.realpath(os.path.join(base, plain))
            if place in self._places:
                return self._read(place)
        return None

    def _read(self, place: str) -> Script | None:
        if place not in self._scripts:
            if len(self._scripts) >= MOST_KEPT:
                del self._scripts[next(iter(self._scripts))]
            self._scripts[place] = _script(place)
        return self._scripts[place]


def _script(place: str) -> Script | None:
    if not os.path.isfile(place):
        # A pipe can be read only once.
        return None
    try:
        data = read_named(place, SCRIPT_BYTES)
    except NotRead:
        return None
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    return parse(text, dialect_of(text, name=place))
