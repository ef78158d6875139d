"""What the shell itself said was wrong in a start: a syntax error, a program that is not there.

zsh names a file or a function and the line in it, bash the line of a file, and for what is not there none:
then it is the line that was traced with that word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from zsh_ls.lazy import attrs, re
from zsh_ls.model.startup import StartError

from .profile import Place, Profile, Row

_MOST = 20
_LONGEST = 300
_RUN_WHAT_FOLLOWS = (".", "source", "exec", "command", "builtin", "eval")
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)")
_OF_ZSH = re.compile(
    r"(?P<name>[^\s:][^:]*):(?P<before>(?:[\w.-]+:)?)(?P<line>[1-9]\d*): (?P<message>\S.*)"
)
_NOT_FOUND = re.compile(r"command not found: (\S+)")
_MISSING = re.compile(r"command not found: (?P<zsh>\S+)|(?P<bash>\S+): command not found")
_OF_BASH = re.compile(r"(?:\S*bash: )?(?P<name>/[^:]+): line (?P<line>[1-9]\d*): (?P<message>\S.*)")
_OF_A_WORD = re.compile(
    r"\S*bash: (?P<word>[^:\s]+): (?P<message>command not found|No such file or directory)"
)


def errors_of(
    output: bytes, profile: Profile, is_file: Callable[[str], bool]
) -> tuple[StartError, ...]:
    """What the shell wrote of lines of its files, each once, in its order.

    `output` is what came on the terminal; `is_file` tells whether a path is that of a file.
    """
    text = _ESCAPES.sub("", output.decode("utf-8", "replace"))
    lines = (line.strip() for line in re.split(r"[\r\n]+", text))
    readers = {"zsh": _said_by_zsh, "bash": _said_by_bash}
    shells = [readers[it] for it in dict.fromkeys(profile.kinds)]
    found = (
        error
        for line in lines
        if line
        for said_by in shells
        for error in said_by(line, profile, is_file)
    )
    return tuple(dict.fromkeys(found))[:_MOST]


def without_missing(profile: Profile, errors: Sequence[StartError]) -> Profile:
    """The profile, in which no line starts what the shell said there was not there."""
    said = [(it, found) for it in errors if (found := _MISSING.fullmatch(it.message))]
    of_line = {(Place(it.file, it.line), found["zsh"]) for it, found in said}
    # bash names no line.
    anywhere = {found["bash"] for _, found in said}

    def is_there(row: Row, text: str) -> bool:
        first = text.split(maxsplit=1)[0] if text.strip() else ""
        return first not in anywhere and (row.place, first) not in of_line

    rows = tuple(
        attrs.evolve(row, may_start=tuple(it for it in row.may_start if is_there(row, it)))
        for row in profile.rows
    )
    return attrs.evolve(profile, rows=rows)


def _said_by_zsh(
    line: str, profile: Profile, is_file: Callable[[str], bool]
) -> Iterator[StartError]:
    if said := _OF_ZSH.fullmatch(line):
        name, number = said["name"], int(said["line"])
        begins = profile.begins.get(name)
        if begins is None and name.startswith("/") and is_file(name):
            begins = Place(name, 0)
        if begins is not None:
            message = f"{said['before'].replace(':', ': ')}{said['message']}"
            at = _line_with(message, Place(begins.file, begins.line + number), profile)
            yield StartError(begins.file, at, message[:_LONGEST], "zsh")


def _line_with(message: str, told: Place, profile: Profile) -> int:
    """The line of what is not there: zsh tells another one in files that `emulate sh -c` reads."""
    if not (missing := _NOT_FOUND.fullmatch(message)):
        return told.line
    word = missing[1]
    of_word = (it for it in profile.rows if any(text.split()[:1] == [word] for text in it.texts))
    lines = [row.place.line for row in of_word if row.place.file == told.file]
    return min(lines) if lines and told.line not in lines else told.line


def _said_by_bash(
    line: str, profile: Profile, is_file: Callable[[str], bool]
) -> Iterator[StartError]:
    if (said := _OF_BASH.fullmatch(line)) and is_file(said["name"]):
        yield StartError(said["name"], int(said["line"]), said["message"][:_LONGEST], "bash")
    elif said := _OF_A_WORD.fullmatch(line):
        word = said["word"]
        rows = (row for row in profile.rows if row.place.line)
        of_word = (row for row in rows if any(word in text.split() for text in row.texts))
        # A test whether a file is there names it as well.
        if row := min(of_word, key=lambda it: (not _runs(it, word), it.order), default=None):
            message = f"{word}: {said['message']}"
            yield StartError(row.place.file, row.place.line, message, "bash")


def _runs(row: Row, word: str) -> bool:
    """Whether a command of the line runs or reads what the word names, as far as its text tells."""
    commands = (text.split() for text in row.texts)
    return any(
        word == words[0] or (words[0] in _RUN_WHAT_FOLLOWS and word in words)
        for words in commands
        if words
    )
