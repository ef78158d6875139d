"""A command between the standard streams of this process, as if a shell had started it there.

Where one of them is a terminal it is one for the command: a pseudo-terminal for all that are, whose
output passes through this process, because the output of every run is kept. (In the caller's own
terminal nothing of it could be kept.) What is no terminal is a pipe, and standard input is given
away as it is.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import termios
from collections.abc import Callable

from zsh_ls.lazy import attrs

_LEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "session_leader.py")
_STANDARD = (0, 1, 2)

Environment = dict[bytes, bytes]


@attrs.frozen
class Job:
    """A command that has been started between streams, to be controlled as a shell does its jobs.

    `signal` sends one to its process group. With a terminal of its own it is `on_terminal`:
    then `go_on` continues it, in the foreground of that terminal or in its background (where it is
    stopped if it reads the terminal). `is_writing` is whether output is still on its way. `terminal` is
    our end of that terminal, and `takes_keys` whether a key would be read there now (`waiting.py`), None
    where that cannot be told.
    """

    task_id: str
    on_terminal: bool
    signal: Callable[[int], None]
    go_on: Callable[[bool], None]
    is_writing: Callable[[], bool]
    terminal: int | None
    takes_keys: Callable[[], bool] | None


@attrs.frozen
class Control:
    """Our ends of the pipes to a session leader, and from it."""

    wishes: int
    reports: int

    def wish(self, number: int) -> None:
        """Send the number of a signal for the shell's group, FOREGROUND or BACKGROUND."""
        with contextlib.suppress(OSError):  # the leader has just ended
            os.write(self.wishes, bytes([number]))

    def news(self) -> bytes:
        """READY, and the numbers of the signals that have stopped the shell; empty at the end."""
        return os.read(self.reports, 16)

    def close(self) -> None:
        """Close both."""
        os.close(self.wishes)
        os.close(self.reports)


@attrs.frozen
class Streams:
    """The standard streams for a command.

    `terminals` are those of 0, 1 and 2 that are a terminal, `terminal` one of them, whose modes the
    command's terminal begins with. The command begins in its foreground if `in_foreground`.
    `on_start` gets the job as soon as keys and signals reach it; `on_stop` the number of each signal that
    has stopped it, `on_lost` why something that it wrote could not be written. `before_output` is called
    in a thread before each piece of output is written to a terminal: its reader may answer it at once.
    Closed streams are /dev/null.
    """

    terminals: frozenset[int]
    terminal: int | None
    in_foreground: bool
    on_start: Callable[[Job], None]
    on_stop: Callable[[int], None]
    on_lost: Callable[[OSError], None]
    before_output: Callable[[], None]


@attrs.frozen
class Opened:
    """What was opened for a command: its three standard streams, and our ends of them.

    `relayed` are pairs of our reading end and the descriptor of this process that it is passed on
    to. `master` is our end of the terminal. `theirs` are to be closed once the command has started.
    """

    streams: tuple[int, int, int]
    relayed: tuple[tuple[int, int], ...]
    theirs: tuple[int, ...]
    master: int | None = None
    device: str = ""

    def close_all(self) -> None:
        """Close every descriptor, as the command could not be started."""
        for descriptor in {*self.theirs, *(ours for ours, _ in self.relayed)}:
            os.close(descriptor)


def open_streams(streams: Streams, cols: int, rows: int) -> Opened:
    """Open a terminal and pipes as `streams` asks."""
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    theirs, device = [nowhere], ""
    relayed: list[tuple[int, int]] = []
    given = [nowhere, nowhere, nowhere]
    master = None
    if streams.terminals:
        from .terminal import open_terminal  # noqa: PLC0415  loads what a pipe does without

        master, slave = open_terminal(cols, rows)
        device = os.ttyname(slave)
        theirs.append(slave)
        for number in streams.terminals:
            given[number] = slave
        if streams.terminal is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(slave, termios.TCSANOW, termios.tcgetattr(streams.terminal))
        shown_on = next(number for number in (1, 2, 0) if number in streams.terminals)
        relayed.append((master, shown_on))
    for number in _STANDARD:
        if number in streams.terminals or not _is_open(number):
            continue
        if number == 0:
            given[0] = 0
        elif number == 2 and 1 not in streams.terminals and _are_one(1, 2):
            given[2] = given[1]
        else:
            ours, writing = os.pipe()
            theirs.append(writing)
            given[number] = writing
            relayed.append((ours, number))
    return Opened((given[0], given[1], given[2]), tuple(relayed), tuple(theirs), master, device)


def _is_open(number: int) -> bool:
    with contextlib.suppress(OSError):
        os.fstat(number)
        return True
    return False


def _are_one(one: int, other: int) -> bool:
    """Whether both lead to the same pipe or file, in which what is written keeps its order."""
    with contextlib.suppress(OSError):
        return os.path.samestat(os.fstat(one), os.fstat(other))
    return False


def spawn_plain(
    executable: str, argv: list[str | bytes], environment: Environment, cwd: str, opened: Opened
) -> subprocess.Popen[bytes]:
    """Start the shell as leader of a session without a terminal."""
    return subprocess.Popen(
        argv,
        executable=executable,
        stdin=opened.streams[0],
        stdout=opened.streams[1],
        stderr=opened.streams[2],
        cwd=cwd,
        env=environment,
        start_new_session=True,
        bufsize=0,
    )


def spawn_on_terminal(
    executable: str,
    argv: list[str | bytes],
    environment: Environment,
    cwd: str,
    opened: Opened,
    *,
    in_foreground: bool,
) -> tuple[subprocess.Popen[bytes], Control]:
    """Start the shell below a `session_leader`; gives that process and how it is controlled."""
    from .session_leader import BACKGROUND, FOREGROUND, LENGTH_BYTES  # noqa: PLC0415

    wishes, wishing = os.pipe()
    stops, reports = os.pipe()
    control = Control(wishing, stops)
    slave = os.open(opened.device, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        leader = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", _LEADER),
                *(str(wishes), str(reports), str(slave), executable),
            ],
            stdin=opened.streams[0],
            stdout=opened.streams[1],
            stderr=opened.streams[2],
            cwd=cwd,
            env=environment,
            pass_fds=(wishes, reports, slave),
            start_new_session=True,
            bufsize=0,
        )
    except BaseException:
        control.close()
        raise
    finally:
        for descriptor in (slave, wishes, reports):
            os.close(descriptor)
    arguments = b"\0".join(os.fsencode(word) for word in argv)
    begins = bytes([FOREGROUND if in_foreground else BACKGROUND])
    # The leader reads as it is written, so that this never waits for long. Process titles are
    # everybody's to read, and a command may hold a secret: the arguments are not among the leader's.
    left = memoryview(len(arguments).to_bytes(LENGTH_BYTES, "big") + begins + arguments)
    with contextlib.suppress(OSError):
        while left:
            left = left[os.write(wishing, left) :]
    return leader, control


def wish_of(in_foreground: bool) -> int:
    """The byte that tells a session leader to continue the shell."""
    from .session_leader import BACKGROUND, FOREGROUND  # noqa: PLC0415

    return FOREGROUND if in_foreground else BACKGROUND
