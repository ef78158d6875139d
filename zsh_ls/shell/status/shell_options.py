"""How commands change `errexit` and `pipefail` (zshoptions(1), zshbuiltins(1), bash(1))."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.context import Setting

NAMES = {"errexit": "errexit", "pipefail": "pipefail"}
LETTERS = {"e": "errexit"}
CHANGE_OPTIONS = frozenset({"set", "setopt", "unsetopt", "emulate"})


class Options(NamedTuple):
    """The options that decide what a failing pipeline does."""

    errexit: Setting = Setting.OFF
    pipefail: Setting = Setting.OFF

    def joined(self, other: Options) -> Options:
        """The options after one of two branches: MAYBE where they differ."""
        if other == self:
            return self
        return Options(*(a if a is b else Setting.MAYBE for a, b in zip(self, other, strict=True)))

    def after(self, words: Sequence[str]) -> Options:
        """The options after a command with these words."""
        command, arguments = words[0], words[1:]
        if command == "set":
            return self.set(_set_options(arguments))
        if command in {"setopt", "unsetopt"}:
            return self.set(_setopt_options(arguments, switch=command == "setopt"))
        if command == "emulate":
            return self.emulated(arguments)
        return self

    def set(self, changes: Iterable[tuple[str, bool]]) -> Options:
        """The options after changes (name, on or off), in order."""
        return self._replace(**{name: Setting.ON if on else Setting.OFF for name, on in changes})

    def emulated(self, arguments: Sequence[str]) -> Options:
        """`emulate [-LR] shell [-o option …]` resets both; with `-c` it changes nothing here."""
        if not arguments or "-c" in arguments:
            return self
        flags = [
            argument
            for position, argument in enumerate(arguments)
            if argument[:1] in {"-", "+"} or _names_option(arguments[:position])
        ]
        return Options().set(_set_options(flags))


def _canonical(name: str) -> str:
    """An option's name normalized: case and underscores do not matter."""
    return name.lower().replace("_", "")


def _switched(name: str, switch: bool) -> Iterator[tuple[str, bool]]:
    """The change that `setopt name` or `unsetopt name` makes; the prefix `no` inverts it."""
    name = _canonical(name)
    if name in NAMES:
        yield NAMES[name], switch
    elif name.removeprefix("no") in NAMES:
        yield NAMES[name.removeprefix("no")], not switch


def _setopt_options(arguments: Sequence[str], *, switch: bool) -> Iterator[tuple[str, bool]]:
    """`setopt [+-options] name …`."""
    for position, argument in enumerate(arguments):
        if argument[:1] in {"-", "+"}:
            direction = switch if argument[0] == "-" else not switch
            yield from _letters(argument, direction, arguments[position + 1 : position + 2])
        elif not _names_option(arguments[:position]):
            yield from _switched(argument, switch)


def _set_options(arguments: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """`set [+-options] [+-o name] …` up to the first word that is no option."""
    for position, argument in enumerate(arguments):
        if argument in {"-", "--"}:
            return
        if argument[:1] in {"-", "+"}:
            yield from _letters(
                argument, argument[0] == "-", arguments[position + 1 : position + 2]
            )
        elif not _names_option(arguments[:position]):
            return


def _letters(word: str, switch: bool, following: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The changes of `-euo name`: of the letters, and of the name after `o`; bash allows `-eou name`."""
    for letter in word[1:]:
        if letter in LETTERS:
            yield LETTERS[letter], switch
    if "o" in word:
        for name in following:
            yield from _switched(name, switch)


def _names_option(before: Sequence[str]) -> bool:
    """Whether the word after `before` is the argument of `-o`."""
    return bool(before) and before[-1][:1] in {"-", "+"} and "o" in before[-1]


def makes_options_local(words: Sequence[str]) -> bool:
    """Whether a command makes its function restore options when it returns."""
    command, *arguments = words
    if command == "emulate":
        return any(a.startswith("-") and "L" in a for a in arguments)
    if command == "setopt":
        return any(_canonical(a) == "localoptions" for a in arguments)
    return command == "set" and any(_canonical(a) == "localoptions" for a in arguments)


def shebang_options(first_line: str) -> Options:
    """The options of an interpreter line: `#!/bin/sh -e`."""
    if not first_line.startswith("#!"):
        return Options()
    return Options().set(_set_options([w for w in first_line.split()[1:] if w[:1] in {"-", "+"}]))
