"""`zsh-ls trace`: runs a script with live output, then prints its lines with their figures."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text

from zsh_ls.insights.traced import duration
from zsh_ls.lazy import attrs
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.requests import ScriptRequest
from zsh_ls.model.results import TaskResult, TracedLine
from zsh_ls.model.words import Origin
from zsh_ls.sidecar import Sidecar
from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_bytes, refuse_programs
from zsh_ls.tasks.process.streams import Streams

from .foreground import has_terminal, standard_input
from .live import between_streams
from .named_file import write_named
from .run_end import exit_of
from .run_request import LIVE_AFTER_S, UNTIL_THE_END_S
from .running import Interrupts, show, shown_live
from .screen import console_of, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

# The least share of the total time for a line of the list "where the time went".
HOT_SHARE = 0.05
HOTTEST = 5
NO_FIGURES = " " * 24


async def run_traced(sidecar: Sidecar, arguments: argparse.Namespace) -> int:
    """Run the script and print its trace; returns the exit status for this process.

    On a terminal the script gets one, too; else its standard input is that of this process.
    """
    path, text = _read(arguments.script)
    sidecar.open_document(path.as_uri(), text, "shellscript", 1)
    request = ScriptRequest(
        path.as_uri(),
        arguments=tuple(arguments.arguments),
        cwd=str(Path.cwd() / (arguments.cwd or "")),
        shell=arguments.shell,
        timeout=arguments.timeout,
        yield_after=UNTIL_THE_END_S if arguments.json else LIVE_AFTER_S,
        origin=Origin.CLI,
    )
    if not arguments.json and has_terminal():

        async def start(streams: Streams, options: Mapping[str, Any]) -> TaskResult:
            on_terminal = attrs.evolve(request, **options, yield_after=UNTIL_THE_END_S)
            return await sidecar.run_script(on_terminal, streams=streams)

        result, line_is_open = await between_streams(sidecar, start)
        if line_is_open:
            print()
        result = attrs.evolve(result, output="")  # it has been shown
    else:
        interrupts = Interrupts(sidecar)
        try:
            first = await sidecar.run_script(request, stdin_fd=standard_input())
            result = await shown_live(sidecar, first, interrupts)
        finally:
            interrupts.close()
    show(result, as_json=arguments.json)
    if arguments.speedscope and result.lines is not None:
        _write_profile(arguments.speedscope, str(path), result.lines, text)
    if not arguments.json:
        _print_trace(result, text.splitlines())
    return exit_of(result)


def _write_profile(target: str, script: str, lines: Sequence[TracedLine], text: str) -> None:
    from zsh_ls import __version__
    from zsh_ls.shell.syntax.dialect import dialect_of
    from zsh_ls.shell.syntax.parser import parse
    from zsh_ls.startup.speedscope import profile
    from zsh_ls.startup.traced_script import stacks_of

    stacks = stacks_of(script, lines, parse(text, dialect_of(text, name=script)))
    written = json.dumps(profile(script, stacks, f"zsh-ls {__version__}"))
    try:
        write_named(target, written)
    except OSError as refused:
        print(f"zsh-ls trace: {target}: {refused.strerror}", file=sys.stderr)


def _read(script: str) -> tuple[Path, str]:
    path = Path(os.path.abspath(script))
    try:
        data = read_bytes(path, SCRIPT_BYTES)
        refuse_programs(path, data)
    except NotRead as error:
        raise InvalidRequest(str(error)) from error
    # As the documents of an editor, whose lines end one way.
    return path, data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


def _print_trace(result: TaskResult, text: Sequence[str]) -> None:
    if result.message:
        print(result.message)
    if result.lines is None:
        return
    console = console_of(soft_wrap=True, no_color=not wants_colour(sys.stdout))
    print()
    for row in _script(result.lines, text):
        console.print(row)
    for row in _hottest(result, text):
        console.print(row)


def _script(lines: Sequence[TracedLine], text: Sequence[str]) -> Iterator[Text]:
    """Each line of the script after its figures: number of runs, status, total time."""
    ran = {line.line: line for line in lines}
    width = len(str(len(text)))
    for number, content in enumerate(text):
        figures = Text(NO_FIGURES)
        if line := ran.get(number):
            sign, style = ("✓", "green") if line.exit == 0 else ("✗", "red")
            statuses = "|".join(map(str, line.pipestatus))
            # The last status is the exit, unless an earlier one failed unnoticed.
            outcome = f"{sign} {(statuses if any(line.pipestatus[:-1]) else line.exit) or ''}"
            times = f"{line.count}×" if line.count > 1 else ""
            figures = Text.assemble(
                Text(f"{times:>8}", style="dim"),
                Text(f" {outcome:<6}", style=style),
                f"{duration(line.total_ms):>9}",
            )
        shown = Text(_printable(content), style="" if line else "dim")
        yield Text.assemble(figures, Text(f" {number + 1:>{width}} │ ", style="dim"), shown)


def _hottest(result: TaskResult, text: Sequence[str]) -> Iterator[Text]:
    """The lists that took at least HOT_SHARE of the run, the longest first."""
    whole_ms = result.elapsed_seconds * 1000
    if not whole_ms:
        return
    hot = sorted(result.lines or (), key=lambda line: -line.total_ms)[:HOTTEST]
    hot = [line for line in hot if line.total_ms >= whole_ms * HOT_SHARE]
    if hot:
        yield Text("\nWhere the time went", style="bold")
    for line in hot:
        share = min(1.0, line.total_ms / whole_ms)
        content = _printable(text[line.line].strip())
        yield Text(f"{share:>5.0%} {duration(line.total_ms):>9}  line {line.line + 1}: {content}")


def _printable(content: str) -> str:
    """A line of the script without control sequences."""
    return "".join(char if char.isprintable() or char == "\t" else "�" for char in content)
