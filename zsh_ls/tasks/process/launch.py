"""From a request to a running shell: its arguments, environment and descriptors."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import subprocess
import sys

import attrs

from zsh_ls.model.requests import RunnableScript

from .environment import Environment, Inherited, environment_of, set_after_startup
from .exit_reports import ask_for_report
from .request import StartRequest
from .spawning import ChildProcess, Start, spawn
from .terminal import open_terminal
from .trace_file import TraceFile

PIPE_BYTES = 1 << 20
# Linux limits one argument to 128 KiB, including its NUL; other systems only limit all of them.
LONGEST_ARGUMENT_BYTES = (128 << 10) - 1
_F_SETPIPE_SZ = 1031
# zsh opens a terminal with O_NOCTTY; opened by sh, it becomes the controlling one of the session.
_WITH_TERMINAL = ("/bin/sh", "-c", 'exec "$@" 0<>"$0" 1>&0 2>&0')


@attrs.frozen
class Launched:
    """A started shell: its process, and our ends of its output and, if it has one, its input.

    `link` is the target of its output's descriptors in /proc, by which processes that
    still have it open can be found. `script_file` is the path a script is read from,
    `trace` its trace, `not_traced` why there is none. `text_in_memory` is a descriptor
    of a text that could not be written to a file, to be closed when the shell has ended.
    """

    process: ChildProcess
    output: int
    input: int | None
    link: str
    trace: TraceFile | None = None
    not_traced: str | None = None
    script_file: str | None = None
    text_in_memory: int | None = None


def launch(request: StartRequest, task_id: str, report: str, inherited: Inherited) -> Launched:
    """Start the shell, whose report files begin with `report`; raises OSError if it cannot be started."""
    environment = environment_of(request, task_id, inherited)
    is_script = request.script is not None
    ask_for_report(
        request.shell,
        request.text,
        report,
        environment,
        is_script=is_script,
        after_startup=set_after_startup(request),
    )
    text = _text_of(request, f"{report}command")
    trace: TraceFile | None = None
    not_traced = None
    try:
        try:
            trace = _trace(request.script, report, environment)
        except OSError as refused:
            not_traced = f"Not traced: {refused.strerror or refused}."
        argv = [request.shell, *_arguments(request, text.path)]
        on = _on_terminal if request.pty else _on_pipes
        started = on(argv, environment, request)
        script_file = None if request.script is None else text.path
        return attrs.evolve(
            started,
            trace=trace,
            not_traced=not_traced,
            script_file=script_file,
            text_in_memory=text.descriptor,
        )
    except BaseException:
        if trace:
            trace.close()
        if text.descriptor is not None:
            os.close(text.descriptor)
        raise


def _trace(
    script: RunnableScript | None, report: str, environment: Environment
) -> TraceFile | None:
    """Have the shell trace its lists, if `script` wants that; raises OSError if the disk is full."""
    if script is None:
        return None
    if not script.reads_startup:
        environment[b"ZSH_LS_NO_RCS"] = b"1"
    if not script.traces or b"ZSH_LS_REPORT" not in environment:
        return None
    trace = TraceFile(f"{report}trace")
    environment[b"ZSH_LS_TRACE"] = os.fsencode(trace.path)
    if not script.traces_subshells:
        environment[b"ZSH_LS_TRACE_SHELL"] = b"1"
    return trace


@attrs.frozen
class _Text:
    """The file that a shell reads its text from, None for an argument; `descriptor` if it is in memory."""

    path: str | None = None
    descriptor: int | None = None


def _text_of(request: StartRequest, file: str) -> _Text:
    """Where the shell finds its text: in a file if it is a script or too long for an argument."""
    script = request.script
    if script is not None and script.path is not None:
        return _Text(script.path)
    text = os.fsencode(request.command if script is None else script.text)
    if script is None and len(text) <= LONGEST_ARGUMENT_BYTES:
        return _Text()
    try:
        _write(file, text)
    except OSError:
        if not hasattr(os, "memfd_create"):
            raise
        return _in_memory(text)
    return _Text(file)


def _arguments(request: StartRequest, file: str | None) -> list[str | bytes]:
    if request.script is not None:
        return [*request.script.options, file or "", *request.script.arguments]
    return ["-c", os.fsencode(request.command)] if file is None else [file]


def _write(file: str, text: bytes) -> None:
    """Write `text` to a new private file, which is removed if it cannot hold all of it."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as writing:
            writing.write(text)
    except OSError:
        os.unlink(file)
        raise


def _in_memory(text: bytes) -> _Text:
    """A file without a name, opened by the shell through the /proc entry of this process."""
    descriptor = os.memfd_create("command")
    try:
        with os.fdopen(os.dup(descriptor), "wb") as writing:
            writing.write(text)
    except BaseException:
        os.close(descriptor)
        raise
    return _Text(f"/proc/{os.getpid()}/fd/{descriptor}", descriptor)


def _on_pipes(argv: list[str | bytes], environment: Environment, request: StartRequest) -> Launched:
    output, writing = _pipe()
    reading, feeding = _input(request)
    try:
        start = Start(request.shell_path, argv, environment, request.cwd, reading, writing)
        process = spawn(start)
    except BaseException:
        os.close(output)
        if feeding is not None:
            os.close(feeding)
        raise
    finally:
        os.close(writing)
        os.close(reading)
    return Launched(process, output, feeding, _link(output))


def _input(request: StartRequest) -> tuple[int, int | None]:
    """The shell's standard input, and the descriptor that feeds it, if any."""
    if request.interactive or request.stdin is not None:
        return os.pipe()
    if request.stdin_fd is not None:
        return os.dup(request.stdin_fd), None
    return os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), None


def _pipe() -> tuple[int, int]:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    if sys.platform.startswith("linux"):
        # Fails beyond the user's quota of pipe memory; the default size works as well.
        with contextlib.suppress(OSError):
            fcntl.fcntl(reading, _F_SETPIPE_SZ, PIPE_BYTES)
    return reading, writing


def _on_terminal(
    argv: list[str | bytes], environment: Environment, request: StartRequest
) -> Launched:
    _check_executable(request.shell_path)
    ours, theirs = open_terminal(request.cols, request.rows)
    path = os.ttyname(theirs)
    try:
        process = subprocess.Popen(
            [*_WITH_TERMINAL, path, *argv],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=request.cwd,
            env=environment,
            start_new_session=True,
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    return Launched(process, ours, os.dup(ours), path)


def _check_executable(path: str) -> None:
    """Raise the error of starting `path`: the helper that is started first would hide it."""
    os.stat(path)
    if not os.path.isfile(path) or not os.access(path, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _link(descriptor: int) -> str:
    """What the descriptor leads to, as other processes see it in /proc; `""` where there is no /proc."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""
