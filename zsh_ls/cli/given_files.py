"""The files that a command was given, and which of them a script among them sources (FATE-12)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cached_property, partial

from zsh_ls.shell.symbols.own_folder import folder_variables, path_of_word
from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from zsh_ls.model.syntax import Script
    from zsh_ls.shell.fates import Sources

    Kept = TypeVar("Kept")

# Files that are kept, read or parsed, for the next script that sources them.
MOST_KEPT = 50


class GivenFiles:
    """Files by where they are; each that is sourced is read once, and as long as it is kept."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files = tuple(files)
        self._texts: dict[str, str | None] = {}
        self._scripts: dict[str, Script | None] = {}
        self._variables: dict[str, dict[str, str]] = {}

    def sources_of(self, file: str) -> Sources:
        """What the words of `source` commands in a script name, as far as it is among these files."""
        return partial(self._sourced, file)

    def text_of(self, file: str, word: str) -> str | None:
        """The text of the file that a word of a `source` command in a script names; None if not known."""
        place = self._place_of(file, word)
        return None if place is None else self._read(place)

    @cached_property
    def _places(self) -> frozenset[str]:
        folders: dict[str, str] = {}
        found = set()
        for file in self._files:
            folder, name = os.path.split(file)
            if os.path.islink(file) or name in {"", os.curdir, os.pardir}:
                found.add(os.path.realpath(file))
                continue
            if folder not in folders:
                folders[folder] = os.path.realpath(folder)
            found.add(os.path.join(folders[folder], name))
        return frozenset(found)

    def _sourced(self, file: str, word: str) -> Script | None:
        place = self._place_of(file, word)
        return None if place is None else self._parsed(place)

    def _place_of(self, file: str, word: str) -> str | None:
        plain = path_of_word(word, self._folders(file))
        if plain is None:
            return None
        # Beside the script, or from where the command is run.
        for base in (os.path.dirname(os.path.abspath(file)), os.curdir):
            place = os.path.realpath(os.path.join(base, plain))
            if place in self._places:
                return place
        return None

    def _folders(self, file: str) -> dict[str, str]:
        """Variables of a script that hold its own folder, or one from there, assigned once each."""
        if file not in self._variables:
            found = folder_variables(self._read(os.path.realpath(file)) or "")
            _keep(self._variables, file, found)
        return self._variables[file]

    def _parsed(self, place: str) -> Script | None:
        # Where results of earlier checks are enough, nothing is parsed.
        from zsh_ls.shell.syntax.dialect import dialect_of
        from zsh_ls.shell.syntax.parser import parse

        if place not in self._scripts:
            text = self._read(place)
            script = None if text is None else parse(text, dialect_of(text, name=place))
            _keep(self._scripts, place, script)
        return self._scripts[place]

    def _read(self, place: str) -> str | None:
        if place not in self._texts:
            _keep(self._texts, place, _text(place))
        return self._texts[place]


def _keep(known: dict[str, Kept], name: str, value: Kept) -> None:
    """Add an entry, in the place of the oldest where there are MOST_KEPT."""
    if len(known) >= MOST_KEPT:
        del known[next(iter(known))]
    known[name] = value


def _text(place: str) -> str | None:
    if not os.path.isfile(place):
        # A pipe can be read only once.
        return None
    try:
        data = read_named(place, SCRIPT_BYTES)
    except NotRead:
        return None
    return data.decode("utf-8", "replace").removeprefix("\ufeff")
