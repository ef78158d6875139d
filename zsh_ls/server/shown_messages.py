"""What is shown to the person as a message: results that the editor would ignore, and warnings.

A general client drops the result of `workspace/executeCommand`. Clients that have not declared
`experimental.zshLs` are therefore sent a message with the result of a command that the user ran or a
question they asked, for example with a lens. Warnings are shown because nobody reads stderr: a record of
level WARNING is meant for the user, such as a database that cannot be written or a socket that cannot be
opened. Records of higher levels are bugs, and only go to the log with their traceback.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

import attrs
from lsprotocol import types

from zsh_ls.answers.failures import FateCounts, sum_line
from zsh_ls.model.results import Progress
from zsh_ls.model.startup import WithoutLines
from zsh_ls.model.words import Status
from zsh_ls.shell.fates import FateKind

FAILURES = "zsh/failures"
STARTUP = "zsh/startup"
REHEARSE = "zsh/rehearse"
CHOSEN = frozenset(
    {"zsh/run", "zsh/runScript", "zsh/explain", "zsh/ask", "zsh/why", FAILURES, STARTUP, REHEARSE}
)
MOST_LINES = 20
LONGEST = 2_000
KEPT_TASKS = 32

Show = Callable[[types.ShowMessageParams], None]


@attrs.define
class _TaskOutput:
    """The end of a task's output so far, and how the task ended."""

    text: str = ""
    is_over: bool = False
    failed: bool = False


class MessageFallback:
    """Shows each result once: when it is there, or when its task has ended."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._waiting: set[str] = set()
        self._outputs: dict[str, _TaskOutput] = {}

    def answered(self, method: str, result: Any) -> None:
        """Handle the JSON result of a command."""
        if method not in CHOSEN or not isinstance(result, Mapping):
            return
        if result.get("status") == Status.RUNNING.value:
            self._waiting.add(result["task_id"])
            self._show_if_over(result["task_id"])
            return
        if method == FAILURES:
            self._show_end(_unnoticed(result), failed=False)
            return
        if method == STARTUP:
            self._show_end(_start(result), failed="stuck" in result)
            return
        if method == REHEARSE:
            self._show_end(_rehearsal(result), failed="stopped" in result)
            return
        text = result.get("formatted") or result.get("text") or ""
        self._show_end(text, failed=result.get("success") is False or result.get("kind") == "error")

    def on_progress(self, progress: Progress) -> None:
        """Handle progress of a task, which has the output since the last one."""
        output = self._outputs.setdefault(progress.task_id, _TaskOutput())
        output.is_over = progress.status is not Status.RUNNING
        output.failed = progress.status is not Status.COMPLETED or progress.exit != 0
        new = progress.formatted if output.is_over else progress.output
        output.text = (output.text + (new or ""))[-LONGEST:]
        if len(self._outputs) > KEPT_TASKS:
            self._outputs.pop(next(iter(self._outputs)))
        self._show_if_over(progress.task_id)

    def _show_if_over(self, task_id: str) -> None:
        """Show the output of a task that a command has started, if it has ended."""
        output = self._outputs.get(task_id)
        if output is not None and output.is_over and task_id in self._waiting:
            self._waiting.discard(task_id)
            del self._outputs[task_id]
            self._show_end(output.text, failed=output.failed)

    def _show_end(self, text: str, *, failed: bool) -> None:
        """Show the last lines of a text, where the status line is."""
        lines = text.splitlines()
        shown = "\n".join((["…"] if len(lines) > MOST_LINES else []) + lines[-MOST_LINES:])
        if shown:
            kind = types.MessageType.Error if failed else types.MessageType.Info
            self._show(types.ShowMessageParams(kind, shown[-LONGEST:]))


def _start(result: Mapping[str, Any]) -> str:
    """The time to the first prompt, the dearest lines, what was wrong and what was left running."""
    ended = [
        *(f"{it['file']}:{it['line'] + 1}: {it['message']}" for it in result.get("errors", ())),
        *(f"Left running, and ended: {it['command']}" for it in result.get("left", ())),
    ]
    if (stuck := result.get("stuck")) is not None:
        line = "" if stuck["line"] is None else f":{stuck['line'] + 1}"
        told = f"{result['shell']} came to no prompt: {stuck['file']}{line}: {stuck['command']}"
        return "\n".join([told, *ended])
    own_ms = [(it["own_ms"] - it.get("tracing_ms", 0), it) for it in result["lines"]]
    dear = [
        f"{ms:.0f} ms {it['file']}{'' if it['line'] is None else ':' + str(it['line'] + 1)}"
        for ms, it in sorted(own_ms, key=lambda it: -it[0])[:5]
    ]
    first = f"{result['shell']}: first prompt after {result['first_prompt_ms']['median']:.0f} ms"
    saved = [WithoutLines(**it).told for it in result["without"]]
    busy = result.get("busy")
    uncertain = (
        [f"The machine is busy (load {busy['load']:.0f}): times are uncertain"] if busy else []
    )
    return "\n".join([first, *uncertain, *saved, *dear, *ended])


def _rehearsal(result: Mapping[str, Any]) -> str:
    """The marked lines of a script, how many commands ran or would have, and its end."""
    commands = [it for line in result["lines"] for it in line["commands"]]
    stubs = sum(it["kind"] == "stub" for it in commands)
    rows = [
        f"line {line['line'] + 1}: {', '.join(line['marks'])}"
        for line in result["lines"]
        if line["marks"] and "file" not in line
    ]
    rows.append(f"{len(commands)} commands: {stubs} would run, the others ran in the copy")
    if (stopped := result.get("stopped")) is not None:
        return "\n".join([*rows, f"stopped on line {stopped['line'] + 1}: {stopped['reason']}"])
    return "\n".join([*rows, f"the script's exit: {result['exit']}"])


def _unnoticed(result: Mapping[str, Any]) -> str:
    """The commands of a `zsh/failures` result that fail unnoticed, a line each, and the sum."""
    lines = [
        f"line {it['range']['start']['line'] + 1}: {it['command'].partition(chr(10))[0]}: {it['because']}"
        for it in result["commands"]
        if it["fate"] == FateKind.UNNOTICED.value
    ]
    if len(lines) >= MOST_LINES:
        more = f"and {len(lines) - MOST_LINES + 2} more"
        lines = [*lines[: MOST_LINES - 2], more]
    return "\n".join([*lines, sum_line(FateCounts(**result["counts"]))])


class Warnings(logging.Handler):
    """Passes warnings of all threads to `say`, on the event loop; until `begin` they are kept."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._waiting: list[str] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self.addFilter(lambda record: record.levelno == logging.WARNING)

    def attach(self) -> None:
        """Start to receive log records; they go to stderr as before."""
        logger = logging.getLogger("zsh_ls")
        logger.addHandler(self)
        logger.addHandler(logging.StreamHandler())

    def begin(self) -> None:
        """Show the warnings so far, and from now on each one at once."""
        self.acquire()
        self._loop = asyncio.get_running_loop()
        waiting, self._waiting = self._waiting, []
        self.release()
        for warning in waiting:
            self._say(warning)

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a warning on; called in the thread that logs it, with the handler's lock held."""
        warning = f"zsh-ls: {record.getMessage()}"
        if self._loop is None:
            self._waiting.append(warning)
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._say, warning)
