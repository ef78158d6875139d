"""Syntax errors as the shell itself reports them (DOC-6), from a check of a private copy.

One zsh can compile many copies, so that many documents are checked at a fraction of what a process
for each costs.

Nothing of the document is executed, and no file it names is opened: zsh only
compiles it (`zcompile`; `zsh -n` would expand some words, and with `$(<file)` read
files), bash and dash stop after parsing (`-n`). The shells run without startup files
and without the user's environment (`BASH_ENV` and `ENV` would be run). The copy is
in a folder of mode 0700 and removed afterwards; that of a crashed process is removed
when the next one checks for the first time.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Sequence

from zsh_ls.lazy import attrs, re
from zsh_ls.model.syntax import Dialect, Script, SyntaxProblem
from zsh_ls.shell.syntax.error_policy import is_case_arm, lines_read, syntax_authorities
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.parser.lexer import UNCLOSED
from zsh_ls.system import programs
from zsh_ls.system.private_folders import passing_folder, sweep

_log = logging.getLogger(__name__)

LIMIT_S = 2.0
# How many shells other than zsh run at once for several documents.
AT_ONCE = 4
MOST_PROBLEMS = 20
# A shell reports a line per error, of which a text may have a million.
MOST_WORDS_BYTES = 256 << 10
COPY = "document"
_PREFIX = "zsh-ls-syntax-"
NEAR_LINE_END = r"near `\n'"
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
# What is never closed, as zsh says it, and the word that a shell stopped at, which zsh cuts.
_NEAR_THE_END = "parse error near `\\n'"
_HEAD_WITHOUT_BODY = re.compile(r"\S\s*\(\s*\)\s*$")
UNMATCHED = re.compile(r"unmatched (['\"`])")
_OF_MACOS = re.compile(r"\bosascript\b")
_HEREDOC_END = re.compile(r"\bosascript\b[^\n]*<<[ \t]*['\"]?([A-Za-z_]\w*)")
NEAR = re.compile(r"near `(.+?)(?:\.\.\.)?'")


FUNCTION_HEAD = re.compile(r"\s*(?:function\s+[^\s()]+|[^\s()]+\s*\(\s*\))")


@attrs.frozen
class Checker:
    """A shell that checks: its command with `{copy}` for the path, and the pattern of its messages."""

    command: tuple[str, ...]
    message: re.Pattern[str]


ZSH_CHECKER = Checker(
    ("zsh", "-fc", 'setopt noaliases; zcompile -U -- "$1" "$2"', "zsh", "{copy}.zwc", "{copy}"),
    re.compile(r"zsh:(\d+): (.+)"),
)
# The same for many copies; after each a word on a line of its own, which is the first argument.
ZSH_OF_MANY = (
    'setopt noaliases; mark=$1; shift; for copy; do zcompile -U -- "$copy.zwc" "$copy";'
    ' print -ru2 -- "$mark"; done'
)
# With extglob, as the command by which a script enables it is not run here.
_BASH = Checker(
    ("bash", "--norc", "--noprofile", "-O", "extglob", "-n", "{copy}"),
    re.compile(r".*?: line (\d+): (?!`)(?!warning: )(.+)"),
)
# Where they are off, `@() {` defines a function. Nothing is certain but what neither takes.
_BASH_WITHOUT = Checker(("bash", "--norc", "--noprofile", "-n", "{copy}"), _BASH.message)
_DASH = Checker(("dash", "-n", "{copy}"), re.compile(r".*?: (\d+): (.+)"))
_BASH_AS_SH = Checker(("bash", "--posix", "-n", "{copy}"), _BASH.message)

# The first installed one is used.
CHECKERS = {
    Dialect.ZSH: (ZSH_CHECKER,),
    Dialect.BASH: (_BASH,),
    Dialect.SH: (_DASH, _BASH_AS_SH),
}


@attrs.frozen
class Document:
    """A text to check; `name` is the name or path of its file."""

    text: str
    dialect: Dialect
    name: str | None = None


async def complaints(text: str, dialect: Dialect, name: str | None = None) -> list[SyntaxProblem]:
    """The certain errors of a document: those of its shell, if no other shell could run it.

    `name` is the name or path of its file.
    """
    trial = await asyncio.to_thread(_Trial, Document(text, dialect, name))
    while trial.judge is not None:
        trial.hear(await syntax_problems(text, trial.judge))
    return await asyncio.to_thread(trial.verdict)


async def complaints_of_all(documents: Sequence[Document]) -> list[list[SyntaxProblem] | None]:
    """The `complaints` of each document; None of one that no shell judged in time, or for lack of space."""
    trials = [_Trial(each) for each in documents]
    while asked := [trial for trial in trials if trial.judge is not None]:
        for trial, problems in zip(asked, await _asked_together(asked), strict=True):
            trial.hear(problems)
    return [None if trial.failed else trial.verdict() for trial in trials]


class _Trial:
    """A document before the shells that must all reject it; `judge` is the next to be asked, if any."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._authorities = syntax_authorities(document.text, document.dialect, document.name)
        self._heard = 0
        self._found: list[SyntaxProblem] = []
        self.judge = self._authorities[0] if self._authorities else None
        self.failed = False

    def hear(self, problems: list[SyntaxProblem] | None) -> None:
        """What the judge said; None where it could not be asked."""
        if not problems:
            self._found, self.judge, self.failed = [], None, problems is None
            return
        # What is no error where `sh` is bash would hide the one that is.
        elsewhere = {each.line for each in self._found}.isdisjoint(each.line for each in problems)
        as_sh = self._authorities[0] is Dialect.SH and self.judge is Dialect.BASH
        if self._heard == 0 or (as_sh and elsewhere and self.document.text.startswith("#!")):
            self._found = problems
        self._heard += 1
        left = self._authorities[self._heard :]
        self.judge = left[0] if left else None

    def verdict(self) -> list[SyntaxProblem]:
        """The certain errors, once every judge has been heard."""
        document = self.document
        return _relevant(self._found, document.text, document.dialect) if self._found else []


