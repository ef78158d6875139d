"""What a rehearsal found, in words: the same on a page, behind a line and for agents."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from zsh_ls.lazy import attrs
from zsh_ls.shell.fates import FateKind

from .report import (
    ProvenFate,
    Rehearsal,
    RehearsalLimit,
    RehearsalMark,
    RehearsedCommand,
    RehearsedKind,
    RehearsedLine,
    RehearsedWrite,
    UnknownValue,
    WriteAction,
)

DID = {
    RehearsedKind.REAL: "ran",
    RehearsedKind.STUB: "would run",
    RehearsedKind.FAILED: "failed",
}
LIMITS = {
    RehearsalLimit.TIME: "it ran longer than its time limit",
    RehearsalLimit.OUTPUT: "it printed or wrote too much",
    RehearsalLimit.PROCESSES: "it started too many processes",
    RehearsalLimit.MEMORY: "it took too much memory",
}
NO_FATES = "nothing that could fail ran there"
ASKED = "asked for input, had none"
LONGEST_HINT = 80
NOT_FOUND = 127
LONGEST_DETAILS = 2_000
_VERBS = {WriteAction.CREATE: "write", WriteAction.CHANGE: "write", WriteAction.REMOVE: "remove"}


def one_line(text: str) -> str:
    """`text` as one line without control characters, invisible marks or runs of white space."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def command_ending(command: RehearsedCommand) -> str:
    """How a command ended, where that is news, and what it gave: `exit 1`, `gave 'x'`."""
    said = []
    if is_missing(command):
        said.append("is not found here, exit 127")
    elif command.exit:
        said.append(f"exit {command.exit}")
    elif command.exit is None:
        said.append("did not end")
    if command.gave is not None and command.kind is RehearsedKind.REAL:
        said.append(f"gave {one_line(command.gave)!r}")
    return "  ".join(said)


def is_missing(command: RehearsedCommand) -> bool:
    """Whether there is no such program, or no program that `sudo` could run."""
    return command.kind is RehearsedKind.STUB and command.exit == NOT_FOUND


def command_line(command: RehearsedCommand) -> str:
    """`would run scp app.tgz host:/srv`."""
    said = f"{DID[command.kind]} {one_line(shlex.join(command.argv))}"
    return "  ".join(filter(None, [said, command_ending(command)]))


def write_line(write: RehearsedWrite, folder: str = "") -> str:
    """`would remove /srv/app/build: 212 files`; what lies in `folder` as seen from there."""
    files = "" if write.count is None else f": {write.count} file{'s' * (write.count != 1)}"
    changes = " (changes it)" if write.action is WriteAction.CHANGE else ""
    path = write.path.removeprefix(f"{folder}/") if folder else write.path
    return f"would {_VERBS[write.action]} {one_line(path)}{files}{changes}"


def unknown_line(why: UnknownValue) -> str:
    """`$version is empty here: 'cargo metadata' did not run (line 3)`."""
    name = why.name if why.name.startswith(("/", "$")) else f"${why.name}"
    empty = "is empty here" if name.startswith("$") and name != "$(…)" else "is not known here"
    return f"{one_line(name)} {empty}: '{one_line(why.command)}' did not run (line {why.line})"


def fate_line(fate: ProvenFate) -> str:
    """`make: if it fails: stops, exit 1`; what the text alone says where that is something else."""
    proven = f"{one_line(fate.command)}: if it fails: {fate.proven.value}"
    if fate.exit is not None:
        proven += f", exit {fate.exit}"
    return "  ".join(filter(None, [proven, fate_difference(fate)]))


def fate_difference(fate: ProvenFate) -> str:
    """What the text alone says of a fate, where that is something else."""
    if fate.said is FateKind.UNKNOWN:
        return "(the text alone does not tell)"
    return "" if fate.said is fate.proven else f"(`zsh-ls failures` says {fate.said.value})"


def numbers(lines: Sequence[int]) -> str:
    """`line 4`, `lines 4-9, 12`."""
    spans: list[list[int]] = []
    for line in sorted(lines):
        if spans and spans[-1][1] == line - 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    told = ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)
    return f"line{'s' * (len(lines) > 1)} {told}"


def repeats(line: RehearsedLine) -> bool:
    """Whether there were more commands than those of the first times."""
    if line.count <= 1 or not line.commands:
        return False
    return max(Counter(it.argv[:1] for it in line.commands).values()) < line.count


def line_details(line: RehearsedLine, relying: Sequence[UnknownValue] = ()) -> Iterator[str]:
    """All that is known of a line, a row each; `relying` are values that its builtins do not know."""
    yield from map(unknown_line, relying)
    for command in line.commands:
        yield command_line(command)
        for why in command.depends_on or ():
            yield f"  {unknown_line(why)}"
    if repeats(line):
        yield f"… {line.count} times in all"
    yield from map(write_line, line.writes)


