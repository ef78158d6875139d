"""Printing for people: rich's console where the reader may go, and text folded to the terminal's width."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from rich.console import Console

NARROWEST = 40


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


def columns() -> int:
    """How wide a line of standard output may be: as its terminal is, without limit where it is none."""
    if not sys.stdout.isatty():
        return sys.maxsize
    import shutil

    return max(NARROWEST, shutil.get_terminal_size().columns)


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
        import shutil
        import textwrap

        width = max(NARROWEST, shutil.get_terminal_size().columns)
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