def _relevant(found: list[SyntaxProblem], text: str, dialect: Dialect) -> list[SyntaxProblem]:
    """The problems that matter to whoever runs or reads the text."""
    if is_case_arm(text):
        return []
    script = parse(text, dialect)
    if dialect is Dialect.ZSH:
        found = [_on_the_line_of_the_file(problem, script) for problem in found]
    spilled = _spilled_comment(text)
    found = [_where_it_begins(problem, spilled) for problem in found]
    read = lines_read(script)
    return [problem for problem in found if problem.line < read]


def _on_the_line_of_the_file(problem: SyntaxProblem, script: Script) -> SyntaxProblem:
    """A problem in a function, whose lines zsh counts from the function's head: a faulty condition, a quote.

    Of a quote that is never closed it names the last line; where it is opened is where it is mended.
    """
    begins, _, word = problem.message.partition(": ")
    lines = script.text.split("\n")
    unmatched = UNMATCHED.fullmatch(problem.message)
    if unmatched is not None:
        wanted = f"{UNCLOSED}{unmatched[1]}"
        opened = [one.span.start for one in script.problems if one.message == wanted]
        return _moved(problem, script.text.count("\n", 0, opened[0])) if opened else problem
    if problem.message == _NEAR_THE_END:
        # Where a body should follow zsh counts from the head, and so named the file's first line.
        code = [at for at, line in enumerate(lines) if line.strip() and line.lstrip()[0] != "#"]
        is_head = bool(code) and _HEAD_WITHOUT_BODY.search(lines[code[-1]])
        return _moved(problem, code[-1]) if is_head else problem
    if begins != "condition expected" or word in lines[problem.line]:
        return problem
    heads = [at for at, line in enumerate(lines) if FUNCTION_HEAD.match(line)]
    meant = [head + problem.line + 1 for head in heads]
    meant = [at for at in meant if at < len(lines) and "[[" in lines[at] and word in lines[at]]
    if not meant:
        # Without its `]]` a condition goes on to where zsh gives it up.
        above = [at for at in range(problem.line) if "[[" in lines[at] and word in lines[at]]
        meant = above[-1:]
    return _moved(problem, meant[0]) if len(meant) == 1 else problem


