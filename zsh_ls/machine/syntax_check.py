"""Syntax errors as the shell itself reports them (DOC-6), from a check of a private copy.

Nothing of the document is executed, and no file it names is opened: zsh only
compiles it (`zcompile`; `zsh -n` would expand some words, and with `$(<file)` read
files), bash and dash stop after parsing (`-n`). The shells run without startup files
and without the user's environment (`BASH_ENV` and `ENV` would be run). The copy is
in a folder of mode 0700 and removed afterwards; that of a crashed process is removed
when the next one checks for the first time.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import re
import shutil
from collections.abc import Sequence

import attrs

from zsh_ls.model.syntax import Dialect, SyntaxProblem
from zsh_ls.shell.syntax.error_policy import is_case_arm, lines_read, syntax_authorities
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.system import programs
from zsh_ls.system.private_folders import passing_folder, sweep

_log = logging.getLogger(__name__)

LIMIT_S = 2.0
MOST_PROBLEMS = 20
# A shell reports a line per error, of which a text may have a million.
MOST_WORDS_BYTES = 256 << 10
COPY = "document"
_PREFIX = "zsh-ls-syntax-"
NEAR_LINE_END = r"near `\n'"


FUNCTION_HEAD = re.compile(r"\s*(?:function\s+[^\s()]+|[^\s()]+\s*\(\s*\))")


@attrs.frozen
class Checker:
    """A shell that checks: its command with `{copy}` for the path, and the pattern of its messages."""

    command: tuple[str, ...]
    message: re.Pattern[str]


_ZSH = Checker(
    ("zsh", "-fc", 'setopt noaliases; zcompile -U -- "$1" "$2"', "zsh", "{copy}.zwc", "{copy}"),
    re.compile(r"zsh:(\d+): (.+)"),
)
# With extglob, as the command by which a script enables it is not run here.
_BASH = Checker(
    ("bash", "--norc", "--noprofile", "-O", "extglob", "-n", "{copy}"),
    re.compile(r".*?: line (\d+): (?!`)(?!warning: )(.+)"),
)
_DASH = Checker(("dash", "-n", "{copy}"), re.compile(r".*?: (\d+): (.+)"))
_BASH_AS_SH = Checker(("bash", "--posix", "-n", "{copy}"), _BASH.message)

# The first installed one is used.
CHECKERS = {
    Dialect.ZSH: (_ZSH,),
    Dialect.BASH: (_BASH,),
    Dialect.SH: (_DASH, _BASH_AS_SH),
}


async def complaints(text: str, dialect: Dialect, name: str | None = None) -> list[SyntaxProblem]:
    """The certain errors of a document: those of its shell, if no other shell could run it.

    `name` is the name or path of its file.
    """
    asked = syntax_authorities(text, dialect, name)
    found: list[SyntaxProblem] = []
    for number, judge in enumerate(asked):
        problems = await syntax_problems(text, judge)
        if not problems:
            return []
        # What is no error where `sh` is bash would hide the one that is.
        elsewhere = {each.line for each in found}.isdisjoint(each.line for each in problems)
        as_sh = asked[0] is Dialect.SH and judge is Dialect.BASH
        if number == 0 or (as_sh and elsewhere and text.startswith("#!")):
            found = problems
    return await asyncio.to_thread(_relevant, found, text, dialect) if found else []


def _relevant(found: list[SyntaxProblem], text: str, dialect: Dialect) -> list[SyntaxProblem]:
    """The problems that matter to whoever runs or reads the text."""
    if is_case_arm(text):
        return []
    if dialect is Dialect.ZSH:
        found = [_on_the_line_of_the_file(problem, text) for problem in found]
    read = lines_read(parse(text, dialect))
    return [problem for problem in found if problem.line < read]


def _on_the_line_of_the_file(problem: SyntaxProblem, text: str) -> SyntaxProblem:
    """A faulty condition of a function, whose lines zsh counts from the function's head."""
    begins, _, word = problem.message.partition(": ")
    lines = text.split("\n")
    if begins != "condition expected" or word in lines[problem.line]:
        return problem
    heads = [at for at, line in enumerate(lines) if FUNCTION_HEAD.match(line)]
    meant = [head + problem.line + 1 for head in heads]
    meant = [at for at in meant if at < len(lines) and "[[" in lines[at] and word in lines[at]]
    return SyntaxProblem(meant[0], problem.message) if len(meant) == 1 else problem


async def syntax_problems(
    text: str, dialect: Dialect, *, limit_s: float = LIMIT_S
) -> list[SyntaxProblem]:
    """The errors that the shell of `dialect` reports for `text` within `limit_s`.

    Empty if it takes longer, no such shell is installed, or the copy cannot be written. Cancelling
    ends the shell.
    """
    try:
        return await _asked(text, dialect, limit_s)
    except OSError as refused:
        _log.info("the syntax is not checked: %s", refused)
        return []


async def _asked(text: str, dialect: Dialect, limit_s: float) -> list[SyntaxProblem]:
    await asyncio.to_thread(_sweep_once)
    folder = passing_folder(_PREFIX)
    try:
        copy = os.path.join(folder, COPY)
        await asyncio.to_thread(_write_privately, copy, text)
        for checker in CHECKERS[dialect]:
            command = [part.format(copy=copy) for part in checker.command]
            try:
                messages = await asyncio.wait_for(_run(command, folder), limit_s)
            except FileNotFoundError:
                continue
            except TimeoutError:
                return []
            found = _problems(messages, checker.message, text.rstrip().count("\n"))
            if dialect is Dialect.ZSH:
                # It stops at the first: the next message is of the substitution that this one is in.
                return [each for each in found if each.line == found[0].line]
            return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return []


@functools.cache
def _sweep_once() -> None:
    sweep(_PREFIX)


def _write_privately(path: str, text: str) -> None:
    """Write `text` to a new file of mode 0600; lone surrogates become `?`."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as copy:
        copy.write(text.encode("utf-8", "replace"))


async def _run(command: Sequence[str], folder: str) -> str:
    """The standard error of a checker."""
    process = await programs.start(
        command,
        cwd=folder,
        # The search path for shells, and no other variable with an effect on them.
        env={"PATH": programs.search_path(), "HOME": folder, "LC_ALL": "C.UTF-8"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr
    messages = b""
    try:
        while len(messages) < MOST_WORDS_BYTES and (piece := await process.stderr.read(1 << 16)):
            messages += piece
        # A shell that still has more to say is not waited for.
        if len(messages) < MOST_WORDS_BYTES:
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    # Of a faulty `[[` bash complains, and exits 0 where nothing follows it.
    return messages.decode("utf-8", "replace")


def _problems(messages: str, pattern: re.Pattern[str], last_line: int) -> list[SyntaxProblem]:
    """The problems in a shell's messages, on lines with text up to `last_line`.

    At a line end zsh reports the next line, and at the end of the text all shells report one more.
    """
    found = []
    for match in filter(None, map(pattern.match, messages.splitlines())):
        number, message = int(match[1]), match[2].strip()
        line = number - 2 if message.endswith(NEAR_LINE_END) else number - 1
        found.append(SyntaxProblem(max(0, min(line, last_line)), message))
    return list(dict.fromkeys(found))[:MOST_PROBLEMS]
