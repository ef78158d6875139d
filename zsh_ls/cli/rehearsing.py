"""`zsh-ls rehearse`: a script with what each line would do below it (REH-2)."""

from __future__ import annotations

import json
import os
import shlex
import signal
import stat
import sys
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from types import FrameType

from rich.text import Text

from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.rehearsal.report import (
    ProvenFate,
    Rehearsal,
    RehearsalMark,
    RehearsedCommand,
    RehearsedKind,
    RehearsedLine,
    UnknownValue,
)
from zsh_ls.rehearsal.request import RehearsalRequest
from zsh_ls.rehearsal.wording import (
    DID,
    NO_FATES,
    asked_line,
    command_ending,
    count_line,
    end_line,
    fate_difference,
    marked_lines,
    numbers,
    repeats,
    unknown_line,
    write_line,
)
from zsh_ls.shell.fates import FateKind
from zsh_ls.sidecar.rehearsing import as_plain, rehearse_here
from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_bytes

from .one_line import one_line, printable
from .progress import ProgressLine
from .screen import console_of, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

UNREADABLE, REFUSED = 2, 3
STYLES = {
    RehearsedKind.REAL: "green",
    RehearsedKind.STUB: "yellow",
    RehearsedKind.FAILED: "red",
}
MARK_STYLES = {
    RehearsalMark.DESTROYS: "bold red",
    RehearsalMark.PUBLISHES: "bold magenta",
    RehearsalMark.NETWORK: "cyan",
}
# The end of what a script printed, where it did not end well.
SHOWN_OUTPUT_LINES = 12
INDENT = "       "
# Of a longer script only what ran is shown, with as many lines before and after it.
SURVEYED_LINES, LINES_AROUND = 100, 2
SMALLEST_GAP = 4


def print_rehearsal(arguments: argparse.Namespace) -> int:
    """Rehearse and print what was found; the exit status of the command."""
    script = os.path.abspath(arguments.script)
    try:
        text = read_bytes(script, SCRIPT_BYTES).decode("utf-8", "replace")
    except NotRead as problem:
        return _say(str(problem), UNREADABLE)
    count = len(text.splitlines())
    if arguments.fail is not None and arguments.fail > count:
        return _say(f"--fail: {arguments.script} has {count} lines", UNREADABLE)
    request = RehearsalRequest(
        script,
        tuple(arguments.arguments),
        os.getcwd(),
        fail=arguments.fail,
        each=arguments.fail_each,
        real=arguments.real,
        timeout_s=arguments.timeout,
        max_copy_mb=arguments.max_copy,
        environment=dict(os.environ),
        stdin=_answers(),
    )
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    try:
        with ProgressLine() as progress:

            def show(what: str) -> None:
                progress.text = f"rehearsing: {what}"

            rehearsal = rehearse_here(request, show)
    except RequestRejected as refused:
        return _say(str(refused), REFUSED)
    except InvalidRequest as problem:
        return _say(str(problem), UNREADABLE)
    if arguments.json:
        print(json.dumps(as_plain(rehearsal, first_line=1)))
        return 0
    console = console_of(soft_wrap=True, no_color=not wants_colour(sys.stdout))
    for row in page(text, rehearsal):
        console.print(row)
    return 0


