"""How a word may go on: names of the script, the shell's own words, programs on PATH, flags of a page.

Nothing is started. Folders of PATH are listed, and the one whose files are being completed. What the script
defines may be a keystroke old: nobody waits for a long text to be read again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial
from itertools import islice
from weakref import ref

from zsh_ls.answers.builtins import BUILTINS
from zsh_ls.lazy import attrs, re
from zsh_ls.machine.argument_names import (
    branches,
    files,
    just_recipes,
    make_targets,
    npm_scripts,
)
from zsh_ls.machine.commands_on_path import CommandsOnPath
from zsh_ls.machine.page_files import sub_pages
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.ide.completion import Begun, Wanted, begun_at
from zsh_ls.shell.manpages.option_table import complete
from zsh_ls.shell.manpages.page import page_names
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.template.tables import SUB_COMMANDS
from zsh_ls.shell.words.vocabulary import SHELL_WORDS, word_set
from zsh_ls.shell.zsh_manual.lookup import manual
from zsh_ls.sidecar.documents.executor import run_in_thread, run_maybe_in_thread
from zsh_ls.sidecar.documents.store import Read, Readings, path_of
from zsh_ls.sidecar.environment import CachedEnvironment
from zsh_ls.sidecar.manpages import Pages
from zsh_ls.system.sorting import sorted_in_turns

from .types import Completion, CompletionKind, Completions

# Nobody reads more; a client asks again with each letter while there are more.
MOST_OFFERED = 2_000
# Structures by the word they begin with, for clients that can fill places in.
SNIPPETS = {
    "if …; then … fi": "if ${1:command}; then\n\t$0\nfi",
    "for … in …; do … done": "for ${1:name} in ${2:words}; do\n\t$0\ndone",
    "while …; do … done": "while ${1:command}; do\n\t$0\ndone",
    "while read … done": "while IFS= read -r ${1:line}; do\n\t$0\ndone <${2:file}",
    "until …; do … done": "until ${1:command}; do\n\t$0\ndone",
    "case … in … esac": "case ${1:word} in\n\t${2:pattern})\n\t\t$0\n\t\t;;\nesac",
    "function …() { … }": "${1:name}() {\n\t$0\n}",
}
_MOST_WORDS = 80
_SENTENCE_END = re.compile(r"(?<!i\.e)(?<!e\.g)\. ")
# What a shell would read otherwise in a name.
_SPECIAL = re.compile(r"[^\w@%+:,./~-]")


@attrs.frozen
class _NamesOf:
    """Names that arguments of a program have in the project, anywhere or `behind` one of these words."""

    kind: CompletionKind
    detail: str
    names: Callable[[str], Iterable[str]]
    behind: frozenset[str] | None = None


_MAKE = _NamesOf(CompletionKind.TARGET, "target of the Makefile", make_targets)
_NPM = _NamesOf(
    CompletionKind.TARGET, "script of package.json", npm_scripts, word_set("run run-script")
)
NAMES_OF: Mapping[str, _NamesOf] = {
    **dict.fromkeys(["make", "gmake"], _MAKE),
    **dict.fromkeys(["npm", "pnpm", "yarn", "bun"], _NPM),
    "just": _NamesOf(CompletionKind.TARGET, "recipe of the justfile", just_recipes),
    "git": _NamesOf(
        CompletionKind.BRANCH,
        "branch",
        branches,
        word_set(
            "branch checkout cherry-pick diff log merge pull push rebase reset show switch worktree"
        ),
    ),
}


@attrs.frozen
class _Named:
    """The parameters of a script, as of one reading of it."""

    read: ref[Read]
    parameters: frozenset[str]


class Completing:
    """What completion looks at, and what it keeps between two keystrokes."""

    def __init__(self, readings: Readings, pages: Pages, environment: CachedEnvironment) -> None:
        self._readings = readings
        self._pages = pages
        self._environment = environment
        self._on_path = CommandsOnPath()
        self._named: dict[str, _Named] = {}
        self._naming: dict[str, asyncio.Task[_Named]] = {}

    async def at(self, uri: str, offset: int) -> Completions:
        """What may stand at a place of an open document."""
        nothing = Completions(Span(offset, offset))
        read, text = await self._readings.read_lately(uri), self._readings.text(uri)
        if read is None or text is None:
            return nothing
        begun = begun_at(text, offset, read.script.dialect, read.script)
        if begun is None:
            return nothing
        if begun.wanted is Wanted.COMMAND:
            return await self._commands(begun, read)
        return Completions(begun.span, tuple(await self._others(begun, uri, read)))

    async def purpose(self, command: str) -> str:
        """What a command is for."""
        page = await self._pages.first((command,))
        return "" if page is None else page.purpose

    async def _others(self, begun: Begun, uri: str, read: Read) -> Iterable[Completion]:
        match begun.wanted:
            case Wanted.PARAMETER:
                return _parameters(begun.prefix, read, await self._parameters(uri, read))
            case Wanted.FLAG:
                return await self._flags(begun, read.script.dialect)
            case Wanted.OPTION:
                return _options(begun, read.script.dialect)
            case Wanted.QUALIFIER | Wanted.EXPANSION_FLAG:
                return _letters(begun.wanted.value)
            case _:
                path = path_of(uri)
                folder = os.path.dirname(path) if path is not None else None
                return await asyncio.to_thread(_arguments, begun, folder)

    async def _commands(self, begun: Begun, read: Read) -> Completions:
        """Functions, the shell's own words, and from the first letter on the programs on PATH."""
        programs: Set[str] = frozenset()
        if begun.prefix:
            variables = await self._environment.variables() or os.environ
            path = variables.get("PATH")
            programs = (await asyncio.to_thread(self._on_path.programs, path)).names
        begins = partial(_commands_beginning, read, programs, begun.prefix)
        found = await run_maybe_in_thread(len(read.script.text), begins)
        is_complete = bool(begun.prefix) and len(found) <= MOST_OFFERED
        return Completions(begun.span, tuple(found[:MOST_OFFERED]), is_complete=is_complete)

    async def _flags(self, begun: Begun, dialect: Dialect) -> list[Completion]:
        page = await self._pages.first(page_names(begun.command), dialect)
        if page is None:
            return []
        return [
            Completion(CompletionKind.FLAG, form.flag, entry.description)
            for form, entry in complete(page.options, begun.prefix)
        ]

    async def _parameters(self, uri: str, read: Read) -> frozenset[str]:
        """The script's parameters; those of an older reading while the newer one is looked through."""
        known = self._named.get(uri)
        if (known is None or known.read() is not read) and uri not in self._naming:
            self._naming[uri] = asyncio.create_task(self._name(uri, read))
        if known is None:
            known = await asyncio.shield(self._naming[uri])
        return known.parameters

    async def _name(self, uri: str, read: Read) -> _Named:
        def parameters() -> frozenset[str]:
            definitions = names_of(read.script).definitions
            return frozenset(it.name for it in definitions if it.kind is NameKind.VARIABLE)

        try:
            self._named[uri] = _Named(ref(read), await run_in_thread(parameters))
            return self._named[uri]
        finally:
            del self._naming[uri]
            for closed in [known for known in self._named if self._readings.text(known) is None]:
                del self._named[closed]


