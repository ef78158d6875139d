"""`zsh-ls failures`: scripts with the fate of each command beside its line (FATE-7)."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from zsh_ls.answers.failures import Failures, entry_of, failures_of, reason, sum_line
from zsh_ls.insights.facts import only_asks_or_tells
from zsh_ls.lazy import attrs
from zsh_ls.shell.embedded.hosts import kind_of
from zsh_ls.shell.fates import Fate, FateKind
from zsh_ls.shell.syntax.dialect import (
    dialect_of,
    interpreter_of,
    is_preprocessed,
    shebang_dialect,
)
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.templates import is_template
from zsh_ls.system.bounded_files import NotRead

from .given_files import GivenFiles
from .one_line import one_line, printable
from .progress import ProgressLine
from .screen import NARROWEST, columns, console_of, wants_colour
from .script_files import STDIN, read_script

UNREADABLE = 2
WORST_FIRST = {kind: position for position, kind in enumerate(FateKind)}
STYLES = {
    FateKind.UNNOTICED: "bold red",
    FateKind.STOPS_SILENTLY: "bold red",
    FateKind.UNKNOWN: "yellow",
    FateKind.REPORTED: "cyan",
    FateKind.HANDLED: "cyan",
    FateKind.STOPS: "green",
}
# What a reader should look at has its reason told, and a sign that needs no colour.
MARKS = {FateKind.UNNOTICED: "!", FateKind.STOPS_SILENTLY: "!", FateKind.UNKNOWN: "?"}
# Its failure goes unnoticed, but it only asks or tells: what is worth a look is not to drown among these.
FAINT_MARK = "·"
FATE_WIDTH = max(map(len, FateKind))
# Signs below a command; a longer one is not underlined to its end.
MOST_SIGNS = 40
# Files without an interpreter line whose names say that they are no zsh, bash or sh.
OTHER_LANGUAGES = {
    ".fish": "fish",
    ".csh": "csh",
    ".tcsh": "tcsh",
    ".nu": "nu",
    ".ps1": "PowerShell",
    ".py": "Python",
    ".pl": "Perl",
    ".rb": "Ruby",
    ".js": "JavaScript",
    ".ts": "TypeScript",
    ".lua": "Lua",
    ".c": "C",
    ".h": "C",
    ".go": "Go",
    ".rs": "Rust",
    ".java": "Java",
}


def print_failures(files: Sequence[str], *, as_json: bool) -> int:
    """Print the fates of these files' commands; the exit status is 2 where one could not be read."""
    status, told, answers = 0, 0, []
    console = console_of(soft_wrap=True, no_color=not wants_colour(sys.stdout))
    given = GivenFiles(file for file in files if file != STDIN)
    with ProgressLine() as progress:
        for number, file in enumerate(files, 1):
            progress.text = "" if file == STDIN and sys.stdin.isatty() else _now(number, files)
            try:
                text, failures = _read(file, given)
            except NotRead as problem:
                with progress.aside():
                    print(f"zsh-ls failures: {one_line(str(problem))}", file=sys.stderr, flush=True)
                status = UNREADABLE
                continue
            if as_json:
                answers.append(_as_json(file, failures))
                continue
            with progress.aside():
                if len(files) > 1:
                    console.print(Text("\n" * bool(told) + one_line(_named(file)), style="bold"))
                for row in _page(text, failures):
                    console.print(row)
            told += 1
    if as_json:
        # A file's name may have bytes that are no UTF-8, which JSON can only escape.
        print(json.dumps({"files": answers}))
    return status


def _now(number: int, files: Sequence[str]) -> str:
    """What the line of progress says; the largest scripts take half a minute."""
    of_how_many = f" ({number} of {len(files)})" if len(files) > 1 else ""
    return f"looking at {one_line(_named(files[number - 1]))}{of_how_many}"


def _named(file: str) -> str:
    return "standard input" if file == STDIN else file


