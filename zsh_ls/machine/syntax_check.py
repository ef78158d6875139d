"""Syntax errors as the shell itself reports them (DOC-6), by its own compiler on a private copy.

Nothing of the document is executed, and no file it names is opened: zsh only
compiles (`zcompile`; `zsh -n` would expand some words, and with `$(<file)` read
files), bash and dash stop after parsing (`-n`). The shells start without
start-up files and with an environment that has nothing of the user's in it
(`BASH_ENV` and `ENV` would be run). The copy is in a folder of mode 0700 and
gone afterwards; after a crash, when the next process checks for the first time.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import re
import shutil
from collections.abc import Iterator, Sequence

import attrs

from zsh_ls.model.syntax import Dialect, SyntaxProblem
from zsh_ls.shell.syntax.error_policy import is_case_arm, lines_read, syntax_authorities
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.system import programs
from zsh_ls.system.private_folders import passing_folder, sweep

_log = logging.getLogger(__name__)

LIMIT_S = 2.0
MOST_PROBLEMS = 20
# A shell says a line for each thing it cannot read; a text may have a million of them.
MOST_WORDS_BYTES = 256 << 10
COPY = "document"
_PREFIX = "zsh-ls-syntax-"
NEAR_LINE_END = r"near `\n'"


@attrs.frozen
class Checker:
    """A shell that checks: its command, the copy's path put for `{copy}`, and how it words an error."""

    command: tuple[str, ...]
    message: re.Pattern[str]


_ZSH = Checker(
    ("zsh", "-fc", 'setopt noaliases; zcompile -U -- "$1" "$2"', "zsh", "{copy}.zwc", "{copy}"),
    re.compile(r"zsh:(\d+): (.+)"),
)
# extglob: a script that needs it switches it on by a command that is not run here.
_BASH = Checker(
    ("bash", "--norc", "--noprofile", "-O", "extglob", "-n", "{copy}"),
    re.compile(r".*?: line (\d+): (?!`)(?!warning: )(.+)"),
)
_DASH = Checker(("dash", "-n", "{copy}"), re.compile(r".*?: (\d+): (.+)"))
_BASH_AS_SH = Checker(("bash", "--posix", "-n", "{copy}"), _BASH.message)

# Tried in order, the first that is installed.
CHECKERS = {
    Dialect.ZSH: (_ZSH,),
    Dialect.BASH: (_BASH,),
    Dialect.SH: (_DASH, _BASH_AS_SH),
}


async def complaints(text: str, dialect: Dialect, name: str | None = None) -> list[SyntaxProblem]:
    """What is surely wrong with a document: what its shell says, where no other shell may read it.

    `name` is that of its file, with or without a folder.
    """
    asked = syntax_authorities(text, dialect, name)
    found: list[SyntaxProblem] = []
    for number, judge in enumerate(asked):
        said = await syntax_problems(text, judge)
        if not said:
            return []
        found = found if number else said
    return await asyncio.to_thread(_relevant, found, text, dialect) if found else []


def _relevant(found: list[SyntaxProblem], text: str, dialect: Dialect) -> list[SyntaxProblem]:
    """The problems that whoever runs or reads the text would meet."""
    if is_case_arm(text):
        return []
    read = lines_read(parse(text, dialect))
    return [problem for problem in found if problem.line < read]


async def syntax_problems(
    text: str, dialect: Dialect, *, limit_s: float = LIMIT_S
) -> list[SyntaxProblem]:
    """What the shell of `dialect` says is wrong with `text`; nothing where it has not said by `limit_s`.

    Nothing as well where no such shell is installed, or the copy cannot be written. Cancelling ends
    the shell.
    """
    try:
        return await _asked(text, dialect, limit_s)
    except OSError as refused:
        _log.info("the syntax is not checked: %s", refused)
        return []


async def _asked(text: str, dialect: Dialect, limit_s: float) -> list[SyntaxProblem]:
    await asyncio.to_thread(_sweep_once)
    with _folder_of_copy() as folder:
        copy = os.path.join(folder, COPY)
        await asyncio.to_thread(_write_privately, copy, text)
        for checker in CHECKERS[dialect]:
            command = [part.format(copy=copy) for part in checker.command]
            try:
                said = await asyncio.wait_for(_run(command, folder), limit_s)
            except FileNotFoundError:
                continue
            except TimeoutError:
                return []
            return _problems(said, checker.message, text.rstrip().count("\n"))
    return []


@contextlib.contextmanager
def _folder_of_copy() -> Iterator[str]:
    folder = passing_folder(_PREFIX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def _sweep_once() -> None:
    sweep(_PREFIX)


def _write_privately(path: str, text: str) -> None:
    """Write `text` to a new file of mode 0600; what a client sent as a lone surrogate becomes `?`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as copy:
        copy.write(text.encode("utf-8", "replace"))


async def _run(command: Sequence[str], folder: str) -> str:
    """What a checker writes to its standard error, `""` where it finds nothing wrong."""
    process = await programs.start(
        command,
        cwd=folder,
        env=_environment(folder),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr
    try:
        said = await _beginning(process.stderr)
        if len(said) < MOST_WORDS_BYTES:
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return said.decode("utf-8", "replace") if process.returncode else ""


async def _beginning(stream: asyncio.StreamReader) -> bytes:
    said = b""
    while len(said) < MOST_WORDS_BYTES and (piece := await stream.read(1 << 16)):
        said += piece
    return said


def _environment(folder: str) -> dict[str, str]:
    """Where shells are found, and nothing else that they would act upon."""
    return {"PATH": programs.search_path(), "HOME": folder, "LC_ALL": "C.UTF-8"}


def _problems(said: str, pattern: re.Pattern[str], last_line: int) -> list[SyntaxProblem]:
    """The problems in a shell's words, on lines that have text up to `last_line`.

    At a line end zsh has counted the line after already, and all count one more at the text's end.
    """
    found = []
    for match in filter(None, map(pattern.match, said.splitlines())):
        number, message = int(match[1]), match[2].strip()
        line = number - 2 if message.endswith(NEAR_LINE_END) else number - 1
        found.append(SyntaxProblem(max(0, min(line, last_line)), message))
    return list(dict.fromkeys(found))[:MOST_PROBLEMS]
