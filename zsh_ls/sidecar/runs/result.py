"""What the answer to a run says: the text that is shown, what is said of the rest, and the fields.

While a task runs an answer has its news, uncut; at the end it has what the
resolver chose (VERB-4, RUN-12). A long output is also written under the
workspace root. A repository may have put anything in that file's place: a link
that leads out of the workspace, another name of a file elsewhere, a pipe. So
folders are held open, no existing file is written into, and a new one is put in
its place whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Literal

import attrs

from zsh_ls.insights.display import formatted
from zsh_ls.insights.kills import formatted_insight
from zsh_ls.insights.suggestions import poll_meta
from zsh_ls.model.insight import by_level, priority
from zsh_ls.model.requests import HERE, Caller
from zsh_ls.model.results import (
    Annotations,
    KillInsight,
    KillResult,
    PollMeta,
    Progress,
    TaskResult,
    TaskSummary,
    Verbosity,
)
from zsh_ls.model.words import Origin, Status
from zsh_ls.tasks import Delta, Output, Task
from zsh_ls.verbosity.operation import read_command
from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.values import Elision, ResolverInput

from .run import Observer, Run, why_lost

FOLDER = ".tmp"
NAME = "last-command-output.txt"
RELATIVE = f"{FOLDER}/{NAME}"
IGNORE = ".gitignore"
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def save(workspace: str, pieces: Iterable[str]) -> str | None:
    """Write `pieces` to `.tmp/last-command-output.txt`; gives that relative path, None where it cannot be.

    The file is private (0600), replaced whole, and kept out of git by a
    `.gitignore` of its own.
    """
    try:
        with _folder(workspace) as folder:
            if not _is_file(folder, IGNORE):
                _replace(folder, IGNORE, ["*\n"])
            _replace(folder, NAME, pieces)
    except OSError:
        return None
    return RELATIVE


@contextlib.contextmanager
def _folder(workspace: str) -> Iterator[int]:
    """`.tmp`, held open, made where it is not there; OSError where it is a link or another user's."""
    root = os.open(workspace, _OPEN_FOLDER)
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(FOLDER, 0o700, dir_fd=root)
        folder = os.open(FOLDER, _OPEN_FOLDER | os.O_NOFOLLOW, dir_fd=root)
    finally:
        os.close(root)
    try:
        if os.fstat(folder).st_uid != os.geteuid():
            raise PermissionError(f"{workspace}/{FOLDER} is another user's")
        yield folder
    finally:
        os.close(folder)


