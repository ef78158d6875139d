"""From a request to a running shell: its arguments, environment, descriptors and process."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import sys
from typing import Protocol

from zsh_ls.lazy import attrs
from zsh_ls.model.requests import RunnableScript
from zsh_ls.system.programs import is_program

from .environment import Environment, Inherited, environment_of, set_after_startup
from .exit_reports import ask_for_report, without_showing
from .request import StartRequest
from .streams import Control, Streams, open_streams, spawn_on_terminal, spawn_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .trace_file import TraceFile


PIPE_BYTES = 1 << 20
# Linux limits one argument to 128 KiB, including its NUL; other systems only limit all of them.
LONGEST_ARGUMENT_BYTES = (128 << 10) - 1
_F_SETPIPE_SZ = 1031
# Signals that Python ignores and a command expects to have their default action.
_RESET = (signal.SIGPIPE, signal.SIGXFSZ)
_ABOVE_STANDARD = 3
_IS_LINUX = sys.platform.startswith("linux")
# zsh opens a terminal with O_NOCTTY; opened by sh, it becomes the controlling one of the session.
_WITH_TERMINAL = ("/bin/sh", "-c", 'exec "$@" 0<>"$0" 1>&0 2>&0')

Argv = list[str | bytes]


class ChildProcess(Protocol):
    """A child of this process."""

    @property
    def pid(self) -> int:
        """Its process id."""
        ...

    def poll(self) -> int | None:
        """Its exit, or the negative number of the signal that ended it; None while it runs."""
        ...

    def wait(self) -> int:
        """The same, when it has ended."""
        ...


class Spawned:
    """A child started by `os.posix_spawn`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._exit: int | None = None

    def poll(self) -> int | None:
        """Its exit, or the negative number of the signal that ended it; None while it runs."""
        return self._reap(os.WNOHANG)

    def wait(self) -> int:
        """The same, when it has ended."""
        status = self._reap(0)
        assert status is not None
        return status

    def _reap(self, options: int) -> int | None:
        if self._exit is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self._exit = os.waitstatus_to_exitcode(status)
        return self._exit


def set_cloexec() -> None:
    """Set close-on-exec for the descriptors this process inherited (Python's own have it)."""
    for folder in ("/proc/self/fd", "/dev/fd"):  # the second on macOS, and where /proc is hidden
        with contextlib.suppress(OSError):
            for name in os.listdir(folder):
                with contextlib.suppress(OSError):  # that of the listing itself, closed by now
                    if int(name) >= _ABOVE_STANDARD:
                        os.set_inheritable(int(name), False)
            return


@attrs.frozen
class Launched:
    """A started shell: its process, and our ends of its output and, if it has one, its input.

    `link` is the target of its output's descriptors in /proc, by which processes that
    still have it open can be found. `script_file` is the path a script is read from,
    `trace` its trace, `not_traced` why there is none. `text_in_memory` is a descriptor
    of a text that could not be written to a file, to be closed when the shell has ended.
    `relayed` are pairs of our reading ends and where what is read is passed on to, if the request
    has streams; `control` leads to the `session_leader` that `process` is then, on a terminal.
    """

    process: ChildProcess
    output: int
    input: int | None
    link: str
    trace: TraceFile | None = None
    not_traced: str | None = None
    script_file: str | None = None
    text_in_memory: int | None = None
    relayed: tuple[tuple[int, int], ...] = ()
    control: Control | None = None


def launch(request: StartRequest, task_id: str, report: str, inherited: Inherited) -> Launched:
    """Start the shell, whose report files begin with `report`; raises OSError if it cannot be started."""
    environment = environment_of(request, task_id, inherited)
    if request.session is not None:
        # The shell takes it for its folder's name, by the links that a `cd` of the session went through.
        environment[b"PWD"] = os.fsencode(request.cwd)
    elif "PWD" not in request.env and not _names_folder(environment.get(b"PWD"), request.cwd):
        # Of a variable that is another folder's, a shell finds its folder's name itself, without links; zsh
        # by reading all folders above, which takes longer than all else of its start.
        environment[b"PWD"] = os.fsencode(os.path.realpath(request.cwd))
    is_script = request.script is not None
    ask_for_report(
        request.shell,
        request.text,
        report,
        environment,
        is_script=is_script,
        after_startup=set_after_startup(request),
        session=request.session,
    )
    text = _text_of(request, f"{report}command")
    trace: TraceFile | None = None
    not_traced = None
    try:
        try:
            trace = _trace(request.script, report, environment)
        except OSError as refused:
            not_traced = f"Not traced: {refused.strerror or refused}."
        argv = [request.shell, *_arguments(request, text.path, environment)]
        if request.streams is not None:
            started = _between_streams(argv, environment, request, request.streams)
        else:
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


