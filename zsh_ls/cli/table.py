"""Lines and tables of text: aligned here where they fit, by rich where they have to be folded or measured.

rich takes as long to load as all that `zsh-ls stats` asks memory by.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from zsh_ls.lazy import attrs

from .screen import columns, console_of, wants_colour

GAP = "  "
_DIM, _USUAL = "\x1b[2m", "\x1b[0m"
# A bell, a step back and the like: what a command had in it is no order to the terminal.
_CONTROLS = dict.fromkeys((7, 8, 11, 12, 13))


@attrs.frozen
class Table:
    """Rows below their headings."""

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def print_rows(rows: Iterable[str | Table]) -> None:
    """Print lines as they are, and tables."""
    for row in rows:
        if isinstance(row, str):
            print(row.translate(_CONTROLS))
        elif not _print_aligned(row):
            _print_folded(row)


def _print_aligned(table: Table) -> bool:
    """Print a table whose lines are short and plain; False for another, of which nothing is printed."""
    lines = [table.headings, *table.rows]
    if not all(cell.isascii() and cell.isprintable() for line in lines for cell in line):
        return False
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) > columns():
        return False
    dim, usual = (_DIM, _USUAL) if wants_colour(sys.stdout) else ("", "")
    for line in lines:
        text = GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(f"{dim}{text}{usual}" if line is table.headings else text)
    return True


def _print_folded(table: Table) -> None:
    from rich.table import Table as RichTable

    found = RichTable(*table.headings, box=None, pad_edge=False, header_style="dim")
    for row in table.rows:
        found.add_row(*row)
    sys.stdout.flush()
    console_of(soft_wrap=True, emoji=False).print(found)