def _answers() -> int | None:
    """Our standard input where somebody has put something into it: a file or a pipe."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return None
    return 0 if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) else None


def _leave(number: int, _frame: FrameType | None) -> None:
    """End as by Ctrl-C: what was made is removed on the way."""
    raise SystemExit(128 + number)


def _say(problem: str, status: int) -> int:
    print(f"zsh-ls rehearse: {one_line(problem)}", file=sys.stderr)
    return status


def page(text: str, rehearsal: Rehearsal) -> Iterator[Text]:
    """The script, below each line what it did; then other scripts, the fates and the sum."""
    own = {line.line: line for line in rehearsal.lines if line.file is None}
    source = text.splitlines()
    width = len(str(len(source)))
    if 0 in own:
        yield Text("before the first line", style="dim")
        yield from _details(own[0], ())
    shown = _shown(len(source), own, rehearsal)
    before = 0
    for number in shown:
        if number > before + 1:
            yield _gap(number - before - 1)
        before = number
        yield _source(number, width, source[number - 1], own.get(number))
        if number in own:
            yield from _details(own[number], rehearsal.relying.get(number, ()))
    others: dict[str, list[RehearsedLine]] = defaultdict(list)
    for line in rehearsal.lines:
        if line.file is not None:
            others[line.file].append(line)
    for file, lines in others.items():
        texts = _lines_of(file)
        yield Text(f"\n{printable(file)}", style="bold")
        for line in lines:
            text_of = texts[line.line - 1] if 0 < line.line <= len(texts) else ""
            yield _source(line.line, width, text_of, line)
            yield from _details(line, ())
    yield Text("")
    if rehearsal.fates is not None:
        for fate in rehearsal.fates:
            yield from _fate(fate, width)
        if not rehearsal.fates:
            yield Text(NO_FATES, style="yellow")
    yield from _sum(rehearsal)


def _shown(count: int, own: Container[int], rehearsal: Rehearsal) -> Sequence[int]:
    """The lines to show: all of a script that a person can survey, else those that ran, with a few around."""
    if count <= SURVEYED_LINES:
        return range(1, count + 1)
    near = {it.line for it in rehearsal.fates or ()}
    near.update(it for it in range(1, count + 1) if it in own)
    around = {at for it in near for at in range(it - LINES_AROUND, it + LINES_AROUND + 1)}
    shown: list[int] = []
    for number in sorted({*(it for it in around if 0 < it <= count), count}):
        last = shown[-1] if shown else 0
        if number - last <= SMALLEST_GAP:
            shown += range(last + 1, number)
        shown.append(number)
    return shown


def _gap(count: int) -> Text:
    return Text(f"{INDENT}… {count} line{'s' * (count > 1)} that did not run", style="dim")


def _source(number: int, width: int, content: str, line: RehearsedLine | None) -> Text:
    times = f"{line.count}×" if line is not None and line.count > 1 else ""
    row = Text.assemble(
        Text(f"{times:>6} ", style="dim"),
        Text(f"{number:>{width}} │ ", style="dim"),
        Text(printable(content), style="" if line else "dim"),
    )
    for mark in line.marks if line else ():
        row.append(f"  {mark.value}", style=MARK_STYLES[mark])
    return row


def _details(line: RehearsedLine, relying: Sequence[UnknownValue]) -> Iterator[Text]:
    for why in relying:
        yield Text(f"{INDENT}  {unknown_line(why)}", style="yellow")
    for command in line.commands:
        yield from _command(command)
    if repeats(line):
        yield Text(f"{INDENT}  … {line.count} times in all", style="dim")
    for write in line.writes:
        yield Text(f"{INDENT}  {write_line(write)}", style="bold")


def _command(command: RehearsedCommand) -> Iterator[Text]:
    said, style = DID[command.kind], STYLES[command.kind]
    row = Text.assemble(INDENT, Text(f"  {said} ", style=style), one_line(shlex.join(command.argv)))
    ending = command_ending(command)
    if ending:
        row.append(f"  {ending}", style="red" if command.exit else "dim")
    yield row
    for why in command.depends_on or ():
        yield Text(f"{INDENT}    {unknown_line(why)}", style="yellow")


def _fate(fate: ProvenFate, width: int) -> Iterator[Text]:
    proven = f"if it fails: {fate.proven.value}"
    if fate.exit is not None:
        proven += f", exit {fate.exit}"
    row = Text.assemble(
        Text(f"{fate.line:>{width}} │ ", style="dim"),
        one_line(fate.command),
        Text(f"  {proven}", style="bold"),
    )
    difference = fate_difference(fate)
    if difference:
        row.append(f"  {difference}", style="dim" if fate.said is FateKind.UNKNOWN else "red")
    yield row
    if fate.ran:
        yield Text(f"{INDENT}  only then: {numbers(fate.ran)}", style="dim")
    if fate.skipped:
        yield Text(f"{INDENT}  no more: {numbers(fate.skipped)}", style="dim")


def _sum(rehearsal: Rehearsal) -> Iterator[Text]:
    yield Text(count_line(rehearsal), style="bold")
    for mark, style in MARK_STYLES.items():
        found = marked_lines(rehearsal, mark)
        if found:
            yield Text(f"{mark.value}: {numbers(found)}", style=style)
    yield Text(end_line(rehearsal), style="" if rehearsal.exit == 0 else "red")
    if rehearsal.asked:
        yield Text(f"{asked_line(rehearsal)} `… | zsh-ls rehearse …` gives it.", style="yellow")
    if rehearsal.exit != 0 and rehearsal.output.strip():
        yield Text("What it printed last:", style="bold")
        for row in rehearsal.output.rstrip().splitlines()[-SHOWN_OUTPUT_LINES:]:
            yield Text(f"  {printable(row)}")


def _lines_of(file: str) -> Sequence[str]:
    try:
        return read_bytes(file, SCRIPT_BYTES).decode("utf-8", "replace").splitlines()
    except NotRead:
        return ()
