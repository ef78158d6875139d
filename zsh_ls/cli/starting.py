"""`zsh-ls startup`: where the time goes when a shell starts, as tables or JSON."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, TypeVar

from rich.text import Text

from zsh_ls import __version__
from zsh_ls.lazy import attrs
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.startup import (
    NOISE,
    BusyMachine,
    FileCost,
    LineCost,
    PluginCost,
    StartupReport,
    StartupRequest,
    Stuck,
    WithoutLines,
)
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.startup import BUSY_S, KINDS
from zsh_ls.startup.causes import CODES, page
from zsh_ls.startup.speedscope import profile
from zsh_ls.system.bounded_files import NotRead, read_bytes

from .named_file import write_named
from .one_line import printable
from .screen import columns, console_of, folded, wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

Cost = TypeVar("Cost", LineCost, FileCost, PluginCost)

WRONG_USAGE = 2
INTERRUPTED = 130
SHOWN = {"plugins": 10, "files": 10, "lines": 20}
# Rows that take less are not worth a line on the screen.
LEAST_SHOWN_MS = 0.5
_LARGEST_BYTES = 4 << 20
# What stands before a place, and how much of a line's text is worth a look.
_FIGURES_COLUMNS = 35
_LEAST_TEXT_COLUMNS = 12
# Fields for the frontends, which JSON does not have.
_KEPT_BACK = {
    "commands",
    "all_commands",
    "least_ms",
    "of_file",
    "stacks",
    "still_ms",
    "lost",
    "stopped_at",
    "became",
    "is_followed",
    "said_by",
}
IN_TMUX = "tmux has the terminal; measure in it, or what its shells read: TMUX=1 zsh-ls startup"
ALL_READ = "Its files are read; a prompt without a line editor (`unsetopt zle`, `set +o emacs`) is not seen."
NO_LAG = "What is felt cannot be told: the shell's line editor does not say when it is ready."
_OPTIONAL = {"first_prompt_ms", "stuck", "left", "lag_ms", "since", "errors", "busy"}


async def print_startup(sidecar: Sidecar, arguments: argparse.Namespace) -> int:
    """Measure and print; 2 for what cannot be measured so."""
    request = StartupRequest(
        shell=arguments.shell,
        login=arguments.login,
        runs=arguments.runs,
        without=tuple(arguments.without),
        try_dearest=arguments.try_dearest,
        lag=arguments.lag,
    )
    progress = _Progress()
    enough = threading.Event()
    measuring = asyncio.ensure_future(sidecar.startup(request, progress.tell, enough.is_set))
    try:
        try:
            report = await asyncio.shield(measuring)
        except asyncio.CancelledError:
            # Ctrl-C: what is known is told; another one ends this process.
            enough.set()
            report = await measuring
    except InvalidRequest as wrong:
        progress.clear()
        name, _, rest = str(wrong).partition(":")
        print(f"zsh-ls startup: --{name}:{rest}", file=sys.stderr)
        return WRONG_USAGE
    except OSError as refused:
        progress.clear()
        print(f"zsh-ls startup: {refused.filename}: {refused.strerror}", file=sys.stderr)
        return WRONG_USAGE
    finally:
        progress.clear()
    own = os.path.basename(os.environ.get("SHELL", ""))
    if request.shell is None and own not in ("", report.shell):
        print(
            f"zsh-ls startup: {report.shell} was measured; your own shell, {own}, cannot be",
            file=sys.stderr,
        )
    if arguments.json:
        print(json.dumps(as_json(report)))
    else:
        console = console_of(soft_wrap=True, no_color=not wants_colour(sys.stdout))
        for row in report_page(report):
            console.print(row)
        if arguments.lag and report.stuck is None and report.lag_ms is None:
            console.print(f"\n{NO_LAG}", style="yellow")
    status = INTERRUPTED if enough.is_set() else 0
    if not arguments.speedscope:
        return status
    return _write(arguments.speedscope, report, silent=arguments.json) or status


def cause_page(code: str) -> int:
    """Print the page of a known cause; 2 for an unknown one."""
    if code not in CODES:
        there = ", ".join(CODES)
        print(f"zsh-ls startup: --cause: expected one of {there}, got {code!r}", file=sys.stderr)
        return WRONG_USAGE
    print(page(code))
    return 0


def as_json(report: StartupReport) -> dict[str, Any]:
    """The report with the wire's names, and lines from 1."""
    whole = attrs.asdict(report, filter=lambda it, _: it.name not in _KEPT_BACK)
    for name in _OPTIONAL:
        if whole[name] is None:
            del whole[name]
    for row, line in zip(whole["lines"], report.lines, strict=True):
        if (tracing_ms := report.tracing_ms(line)) is not None:
            row["tracing_ms"] = tracing_ms
    for name, optional in (
        ("causes", ("saves_ms",)),
        ("without", ("saves_ms", "spread_ms", "certain", "refused")),
    ):
        for row in whole[name]:
            for field in optional:
                if row[field] is None:
                    del row[field]
    if report.stuck is not None and report.stuck.exit is None:
        del whole["stuck"]["exit"]
    return whole