def _moved(problem: SyntaxProblem, line: int) -> SyntaxProblem:
    return SyntaxProblem(line, problem.message)


def _spilled_comment(text: str) -> int | None:
    """The line (from 0) on which a comment's text goes on as code: `# tr '"' "`, and then `" | head`."""
    lines = text.split("\n")
    for at, line in enumerate(lines[1:], 1):
        head = line.lstrip()[:1]
        above = lines[at - 1].lstrip()
        if head not in {"'", '"'} or not above.startswith("#"):
            continue
        if above.count(head) % 2 or QUOTED.sub("", above)[-1:] == head:
            return at
    return None


def _where_it_begins(problem: SyntaxProblem, spilled: int | None) -> SyntaxProblem:
    """A problem behind a quote that the end of a comment spilled: all from there on is read the wrong way."""
    if spilled is None or problem.line <= spilled:
        return problem
    said = problem.message
    if UNMATCHED.fullmatch(said) is None and "matching" not in said:
        said = f"{said} on line {problem.line + 1}: the quote opened here, under a comment, reaches to there"
    return SyntaxProblem(spilled, said)


async def syntax_problems(
    text: str, dialect: Dialect, *, limit_s: float = LIMIT_S
) -> list[SyntaxProblem]:
    """The errors that the shell of `dialect` reports for `text` within `limit_s`.

    Empty if it takes longer, no such shell is installed, or the copy cannot be written. Cancelling
    ends the shell.
    """
    return await _asked(text, dialect, limit_s) or []


async def _asked(text: str, dialect: Dialect, limit_s: float) -> list[SyntaxProblem] | None:
    """The errors of one text; None where its shell did not answer in time, or no copy could be written."""
    try:
        async with _copies([text]) as (copy,):
            return await _judged(text, dialect, copy, limit_s)
    except OSError as refused:
        _log.info("the syntax is not checked: %s", refused)
        return None


