"""Rule `declaration-masks-exit`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zsh_ls.insights.place import Place
from zsh_ls.insights.reading import COMMAND_SUBSTITUTIONS, Reading
from zsh_ls.insights.registry import Kind, rule
from zsh_ls.model.context import Checked
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Segment
from zsh_ls.model.words import Level
from zsh_ls.shell.word_set import word_set

DECLARES = frozenset(
    {"local", "typeset", "declare", "export", "readonly", "integer", "float", "private"}
)
VALUE = re.compile(r"(?P<name>[A-Za-z_]\w*)\+?=(?P<quote>\"?)(?:\$\(|`)")
NEVER_FAIL = word_set(
    "echo printf print date basename dirname pwd whoami hostname uname tr id true tput"
)
READS_EXIT = r"\$\?|\$\{\?\}"


@rule(Kind.STATIC, Level.WARNING)
def declaration_masks_exit(reading: Reading) -> Iterator[Insight]:
    """`local x=$(cmd)` succeeds whatever `cmd` does, though something relies on its exit.

    The exit is that of `local` (or `export`, `typeset`, `readonly`): a following
    `||` or `$?` sees a success, and `errexit` goes on.

        #!/bin/bash
        version() {
          local tag=$(git describe) || return 1
        #       ^^^^^^^^^^^^^^^^^^^ warning: the exit of 'git describe' is lost: that of local counts
          echo "$tag"
        }

    The fix declares first and assigns then. Where nothing looks at the exit,
    nothing is lost and nothing is said:

        #!/bin/bash
        version() {
          local tag=$(git describe)
          echo "$tag"
        }
    """
    for place in reading.places:
        only = place.only
        if (
            only is None
            or reading.command(only) not in DECLARES
            or not _is_relied_on(reading, place)
        ):
            continue
        for word in only.words[1:]:
            masked = _masked_command(reading, only, word)
            if masked:
                yield Insight(
                    Level.WARNING,
                    f"the exit of '{masked}' is lost: that of {reading.words(only)[0]} counts",
                    span=word,
                    fix=_fix(reading, only, word),
                )


def _is_relied_on(reading: Reading, place: Place) -> bool:
    """Whether `||`, `&&`, a condition, `errexit` or a read of `$?` right behind looks at the exit."""
    if (
        place.context.checked in {Checked.CONDITION, Checked.OR, Checked.AND}
        or place.ends_the_script
    ):
        return True
    return place.next is not None and _first_command_reads_exit(reading, place)


def _first_command_reads_exit(reading: Reading, place: Place) -> bool:
    following = place.next
    if following is None:
        return False
    first = reading.first_simple(following)
    return first is not None and reading.mentions(READS_EXIT, first.span.start, first.span.end)


def _masked_command(reading: Reading, segment: Segment, word: Span) -> str | None:
    """The command whose exit the declaration hides, where it can fail and would be looked at."""
    if not VALUE.match(reading.source(word)):
        return None
    inside = [
        one
        for one in segment.substitutions
        if one.kind in COMMAND_SUBSTITUTIONS and word.start <= one.span.start < word.end
    ]
    if len(inside) != 1 or not inside[0].pipelines:
        return None
    pipelines = inside[0].pipelines
    last = pipelines[-1]
    forgiven = any(one.connector is Connector.OR for one in pipelines)
    command = reading.command(last.segments[-1])
    if forgiven or not command or command in NEVER_FAIL:
        return None
    return reading.first_line(last.span)


def _fix(reading: Reading, segment: Segment, word: Span) -> Fix | None:
    """`local x=; x=$(cmd)`: only where one plain variable is declared, and is not made read-only."""
    words = reading.words(segment)
    if words[0] != "local" or len(words) != 2 or reading.text[word.start : word.end].find("+=") > 0:
        return None
    name = VALUE.match(reading.source(word))
    if name is None:
        return None
    declared = f"{words[0]} {name['name']}=; "
    return Fix(
        "Declare first, assign then", (Replacement(Span(segment.span.start, word.start), declared),)
    )
