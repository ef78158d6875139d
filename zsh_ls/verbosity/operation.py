"""Determines the operation of a command line from programs, targets and scripts, never from arguments.

A rule of `rules.json` says which words of a program are an operation. Names of
targets, script entries and script files are read by their words (`test:unit`,
`run_tests.sh`, `testDebugUnitTest`): `contest` and `latest` have none that says test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

from zsh_ls.lazy import attrs, re
from zsh_ls.shell.words.wrappers import base_name

from .programs import Program, programs
from .rules import ProgramRule, fits, rules

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_VERSION = re.compile(r"@[\w.^~-]+$|[-.]?\d+(?:\.\d+)*$")
_SCRIPT_ENDING = re.compile(r"\.(?:m?[jt]s|c[jt]s|py|rb|php|sh|bash|zsh|bat|cmd|exe|pl|lua|ps1)$")
_BUILTIN_LOOKALIKES = frozenset({"test", "time", "build", "run", "check", "lint", "serve"})
_NO_OPTIONS: frozenset[str] = frozenset()


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
    each = [operation_of(program) for program in found]
    operation = _combined_operation(found, each)
    deciding = [p for p, one in zip(found, each, strict=True) if one.operation == operation]
    return CommandLine(
        operation,
        found,
        opaque=any(one.opaque for one in each),
        hidden=not all(program.exit_shows for program in deciding or found),
    )


def _combined_operation(found: Sequence[Program], each: Sequence[ProgramOperation]) -> str:
    """The operation of several programs: test before server before build before lint."""
    if any(one.operation == "test" for one in each):
        return "test"
    pairs = list(zip(found, each, strict=True))
    # A server in the background is there for what runs beside it.
    if any(
        one.operation == "dev_server" and not program.background and not program.nested
        for program, one in pairs
    ):
        return "dev_server"
    for operation in ("build", "lint"):
        if any(one.operation == operation for one in each):
            return operation
    if len(found) == 1 and each[0].operation == "dev_server":
        return "dev_server"
    # A line that only reads is what all its main programs are: `cd x && cat y | head` reads.
    neutral, through = rules().neutral, rules().pass_through
    main = {
        one.operation
        for program, one in pairs
        if not program.nested
        and program.name not in neutral
        and not (program.fed and program.name in through)
    }
    operation = main.pop() if len(main) == 1 else "command"
    # What is fed by a pipe alone filters what another program says: `echo test | grep nope`.
    searches = [program for program, one in pairs if one.operation == "search"]
    if operation == "search" and all(program.fed for program in searches):
        return "command"
    return operation


def operation_of(program: Program) -> ProgramOperation:
    """The operation of one program."""
    for rule in _rules_of(program):
        operation = _operation_by(rule, program.words)
        # What shows files does not read without one: `cat > x <<EOF` writes.
        has_operand = any(not word.startswith("-") for word in program.words[1:])
        if operation == "file_read" and program.heredoc and not has_operand:
            continue
        if operation:
            # A build may run tests, and a mere command may run anything.
            return ProgramOperation(
                operation, opaque=rule.targets or operation in ("build", "command")
            )
    word = program.words[0]
    if program.target:
        kind = _kind_of_target(word)
        return ProgramOperation(
            kind or "command", opaque=bool(kind) or program.name not in rules().plain
        )
    if program.script or "/" in word or _SCRIPT_ENDING.search(word):
        return ProgramOperation(_kind_of_script(word), opaque=True)
    return ProgramOperation("command", opaque=program.name not in rules().plain)


def _rules_of(program: Program) -> Iterator[ProgramRule]:
    """The rules for a program's names: its own, without suffix (`.sh`), without version."""
    name, word = program.name, program.words[0]
    names = []
    # `./build` and the target `test` are whatever somebody wrote, not the program of that name.
    is_file = program.script or ("/" in word and not word.startswith(("/bin/", "/usr/")))
    if name not in _BUILTIN_LOOKALIKES or not (is_file or program.target):
        names.append(name)
    stem = _SCRIPT_ENDING.sub("", name)
    if stem != name and stem not in _BUILTIN_LOOKALIKES:
        names.append(stem)
    bare = _VERSION.sub("", stem)
    if bare and bare != stem:
        names.append(bare)
    for name in names:
        yield from rules().programs.get(name, ())
        for pattern in rules().patterned_programs:
            if fits(name, pattern):
                yield from rules().programs[pattern]


