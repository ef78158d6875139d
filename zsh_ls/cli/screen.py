"""Printing for people: rich's console where the reader may go, and text folded to the terminal's width."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, TextIO

    from rich.console import Console

NARROWEST = 40
_USUAL_COLUMNS = 80


# The fields of requests by what stands for them on a command line.
_AS_TYPED = {
    "command": "COMMAND",
    "cwd": "--cwd",
    "detached": "--detach",
    "env": "--env",
    "runs": "--runs",
    "shell": "--shell",
    "task_id": "TASK",
    "timeout": "--timeout",
    "without": "--without",
}


def as_typed(fault: object) -> str:
    """What a fault says; where its message begins with the field of a request, by what was typed for it."""
    field, colon, rest = str(fault).partition(": ")
    return f"{_AS_TYPED.get(field, field)}{colon}{rest}"


def wants_colour(stream: object) -> bool:
    """Escape codes only on a terminal, and never with NO_COLOR."""
    is_terminal = getattr(stream, "isatty", bool)()
    return bool(is_terminal) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console_of(**options: object) -> Console:
    """A console that takes texts as they are, and whose reader may go: BrokenPipeError says so."""
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> NoReturn:
            # rich itself would exit with 1, as if something had gone wrong.
            raise BrokenPipeError

    if not wants_colour(sys.stdout):
        options["color_system"] = None  # rich alone would leave bold and dim where NO_COLOR is set
    return QuietConsole(highlight=False, markup=False, **options)  # type: ignore[arg-type]


def columns(stream: TextIO | None = None) -> int:
    """How wide a line of standard output, or of `stream`, may be: without limit where that is no terminal."""
    stream = sys.stdout if stream is None else stream
    if not stream.isatty():
        return sys.maxsize
    told = os.environ.get("COLUMNS", "")
    try:
        # Of a terminal that says 0 nobody has set the size.
        its_own = os.get_terminal_size(stream.fileno()).columns or _USUAL_COLUMNS
    except OSError:  # it has been closed
        its_own = _USUAL_COLUMNS
    return max(NARROWEST, int(told) if told.isdecimal() and int(told) else its_own)


def folded(label: str, text: str) -> str:
    """`label` and `text` beside it, folded below one another where standard output is a narrower terminal."""
    line = f"{label}{text}"
    if len(line) <= columns():
        return line
    import textwrap

    indent = " " * len(label)
    return textwrap.fill(
        text, columns(), initial_indent=label, subsequent_indent=indent, break_on_hyphens=False
    )


def tell(problem: str) -> None:
    """Print a problem on standard error: one line, folded between words where that is a narrower terminal."""
    if sys.stderr.isatty():
        import textwrap

        width = columns(sys.stderr)
        problem = textwrap.fill(
            problem, width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
        )
    print(problem, file=sys.stderr)


def page(text: str) -> str:
    """A page of prose and code: what is longer than a line of the terminal is folded between words."""
    import textwrap

    lines = (
        textwrap.fill(it, columns(), break_long_words=False, break_on_hyphens=False)
        if len(it) > columns()
        else it
        for it in text.split("\n")
    )
    return "\n".join(lines)
