"""Matches a rule against a program's words, and determines the operation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from zsh_ls.shell.words.wrappers import base_name

from .names import kind_of_target
from .rules import ProgramRule, rules

_SETTING = re.compile(r"[A-Za-z_]\w*=")
_NO_OPTIONS: frozenset[str] = frozenset()


def operation_by(rule: ProgramRule, words: Sequence[str]) -> str | None:
    """The operation that `rule` assigns to the program `words`, None if it does not match."""
    arguments = list(words[1:])
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if not rule.unless.isdisjoint(own) or not rule.unless.isdisjoint(_options(own)):
        return None
    operands = _operands(own, rule, rules().valued_options.get(base_name(words[0]), _NO_OPTIONS))
    if not _applies(rule, _options(arguments), operands):
        return None
    if rule.targets or rule.target_options:
        return _operation_of_targets(rule, base_name(words[0]), own, operands)
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


def _applies(rule: ProgramRule, options: set[str], operands: Sequence[str]) -> bool:
    if rule.flags and rule.flags.isdisjoint(options):
        return False
    if rule.any and not any(fnmatchcase(o, pattern) for o in operands for pattern in rule.any):
        return False
    if not rule.except_verbs.isdisjoint(operands[:1]):
        return False
    return not rule.verbs or any(_begins(operands, verb) for verb in rule.verbs)


def _begins(operands: Sequence[str], verb: Sequence[str]) -> bool:
    return len(operands) >= len(verb) and all(map(fnmatchcase, operands, verb))


def _operation_of_targets(
    rule: ProgramRule, program: str, arguments: Sequence[str], operands: Sequence[str]
) -> str:
    """The operation of the named targets; of several, test before lint before build."""
    names = [name for name in operands if name not in rule.through] if rule.targets else []
    names += _values(arguments, rule.target_options)
    if not names and rule.bare:
        return rule.bare
    if any(fnmatchcase(name, pattern) for name in names for pattern in rule.quiet):
        return "command"
    kinds = {_kind(program, name) for name in names}
    kinds_by_priority = (kind for kind in ("test", "lint", "build", "dev_server") if kind in kinds)
    return next(kinds_by_priority, rule.operation)


def _kind(program: str, name: str) -> str | None:
    words = rules().target_words
    if program in words["programs"] and name.rpartition(":")[2] in words["test"]:
        return "test"
    return kind_of_target(name)


def _values(arguments: Sequence[str], options: frozenset[str]) -> list[str]:
    """The values of `options`, which may be lists with commas."""
    values: list[str] = []
    for at, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name in options:
            values += (value if equals else " ".join(arguments[at + 1 : at + 2])).split(",")
    return values
