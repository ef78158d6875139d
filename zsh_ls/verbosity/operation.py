"""Which operation a command line is: decided by programs, targets and scripts, never by arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

import attrs

from .matching import operation_by
from .names import kind_of_script, kind_of_target
from .programs import Program, programs
from .rules import ProgramRule, rules

_VERSION = re.compile(r"@[\w.^~-]+$|[-.]?\d+(?:\.\d+)*$")
_SCRIPT_ENDING = re.compile(r"\.(?:m?[jt]s|c[jt]s|py|rb|php|sh|bash|zsh|bat|cmd|exe|pl|lua|ps1)$")
_BUILTIN_LOOKALIKES = frozenset({"test", "time", "build", "run", "check", "lint", "serve"})


@attrs.frozen
class Seen:
    """What one program is, and whether its output may come from some other program it runs."""

    operation: str
    opaque: bool = False


@attrs.frozen
class CommandLine:
    """What a command line is; `programs` are what it runs.

    `opaque` is true where a runner's signature in the output may say more than
    the command does; `hidden` where a failure of what gives the operation its
    name need not reach the exit.
    """

    operation: str
    programs: tuple[Program, ...]
    opaque: bool
    hidden: bool


@lru_cache(maxsize=256)
def read_command(command: str) -> CommandLine:
    """What `command` is, from its text alone."""
    found = programs(command)
    seen = [see(program) for program in found]
    operation = _together(found, seen)
    return CommandLine(
        operation,
        found,
        opaque=any(one.opaque for one in seen),
        hidden=_hidden(operation, found, seen),
    )


def _hidden(operation: str, found: Sequence[Program], seen: Sequence[Seen]) -> bool:
    named = [p for p, one in zip(found, seen, strict=True) if one.operation == operation]
    return not all(program.exit_shows for program in named or found)


def _together(found: Sequence[Program], seen: Sequence[Seen]) -> str:
    """The operation of several programs: a test before a server before a build before a lint."""
    if any(one.operation == "test" for one in seen):
        return "test"
    if any(_serves(program, one) for program, one in zip(found, seen, strict=True)):
        return "dev_server"
    for operation in ("build", "lint"):
        if any(one.operation == operation for one in seen):
            return operation
    if len(found) == 1 and seen[0].operation == "dev_server":
        return "dev_server"
    return _reading(found, seen)


def _serves(program: Program, seen: Seen) -> bool:
    return seen.operation == "dev_server" and not program.background and not program.nested


def _reading(found: Sequence[Program], seen: Sequence[Seen]) -> str:
    """What a line is that only looks: its one operation, unless other programs have their say."""
    neutral, through = rules().neutral, rules().pass_through
    main = [
        one.operation
        for program, one in zip(found, seen, strict=True)
        if not program.nested
        and program.name not in neutral
        and not (program.fed and program.name in through)
    ]
    return main[0] if main and len(set(main)) == 1 else "command"


def see(program: Program) -> Seen:
    """What one program is."""
    for rule in _rules_of(program):
        operation = operation_by(rule, program.words)
        if operation and (operation != "file_read" or _reads(program)):
            # A build may run tests, and what is only known to be a command anything.
            return Seen(operation, opaque=rule.targets or operation in ("build", "command"))
    word = program.words[0]
    if program.target:
        kind = kind_of_target(word)
        return Seen(kind or "command", opaque=bool(kind) or program.name not in rules().plain)
    if program.script or "/" in word or _SCRIPT_ENDING.search(word):
        return Seen(kind_of_script(word), opaque=True)
    return Seen("command", opaque=program.name not in rules().plain)


def _reads(program: Program) -> bool:
    """Whether a program that shows files has one to show (`cat > x <<EOF` has none)."""
    operands = [word for word in program.words[1:] if not word.startswith("-")]
    return bool(operands) or not program.heredoc


def _rules_of(program: Program) -> Iterator[ProgramRule]:
    for name in _names(program):
        yield from rules().programs.get(name, ())
        yield from (rule for glob, rule in rules().patterned_programs if fnmatchcase(name, glob))


def _names(program: Program) -> Iterator[str]:
    """The names a program may be listed under: as it is, without its ending, without its version."""
    name, word = program.name, program.words[0]
    is_file = program.script or ("/" in word and not word.startswith(("/bin/", "/usr/")))
    if name not in _BUILTIN_LOOKALIKES or not (is_file or program.target):
        yield name
    stem = _SCRIPT_ENDING.sub("", name)
    if stem != name and stem not in _BUILTIN_LOOKALIKES:
        yield stem
    bare = _VERSION.sub("", stem)
    if bare and bare != stem:
        yield bare
