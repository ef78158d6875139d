"""The help of commands, folded to the terminal: paragraphs anew, examples and tables as they are."""

from __future__ import annotations

import argparse
import os
import sys

from zsh_ls.lazy import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

DEFAULT_COLUMNS = 80
WRONG_USAGE = 2
_WRITTEN_AS_IT_IS = re.compile(r"^ |\S {3,}\S")


class Paragraphs(argparse.HelpFormatter):
    """Fills each paragraph, and leaves one with an indented line or columns as it was written."""

    def __init__(self, prog: str) -> None:
        # argparse makes one for each argument that is declared, and would load `shutil` to find the width.
        super().__init__(prog, width=_columns() - 2)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip("\n").split("\n\n")
        return "\n\n".join(self._filled(it, width, indent) for it in paragraphs)

    def _filled(self, paragraph: str, width: int, indent: str) -> str:
        lines = paragraph.split("\n")
        if any(map(_WRITTEN_AS_IT_IS.search, lines)):
            return "\n".join(indent + line for line in lines)
        import textwrap

        return textwrap.fill(
            " ".join(lines),
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
            break_long_words=False,
        )


NUMBERS: dict[object, str] = {int: "a whole number", float: "a number"}


class Parser(argparse.ArgumentParser):
    """Names the word that was probably meant where another one stands."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and what is wrong, and exit with 2."""
        from .screen import tell

        self.print_usage(sys.stderr)
        tell(f"{self.prog}: error: {message}")
        sys.exit(WRONG_USAGE)

    def _get_value(self, action: argparse.Action, arg_string: str) -> object:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as fault:
            if action.type in NUMBERS:
                fault.message = f"expected {NUMBERS[action.type]}, got {arg_string!r}"
            raise

    def _check_value(self, action: argparse.Action, value: object) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as fault:
            from difflib import get_close_matches

            near = get_close_matches(str(value), map(str, action.choices or ()), n=1)
            if near:
                fault.message += f"; did you mean {near[0]}?"
            raise


def _columns() -> int:
    """The width of the terminal as `shutil.get_terminal_size` finds it."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(1).columns or DEFAULT_COLUMNS
    except OSError:
        return DEFAULT_COLUMNS