def sum_lines(rehearsal: Rehearsal) -> Iterator[str]:
    """How many commands ran or would have, the marked lines, the end."""
    yield count_line(rehearsal)
    for mark in RehearsalMark:
        found = marked_lines(rehearsal, mark)
        if found:
            yield f"{mark.value}: {numbers(found)}"
    yield end_line(rehearsal)
    if rehearsal.asked:
        yield asked_line(rehearsal)


def asked_line(rehearsal: Rehearsal) -> str:
    """Where input was asked for: `Without input: line 7 asked for some`."""
    told = numbers(rehearsal.asked)
    return f"Without input: {told} asked for some."


def count_line(rehearsal: Rehearsal) -> str:
    """How many commands ran in the copy, and how many would run."""
    commands = [command for line in rehearsal.lines for command in line.commands]
    kinds = Counter(it.kind for it in commands)
    parts = [
        f"{kinds[RehearsedKind.REAL]} ran in the copy",
        f"{kinds[RehearsedKind.STUB]} would run",
    ]
    if kinds[RehearsedKind.FAILED]:
        parts.append(f"{kinds[RehearsedKind.FAILED]} failed as asked")
    unknown = sum(bool(it.depends_on) for it in commands)
    if unknown:
        parts.append(f"{unknown} rely on a value that is not known here")
    return f"{len(commands)} command{'s' * (len(commands) != 1)}: {', '.join(parts)}."


def marked_lines(rehearsal: Rehearsal, mark: RehearsalMark) -> list[int]:
    """The lines of the script itself that have a mark."""
    return [it.line for it in rehearsal.lines if mark in it.marks and it.file is None]


def end_line(rehearsal: Rehearsal) -> str:
    """How the script ended, or which limit stopped it."""
    stopped = rehearsal.stopped
    if stopped is not None:
        return f"Stopped on line {stopped.line}: {LIMITS[stopped.reason]}."
    return f"The script's exit: {rehearsal.exit}"


@attrs.frozen
class LineNote:
    """What is said behind a line in an editor, and all that is known of it."""

    hint: str
    details: str


def line_notes(rehearsal: Rehearsal, folder: str = "") -> dict[int, LineNote]:
    """What is said behind the lines of the script itself, by their numbers, from 1.

    The few words have what lies in `folder` as seen from there: an editor cuts them after 40 characters.
    """
    fates: dict[int, list[ProvenFate]] = defaultdict(list)
    for fate in rehearsal.fates or ():
        fates[fate.line].append(fate)
    told = {it.line: it for it in rehearsal.lines if it.file is None and it.line > 0}
    found = {}
    for number in sorted(told.keys() | fates.keys()):
        line = told.get(number, RehearsedLine(number, 0))
        in_vain = [ASKED] if number in rehearsal.asked else []
        relying = rehearsal.relying.get(number, ())
        hint = _hint(line, fates[number], in_vain, folder, relies=bool(relying))
        if hint:
            rows = [*in_vain, *line_details(line, relying), *map(fate_line, fates[number])]
            details = "\n".join(rows)
            cut = details[:LONGEST_DETAILS] + "\n…" * (len(details) > LONGEST_DETAILS)
            found[number] = LineNote(hint, cut)
    return found


def _in_short(command: RehearsedCommand) -> str:
    name = command.argv[0] if command.argv else ""
    return f"{name} is not found here" if is_missing(command) else f"{DID[command.kind]} {name}"


def _hint(
    line: RehearsedLine,
    fates: Sequence[ProvenFate],
    first: Sequence[str],
    folder: str,
    *,
    relies: bool,
) -> str:
    """A few words: what is marked, what would be removed or written, what would run, what is unknown."""
    parts = [*first, *(mark.value for mark in line.marks)]
    parts += [write_line(it, folder) for it in line.writes[:1]]
    if len(line.writes) > 1:
        parts[-1] += f" and {len(line.writes) - 1} more"
    stubs = [it for it in line.commands if it.kind is not RehearsedKind.REAL]
    parts += [_in_short(it) for it in stubs[:1]]
    if relies or any(it.depends_on for it in line.commands):
        parts.append("relies on what is not known here")
    ended = [it.exit for it in line.commands if it.kind is RehearsedKind.REAL and it.exit]
    parts += [f"exit {ended[0]}"] if ended else []
    parts += [f"{line.count}×"] if line.count > 1 and (line.commands or parts) else []
    if fates:
        kinds = dict.fromkeys(it.proven.value for it in fates)
        parts.append(f"if it fails: {', '.join(kinds)}")
    said = one_line(" · ".join(parts))
    return said if len(said) <= LONGEST_HINT else f"{said[: LONGEST_HINT - 1]}…"
