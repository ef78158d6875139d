"""Scripts run as a whole: what is started for one, and what its lists did while it ran (DOC-3)."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Sequence
from functools import lru_cache

from zsh_ls.lazy import attrs
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.requests import RunnableScript, RunRequest, ScriptRequest
from zsh_ls.model.results import TracedLine
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.model.words import Origin
from zsh_ls.shell.syntax.dialect import SHELLS, Interpreter, dialect_of, interpreter_of
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.tracing.timeline import Tracing
from zsh_ls.shell.tracing.traceable import needs_a_full_trap, reason_against
from zsh_ls.sidecar.documents.marks import DocumentState
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.tasks import Task

from .launch import path_of

LOOK_EVERY_S = 0.5
LONGEST_TRACED = 500_000
TOO_LONG_TO_TRACE = "Not traced: the script has {length:,} characters; up to {most:,} are traced."
NO_STARTUP_FILES = "f"
"""zsh's letter of NO_RCS: what tells of exits and lists is a startup file, so it is set there."""


def as_run(request: ScriptRequest, document: DocumentState) -> RunRequest:
    """The run of an open document's text; raises InvalidRequest where it is no shell script.

    Where the file holds just that text, the file itself runs, so that `$0` is its name. Reads the
    file and all of the text: not for the event loop.
    """
    path = path_of(document.uri)
    interpreter = interpreter_of(document.text) or Interpreter("")
    if interpreter.name and interpreter.name not in SHELLS:
        raise InvalidRequest(
            f"textDocument: expected a zsh, bash or sh script, its first line names {interpreter.name}"
        )
    shell = request.shell or shell_of_script(document)
    dialect = _dialect_of(shell)
    is_long = len(document.text) > LONGEST_TRACED
    reason = None
    if request.trace and is_long:
        reason = TOO_LONG_TO_TRACE.format(length=len(document.text), most=LONGEST_TRACED)
    elif request.trace:
        reason = reason_against(document.text, dialect)
    options, reads_startup = _options(interpreter, shell)
    folder = os.path.dirname(path) if path else ""
    is_saved = bool(path) and _holds(path or "", document.text)
    script = RunnableScript(
        document.text,
        path if is_saved else None,
        options,
        request.arguments,
        traces=request.trace and reason is None,
        traces_subshells=not is_long and needs_a_full_trap(structure_of(document.text, dialect)),
        reads_startup=reads_startup,
        edited=None if is_saved else path,
    )
    from zsh_ls.sidecar.params import request_from  # noqa: PLC0415  a mere run needs no cattrs

    return request_from(
        request,
        RunRequest,
        command=_command(document, shell, request.arguments),
        cwd=request.cwd or (folder if os.path.isdir(folder) else None),
        shell=shell,
        origin=Origin.TRACE if script.traces else request.origin,
        script=script,
        not_traced=reason,
    )


@lru_cache(maxsize=1)
def structure_of(text: str, dialect: Dialect) -> Script:
    """The structure of a script that is run as a whole: read in a thread, then asked for on the loop."""
    return parse(text, dialect)


def command_of(document: DocumentState) -> str:
    """The command by which a run of the document without arguments is remembered."""
    return _command(document, shell_of_script(document), ())


def _command(document: DocumentState, shell: str, arguments: Sequence[str]) -> str:
    name = path_of(document.uri) or document.uri.rpartition("/")[2]
    return shlex.join([shell, name, *arguments])


def shell_of_script(document: DocumentState) -> str:
    """The kind of shell that a script is written for: by its first line, its language, its name."""
    name = document.uri.rpartition("/")[2]
    return dialect_of(document.text, document.language_id, name).value


def _dialect_of(shell: str) -> Dialect:
    return SHELLS.get(os.path.basename(shell), Dialect.SH)


def _options(interpreter: Interpreter, shell: str) -> tuple[tuple[str, ...], bool]:
    """The interpreter line's own options, and whether it has the user's startup file read."""
    if _dialect_of(shell) is not Dialect.ZSH:
        return interpreter.options, True
    plain = [it for it in interpreter.options if it.startswith("-") and it[1:].isalpha()]
    without = {it: it.replace(NO_STARTUP_FILES, "") for it in plain}
    options = tuple(without.get(it, it) for it in interpreter.options)
    return tuple(it for it in options if it != "-"), without == {it: it for it in plain}


def _holds(path: str, text: str) -> bool:
    """Whether the file at `path` holds just `text`."""
    try:
        wanted = text.encode("utf-8", "surrogateescape")
        return read_bytes(path, len(wanted)) == wanted
    except (NotRead, UnicodeEncodeError):
        return False


@attrs.define
class TraceOfRun:
    """What the lists of a running script did, and once it has ended, its lines."""

    task: Task
    tracing: Tracing
    lines: tuple[TracedLine, ...] = ()
    _fault: Exception | None = None

    @classmethod
    def of(cls, task: Task) -> TraceOfRun | None:
        """The trace of a task, if it is a traced script."""
        script, file = task.request.script, task.script_file
        if script is None or file is None or task.trace is None:
            return None
        return cls(task, Tracing(structure_of(script.text, _dialect_of(task.request.shell)), file))

    @property
    def is_cut(self) -> bool:
        """Whether the shell could not report all of it, for want of room."""
        return self.task.trace is not None and self.task.trace.is_cut

    async def follow(self) -> None:
        """Read what the shell reports until the task has ended, then make `lines` and give the file back.

        Raises, after the end, what kept it from understanding a report.
        """
        try:
            while not self.task.ended:
                await self._read_new_lines()
                ending = asyncio.ensure_future(self.task.wait_end())
                await asyncio.wait((ending,), timeout=LOOK_EVERY_S)
                ending.cancel()
            await self._read_new_lines()
        finally:
            if self.task.trace is not None:
                self.task.trace.close()
        if self._fault is not None:
            raise self._fault
        self.lines = self.tracing.lines()

    async def _read_new_lines(self) -> None:
        """What is not understood any more is read all the same: the file would grow for ever."""
        trace = self.task.trace
        while trace is not None and (lines := trace.new_lines()) is not None:
            if self._fault is not None:
                continue
            try:
                await asyncio.to_thread(self.tracing.feed, lines)
            except Exception as fault:
                self._fault = fault
