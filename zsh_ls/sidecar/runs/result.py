"""The answers to run, poll and kill, the pieces of progress, and the lines of the task list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from zsh_ls.insights.display import formatted
from zsh_ls.insights.news import for_a_person, only_news
from zsh_ls.insights.suggestions import poll_meta, prospects_of
from zsh_ls.lazy import attrs
from zsh_ls.model.insight import Insight, by_level, priority
from zsh_ls.model.requests import HERE, Caller
from zsh_ls.model.results import (
    Annotations,
    KillInsight,
    KillResult,
    PollMeta,
    Progress,
    TaskResult,
)
from zsh_ls.model.words import Origin, Status
from zsh_ls.tasks import Delta, Task

from .off_the_loop import off_the_loop
from .run import MESSAGE_BYTES, Observer, Run
from .view import OutputView, final_view, news, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.reports import TaskSummary


HOW_TO_GO_ON = (
    "Command running ({elapsed_s:.1f}s). Use zsh_poll to get more output, zsh_send to input."
)


async def first_answer(run: Run) -> TaskResult:
    """The answer to `run`: the result, or the output so far after `yield_after`."""
    return await _or_plainly(run, run.request.caller, partial(_first_answer, run), from_start=False)


async def poll_answer(run: Run, caller: Caller, *, full_output: bool) -> TaskResult:
    """The answer to `poll`: what is new since the caller's last one, or everything.

    One that did not start the task gets with its first poll what was said before the run.
    """
    make = partial(_poll_answer, run, caller, full_output=full_output)
    return await _or_plainly(run, caller, make, from_start=full_output)


async def _or_plainly(
    run: Run, caller: Caller, make: Callable[[], Awaitable[TaskResult]], *, from_start: bool
) -> TaskResult:
    """What `make` makes; where that fails an answer that says so, with the output and the end."""
    cursor = 0
    with run.attempting("Part of this answer"):
        cursor = 0 if from_start else run.polls_of(caller).cursor
        return await make()
    return _plain_answer(run, caller, cursor)


def _plain_answer(run: Run, caller: Caller, cursor: int) -> TaskResult:
    """The output from byte `cursor` on, uncut, and how the run ended, by as few steps as possible."""
    task, ended = run.task, run.concluded.is_set()
    command, delta = "", Delta("", None, None, 0, cursor)
    with run.attempting("The command"):
        command = run.redacted_command
    if task.request.streams is None:  # else it has been passed on
        with run.attempting("The output"):
            delta = task.output.delta(cursor, MESSAGE_BYTES)
            run.polls_of(caller).cursor = delta.cursor
    missing = [insight.message for insight in run.missing]
    return TaskResult(
        task_id=task.task_id,
        command=command,
        shell=task.request.shell,
        cwd=task.request.cwd,
        status=task.status if ended else Status.RUNNING,
        output=delta.text,
        from_line=delta.from_line,
        to_line=delta.to_line,
        new_bytes=delta.new_bytes,
        more=True if delta.more else None,
        elapsed_seconds=round(task.elapsed_s, 3),
        has_stdin=False,
        is_pty=task.is_pty,
        origin=run.request.origin,
        insights={"warning": missing},
        annotations=Annotations(1.0),
        project=run.project,
        formatted="\n".join((delta.text.rstrip("\n"), *missing)),
        **(_of_the_end(run) if ended else _of_one_that_runs(task)),
    )


async def _first_answer(run: Run) -> TaskResult:
    caller = run.request.caller
    polls = run.polls_of(caller)
    await _find_places(run)
    ended = run.concluded.is_set()
    view = await _advance(run, polls, ended=ended)
    polls.had_opening = True
    answer = await _result(run, view, caller, ended=ended, opening=True)
    # Without it this is no answer that anybody reads, but the first half of a wait.
    if run.request.yield_after:
        polls.told = run.before
    return answer


async def _poll_answer(run: Run, caller: Caller, *, full_output: bool) -> TaskResult:
    polls = run.polls_of(caller)
    opening, polls.had_opening = not polls.had_opening, True
    await _find_places(run)
    ended = run.concluded.is_set()
    if full_output:
        view = await off_the_loop(run.task.output.size_bytes, partial(whole, run))
        # What is left of it comes with the next polls, whatever they had brought before.
        polls.cursor = view.cursor
    else:
        view = await _advance(run, polls, ended=ended, numbered=True)
        polls.idle = polls.idle.after(view.new_bytes)
    told = () if full_output else polls.told
    return await _result(run, view, caller, ended=ended, numbered=True, opening=opening, told=told)


async def progress(run: Run) -> Progress:
    """One notification of the progress stream, on its own cursor."""
    await _find_places(run)
    ended = run.concluded.is_set()
    places = run.places.found[run.stream.places :]
    run.stream.places += len(places)
    view = await _advance(run, run.stream, ended=ended)
    run.stream.idle = run.stream.idle.after(view.new_bytes)
    result = await _result(run, view, HERE, ended=ended)
    return Progress(
        task_id=result.task_id,
        command=result.command,
        origin=result.origin,
        status=result.status,
        output=view.output,
        from_line=view.from_line,
        to_line=view.to_line,
        new_bytes=view.new_bytes,
        elapsed_seconds=result.elapsed_seconds,
        poll_meta=None if ended else meta(run, run.stream),
        places=places or None,
        exit=result.exit,
        pipestatus=result.pipestatus,
        insights=result.insights,
        formatted=result.formatted if ended else None,
        tag=run.request.tag,
    )


def last_progress(run: Run) -> Progress:
    """The end of a run for its stream, where that could not be told with all that belongs to it."""
    task = run.task
    return Progress(
        task_id=task.task_id,
        command="",
        origin=run.request.origin,
        status=task.status,
        output="",
        from_line=None,
        to_line=None,
        new_bytes=0,
        elapsed_seconds=round(task.elapsed_s, 3),
        exit=task.exit,
        pipestatus=task.pipestatus or None,
        insights={"warning": [insight.message for insight in run.missing]},
        tag=run.request.tag,
    )


async def kill_answer(run: Run, judgement: KillInsight | None, caller: Caller) -> KillResult:
    """The answer to `kill`, with what the caller's polls had not brought yet."""
    with run.attempting("Part of this answer"):
        return await _kill_answer(run, judgement, caller)
    task = run.task
    return KillResult(
        success=True,
        message=f"Task {task.task_id} killed",
        task_id=task.task_id,
        exit=137,
        output="",
        insight=None,
        formatted_insight=None,
    )