async def _asked_together(trials: Sequence[_Trial]) -> list[list[SyntaxProblem] | None]:
    """What the next judge of each says: one zsh of all that are zsh's, a process for each other."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def asked(trial: _Trial, copy: str) -> list[SyntaxProblem] | None:
        assert trial.judge
        if copy in known:
            return _problems_of(known[copy], ZSH_CHECKER, trial.document.text)
        async with slots:
            try:
                return await _judged(trial.document.text, trial.judge, copy, LIMIT_S)
            except OSError as refused:
                _log.info("the syntax is not checked: %s", refused)
                return None

    try:
        async with _copies([trial.document.text for trial in trials]) as copies:
            of_zsh = [
                copy
                for trial, copy in zip(trials, copies, strict=True)
                if trial.judge is Dialect.ZSH
            ]
            known = await _messages_of_zsh(of_zsh) if len(of_zsh) > 1 else {}
            return await asyncio.gather(*map(asked, trials, copies))
    except OSError as refused:
        _log.info("the syntax is not checked: %s", refused)
        return [None] * len(trials)


async def _judged(
    text: str, dialect: Dialect, copy: str, limit_s: float
) -> list[SyntaxProblem] | None:
    """What the shell of a dialect says of one copy; None if it takes longer than `limit_s`."""
    for checker in CHECKERS[dialect]:
        try:
            found = await _said_by(checker, text, copy, limit_s)
            if found and checker is _BASH and "extglob" not in text:
                found = await _said_by(_BASH_WITHOUT, text, copy, limit_s) and found
            older = as_bash_of_macos_reads(text) if found and checker is _BASH else text
            if older != text:
                async with _copies([older]) as (copy_of_older,):
                    found = await _said_by(checker, older, copy_of_older, limit_s) and found
        except FileNotFoundError:
            continue
        return found
    return []


async def _said_by(
    checker: Checker, text: str, copy: str, limit_s: float
) -> list[SyntaxProblem] | None:
    """What one checker says of a copy; None if it takes longer. Raises FileNotFoundError."""
    command = [part.format(copy=copy) for part in checker.command]
    try:
        messages = await asyncio.wait_for(_run(command, os.path.dirname(copy)), limit_s)
    except TimeoutError:
        return None
    return _problems_of(messages, checker, text)


async def _messages_of_zsh(copies: Sequence[str]) -> dict[str, str]:
    """What one zsh says of each copy, for all that it comes to within the limit for one."""
    # Behind each copy it says a word that no document knows.
    mark = secrets.token_hex(16)
    command = ("zsh", "-fc", ZSH_OF_MANY, "zsh", mark, *copies)
    try:
        messages = await asyncio.wait_for(_run(command, os.path.dirname(copies[0])), LIMIT_S)
    except (FileNotFoundError, TimeoutError):
        return {}
    *said, _ = messages.split(f"{mark}\n")
    return dict(zip(copies, said, strict=False))


def _problems_of(messages: str, checker: Checker, text: str) -> list[SyntaxProblem]:
    """The errors among a checker's messages about a text."""
    found = _problems(messages, checker.message, text.rstrip().count("\n"))
    if checker is ZSH_CHECKER:
        # It stops at the first: the next message is of the word that this one's substitution is in.
        outer = next((each for each in found if each.line != found[0].line), None)
        inner = [each for each in found if each.line == found[0].line]
        return inner if outer is None else [_in_the_word(each, outer, text) for each in inner]
    # What bash never finds the end of, behind an error, is that error's doing.
    return [each for each in found if each is found[0] or "unexpected EOF" not in each.message]


def _in_the_word(problem: SyntaxProblem, outer: SyntaxProblem, text: str) -> SyntaxProblem:
    """A problem in a substitution, whose lines zsh may count from a function; `outer` names its word."""
    word, stopped_at = NEAR.search(outer.message), NEAR.search(problem.message)
    if word is None or stopped_at is None:
        return problem
    lines = text.split("\n")
    last = min(outer.line, len(lines) - 1)
    begins = word[1].partition("\n")[0]
    for first in range(last, -1, -1):
        if begins not in lines[first]:
            continue
        if first <= problem.line <= last and stopped_at[1] in lines[problem.line]:
            return problem
        for at in range(first, last + 1):
            if stopped_at[1] in lines[at]:
                return _moved(problem, at)
    return problem


def as_bash_of_macos_reads(text: str) -> str:
    """A script of macOS with the ends of its here-documents on lines of their own, unindented.

    Its bash is 3.2 for good, for which a text within `$(…)` ends with the substitution at the latest.
    """
    if not _OF_MACOS.search(text):
        return text
    ends = "|".join({re.escape(word) for word in _HEREDOC_END.findall(text)})
    return (
        re.sub(rf"(?m)^[ \t]*({ends})(\)?)[ \t]*(?:(?<=[) \t])#.*)?$", r"\1\n\2", text)
        if ends
        else text
    )


@contextlib.asynccontextmanager
async def _copies(texts: Sequence[str]) -> AsyncIterator[list[str]]:
    """Private copies of texts in a folder of their own, which is removed in the end. Raises OSError."""
    await asyncio.to_thread(_sweep_once)
    folder = passing_folder(_PREFIX)
    try:
        copies = [os.path.join(folder, f"{COPY}{number or ''}") for number in range(len(texts))]
        await asyncio.to_thread(_write_all, copies, texts)
        yield copies
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write_all(copies: Sequence[str], texts: Sequence[str]) -> None:
    for copy, text in zip(copies, texts, strict=True):
        _write_privately(copy, text)


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