def _commands_beginning(read: Read, programs: Set[str], prefix: str) -> list[Completion]:
    """What begins so, the script's own first; one more than is offered where there are more."""
    own = (it for it in _own_commands(read) if it.label.startswith(prefix))
    found = list(islice(own, MOST_OFFERED + 1))
    others = programs - {it.label for it in found}
    names = sorted(name for name in others if name.startswith(prefix))
    commands = (Completion(CompletionKind.COMMAND, name) for name in names)
    return found + list(islice(commands, MOST_OFFERED + 1 - len(found)))


def _own_commands(read: Read) -> Iterator[Completion]:
    # One by one: no other thread runs while a table is made of very many.
    functions: dict[str, None] = {}
    for made in read.script.functions:
        for name in map(read.script.source, made.words):
            if name not in functions:
                functions[name] = None
                yield Completion(CompletionKind.FUNCTION, name, "function of this script")
    words = SHELL_WORDS[read.script.dialect]
    for name in sorted(name for name in words.builtins if name not in functions):
        yield Completion(CompletionKind.BUILTIN, name, BUILTINS.get(name, ""))
    for name in sorted(words.reserved):
        yield Completion(CompletionKind.KEYWORD, name)
    for name, text in SNIPPETS.items():
        yield Completion(CompletionKind.SNIPPET, name, inserts=text)


