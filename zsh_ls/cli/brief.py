"""What `zsh-ls run --brief` prints: the view for agents, no longer than clients hand on (HOOK-2, VERB-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsh_ls.hooks.untold import untold_of
from zsh_ls.insights.display import formatted
from zsh_ls.lazy import attrs, re
from zsh_ls.sidecar.folding import folded_result, with_call_to_read_on

if TYPE_CHECKING:
    from zsh_ls.model.results import TaskResult

MOST_CHARACTERS = 48_000
HOW_TO_ASK = "ask: show full output"
# Room for the line that names the rest.
POINTER_CHARACTERS = 100
_FOLD = re.compile(r"\.\.\. \d+ lines of passed tests folded, lines \d+-(\d+)")


def brief_text(result: TaskResult, *, colour: bool) -> str:
    """The folded view with status and insights; beyond MOST_CHARACTERS it names the lines that are left."""
    result = folded_result(_with_pointer(result))
    untold = untold_of(result)
    said = [] if untold is None else [f"zsh-ls: {untold[1]}"]
    text = "\n".join([formatted(result, colour=colour), *said])
    too_long = len(text) - MOST_CHARACTERS
    if too_long <= 0:
        return text
    rows = result.output.removesuffix("\n").split("\n")
    room = len(result.output) - too_long - POINTER_CHARACTERS
    count, number = 0, _first_number(result, rows)
    while count < len(rows) and len(rows[count]) < room:
        room -= len(rows[count]) + 1
        fold = _FOLD.fullmatch(rows[count])
        number = int(fold[1]) + 1 if fold else number + 1
        count += 1
    shown = rows[:count] or [rows[0][: max(0, room)]]
    last = max(number, result.to_line or 0)
    page = attrs.evolve(result, output="\n".join(shown))
    rest = f"zsh-ls output {result.task_id} --lines {number}:{last}"
    return "\n".join([formatted(page, colour=colour), *said, f"more: {rest}"])


def _with_pointer(result: TaskResult) -> TaskResult:
    """The result, whose cut names the command that has the rest: its reader cannot ask ALAN."""
    way = f"zsh-ls output {result.task_id} --lines {{}}:{result.to_line or ''}"
    result = with_call_to_read_on(result, way)
    first, newline, rest = result.output.partition("\n")
    if not _is_cut(result) or HOW_TO_ASK not in first:
        return result
    first = first.replace(HOW_TO_ASK, f"whole: zsh-ls output {result.task_id}")
    return attrs.evolve(result, output=first + newline + rest)


def _first_number(result: TaskResult, rows: list[str]) -> int:
    """The number of the first row: lines of ours before it count downwards from it."""
    if result.from_line is None:
        return 1
    if result.to_line is None or _is_cut(result):
        return result.from_line
    return result.from_line - max(0, len(rows) - (result.to_line - result.from_line + 1))


def _is_cut(result: TaskResult) -> bool:
    return result.verbosity is not None and result.verbosity.omitted_lines > 0