def _operation_by(rule: ProgramRule, words: Sequence[str]) -> str | None:
    """The operation that `rule` assigns to the program `words`, None if it does not match."""
    program, arguments = base_name(words[0]), list(words[1:])
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if not rule.unless.isdisjoint(own) or not rule.unless.isdisjoint(_options(own)):
        return None
    if rule.flags and rule.flags.isdisjoint(_options(arguments)):
        return None
    operands = _operands(own, rule, rules().valued_options.get(program, _NO_OPTIONS))
    if rule.any and not any(fnmatchcase(o, pattern) for o in operands for pattern in rule.any):
        return None
    if not rule.except_verbs.isdisjoint(operands[:1]):
        return None
    if rule.verbs and not any(
        len(operands) >= len(verb) and all(map(fnmatchcase, operands, verb)) for verb in rule.verbs
    ):
        return None
    if rule.targets or rule.target_options:
        return _operation_of_targets(rule, program, own, operands)
    return rule.operation


def _options(arguments: Sequence[str]) -> set[str]:
    return {word.partition("=")[0] for word in arguments if word.startswith("-")}


def _operands(arguments: Sequence[str], rule: ProgramRule, valued: frozenset[str]) -> list[str]:
    """The arguments without options and their values, settings and toolchains (`+nightly`)."""
    operands: list[str] = []
    with_value = valued | rule.valued | rule.target_options
    is_value = False
    for word in arguments:
        if is_value:
            is_value = False
        elif word.startswith("-") and len(word) > 1:
            is_value = word in with_value
        elif (operands or not word.startswith("+")) and not _SETTING.match(word):
            operands.append(word)
    return operands


def _operation_of_targets(
    rule: ProgramRule, program: str, arguments: Sequence[str], operands: Sequence[str]
) -> str:
    """The operation of the named targets; of several, test before lint before build."""
    names = [name for name in operands if name not in rule.through] if rule.targets else []
    for at, word in enumerate(arguments):
        option, equals, value = word.partition("=")
        if option in rule.target_options:  # its value may be a list with commas
            names += (value if equals else " ".join(arguments[at + 1 : at + 2])).split(",")
    if not names and rule.bare:
        return rule.bare
    if any(fnmatchcase(name, pattern) for name in names for pattern in rule.quiet):
        return "command"
    words = rules().target_words
    kinds = {
        "test"
        if program in words["programs"] and name.rpartition(":")[2] in words["test"]
        else _kind_of_target(name)
        for name in names
    }
    kinds_by_priority = (kind for kind in ("test", "lint", "build", "dev_server") if kind in kinds)
    return next(kinds_by_priority, rule.operation)


def _kind_of_target(name: str) -> str | None:
    """The operation of a target called `name`, None if the name does not tell."""
    kinds = rules().name_words
    if name.lower() in kinds["test"]:  # `e2e` is one word
        return "test"
    words = _words(name)
    linting = words[:1] and words[0] in kinds["lint"]
    if not words or (not linting and words[-1] in kinds["none"]):  # `test-deps` runs no test
        return None
    if "".join(words[:2]) in kinds["lint"] or not kinds["lint"].isdisjoint(words):
        return "lint"
    for word in words:
        for kind in ("build", "test", "dev_server", "none"):
            if word in kinds[kind]:
                return None if kind == "none" else kind
    return None


def _kind_of_script(path: str) -> str:
    """The operation of a script file, by its name and its folder's."""
    folder, _, file = path.rpartition("/")
    *stems, ending = file.split(".") if "." in file[1:] else (file, "")
    words = _words(stems[0])
    kinds, tests = rules().name_words, rules().script_words
    if not kinds["none"].isdisjoint(words):
        return "command"
    # Only the edges: `run-tests.sh` tests, `load_test_data.sh` does not.
    edges = {*words[:1], *words[-1:], *(stem.lower() for stem in stems[1:])}
    if edges & tests["test"]:
        return "test"
    among_tests = not tests["folders"].isdisjoint(folder.lower().split("/"))
    if among_tests and (tests["runners_in_folders"].issuperset(words) or ending == "t"):
        return "test"
    if edges & kinds["lint"]:
        return "lint"
    return "build" if words[:1] in (["build"], ["compile"]) else "command"


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]
