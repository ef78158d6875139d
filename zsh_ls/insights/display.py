"""A result as text: output, error, status line, insight lines, in that order (RUN-5…7, ALAN-10, ALAN-12).

All of it is worked out from the result alone, so every frontend shows the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zsh_ls.model.words import Level, Status
from zsh_ls.shell.status.exit_codes import signal_name

from .formatting import LEVEL, Colour, of_exit, of_status, paint, seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.insight import Insight
    from zsh_ls.model.received_result import ReceivedResult
    from zsh_ls.model.results import TaskResult

    Result = TaskResult | ReceivedResult

NO_OUTPUT_PRODUCED = "No output produced."
HOW_TO_GO_ON = "Use zsh_poll to continue, zsh_send to input, zsh_kill to stop."


def formatted(
    result: Result,
    *,
    colour: bool,
    numbered: bool = False,
    of_run: Iterable[Insight] | None = None,
    shown: Iterable[Insight] | None = None,
    prospects: Sequence[str] = (),
) -> str:
    """`TaskResult.formatted`; `numbered` puts line numbers before the lines of a poll.

    `prospects` are lines before its status: what is known of a task that runs.
    `of_run` are the run's insights, of which those that are `shown` get lines; the result's own where
    they are not given.
    """
    insights = result.insights or {} if of_run is None else _by_level(of_run)
    told = insights if shown is None else _by_level(shown)
    parts = []
    if result.output:
        text = result.output.removesuffix("\n")
        if numbered and result.from_line is not None:
            lines = enumerate(text.split("\n"), result.from_line)
            text = "\n".join(f"{number}: {line}" for number, line in lines)
        parts.append(text)
    if NO_OUTPUT_PRODUCED in insights.get(Level.INFO, ()):
        parts = [paint("(no output)", Colour.DIM, colour)]
    if result.error:
        parts.append(f"{paint('[error]', Colour.RED, colour)} {result.error}")
    parts += prospects
    parts.append(status_line(result, colour=colour))
    if result.status is Status.RUNNING:
        parts.append(HOW_TO_GO_ON)
    return "\n".join([*parts, *insight_lines_of(told, colour=colour)])


def status_line(result: Result, *, colour: bool) -> str:
    """`[FAILED task_id=… elapsed=0.3s exit=1 pipestatus=[0,1]]` and its like (RUN-5, RUN-6)."""
    tint = of_status(result.status, result.exit)
    facts = [f"task_id={result.task_id}", f"elapsed={seconds(result.elapsed_seconds)}"]
    if result.status is Status.RUNNING:
        facts.append(f"stdin={'yes' if result.has_stdin else 'no'}")
    elif result.exit is not None:
        name = signal_name(result.exit) if result.signal is not None and result.exit else None
        named = f" ({name})" if name and result.status is Status.COMPLETED else ""
        facts.append(f"exit={_code(result.exit, colour)}{named}")
        if len(statuses := result.pipestatus or ()) > 1:
            facts.append(f"pipestatus=[{','.join(_code(one, colour) for one in statuses)}]")
    failed = result.status is Status.COMPLETED and result.exit
    word = "FAILED" if failed else result.status.value.upper()
    opening = paint(f"[{word}", tint, colour)
    return f"{opening} {' '.join(facts)}{paint(']', tint, colour)}"


def insight_lines(insights: Iterable[Insight], *, colour: bool = False) -> list[str]:
    """One line a level, warnings first; a message of several lines starts on its own (ALAN-10)."""
    return insight_lines_of(_by_level(insights), colour=colour)


def _by_level(insights: Iterable[Insight]) -> Mapping[str, Sequence[str]]:
    from zsh_ls.model.insight import by_level  # noqa: PLC0415  needs classes that results do without

    return by_level(insights)


def _code(code: int, colour: bool) -> str:
    return paint(str(code), of_exit(code), colour)


def insight_lines_of(insights: Mapping[str, Sequence[str]], *, colour: bool = False) -> list[str]:
    """One line a level for messages that are grouped already (ALAN-10)."""
    lines = []
    for level in (Level.WARNING, Level.INFO):
        messages = insights.get(level.value, ())
        joined = " | ".join(message for message in messages if "\n" not in message)
        tables = [message for message in messages if "\n" in message]
        lines += [
            paint(f"[{level.value}: A.L.A.N.: {text}]", LEVEL[level], colour)
            for text in [joined, *tables]
            if text
        ]
    return lines
