"""What a command line asks to see: an amount of lines, or more than a summary of a test run (VERB-7)."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from zsh_ls.lazy import re

from .operation import CommandLine, operation_of
from .programs import Program
from .rules import AskingRule, fits, rules

_READERS = frozenset({"head", "tail", "ghead", "gtail"})
_SED = frozenset({"sed", "gsed"})
_AWK = frozenset({"awk", "gawk", "mawk", "nawk"})
_LOGS = frozenset({"journalctl", "docker", "podman", "kubectl", "oc", "dmesg", "logread"})
_COUNT = re.compile(r"-\d+$|-n\d*$|--max-count(?:=|$)")
_TAIL = re.compile(r"-n\d*$|--lines(?:=|$)|--tail(?:=|$)")
# `tail -n +5` and `head -n -5` count from the other end.
_LINES = re.compile(r"(?:-|-n ?|--lines[= ])(?P<lines>\d+)")
_USUAL_LINES = 10
_BYTES = re.compile(r"-c|--bytes")
_SED_RANGE = re.compile(r"(?:\d+|\$|/.*/)(?:,(?:\+?\d+|\$|/.*/))?p")


# Of these the result is wanted, whatever was asked of the programs before them.
_RESULTS = frozenset({"test", "build", "lint"})


def names_amount(line: CommandLine) -> bool:
    """Whether the command says how many or which lines are printed (`head -300`, `git log -50`).

    In `npm ci | tail -5; npm test` it says so of the installation alone.
    """
    for program in reversed(line.programs):
        if _names_amount(program):
            return True
        if not program.nested and not program.fed and operation_of(program).operation in _RESULTS:
            return False
    return False


def _names_amount(program: Program) -> bool:
    if program.nested:
        return False
    name, words = program.name, program.words[1:]
    if name in _READERS:
        return not any(map(_BYTES.match, words))
    if name in _SED:
        return any(word.startswith("-n") for word in words) and any(map(_SED_RANGE.search, words))
    if name in _AWK:
        return any(re.search(r"\bF?NR *[<>=]", word) for word in words)
    if name == "git" and "log" in words:
        return any(map(_COUNT.match, words))
    return name in _LOGS and any(map(_TAIL.match, words))


def lines_let_through(program: Program) -> int | None:
    """How many lines a `head` or `tail` lets through; None where it is neither or counts otherwise."""
    words = program.words[1:]
    if program.name not in _READERS:
        return None
    said = " ".join(words)
    if not said:
        return _USUAL_LINES
    found = _LINES.fullmatch(said)
    return int(found["lines"]) if found else None


def asks_for_more(line: CommandLine) -> bool:
    """Whether an option asks a test runner to print more than its summary."""
    return any(
        fnmatchcase(word, flag)
        for program, rule in _asking(line)
        for word in program.words[1:]
        if word.startswith("-")
        for flag in rule.flags
    )


def named_tests(line: CommandLine) -> Iterator[re.Pattern[str]]:
    """The patterns of the tests that are asked for by name."""
    for program, rule in _asking(line):
        words = program.words[1:]
        for at, word in enumerate(words):
            option, equals, value = word.partition("=")
            if option not in rule.names:
                continue
            value = value if equals else "".join(words[at + 1 : at + 2])
            if len(value) > 1:
                yield _compiled(value)


def _compiled(text: str) -> re.Pattern[str]:
    # A nested quantifier of the user's own could take forever; such text is taken as it stands.
    if re.search(r"[+*}]\)?[+*{]", text):
        return re.compile(re.escape(text))
    try:
        return re.compile(text)
    except re.error:
        return re.compile(re.escape(text))


def _asking(line: CommandLine) -> Iterator[tuple[Program, AskingRule]]:
    for program in line.programs:
        stem = re.sub(r"(?<=[a-z])[.-]?\d+(?:\.\d+)*$", "", program.name)
        known, names = rules().asking, dict.fromkeys((program.name, stem))
        patterns = (it for it in known if "*" in it and any(fits(name, it) for name in names))
        for name in dict.fromkeys((*names, *patterns)):
            for rule in known.get(name, ()):
                yield program, rule