def _parameters(prefix: str, read: Read, own: frozenset[str]) -> Iterator[Completion]:
    """The script's, then what the shell sets and what stands in the environment."""
    usual = SHELL_WORDS[read.script.dialect].parameters | os.environ.keys()
    for names, detail in ((own, "of this script"), (usual - own, "")):
        for name in sorted_in_turns((it for it in names if it.startswith(prefix)), lambda it: it):
            yield Completion(CompletionKind.PARAMETER, name, detail)


def _options(begun: Begun, dialect: Dialect) -> Iterator[Completion]:
    """Options by their names; zsh takes any case, underscores anywhere, and `no` before each."""
    names = sorted(SHELL_WORDS[dialect].options[begun.takes])
    if dialect is not Dialect.ZSH:
        yield from (_option(name) for name in names if name.startswith(begun.prefix))
        return
    plain = _even(begun.prefix)
    for lead in ("", "no_") if plain.startswith("no") else ("",):
        for name in (lead + name for name in names):
            if _even(name).startswith(plain):
                yield _option(name.upper() if begun.prefix.isupper() else name)


def _letters(kind: str) -> Iterator[Completion]:
    """What zsh's manual has of a kind, in its order: glob qualifiers, flags of expansions."""
    for (sort, name), entry in manual().items():
        if sort == kind:
            first = _SENTENCE_END.split(entry.text, maxsplit=1)[0]
            detail = first if len(first) <= _MOST_WORDS else first[: _MOST_WORDS - 1] + "…"
            yield Completion(CompletionKind.LETTER, name, detail)


def _option(name: str) -> Completion:
    return Completion(CompletionKind.OPTION, name)


def _even(name: str) -> str:
    return name.lower().replace("_", "")


def _arguments(begun: Begun, folder: str | None) -> list[Completion]:
    """Targets, scripts and branches of the program's project or its sub-commands, else or then files."""
    words = begun.command.split()
    before = frozenset(words[1:] if not begun.prefix else words[1:-1])
    named = NAMES_OF.get(os.path.basename(words[0])) if words else None
    if named is None or (named.behind is not None and not named.behind & before):
        found = _sub_commands(begun)
        if found or folder is None:
            return found
    elif folder is None:
        return []
    else:
        names = (name for name in named.names(folder) if name.startswith(begun.prefix))
        found = [Completion(named.kind, name, named.detail) for name in names]
    if "\\" not in begun.prefix:
        for name in files(folder, begun.prefix):
            kind = CompletionKind.FOLDER if name.endswith("/") else CompletionKind.FILE
            found.append(Completion(kind, _SPECIAL.sub(r"\\\g<0>", name)))
    return found[:MOST_OFFERED]


def _sub_commands(begun: Begun) -> list[Completion]:
    """What a program that is known to take sub-commands does: by our table, else by its pages."""
    program = next(reversed(page_names(begun.command)), "")
    table = SUB_COMMANDS.get(program)
    names = (table.first or sub_pages(program)) if table else ()
    found = sorted(name for name in names if name.startswith(begun.prefix))
    return [Completion(CompletionKind.SUB_COMMAND, name) for name in found]
