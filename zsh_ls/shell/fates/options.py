"""How commands change the options that decide what a failure does, in each shell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.model.syntax import Dialect

KNOWN = frozenset(
    {
        "errexit",
        "pipefail",
        "errreturn",
        "errtrace",
        "inheriterrexit",
        "lastpipe",
        "localoptions",
        "localtraps",
        "nounset",
        "posix",
    }
)
LETTERS = {"e": "errexit", "E": "errtrace", "u": "nounset"}


def changed(options: frozenset[str], words: Sequence[str], dialect: Dialect) -> frozenset[str]:
    """The options after a command with these words."""
    command, arguments = words[0], [word.strip("\"'") for word in words[1:]]
    if command == "emulate":
        if dialect is not Dialect.ZSH or not arguments or "-c" in arguments:
            return options
        options = frozenset()
        if any(it.startswith("-") and "L" in it for it in arguments):
            options |= {"localoptions", "localtraps"}
        # `emulate -L zsh -o err_return`: all but the shell's name, the first word that is no option.
        at = next((at for at, it in enumerate(arguments) if it[:1] not in {"+", "-"}), 0)
        changes = _set(arguments[:at] + arguments[at + 1 :])
    elif command == "set":
        changes = _set(arguments)
    elif command == "shopt":
        switch = any(it.startswith("-") and "s" in it for it in arguments)
        if not switch and not any(it.startswith("-") and "u" in it for it in arguments):
            return options
        changes = ((_plain(it), switch) for it in arguments if it[:1] != "-")
    else:
        changes = _setopt(arguments, command == "setopt")
    for name, is_on in changes:
        options = options | {name} if is_on else options - {name}
    return options & KNOWN


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _named(name: str, switch: bool) -> Iterator[tuple[str, bool]]:
    plain = _plain(name)
    if plain in KNOWN:
        yield plain, switch
    elif plain.removeprefix("no") in KNOWN:
        yield plain.removeprefix("no"), not switch


def _set(arguments: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """`set -euo pipefail`, `set +e`, up to the first word that is no option."""
    at = 0
    while at < len(arguments) and arguments[at][:1] in {"-", "+"}:
        word = arguments[at]
        if word in {"-", "--"}:
            return
        at += 1
        for letter in word[1:]:
            if letter in LETTERS:
                yield LETTERS[letter], word[0] == "-"
        if "o" in word[1:] and at < len(arguments):
            yield from _named(arguments[at], word[0] == "-")
            at += 1


def _setopt(arguments: Sequence[str], switch: bool) -> Iterator[tuple[str, bool]]:
    for position, word in enumerate(arguments):
        if word[:1] in {"-", "+"}:
            yield from _set(arguments[position : position + 2])
        elif not (position and arguments[position - 1][:1] in {"-", "+"}):
            yield from _named(word, switch)
