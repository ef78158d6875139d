"""Determines the operation of a command line from programs, targets and scripts, never from arguments."""

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
class ProgramOperation:
    """A program's operation, and whether its output may come from another program that it runs."""

    operation: str
    opaque: bool = False


@attrs.frozen
class CommandLine:
    """A command line's operation and programs.

    `opaque` says that a test runner's marks in the output may tell more than the
    command; `hidden` that a failure of the program that determines the operation may
    not reach the exit status.
    """

    operation: str
    programs: tuple[Program, ...]
    opaque: bool
    hidden: bool


@lru_cache(maxsize=256)
def read_command(command: str) -> CommandLine:
    """Determine the operation and the programs of `command`."""
    found = programs(command)
    seen = [operation_of(program) for program in found]
    operation = _combined_operation(found, seen)
    return CommandLine(
        operation,
        found,
        opaque=any(one.opaque for one in seen),
        hidden=_hidden(operation, found, seen),
    )


def _hidden(operation: str, found: Sequence[Program], seen: Sequence[ProgramOperation]) -> bool:
    named = [p for p, one in zip(found, seen, strict=True) if one.operation == operation]
    return not all(program.exit_shows for program in named or found)


def _combined_operation(found: Sequence[Program], seen: Sequence[ProgramOperation]) -> str:
    """The operation of several programs: test before server before build before lint."""
    if any(one.operation == "test" for one in seen):
        return "test"
    if any(_serves(program, one) for program, one in zip(found, seen, strict=True)):
        return "dev_server"
    for operation in ("build", "lint"):
        if any(one.operation == operation for one in seen):
            return operation
    if len(found) == 1 and seen[0].operation == "dev_server":
        return "dev_server"
    return _reading_operation(found, seen)


def _serves(program: Program, seen: ProgramOperation) -> bool:
    return seen.operation == "dev_server" and not program.background and not program.nested


def _reading_operation(found: Sequence[Program], seen: Sequence[ProgramOperation]) -> str:
    """The operation of a line that only reads: the one of all its main programs, else `command`."""
    neutral, through = rules().neutral, rules().pass_through
    main = [
        one.operation
        for program, one in zip(found, seen, strict=True)
        if not program.nested
        and program.name not in neutral
        and not (program.fed and program.name in through)
    ]
    return main[0] if main and len(set(main)) == 1 else "command"


def operation_of(program: Program) -> ProgramOperation:
    """The operation of one program."""
    for rule in _rules_of(program):
        operation = operation_by(rule, program.words)
        if operation and (operation != "file_read" or _reads(program)):
            # A build may run tests, and a mere command may run anything.
            return ProgramOperation(
                operation, opaque=rule.targets or operation in ("build", "command")
            )
    word = program.words[0]
    if program.target:
        kind = kind_of_target(word)
        return ProgramOperation(
            kind or "command", opaque=bool(kind) or program.name not in rules().plain
        )
    if program.script or "/" in word or _SCRIPT_ENDING.search(word):
        return ProgramOperation(kind_of_script(word), opaque=True)
    return ProgramOperation("command", opaque=program.name not in rules().plain)


def _reads(program: Program) -> bool:
    """Whether a program that shows files has a file (`cat > x <<EOF` has none)."""
    operands = [word for word in program.words[1:] if not word.startswith("-")]
    return bool(operands) or not program.heredoc


def _rules_of(program: Program) -> Iterator[ProgramRule]:
    for name in _names(program):
        yield from rules().programs.get(name, ())
        yield from (rule for glob, rule in rules().patterned_programs if fnmatchcase(name, glob))


def _names(program: Program) -> Iterator[str]:
    """The names a program may be listed under: its own, without suffix, without version."""
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