async def _kill_answer(run: Run, judgement: KillInsight | None, caller: Caller) -> KillResult:
    from zsh_ls.insights.kills import UNKNOWN, formatted_insight  # noqa: PLC0415

    polls, task = run.polls_of(caller), run.task
    view = await _advance(run, polls, ended=False)
    text = None
    is_news = run.request.origin is not Origin.AGENT or (
        judgement and judgement.category != UNKNOWN
    )
    if judgement and is_news:
        text = formatted_insight(judgement, colour=run.colour_for(caller))
    return KillResult(
        success=True,
        message=f"Task {task.task_id} killed",
        task_id=task.task_id,
        exit=task.exit if judgement is None and task.exit is not None else 137,
        output=view.output,
        insight=judgement,
        formatted_insight=text,
    )


def summary(run: Run) -> TaskSummary:
    """One line of the task list."""
    from zsh_ls.model.reports import TaskSummary  # noqa: PLC0415

    task = run.task
    return TaskSummary(
        task_id=task.task_id,
        command=run.redacted_command,
        status=task.status,
        elapsed_seconds=round(task.elapsed_s, 3),
        output_bytes=task.output.size_bytes,
        is_pty=task.is_pty,
        origin=run.request.origin,
        description=run.request.description,
        detached=True if run.request.detached else None,
        project=run.project,
        exit=task.exit,
    )


def meta(run: Run, observer: Observer) -> PollMeta:
    """What `observer` may want to know while the task runs (POLL-2)."""
    task = run.task
    return poll_meta(
        observer.idle,
        elapsed_s=task.elapsed_s,
        idle_s=task.idle_s,
        waiting_for_input=task.waiting_for_input(),
        estimate=run.estimate,
    )


