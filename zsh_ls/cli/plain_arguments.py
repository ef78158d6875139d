"""The arguments of a command where they are written plainly, read without `argparse`.

`argparse` and what it loads take as long as Python itself, and all it does for `zsh-ls run make test` is to
tell three words apart. A command's `add_arguments` declares the same here as there. What is not written
plainly (an abbreviation, help, a mistake, a value that looks like an option) is left to `argparse`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType, SimpleNamespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REMAINDER = "..."
"""`argparse.REMAINDER`, by its value."""
_PLAIN_TYPES = (None, int, float)
_PLAIN_ACTIONS = ("store", "store_true", "append")


class _NotPlain(Exception):
    """What is declared, or given, is for `argparse`."""


def plain_arguments(
    command: str, module: ModuleType, words: Sequence[str]
) -> SimpleNamespace | None:
    """What `argparse` would make of the `words` behind a command's name; None where it is to be asked."""
    try:
        declared = _Declared()
        module.add_arguments(declared)
        given = declared.read(words)
    except _NotPlain:
        return None
    return SimpleNamespace(command=command, **given)


class _Argument:
    def __init__(self, names: Sequence[str], options: dict[str, Any], group: object) -> None:
        self.names = names
        self.is_option = names[0].startswith("-")
        dest = next((name for name in names if name.startswith("--")), names[0])
        self.dest: str = options.get("dest") or dest.lstrip("-").replace("-", "_")
        self.action: str = options.get("action", "store")
        self.type: Callable[[str], Any] | None = options.get("type")
        self.nargs: str | None = options.get("nargs")
        self.choices: Iterable[str] | None = options.get("choices")
        self.default = options.get("default", False if self.action == "store_true" else None)
        self.group = group
        self.required = False
        if (
            options.get("required")
            or self.type not in _PLAIN_TYPES
            or self.action not in _PLAIN_ACTIONS
            or (self.is_option and self.nargs is not None)
        ):
            raise _NotPlain

    def value_of(self, word: str) -> Any:
        if self.choices is not None and word not in self.choices:
            raise _NotPlain
        try:
            return word if self.type is None else self.type(word)
        except ValueError:
            raise _NotPlain from None


class _Declared:
    """Takes what `add_arguments` says to a parser."""

    usage = ""

    def __init__(self) -> None:
        self._options: dict[str, _Argument] = {}
        self._positionals: list[_Argument] = []
        self._group: object = None

    def add_argument(self, *names: str, **options: Any) -> _Argument:
        """Declare an option or a positional."""
        argument = _Argument(names, options, self._group)
        if argument.is_option:
            self._options.update(dict.fromkeys(names, argument))
        else:
            self._positionals.append(argument)
        return argument

    def add_mutually_exclusive_group(self, *, required: bool = False) -> _Declared:
        """A place for options of which one may be given."""
        if required:
            raise _NotPlain
        group = _Declared()
        group._options, group._positionals, group._group = self._options, self._positionals, group
        return group

    def add_subparsers(self, **_options: Any) -> Any:
        """Commands of a command are for `argparse`."""
        raise _NotPlain

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """The value of each argument by its name."""
        arguments = (*self._options.values(), *self._positionals)
        given: dict[str, Any] = {argument.dest: argument.default for argument in arguments}
        groups: dict[object, _Argument] = {}
        rest = list(words)
        while rest and rest[0].startswith("-") and rest[0] != "--":
            self._take_option(rest, given, groups)
        plain, rest = self._split(rest)
        while rest:
            self._take_option(rest, given, groups)
        self._take_positionals(plain, given)
        return given

    def _split(self, words: list[str]) -> tuple[list[str], list[str]]:
        """The words of positionals, and the options behind them."""
        if self._positionals and self._positionals[-1].nargs == REMAINDER:
            # `argparse` would take out a second `--`, which is the command's own, too.
            return words[words[:1] == ["--"] :], []
        end = next((number for number, it in enumerate(words) if it.startswith("-")), len(words))
        return words[:end], words[end:]

    def _take_option(
        self, words: list[str], given: dict[str, Any], groups: dict[object, _Argument]
    ) -> None:
        name, equals, value = words.pop(0).partition("=")
        option = self._options.get(name)
        if option is None:
            raise _NotPlain
        if option.group is not None and groups.setdefault(option.group, option) is not option:
            raise _NotPlain
        if option.action == "store_true":
            if equals:
                raise _NotPlain
            given[option.dest] = True
            return
        if not equals:
            if not words or words[0].startswith("-"):
                raise _NotPlain
            value = words.pop(0)
        made = option.value_of(value)
        given[option.dest] = (
            [*(given[option.dest] or ()), made] if option.action == "append" else made
        )

    def _take_positionals(self, words: list[str], given: dict[str, Any]) -> None:
        for argument in self._positionals:
            if argument.nargs == REMAINDER:
                given[argument.dest], words = words, []
            elif argument.nargs == "+" and words and argument is self._positionals[-1]:
                given[argument.dest], words = [argument.value_of(word) for word in words], []
            elif argument.nargs not in (None, "?"):
                raise _NotPlain
            elif words:
                given[argument.dest] = argument.value_of(words[0])
                words = words[1:]
            elif argument.nargs is None:
                raise _NotPlain
        if words:
            raise _NotPlain
