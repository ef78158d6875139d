"""Finds where a script calls its functions, and so whether `errexit` takes effect in them.

In what a condition calls (`if f`, `f || …`, `! f`), at any depth, the shell ignores `errexit`. A
function that the text never calls is assumed to be called outside conditions, unless commands are
called by variables (`"$step"`, `"${pass}_pass"`), which may be any function.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Role,
    Script,
    SegmentKind,
    SubstitutionKind,
)

COPIED_BY_BASH = frozenset({SubstitutionKind.COMMAND, SubstitutionKind.BACKQUOTE})

# By convention, variables in capitals contain programs: `$CC`.
PROGRAM = re.compile(r"\"?\$\{?[A-Z0-9_]+(?::?[-=][^}]*)?\}?\"?")


class CommandCall(NamedTuple):
    """A call: the calling function (`""` outside), the name, and whether errexit is ignored there."""

    caller: str
    name: str
    checked: bool


class Calls(NamedTuple):
    """The names called by a script.

    `checked` are called where their status is checked; `reached` are called by a chain of
    unchecked calls, so that the errexit of the script's top level applies to them.
    """

    checked: frozenset[str]
    reached: frozenset[str]


def calls_of(script: Script) -> Calls:
    """The calls in a script."""
    found = list(_calls(script))
    names = {call.name for call in found}
    unchecked: defaultdict[str, set[str]] = defaultdict(set)
    for call in found:
        if not call.checked:
            unchecked[call.caller].add(call.name)
    if not any(_may_name_a_function(name) for name in names):
        unchecked[""].update({call.caller for call in found} - names)
    return Calls(frozenset(call.name for call in found if call.checked), _reached(unchecked))


def clears_errexit(script: Script, kind: SubstitutionKind) -> bool:
    """Whether substituted code starts with errexit off, as in bash without `inherit_errexit`."""
    copied = kind in COPIED_BY_BASH and script.dialect is Dialect.BASH
    return copied and "inherit_errexit" not in script.text


def _may_name_a_function(command_word: str) -> bool:
    """Whether the command is a variable that is not a program (`$SUDO`, `"$bin/tool"`)."""
    return "$" in command_word and "/" not in command_word and not PROGRAM.fullmatch(command_word)


def _reached(unchecked: Mapping[str, set[str]]) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [""]
    while waiting:
        new = unchecked.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return frozenset(reached)


def _calls(script: Script) -> Iterator[CommandCall]:
    stack: list[tuple[tuple[Pipeline, ...], str, bool]] = [(script.pipelines, "", False)]
    while stack:
        siblings, caller, checked = stack.pop()
        for pipeline in siblings:
            here = checked or pipeline.negated or pipeline.connector is not Connector.NONE
            for segment in pipeline.segments:
                if segment.kind is SegmentKind.FUNCTION and segment.words:
                    for word in segment.words:
                        stack.extend(
                            (body.pipelines, script.source(word), False) for body in segment.bodies
                        )
                    continue
                yield CommandCall(caller, segment.command_word, here)
                stack.extend(
                    (body.pipelines, caller, here or body.role is Role.CONDITION)
                    for body in segment.bodies
                )
                stack.extend(
                    (each.pipelines, caller, here or clears_errexit(script, each.kind))
                    for each in segment.substitutions
                )