def _is_file(folder: int, name: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def _replace(folder: int, name: str, pieces: Iterable[str]) -> None:
    """Put a new file in the place of whatever has the name."""
    fresh = f"{name}.{secrets.token_hex(6)}"
    descriptor = os.open(fresh, _NEW_FILE, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh, dir_fd=folder)
        raise


MESSAGE_BYTES = 4 * 1024 * 1024
# Of a huge output the resolver is given the two ends, so that its time and memory stay bounded.
HEAD_BYTES = 512 * 1024
TAIL_BYTES = 1024 * 1024
DELIVERED_BYTES = 256 * 1024

Level = Literal["lean", "balanced", "full", "debug"]


@attrs.frozen
class OutputView:
    """Text for one answer: lines `from_line` to `to_line` of the whole, up to byte `cursor`."""

    output: str
    from_line: int | None
    to_line: int | None
    new_bytes: int
    cursor: int
    verbosity: Verbosity
    more: bool = False

    @property
    def is_uncut(self) -> bool:
        """Whether every line of its range is there, so that lines can be numbered."""
        return self.verbosity.level in ("full", "debug")


@attrs.frozen
class ResolverWindow:
    """The text the resolver sees, and what of a huge output lies between its two ends."""

    text: str
    elision: Elision | None = None


def news(run: Run, cursor: int) -> OutputView:
    """What a task has printed since `cursor`, uncut but for what is not kept."""
    output = run.task.output
    delta = output.delta(cursor, MESSAGE_BYTES)
    lost = output.lost_lines if delta.new_bytes and _is_lost(output, cursor) else 0
    return _uncut(delta, _plainly(run, _lines_of(delta), lost))


def whole(run: Run) -> OutputView:
    """Everything from the first line, as much as one message carries (`full_output`)."""
    output = run.task.output
    delta = output.delta(0, MESSAGE_BYTES)
    kept = _around_what_is_lost(output, 0, delta)
    if kept is None or kept.elision is None:
        return _uncut(delta, _plainly(run, _lines_of(delta)))
    verbosity = _plainly(run, output.total_lines - kept.elision.lines, kept.elision.lines)
    size = output.size_bytes
    return OutputView(kept.text, delta.from_line, output.total_lines, size, size, verbosity)


def final_view(run: Run, cursor: int) -> OutputView:
    """The resolver's view of what an ended task's observer has not been given yet; uncut if that fails."""
    with run.attempting("The choice of what to show"):
        return _resolved(run, cursor)
    return news(run, cursor)


def _resolved(run: Run, cursor: int) -> OutputView:
    output = run.task.output
    delta = output.delta(cursor, MESSAGE_BYTES)
    around = _around_what_is_lost(output, cursor, delta)
    window = around or (_window(output, cursor) if delta.more else ResolverWindow(delta.text))
    recorded = _recorded(run, cursor, window)
    shown = resolve(recorded)
    if shown.whole and delta.more and around is None:
        # Nothing of it may be left out, so it comes page by page.
        lost = output.lost_lines
        level: Level = "balanced" if lost else "full"
        uncut = attrs.evolve(shown.verbosity, level=level, omitted_lines=lost, full_output=None)
        return _uncut(delta, attrs.evolve(uncut, total_lines=output.total_lines))
    if shown.verbosity.full_output and not _save(run):
        shown = resolve(attrs.evolve(recorded, full_output=None))
    return OutputView(
        shown.output,
        delta.from_line,
        output.total_lines if delta.to_line is not None else None,
        output.size_bytes - cursor,
        output.size_bytes,
        shown.verbosity,
    )


def _recorded(run: Run, cursor: int, window: ResolverWindow) -> ResolverInput:
    task = run.task
    delivered = task.output.text(min(cursor, DELIVERED_BYTES)) if cursor else ""
    return ResolverInput(
        command=run.request.command,
        shell=task.request.shell,
        exit=task.exit,
        pipestatus=task.pipestatus,
        combined=window.text,
        combined_via="pty" if task.is_pty else "pipe",
        timed_out=task.status is Status.TIMEOUT,
        previous_failures=run.failures_before,
        requested_full=run.request.verbosity == "debug",
        delivered=delivered,
        elision=window.elision,
        full_output=RELATIVE if _saves(run) and not task.output.gap else None,
    )


def _window(output: Output, cursor: int) -> ResolverWindow:
    """The beginning and the end of a huge output, by whole lines where it has lines."""
    head = output.delta(cursor, HEAD_BYTES)
    last_of_head = head.to_line or 0
    first_of_tail = output.line_at(output.size_bytes - TAIL_BYTES) + 1
    if first_of_tail <= last_of_head or first_of_tail > output.total_lines:
        tail = output.delta(output.size_bytes - TAIL_BYTES, TAIL_BYTES)
        return ResolverWindow(head.text + tail.text)
    page = output.lines(first_of_tail, None, MESSAGE_BYTES)
    hidden = first_of_tail - last_of_head - 1
    return ResolverWindow(
        head.text + page.text, Elision(head.text.count("\n"), hidden) if hidden else None
    )


def _saves(run: Run) -> bool:
    """Whether its whole output goes to a file of the workspace: a person has the kept output instead."""
    return run.workspace is not None and run.request.origin is Origin.AGENT


def _save(run: Run) -> bool:
    """Whether the whole output lies under the workspace root now."""
    if run.workspace is not None:
        with run.attempting("The saved output"):
            return save(run.workspace, run.task.output.texts()) is not None
    return False


def _uncut(delta: Delta, verbosity: Verbosity) -> OutputView:
    return OutputView(
        delta.text,
        delta.from_line,
        delta.to_line,
        delta.new_bytes,
        delta.cursor,
        verbosity,
        delta.more,
    )


def _is_lost(output: Output, position: int) -> bool:
    """Whether the byte at `position` is not kept."""
    gap = output.gap
    return gap is not None and gap.from_byte <= position < gap.to_byte


def _around_what_is_lost(output: Output, cursor: int, delta: Delta) -> ResolverWindow | None:
    """What is kept before and after the gap that `delta` begins or ends at, if one message carries it."""
    gap = output.gap
    if gap is not None and _is_lost(output, cursor) and not delta.more:
        return ResolverWindow(delta.text, Elision(0, output.lost_lines, why_lost(output)))
    if gap is None or not delta.more or delta.cursor != gap.from_byte:
        return None
    after = output.delta(gap.to_byte, MESSAGE_BYTES - delta.new_bytes)
    if after.more:
        return None
    before = delta.text if delta.text.endswith("\n") or not delta.text else f"{delta.text}\n"
    lost = Elision(before.count("\n"), output.lost_lines, why_lost(output))
    return ResolverWindow(before + after.text, lost)


def _plainly(run: Run, lines: int, lost: int = 0) -> Verbosity:
    operation = "command"
    with run.attempting("What kind of command it is"):
        operation = read_command(run.request.command).operation
    level: Level = "balanced" if lost else "full"
    return Verbosity(operation, level, _state(run), lines + lost, lost, (), None)


def _lines_of(delta: Delta) -> int:
    return delta.to_line - delta.from_line + 1 if delta.from_line and delta.to_line else 0


def _state(run: Run) -> Literal["running", "success", "failed", "timed out"]:
    if not run.judged.is_set():
        return "running"
    if run.task.status is Status.TIMEOUT:
        return "timed out"
    return "success" if run.task.exit == 0 else "failed"


LARGE_BYTES = 256 * 1024
log = logging.getLogger(__name__)
HOW_TO_GO_ON = (
    "Command running ({elapsed_s:.1f}s). Use zsh_poll to get more output, zsh_send to input."
)


@attrs.frozen
class EndFields:
    """The fields of a result that only an ended task has."""

    success: bool | None = None
    exit: int | None = None
    pipestatus: tuple[int, ...] | None = None
    signal: int | None = None
    error: str | None = None


async def first_answer(run: Run) -> TaskResult:
    """The answer to `run`: the end, or what there is after `yield_after`."""
    caller = run.request.caller
    polls = run.polls_of(caller)
    view = await _advance(run, polls)
    polls.is_told = True
    return _result(run, view, caller, opening=True)


async def poll_answer(run: Run, caller: Caller, *, full_output: bool) -> TaskResult:
    """The answer to `poll`: what is new since the caller's last one, or everything.

    One that did not start the task hears at its first poll what was said before the run.
    """
    polls = run.polls_of(caller)
    opening, polls.is_told = not polls.is_told, True
    if full_output:
        view = await _off_the_loop(run, lambda: whole(run))
        polls.cursor = max(polls.cursor, view.cursor)
    else:
        view = await _advance(run, polls)
        polls.idle = polls.idle.after(view.new_bytes)
    return _result(run, view, caller, numbered=True, opening=opening)


async def progress(run: Run) -> Progress:
    """One notification of the progress stream, on its own cursor."""
    view = await _advance(run, run.stream)
    run.stream.idle = run.stream.idle.after(view.new_bytes)
    result = _result(run, view, HERE)
    ended = result.status is not Status.RUNNING
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
        exit=result.exit,
        pipestatus=result.pipestatus,
        insights=result.insights,
        formatted=result.formatted if ended else None,
        tag=run.request.tag,
    )


