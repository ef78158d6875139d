"""What an agent is told of a task beyond its result: what was folded, hidden or waited for."""

from __future__ import annotations

import attrs

from zsh_ls.hooks.untold import with_untold
from zsh_ls.model.results import MatchedLine, NotAsked, TaskResult
from zsh_ls.sidecar.folding import folded_result, with_call_to_read_on

from .paging import clipped

MOST_OF_A_LINE = 200


def task_answer(result: TaskResult, pattern: str | None) -> TaskResult:
    """`result` as agents are given it; `pattern` is the one that the call waited for.

    The text says whether it was found: who reads nothing else could not tell a server that listens
    from one that the waiting was too short for.
    """
    way = f"zsh_output task_id={result.task_id} from_line={{}}"
    result = with_untold(with_call_to_read_on(folded_result(result), way))
    if isinstance(result.matched, NotAsked):
        return result
    return attrs.evolve(result, formatted=f"{result.formatted}\n{_found(result.matched, pattern)}")


def _found(matched: MatchedLine | None, pattern: str | None) -> str:
    if matched is None:
        return f"no line matched: {clipped(pattern or '', MOST_OF_A_LINE)}"
    return f"matched line {matched.line}: {clipped(matched.text, MOST_OF_A_LINE)}"