class _Progress:
    """One line on a terminal that says how far it is."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._is_open = False

    def tell(self, message: str, percent: int) -> None:
        """Say what is done now."""
        if self._shows:
            text = f"{percent:3}%  {message} (Ctrl-C: what is known by now)"
            text = text[: columns(sys.stderr) - 1]
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            self._is_open = True

    def clear(self) -> None:
        """Leave nothing of it."""
        if self._is_open:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._is_open = False


def _write(path: str, report: StartupReport, *, silent: bool) -> int:
    """Write the profile, after the figures: those are told also where it cannot be written."""
    name = f"start of {report.shell}"
    text = json.dumps(profile(name, report.stacks, f"zsh-ls {__version__}"))
    try:
        write_named(path, text)
    except OSError as refused:
        print(f"zsh-ls startup: {path}: {refused.strerror}", file=sys.stderr)
        return WRONG_USAGE
    if not silent:
        print(f"\nWritten: {path}; open it at https://www.speedscope.app")
    return 0


def report_page(report: StartupReport) -> Iterator[Text]:
    """The report as a person reads it, line by line."""
    yield from _head(report)
    lines = _Lines()
    if report.plugins:
        yield from _table(
            report, ("plugins", ""), report.plugins, lambda it: f"{it.name}  ({_folder(it)})"
        )
    yield from _table(report, ("files", "read"), report.files, lambda it: _file(it.file))
    yield from _table(report, ("lines", "ran"), report.lines, lambda it: _line(it, lines))
    jobs = [it for it in report.background if it.ms >= LEAST_SHOWN_MS]
    if jobs:
        yield Text("\nBeside the start, in nobody's time", style="bold")
        for job in sorted(jobs, key=lambda it: -it.ms):
            place = lines.beside(job.file, job.line)
            yield Text(f"{'':17}{job.ms:9.1f}  {place}")
    yield from _causes(report)
    yield from _without(report.without)
    if lag := report.lag_ms:
        yield Text("\nWhat is felt", style="bold")
        for what, ms in (
            ("until the first prompt", lag.first_prompt),
            ("until the first command runs", lag.first_command),
            ("of an Enter until the next prompt", lag.command),
            ("of a key until its letter", lag.input),
        ):
            yield Text(f"{ms:9.1f} ms  {what}")
    for slower in report.since or ():
        day = datetime.fromisoformat(slower.at).astimezone()
        yield Text(
            f"slower since {day.day} {day:%b}: {slower.more_ms:+.0f} ms, {_at(slower.file, slower.line)}",
            style="yellow",
        )
    for left in report.left or ():
        yield Text(f"Left running by a start, and ended: {printable(left.command)}", style="yellow")


def _head(report: StartupReport) -> Iterator[Text]:
    shell = report.shell
    if report.stopped_at:
        yield Text(
            f"Stopped at: {report.stopped_at}. What was measured until then:", style="yellow"
        )
    if stuck := report.stuck:
        command = printable(stuck.command.split("\n")[0])
        place = f"at {_at(stuck.file, stuck.line)}{command and f': {command}'}"
        seconds = _duration(stuck.after_ms)
        if stuck.exit is not None:
            told = f"{shell} ends with exit {stuck.exit} before its first prompt, after {seconds}, {place}"
        elif stuck.still_ms < 1000 * BUSY_S:
            told = f"{shell} is still busy after {seconds}, with no prompt yet, {place}"
        else:
            told = f"{shell} stands still before its first prompt, after {seconds}, {place}"
        yield Text(told, style="bold red")
        if helps := _what_helps(stuck):
            yield Text(helps, style="yellow")
        yield from _errors(report)
        return
    if first := report.first_prompt_ms:
        yield Text(
            f"{shell}: first prompt after {first.median:.0f} ms ({first.min:.0f} to {first.max:.0f})",
            style="bold",
        )
        share = report.traced_ms / first.median if first.median else 1.0
        cost = f"Traced: {report.traced_ms:.0f} ms, {report.commands:,} commands (×{max(share, 1):.2f})."
        if report.less_ms:
            cost += (
                f" Tracing took {report.trace_cost_ms / report.traced_ms:.0%} of that: each time below "
                f"is {1000 * report.less_ms:.0f} µs a command less than measured."
            )
        yield Text(cost, style="dim")
        if disturbed := sum(it.least_ms is not None for it in report.lines):
            lines = "1 line" if disturbed == 1 else f"{disturbed} lines"
            yield Text(
                f"Other processes disturbed these starts: {lines} took less in another one.",
                style="yellow",
            )
        if busy := report.busy:
            told = (
                f"The machine is busy (load {busy.load:.0f} beside these starts, {_processors(busy)}): times "
                "are longer here and there, and small savings cannot be told. Measure again once it is "
                "quiet (`top` shows what runs), or with more starts: --runs 20"
            )
            yield Text(folded("", told), style="yellow")
        if report.became:
            yield Text(_became(report, report.became), style="yellow")
        if report.lost:
            lost = f"Starts that came to no prompt, left out: {_lost(report)}"
            yield Text(folded("", lost), style="yellow")
        yield from _errors(report)


def _lost(report: StartupReport) -> str:
    """How many, and where those stood that were traced: `4; stood at ~/.zshrc:26: pyenv rehash`."""
    places = (
        f"{_at(it.file, it.line)}: {printable(it.command.split(chr(10))[0])}"
        for it in report.lost
        if it
    )
    stood = " and ".join(dict.fromkeys(it.removesuffix(": ") for it in places))
    return f"{len(report.lost)}{stood and f'; stood at {stood}'}"


def _processors(busy: BusyMachine) -> str:
    return "1 processor" if busy.processors == 1 else f"{busy.processors} processors"


def _what_helps(stuck: Stuck) -> str | None:
    """What a person can do where a start stands for a usual reason."""
    if re.search(r"\btmux\b", stuck.command):
        return IN_TMUX
    if started := re.fullmatch(rf"(?:\S*/)?({'|'.join(KINDS)})(?:\s+-[il]+)*", stuck.command):
        return f"Another shell has the terminal there; by line: zsh-ls startup --shell {started[1]}"
    is_still = stuck.exit is None and stuck.still_ms >= 1000 * BUSY_S
    return ALL_READ if is_still and not stuck.line else None


def _became(report: StartupReport, program: str) -> str:
    told = f"{report.shell} becomes {program} (exec), "
    if report.is_followed:
        return f"{told}whose lines are told as well, within that line's total"
    is_other = program in KINDS and program != report.shell
    ask = f"; by line: zsh-ls startup --shell {program}" if is_other else ""
    return f"{told}which counts to that line as a whole{ask}"


def _errors(report: StartupReport) -> Iterator[Text]:
    for error in report.errors or ():
        told = f"{error.said_by} says: {_at(error.file, error.line)}: {printable(error.message)}"
        yield Text(told, style="red")


def _duration(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.1f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"


def _table(
    report: StartupReport,
    titles: tuple[str, str],
    rows: Iterable[Cost],
    what: Callable[[Cost], str],
) -> Iterator[Text]:
    """The dearest rows of one kind, with their own and their total time, less what tracing cost."""
    title, counted = titles
    told = [(report.own_ms(row), report.total_ms(row), row) for row in rows]
    told.sort(key=lambda it: -it[0])
    yield Text(f"\n{title:<9}{'own ms':>8}{'total':>9}{counted:>7}".rstrip(), style="bold")
    for number, (own_ms, total_ms, row) in enumerate(told[: SHOWN[title]]):
        if number and own_ms < LEAST_SHOWN_MS:
            break
        count = getattr(row, "count", 1)
        often = f"{count}×" if count > 1 else ""
        figures = f"{'':9}{own_ms:8.1f}{total_ms:9.1f} {often:>6}  "
        yield Text(folded(figures, what(row)))


def _line(row: LineCost, lines: _Lines) -> str:
    if not row.line:
        return (
            f"{row.file}  before the first and after the last command, with its history and prompt"
        )
    started = f"  [{' '.join(row.programs)}]" if row.programs else ""
    least = "" if row.least_ms is None else f"  ({row.least_ms:.1f} in another start)"
    return lines.beside(row.file, row.line, f"{started}{least}")


def _file(path: str) -> str:
    return _within(_short(path), columns() - _FIGURES_COLUMNS)


def _folder(plugin: PluginCost) -> str:
    return _within(_short(plugin.folder), columns() - _FIGURES_COLUMNS - len(plugin.name) - 4)


def _causes(report: StartupReport) -> Iterator[Text]:
    if report.causes:
        yield Text("\nKnown causes", style="bold")
    for cause in report.causes:
        figures = f"{cause.ms:17.1f}{'':11}"
        place = _within(_at(cause.file, cause.line), columns() - len(figures))
        of_file = "" if cause.of_file is None else f" ({_short(cause.of_file)})"
        saves = "" if cause.saves_ms is None else f" Without it: {cause.saves_ms:.0f} ms less."
        code = f"({cause.code})"
        row = Text(folded(figures, f"{place}  {CODES[cause.code]}{of_file}{saves} {code}"))
        row.stylize("dim", len(row) - len(code))
        yield row
    if report.causes:
        yield Text(f"{'':28}zsh-ls startup --cause CODE tells more", style="dim")


def _without(rows: Sequence[WithoutLines]) -> Iterator[Text]:
    if rows:
        yield Text("\nWithout lines", style="bold")
    for row in rows:
        if row.refused is not None or row.saves_ms is None or row.spread_ms is None:
            told = f"{_short(row.range)} was not left out: {row.refused}"
            yield Text(folded(f"{'':9}", told), style="yellow")
            continue
        saved = f"{-row.saves_ms:+17.1f} ms ± {row.spread_ms:.1f}  without "
        noise = "" if row.certain else f": {NOISE}"
        place = _within(_short(row.range), columns() - len(saved))
        style = "green" if row.certain and row.saves_ms > 0 else ""
        yield Text(folded(saved, f"{place}{noise}"), style=style)


class _Lines:
    """The text of lines, for whoever reads the page."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def beside(self, file: str, line: int, remarks: str = "") -> str:
        """A place, remarks and as much of its line as the terminal has room for behind the figures."""
        room = columns() - _FIGURES_COLUMNS - len(remarks) - 2
        text = self._text(file, line)
        least = min(len(text), _LEAST_TEXT_COLUMNS)
        place = _within(_at(file, line), room - least)
        room -= len(place)
        if len(text) > room:
            text = f"{text[: room - 1]}…" if room >= least else ""
        return f"{place}{remarks}  {text}".rstrip()

    def _text(self, file: str, line: int) -> str:
        """One line, `""` where it cannot be read."""
        if file not in self._files:
            try:
                data = read_bytes(file, _LARGEST_BYTES).decode("utf-8", "replace")
            except NotRead:
                data = ""
            self._files[file] = data.split("\n")
        lines = self._files[file]
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        return printable(text if len(text) <= 60 else f"{text[:59]}…")


def _at(file: str, line: int) -> str:
    return f"{_short(file)}:{line}" if line else file


def _within(place: str, room: int) -> str:
    """A place in so many columns; where it is longer, without folders: `~/…/git/init.zsh:7`."""
    first, *rest = place.split("/")
    shorter = place
    while len(shorter) > room and len(rest) > 1:
        rest.pop(0)
        shorter = "/".join((first, "…", *rest))
    return min(place, shorter, key=len)


def _short(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(f"{home}/") else path