def kill_answer(run: Run, judged: KillInsight | None, caller: Caller) -> KillResult:
    """The answer to `kill`, with what the caller's polls had not brought yet."""
    polls, task = run.polls_of(caller), run.task
    view = news(run, polls.cursor)
    polls.cursor = view.cursor
    told = formatted_insight(judged, colour=run.colour_for(caller)) if judged else None
    return KillResult(
        success=True,
        message=f"Task {task.task_id} killed",
        task_id=task.task_id,
        exit=task.exit if judged is None and task.exit is not None else 137,
        output=view.output,
        insight=judged,
        formatted_insight=told,
    )


def summary(run: Run) -> TaskSummary:
    """One line of the task list."""
    task = run.task
    return TaskSummary(
        task_id=task.task_id,
        command=run.told_command,
        status=task.status,
        elapsed_seconds=round(task.elapsed_s, 3),
        output_bytes=task.output.size_bytes,
        is_pty=task.is_pty,
        origin=run.request.origin,
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
        estimate=run.past.estimate,
    )


def ending_of(task: Task) -> EndFields:
    """How an ended task is told: a timed-out one has no exit, a killed one has 137 (RUN-2, RUN-11)."""
    if task.status is Status.COMPLETED:
        return EndFields(task.exit == 0, task.exit, task.pipestatus, task.signal)
    if task.status is Status.KILLED:
        return EndFields(False, 137, (137,), task.signal, "Command was killed")
    if task.status is Status.TIMEOUT:
        timeout_s = task.request.timeout_s or 0.0
        return EndFields(False, signal=task.signal, error=f"Command timed out after {timeout_s:g}s")
    return EndFields(False, error=task.error)