def _error_of(task: Task) -> str | None:
    """Why an ended task has no result of its own; None where it has one."""
    match task.status:
        case Status.KILLED:
            return "Command was killed"
        case Status.TIMEOUT:
            return f"Command timed out after {task.request.timeout_s or 0.0:g}s"
    return task.error


async def _advance(
    run: Run, observer: Observer, *, ended: bool, numbered: bool = False
) -> OutputView:
    """What `observer` has not seen yet, uncut unless it has `ended`; its cursor moves past it."""
    show = final_view if ended else news
    while True:
        cursor = observer.cursor
        new_bytes = run.task.output.size_bytes - (0 if ended else cursor)
        view = await off_the_loop(new_bytes, partial(show, run, cursor, numbered=numbered))
        if observer.cursor == cursor:  # else another poll of the same caller has brought it
            observer.cursor = max(cursor, view.cursor)
            return view


async def _find_places(run: Run) -> None:
    """Those of what a running task has written; at its end they are all there."""
    if not run.concluded.is_set():
        with run.attempting("The places in its output"):
            await run.places.advance()


def _of_one_that_runs(task: Task) -> dict[str, Any]:
    return {"message": HOW_TO_GO_ON.format(elapsed_s=task.elapsed_s)}


def _of_the_end(run: Run) -> dict[str, Any]:
    task = run.task
    return {
        "success": task.exit == 0,
        "exit": task.exit,
        "pipestatus": task.pipestatus or None,
        "signal": task.signal,
        "error": _error_of(task),
        "message": run.request.not_traced,
        "lines": None if run.trace is None else run.trace.lines,
    }


async def _result(
    run: Run,
    view: OutputView,
    caller: Caller,
    *,
    ended: bool,
    numbered: bool = False,
    opening: bool = False,
    told: Sequence[Insight] = (),
) -> TaskResult:
    """`told` are the insights that the caller has read of this run already: no news to an agent (ALAN-16)."""
    task, running = run.task, not ended
    prospects = None
    with run.attempting("How long it may take"):
        prospects = meta(run, run.polls_of(caller)) if running else None
    insights = run.insights if opening or not running else run.incomplete
    of_note = only_news(insights)
    origin = run.request.origin
    known: Sequence[Insight] = insights
    if run.tells_only_news_to(caller):
        known = for_a_person(of_note, in_an_editor=origin.is_in_an_editor)
    is_agents = origin is Origin.AGENT
    answer = TaskResult(
        task_id=task.task_id,
        command=run.redacted_command,
        shell=task.request.shell,
        cwd=task.request.cwd,
        status=Status.RUNNING if running else task.status,
        output=view.output,
        from_line=view.from_line,
        to_line=view.to_line,
        new_bytes=view.new_bytes,
        more=True if view.more else None,
        elapsed_seconds=round(task.elapsed_s, 3),
        has_stdin=task.has_stdin,
        is_pty=task.is_pty,
        origin=run.request.origin,
        insights=by_level(known) or None,
        places=run.places.found or None,
        annotations=Annotations(priority(insights)),
        verbosity=view.verbosity,
        poll_meta=prospects,
        project=run.project,
        session=None if run.begun is None else run.begun.session,
        traced=None if task.request.script is None else run.trace is not None,
        ends_at_s=task.request.timeout_s if running else None,
        formatted="",
        **(_of_one_that_runs(task) if running else _of_the_end(run)),
    )
    with run.attempting("The text of this answer"):
        numbered = numbered and view.is_uncut
        worded = partial(
            formatted,
            answer,
            colour=run.colour_for(caller),
            numbered=numbered,
            of_run=insights,
            shown=[it for it in of_note if it not in told] if is_agents else for_a_person(known),
            prospects=prospects_of(prospects, answer.ends_at_s) if running else (),
        )
        text = await off_the_loop(len(view.output), worded)
        return attrs.evolve(answer, formatted=text)
    return attrs.evolve(answer, insights=by_level(run.insights), annotations=Annotations(1.0))