def _names_folder(name: bytes | None, folder: str) -> bool:
    """Whether a shell started in `folder` takes `name` for that folder's."""
    if name is None or not name.startswith(b"/"):
        return False
    if name == os.fsencode(folder):
        return True
    with contextlib.suppress(OSError):
        return os.path.samefile(name, folder)
    return False


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
    from .trace_file import TraceFile  # noqa: PLC0415  few runs are traced

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


def _arguments(request: StartRequest, file: str | None, environment: Environment) -> Argv:
    if request.script is not None:
        options = request.script.options
        if b"ZSH_LS_REPORT" in environment:
            options, late = without_showing(options)
            if late:
                environment[b"ZSH_LS_LATE"] = late.encode()
        return [*options, file or "", *request.script.arguments]
    if file is not None:
        return [file, *request.args]
    # What begins like an option would be taken for one.
    return [
        "-c",
        *(["--"] if request.command[:1] in ("-", "+") else []),
        os.fsencode(request.command),
        *((request.name or request.shell, *request.args) if request.args or request.name else ()),
    ]


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


def _on_pipes(argv: Argv, environment: Environment, request: StartRequest) -> Launched:
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


@attrs.frozen
class Start:
    """A program to start as leader of a new session, with descriptors for its input and output."""

    executable: str
    argv: Argv
    environment: Environment
    cwd: str
    reading: int
    writing: int


def spawn(start: Start) -> ChildProcess:
    """Start the program; raises OSError if it cannot be started.

    `os.posix_spawn` takes half the time of `subprocess.Popen`, but can neither change the folder nor
    close inherited descriptors: `Popen` is used for other folders and on other systems than Linux.
    """
    is_above = min(start.reading, start.writing) >= _ABOVE_STANDARD
    if _IS_LINUX and is_above and _is_current_folder(start.cwd):
        standard = ((start.reading, 0), (start.writing, 1), (start.writing, 2))
        return Spawned(
            os.posix_spawn(
                start.executable,
                start.argv,
                start.environment,
                file_actions=[(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in standard],
                setsid=True,
                setsigdef=_RESET,
            )
        )
    return subprocess.Popen(
        start.argv,
        executable=start.executable,
        stdin=start.reading,
        stdout=start.writing,
        stderr=start.writing,
        cwd=start.cwd,
        env=start.environment,
        start_new_session=True,
        bufsize=0,
    )


def _is_current_folder(folder: str) -> bool:
    try:
        return os.getcwd() == folder
    except FileNotFoundError:  # the current folder has been removed
        return False


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
    if _IS_LINUX:
        # Fails beyond the user's quota of pipe memory; the default size works as well.
        with contextlib.suppress(OSError):
            fcntl.fcntl(reading, _F_SETPIPE_SZ, PIPE_BYTES)
    return reading, writing


def _check_executable(path: str) -> None:
    """Raise the error of starting the shell here: the program that is started first would hide it."""
    os.stat(path)
    if not is_program(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _on_terminal(argv: Argv, environment: Environment, request: StartRequest) -> Launched:
    from .terminal import open_terminal  # noqa: PLC0415

    _check_executable(request.shell_path)
    ours, theirs = open_terminal(request.cols, request.rows)
    device = os.ttyname(theirs)
    try:
        process = subprocess.Popen(
            [*_WITH_TERMINAL, device, *argv],
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
    return Launched(process, ours, os.dup(ours), device)


def _between_streams(
    argv: Argv, environment: Environment, request: StartRequest, streams: Streams
) -> Launched:
    _check_executable(request.shell_path)
    opened = open_streams(streams, request.cols, request.rows)
    process: subprocess.Popen[bytes]
    control = None
    try:
        start = (request.shell_path, argv, environment, request.cwd, opened)
        if opened.master is None:
            process = spawn_plain(*start)
        else:
            process, control = spawn_on_terminal(*start, in_foreground=streams.in_foreground)
    except BaseException:
        opened.close_all()
        raise
    for descriptor in opened.theirs:
        os.close(descriptor)
    typed = None if opened.master is None else os.dup(opened.master)
    first = opened.relayed[0][0] if opened.relayed else -1
    link = opened.device or (_link(first) if opened.relayed else "")
    return Launched(process, first, typed, link, relayed=opened.relayed, control=control)


def _link(descriptor: int) -> str:
    """What the descriptor leads to, as other processes see it in /proc; `""` where there is no /proc."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return ""
