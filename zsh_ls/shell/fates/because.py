"""Why a command has its fate: what decides it, and the sentence that says so."""

from __future__ import annotations

from enum import StrEnum

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.shell.syntax.lines import LineIndex

LONGEST_WORDS = 40


class Rule(StrEnum):
    """What can decide a fate; the value is its sentence, with `line` and `word` of the `Reason`."""

    # They are in keys all the time, and that of enumerations is written in Python.
    __hash__ = str.__hash__

    ERREXIT = "errexit is on"
    ERR_RETURN = "ERR_RETURN is on"
    PIPEFAIL = "errexit is on, and with pipefail its exit is the pipeline's"
    CALL_FAILS = "errexit is on, and {word} on line {line} returns its exit"
    NOBODY_LOOKS = "nothing looks at its exit (errexit is off)"
    IGNORED = "errexit is ignored{word}"
    RETURN_IGNORED = "ERR_RETURN is ignored{word}"
    NOT_INHERITED = "$( ) does not inherit errexit (no inherit_errexit)"
    ERROR_TRAP = "the ERR trap on line {line} exits"
    SOURCED = "it runs a file that is not looked into"
    EVALUATED = "eval runs what is not written here"
    UNSET = "a variable that is not set ends the shell"
    NOT_OPENED = "exec ends the shell where it cannot open a file"
    OWN_TRAP = "the ERR trap exits"
    COMPUTED_TRAP = "the ERR trap is computed, so it may exit or go on"
    EXIT_TRAP = "the EXIT trap on line {line} ends with an exit of its own"
    LAST_SEGMENT = "only the last segment's exit counts (no pipefail)"
    COMPOUND_BEFORE = "errexit is ignored in the rest of a list after a compound command"
    COMPOUND_LAST = "zsh minds no exit of a pipeline that ends in a compound command"
    BACKGROUND = "nobody waits for it"
    ANY_JOB = "which of the jobs `wait -n` waits for depends on when they end"
    OWN_EXIT = "{word}'s own exit replaces it"
    LAST_SUBSTITUTION = "only the last substitution's exit counts"
    WORDS = "the exit of a substitution in the words of {word} is lost"
    CONDITION = "it is the condition of the {word} on line {line}"
    SAME_COMMANDS = "the {word} on line {line} runs the same commands either way"
    NEGATED = "! turns its exit round"
    AND = "&& skips {word}"
    OR = "|| {word}"
    READ = "{word} on line {line} depends on its exit"
    LAST = "the script ends with its exit"
    UNREACHED = "nothing runs it, nor does the failure of another command lead to it"
    TOO_MUCH = "the script can run in more ways than are followed"
    TOO_DEEP = "the script nests too deeply"


# What leaves a fate open.
OPEN = frozenset({Rule.SOURCED, Rule.EVALUATED, Rule.COMPUTED_TRAP, Rule.ANY_JOB})


class Reason(NamedTuple):
    """What decides a fate: a rule, the offset of what it speaks of (-1: nothing), and its words."""

    rule: Rule
    at: int = -1
    word: str = ""


class Context(NamedTuple):
    """What is around a command that may explain its fate: a condition, a call, a substitution.

    `word` is `if`, `&&` and so on, a function's name in a call, `$(` for a substitution without errexit.
    """

    kind: str
    at: int
    word: str


IN_CONDITION, IN_CALL, IN_SUBSTITUTION = "condition", "call", "substitution"
WHERE = {
    "&&": " before &&",
    "||": " before ||",
    "!": " after !",
}


def shortened(words: str) -> str:
    """Words of a script for a sentence: one line of some 40 characters."""
    first = words.partition("\n")[0]
    return first if first == words and len(first) <= LONGEST_WORDS else f"{first[:LONGEST_WORDS]}…"


def explained(reason: Reason, condition: Context | None, call: Context | None) -> Reason:
    """The reason with the condition that a command is in, and the call that stands in that."""
    if reason.rule not in {Rule.IGNORED, Rule.RETURN_IGNORED} or condition is None:
        return reason
    where = WHERE.get(condition.word, " inside a condition")
    inside = f"in the {condition.word} " if condition.word not in WHERE else ""
    subject = f"{call.word} is called {inside}" if call else f"{inside[3:]}"
    return reason._replace(at=condition.at, word=f"{where} ({subject}on line {{line}})")


def sentence(reason: Reason, lines: LineIndex) -> str:
    """The sentence for a reason."""
    text = reason.rule.value
    line = lines.line_of(reason.at) + 1 if reason.at >= 0 else 0
    if reason.rule in {Rule.IGNORED, Rule.RETURN_IGNORED}:
        word = reason.word or " inside a condition"
        return text.replace("{word}", word).replace("{line}", str(line))
    return text.replace("{line}", str(line)).replace("{word}", reason.word)