async def _advance(run: Run, observer: Observer) -> OutputView:
    """What `observer` has not seen yet; its cursor moves past it."""
    cursor = observer.cursor
    if run.judged.is_set():
        view = await _off_the_loop(run, lambda: final_view(run, cursor))
    else:
        view = news(run, cursor)
    observer.cursor = max(observer.cursor, view.cursor)
    return view


async def _off_the_loop(run: Run, work: Callable[[], OutputView]) -> OutputView:
    """A short text is rendered faster than a thread is woken; a long one must not stall the loop."""
    if run.task.output.size_bytes > LARGE_BYTES:
        try:
            return await asyncio.to_thread(work)
        except RuntimeError:  # no thread can be had
            log.info("a long text is rendered on the loop")
    return work()


def _result(
    run: Run, view: OutputView, caller: Caller, *, numbered: bool = False, opening: bool = False
) -> TaskResult:
    task, running = run.task, not run.judged.is_set()
    ending = EndFields() if running else ending_of(task)
    prospects = None
    with run.attempting("How long it may take"):
        prospects = meta(run, run.polls_of(caller)) if running else None
    insights = run.insights if opening or not running else run.incomplete
    result = partial(
        TaskResult,
        task_id=task.task_id,
        command=run.told_command,
        shell=task.request.shell,
        cwd=task.request.cwd,
        status=Status.RUNNING if running else task.status,
        success=ending.success,
        exit=ending.exit,
        pipestatus=ending.pipestatus,
        signal=ending.signal,
        error=ending.error,
        message=HOW_TO_GO_ON.format(elapsed_s=task.elapsed_s)
        if running
        else run.request.not_traced,
        output=view.output,
        from_line=view.from_line,
        to_line=view.to_line,
        new_bytes=view.new_bytes,
        more=True if view.more else None,
        elapsed_seconds=round(task.elapsed_s, 3),
        has_stdin=task.has_stdin,
        is_pty=task.is_pty,
        origin=run.request.origin,
        insights=by_level(insights) or None,
        annotations=Annotations(priority(insights)),
        verbosity=view.verbosity,
        poll_meta=prospects,
        traced=None if task.request.script is None else run.trace is not None,
        lines=None if running or run.trace is None else run.trace.lines,
    )
    answer, numbered = result(formatted=""), numbered and view.is_uncut
    with run.attempting("The text of this answer"):
        text = formatted(answer, colour=run.colour_for(caller), numbered=numbered)
        return attrs.evolve(answer, formatted=text)
    return attrs.evolve(answer, insights=by_level(run.insights), annotations=Annotations(1.0))