def _read(file: str, given: GivenFiles) -> tuple[str, Failures]:
    """A script and its fates. Raises NotRead, also for what is written in another language."""
    text = read_script(file).removeprefix("\ufeff")
    host = None if interpreter_of(text) else kind_of(file)
    if host is not None:
        look = f"zsh-ls check {shlex.quote(file)}"
        raise NotRead(f"{file}: no script; `{look}` looks at the shell in it ({host})")
    language = _other_language(text, file)
    if language is not None:
        raise NotRead(f"{_named(file)}: written for {language}, not for zsh, bash or sh")
    script = parse(text, dialect_of(text, name=file))
    failures = failures_of(script, given.sources_of(file))
    if not failures.commands and any(it.command_word for it in _first_segments(script.pipelines)):
        raise NotRead(f"{_named(file)}: its commands are nested too deeply to follow")
    return text, failures


def _first_segments(pipelines: Sequence[Any]) -> Iterator[Any]:
    return (segment for pipeline in pipelines for segment in pipeline.segments)


def _other_language(text: str, file: str) -> str | None:
    interpreter = interpreter_of(text)
    if is_preprocessed(text, file):
        return "bats"
    if is_template(text, file):
        return "a template engine"
    if interpreter is None:
        return OTHER_LANGUAGES.get(PurePath(file).suffix)
    return None if shebang_dialect(text) else interpreter.name


def _as_json(file: str, failures: Failures) -> dict[str, Any]:
    return {
        "file": file,
        "commands": [
            attrs.asdict(entry_of(fate), filter=lambda _, value: value is not None)
            for fate in failures.commands
        ],
        "counts": attrs.asdict(failures.counts),
    }


def _page(text: str, failures: Failures) -> Iterator[Text]:
    """Each line after the worst fate of its commands, under it the reasons of those that are marked."""
    beginning: dict[int, list[Fate]] = defaultdict(list)
    for fate in failures.commands:
        beginning[fate.line].append(fate)
    lines = LineIndex(text)
    count = lines.line_count - (lines.starts[-1] == len(text) and lines.line_count > 1)
    width = len(str(count))
    told = ""
    for number in range(1, count + 1):
        start = lines.starts[number - 1]
        content = text[start : lines.line_end(number - 1)]
        here = beginning[number]
        yield _line(number, width, content, here)
        for fate in here:
            if fate.fate not in MARKS or _is_faint(fate):
                continue
            # The same reason over and over says nothing new, unless which command is meant is open.
            if len(here) > 1 or reason(fate) != told:
                yield from _explanation(width, content, fate)
            told = reason(fate)
    yield Text(sum_line(failures.counts), style="bold")


def _line(number: int, width: int, content: str, here: Sequence[Fate]) -> Text:
    worst = min((it.fate for it in here), key=WORST_FIRST.__getitem__, default=None)
    style, mark = (STYLES[worst], MARKS.get(worst, "")) if worst else ("", "")
    if mark and all(_is_faint(it) for it in here if it.fate is worst):
        style, mark = "dim", FAINT_MARK
    return Text.assemble(
        Text(f"{mark:1} {worst or '':{FATE_WIDTH}}", style=style),
        Text(f" {number:>{width}} │ ", style="dim"),
        Text(printable(content), style="" if here else "dim"),
    )


def _is_faint(fate: Fate) -> bool:
    """Whether a failure without notice is that of a test, or of a command that hardly ever fails."""
    return fate.fate is FateKind.UNNOTICED and only_asks_or_tells(fate.command)


def _explanation(width: int, content: str, fate: Fate) -> Iterator[Text]:
    """A line that points to a command and says what decides its fate; two where one is too long."""
    end = fate.end_column - 1 if fate.end_line == fate.line else len(content)
    before = cell_len(printable(content[: fate.column - 1]))
    length = cell_len(printable(content[:end])) - before
    signs = "^" * max(1, length) if length <= MOST_SIGNS else "^" * MOST_SIGNS + "…"
    margin = Text(f"{'':{FATE_WIDTH + width + 3}} │ ", style="dim")
    style, said = STYLES[fate.fate], reason(fate)
    room = columns() - len(margin)
    if before + len(signs) + 1 + len(said) <= room:
        yield Text.assemble(margin, " " * before, Text(f"{signs} {said}", style=style))
        return
    yield Text.assemble(margin, " " * before, Text(signs, style=style))
    for line in textwrap.wrap(said, max(room, NARROWEST)):
        place = min(before, max(0, room - len(line)))
        yield Text.assemble(margin, " " * place, Text(line, style=style))
