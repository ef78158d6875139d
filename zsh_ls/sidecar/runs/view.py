"""The part of a run's output that an answer shows, and the description of the rest.

While a task runs an answer has its news, uncut; at the end it has what the
resolver chose (VERB-4, RUN-12).
"""

from __future__ import annotations

from typing import Literal

from zsh_ls.lazy import attrs
from zsh_ls.model.results import Verbosity
from zsh_ls.model.words import Origin, Status
from zsh_ls.tasks import Delta, Output

from .run import MESSAGE_BYTES, Run, why_lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.verbosity.values import Elision, ResolverInput


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
    begins_with_note: bool = False

    @property
    def is_uncut(self) -> bool:
        """Whether every line of its range is there, and no other, so that lines can be numbered."""
        return self.verbosity.level in ("full", "debug") and not self.begins_with_note


@attrs.frozen
class ResolverWindow:
    """The text the resolver sees, and what of a huge output lies between its two ends."""

    text: str
    elision: Elision | None = None


def news(run: Run, cursor: int, *, numbered: bool = False) -> OutputView:
    """What a task has printed since `cursor`, uncut but for what is not kept.

    `numbered` for an answer that puts a number before each line.
    """
    output = run.task.output
    delta = _page(output, cursor, numbered=numbered)
    lost = output.lost_lines if delta.new_bytes and _is_lost(output, cursor) else 0
    return _uncut(delta, _plainly(run, _lines_of(delta), lost))


def whole(run: Run) -> OutputView:
    """Everything from the first line, as much as one message with numbered lines carries (`full_output`)."""
    output = run.task.output
    delta = output.delta(0, MESSAGE_BYTES)
    kept = _around_what_is_lost(output, 0, delta)
    if kept is None or kept.elision is None:
        page = _page(output, 0, numbered=True)
        return _uncut(page, _plainly(run, _lines_of(page)))
    verbosity = _plainly(run, output.total_lines - kept.elision.lines, kept.elision.lines)
    size = output.size_bytes
    return OutputView(kept.text, delta.from_line, output.total_lines, size, size, verbosity)


def final_view(run: Run, cursor: int, *, numbered: bool = False) -> OutputView:
    """The resolver's view of what an ended task's observer has not been given yet; uncut if that fails."""
    if run.task.request.streams is not None:
        return news(run, run.task.output.size_bytes)  # all of it has been passed on
    with run.attempting("The choice of what to show"):
        return _resolved(run, cursor, numbered=numbered)
    return news(run, cursor, numbered=numbered)


def _resolved(run: Run, cursor: int, *, numbered: bool) -> OutputView:
    from zsh_ls.verbosity.resolve import resolve  # noqa: PLC0415  what passed needs no resolver

    from .output import save  # noqa: PLC0415

    output = run.task.output
    delta = output.delta(cursor, MESSAGE_BYTES)
    around = _around_what_is_lost(output, cursor, delta)
    window = around or (_window(output, cursor) if delta.more else ResolverWindow(delta.text))
    if delta.more and around is None and window.elision:
        telling = _telling(run, window.elision, cursor)
        window = attrs.evolve(window, elision=attrs.evolve(window.elision, telling=telling))
    recorded = _recorded(run, cursor, window)
    shown = resolve(recorded)
    if shown.verbosity.operation == "test":
        run.failed_tests = shown.failed_tests
    page = _page(output, cursor, numbered=True) if shown.whole and numbered else delta
    if shown.whole and page.more and around is None:
        # Nothing of it may be left out, so it comes page by page.
        lost = output.lost_lines
        level: Level = "balanced" if lost else "full"
        uncut = attrs.evolve(shown.verbosity, level=level, omitted_lines=lost, full_output=None)
        return _uncut(page, attrs.evolve(uncut, total_lines=output.total_lines))
    if shown.verbosity.full_output and run.workspace is not None:
        is_saved = False
        with run.attempting("The saved output"):
            is_saved = save(run.workspace, run.task.output.texts()) is not None
        if not is_saved:
            shown = resolve(attrs.evolve(recorded, full_output=None))
    return OutputView(
        shown.output,
        delta.from_line,
        output.total_lines if delta.to_line is not None else None,
        output.size_bytes - cursor,
        output.size_bytes,
        shown.verbosity,
        begins_with_note=shown.begins_with_note,
    )


def _recorded(run: Run, cursor: int, window: ResolverWindow) -> ResolverInput:
    from zsh_ls.verbosity.values import ResolverInput  # noqa: PLC0415

    from .output import RELATIVE  # noqa: PLC0415

    task = run.task
    delivered = task.output.text(min(cursor, DELIVERED_BYTES)) if cursor else ""
    # A person has the kept output instead.
    saves = run.workspace is not None and run.request.origin is Origin.AGENT
    return ResolverInput(
        command=run.request.command,
        exit=task.exit,
        pipestatus=task.pipestatus,
        combined=window.text,
        combined_via="pty" if task.is_pty else "pipe",
        timed_out=task.status is Status.TIMEOUT,
        previous_failures=run.failures_before,
        previous_failed_tests=run.failed_tests_before,
        requested_full=run.request.verbosity == "debug",
        delivered=delivered,
        elision=window.elision,
        full_output=RELATIVE if saves and not task.output.gap else None,
    )


def _window(output: Output, cursor: int) -> ResolverWindow:
    """The beginning and the end of a huge output, by whole lines where it has lines."""
    from zsh_ls.verbosity.values import Elision  # noqa: PLC0415

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


def _telling(run: Run, elision: Elision, cursor: int) -> tuple[tuple[int, str], ...]:
    """The telling lines between the two ends of a huge output, and how many elided lines are before each."""
    from .middle import OutputMiddle  # noqa: PLC0415  few outputs are huge

    output = run.task.output
    if run.middle is None:
        run.middle = OutputMiddle(output)
    first = output.line_at(cursor) - 1 + elision.before
    found = run.middle.telling(range(first, first + elision.lines))
    return tuple((line.at - first, line.text) for line in found)


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
    from zsh_ls.verbosity.values import Elision  # noqa: PLC0415

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
    """How an answer that leaves out nothing that is kept describes itself."""
    operation = "command"
    if run.task.request.streams is None:
        with run.attempting("What kind of command it is"):
            from zsh_ls.verbosity.operation import read_command  # noqa: PLC0415  as above

            operation = read_command(run.request.command).operation
    state: Literal["running", "success", "failed", "timed out"] = "running"
    if run.concluded.is_set():
        state = "success" if run.task.exit == 0 else "failed"
        if run.task.status is Status.TIMEOUT:
            state = "timed out"
    level: Level = "balanced" if lost else "full"
    return Verbosity(operation, level, state, lines + lost, lost, (), None)


def _page(output: Output, cursor: int, *, numbered: bool) -> Delta:
    """What one message carries of the output after `cursor`.

    Where its lines are `numbered` there has to be room for the numbers: those of
    4 MiB of `y` are four times as long as the text.
    """
    limit = MESSAGE_BYTES
    while True:
        delta = output.delta(cursor, limit)
        numbers = _lines_of(delta) * len(f"{delta.to_line}: ") if numbered else 0
        if delta.new_bytes + numbers <= MESSAGE_BYTES:
            return delta
        limit = MESSAGE_BYTES * delta.new_bytes // (delta.new_bytes + numbers)


def _lines_of(delta: Delta) -> int:
    return delta.to_line - delta.from_line + 1 if delta.from_line and delta.to_line else 0
