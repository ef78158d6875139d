"""What an agent is told of a task beyond its result: what was folded, hidden or waited for."""

from __future__ import annotations

import attrs

from zsh_ls.hooks.untold import with_untold
from zsh_ls.model.requests import LONGEST_LISTEN_S, PollRequest
from zsh_ls.model.results import MatchedLine, NotAsked, TaskResult
from zsh_ls.model.words import Level, Status
from zsh_ls.sidecar.folding import folded_result, with_call_to_read_on

from .paging import clipped

MOST_OF_A_LINE = 200
SHORT_WAIT_S = 10.0
LONGER_RUNS = "A longer run takes timeout; a server or watcher runs with detached."


def task_answer(result: TaskResult, wait: PollRequest | None) -> TaskResult:
    """`result` as agents are given it; `wait` is what the call waited for.

    The text says whether a line was found: who reads nothing else could not tell a server that listens
    from one that the waiting was too short for.
    """
    way = f"zsh_output task_id={result.task_id} from_line={{}}"
    result = with_untold(with_call_to_read_on(folded_result(result), way))
    if (advice := _advice(result, wait) or _of_an_old_line(result)) is not None:
        said = result.insights or {}
        result = attrs.evolve(
            result,
            formatted=f"{result.formatted}\nzsh-ls: {advice}",
            insights={**said, Level.INFO: [*said.get(Level.INFO, ()), advice]},
        )
    if isinstance(result.matched, NotAsked):
        return result
    pattern = None if wait is None else wait.pattern
    return attrs.evolve(result, formatted=f"{result.formatted}\n{_found(result.matched, pattern)}")


def _advice(result: TaskResult, wait: PollRequest | None) -> str | None:
    """How the next call does better, where this one was ended by a number that nobody had to give."""
    if result.status is Status.TIMEOUT:
        told = (result.insights or {}).get(Level.INFO, ())
        return None if any("detached" in it for it in told) else LONGER_RUNS
    if result.status is Status.RUNNING and wait is not None and wait.until == "end":
        waited = f"Not ended within listen={wait.listen:g}"
        longer = f"{waited}; one call waits up to {LONGEST_LISTEN_S:g} s."
        return longer if wait.listen < SHORT_WAIT_S else None
    return None


def _of_an_old_line(result: TaskResult) -> str | None:
    """That what was found is no news: a pattern that is new begins with the first line (POLL-9)."""
    found = result.matched
    if not isinstance(found, MatchedLine):
        return None
    if result.from_line is not None and found.line >= result.from_line:
        return None
    return f"Line {found.line} was there before this wait; the same pattern again finds later ones."


def _found(matched: MatchedLine | None, pattern: str | None) -> str:
    if matched is None:
        return f"no line matched: {clipped(pattern or '', MOST_OF_A_LINE)}"
    return f"matched line {matched.line}: {clipped(matched.text, MOST_OF_A_LINE)}"
