"""Which operation a command line is: decided by programs, targets and scripts, never by arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Literal

import attrs

from zsh_ls.shell.wrappers import base_name

from .programs import Program, programs
from .rules import ProgramRule, rules

Operation = Literal[
    "test", "build", "lint", "file_read", "listing", "git_log", "dev_server", "command"
]
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VERSION = re.compile(r"@[\w.^~-]+$|[-.]?\d+(?:\.\d+)*$")
_SCRIPT_ENDING = re.compile(r"\.(?:m?[jt]s|c[jt]s|py|rb|php|sh|bash|zsh|bat|cmd|exe|pl|lua|ps1)$")
_NONE: frozenset[str] = frozenset()
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


@cache
def _cached(command: str) -> CommandLine:
    found = programs(command)
    seen = [see(program) for program in found]
    operation = _together(found, seen)
    return CommandLine(
        operation,
        found,
        opaque=any(one.opaque for one in seen),
        hidden=_hidden(operation, found, seen),
    )


def read_command(command: str) -> CommandLine:
    """What `command` is, from its text alone."""
    return _cached(command) if len(command) < 500 else _cached.__wrapped__(command)


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
    words = program.words
    for name in _names(program):
        for rule in _rules_of(name):
            found = _matched(rule, words)
            if found == "file_read" and not _reads(program):
                continue
            if found:
                return Seen(found, opaque=bool(rule.targets) or found in ("build", "command"))
    if program.target and (kind := _kind_of_name(words[0])):
        return Seen(kind, opaque=True)
    if (
        program.script or "/" in words[0] or _SCRIPT_ENDING.search(words[0])
    ) and not program.target:
        return Seen(_kind_of_script(words[0]), opaque=True)
    return Seen("command", opaque=program.name not in rules().plain)


def _reads(program: Program) -> bool:
    """Whether a program that shows files has one to show (`cat > x <<EOF` has none)."""
    operands = [word for word in program.words[1:] if not word.startswith("-")]
    return bool(operands) or not program.heredoc


def _names(program: Program) -> Iterable[str]:
    """The names a program may be listed under: as it is, without its ending, without its version."""
    name, word = program.name, program.words[0]
    is_file = program.script or ("/" in word and not word.startswith(("/bin/", "/usr/")))
    if not (name in _BUILTIN_LOOKALIKES and (is_file or program.target)):
        yield name
    stem = _SCRIPT_ENDING.sub("", name)
    if stem != name and stem not in _BUILTIN_LOOKALIKES:
        yield stem
    bare = _VERSION.sub("", stem)
    if bare not in (stem, name) and bare:
        yield bare


def _rules_of(name: str) -> Iterable[ProgramRule]:
    yield from rules().programs.get(name, ())
    for pattern, rule in rules().patterned_programs:
        if fnmatchcase(name, pattern):
            yield rule


def _matched(rule: ProgramRule, words: Sequence[str]) -> str | None:
    """The operation `rule` gives these words, None where it does not speak of them."""
    every = {word.partition("=")[0] for word in words[1:]}
    arguments = list(words[1:])
    if "--" in arguments:
        arguments = arguments[: arguments.index("--")]
    options = {word.partition("=")[0] for word in arguments}
    operands = _operands(arguments, rule, rules().valued_options.get(base_name(words[0]), _NONE))
    if rule.unless & (options | set(arguments)) or not _speaks(rule, every, operands):
        return None
    if rule.targets or rule.target_options:
        return _of_targets(rule, words[0], arguments, operands)
    return rule.operation


def _speaks(rule: ProgramRule, options: set[str], operands: Sequence[str]) -> bool:
    if rule.flags and not rule.flags & options:
        return False
    if rule.any and not any(fnmatchcase(o, pattern) for o in operands for pattern in rule.any):
        return False
    if operands and operands[0] in rule.except_verbs:
        return False
    return not rule.verbs or any(_begins(operands, verb) for verb in rule.verbs)


def _begins(operands: Sequence[str], verb: Sequence[str]) -> bool:
    return len(operands) >= len(verb) and all(map(fnmatchcase, operands, verb))


def _operands(arguments: Sequence[str], rule: ProgramRule, valued: frozenset[str]) -> list[str]:
    """The arguments that are no options, values of options, settings or toolchains (`+nightly`)."""
    operands: list[str] = []
    skip = False
    for word in arguments:
        if skip:
            skip = False
        elif word.startswith("-") and len(word) > 1:
            skip = word in valued or word in rule.valued or word in rule.target_options
        elif not (word.startswith("+") and not operands) and not re.match(r"[A-Za-z_]\w*=", word):
            operands.append(word)
    return operands


def _of_targets(
    rule: ProgramRule, program: str, arguments: Sequence[str], operands: Sequence[str]
) -> str:
    names = [name for name in operands if name not in rule.through] if rule.targets else []
    names += _option_values(arguments, rule.target_options)
    if not names and rule.bare:
        return rule.bare
    if any(fnmatchcase(name, pattern) for name in names for pattern in rule.quiet):
        return "command"
    words = rules().target_words
    built = program.rpartition("/")[2] in words["programs"]
    kinds = [
        "test" if built and name.rpartition(":")[2] in words["test"] else _kind_of_name(name)
        for name in names
    ]
    for kind in ("test", "lint", "build", "dev_server"):
        if kind in kinds:
            return kind
    return rule.operation


def _option_values(arguments: Sequence[str], options: frozenset[str]) -> list[str]:
    values: list[str] = []
    for at, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name in options:
            values += (value if equals else " ".join(arguments[at + 1 : at + 2])).split(",")
    return values


def _kind_of_name(name: str) -> str | None:
    """What a target or script entry called `name` does (`test:unit`, `lint-fix`), None if unknown."""
    parts = [part.lower() for part in _PARTS.findall(name)]
    kinds = rules().name_words
    if name.lower() in kinds["test"]:
        return "test"
    if not parts or (parts[0] not in kinds["lint"] and not kinds["none"].isdisjoint(parts[1:])):
        return None
    if "".join(parts[:2]) in kinds["lint"] or any(part in kinds["lint"] for part in parts):
        return "lint"
    for part in parts:
        for kind in ("build", "test", "dev_server", "none"):
            if part in kinds[kind]:
                return None if kind == "none" else kind
    return None


def _kind_of_script(path: str) -> str:
    """What a script file does, by its name and its folder's."""
    folder, _, file = path.rpartition("/")
    stem = file.partition(".")[0] if not file.startswith(".") else file
    parts = [part.lower() for part in _PARTS.findall(file if "." in file[1:] else stem)]
    words, kinds = rules().script_words, rules().name_words
    parts = [part for part in parts if not part.isdigit()]
    stem_parts = [part.lower() for part in _PARTS.findall(stem) if not part.isdigit()]
    if any(part in kinds["none"] for part in stem_parts):
        return "command"
    ends = {*stem_parts[:1], *stem_parts[-1:], *parts[-2:-1]}
    if ends & words["test"]:
        return "test"
    in_tests = bool(set(folder.lower().split("/")) & words["folders"])
    if in_tests and (set(stem_parts) <= words["runners_in_folders"] or file.endswith(".t")):
        return "test"
    if ends & kinds["lint"]:
        return "lint"
    return "build" if stem_parts[:1] in (["build"], ["compile"]) else "command"
