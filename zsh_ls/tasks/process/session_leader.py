"""A program: leads the session of a command's terminal, and waits for the command's shell.

    python -I -S session_leader.py WISHES REPORTS TERMINAL EXECUTABLE

The kernel stops no process of a group whose members all have their parents in other sessions, so
that a shell which led its session itself could not be suspended (Ctrl-Z, or vim's :stop). As a child
of this one it can. WISHES and REPORTS are pipes. From the one come the arguments of the shell, then one
byte for each wish: the number of a signal for the shell's process group, FOREGROUND or BACKGROUND. To the
other goes READY once the shell has its group and its terminal, before its program begins, then the number of
each signal that has stopped the shell. This process ends as the shell ended.

Imports nothing of this package: it is started alone, as its start is part of every run's.
"""

import contextlib
import fcntl
import os
import resource
import select
import signal
import sys
import termios

FOREGROUND = 200
BACKGROUND = 201
# No signal has this number.
READY = 0
# The arguments' length in this many bytes precedes them.
LENGTH_BYTES = 8
# Handlers, unlike ignored signals, are not inherited by the shell.
_HANDLED = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
    signal.SIGCHLD,
)
# Python ignores these.
_RESET = (signal.SIGPIPE, signal.SIGXFSZ)


def main() -> None:
    """Start the shell, in the background of the terminal, and carry out wishes until it ends."""
    wishes, reports, terminal = map(int, sys.argv[1:4])
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    size = int.from_bytes(_exactly(wishes, LENGTH_BYTES), "big")
    first, arguments = _exactly(wishes, 1)[0], _exactly(wishes, size).split(b"\0")
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    for number in _HANDLED:
        signal.signal(number, lambda *_: None)
    # A signal that comes while the child still has these handlers would be lost in it.
    signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED)
    shell = os.fork()
    if shell == 0:
        _become(terminal, arguments, reports, max(wishes, reports), first == FOREGROUND)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
    with contextlib.suppress(OSError):  # the child does so too: the first wish may come before
        os.setpgid(shell, shell)
    news = select.poll()
    news.register(wishes, select.POLLIN)
    news.register(woken, select.POLLIN)
    while True:
        for descriptor, _ in news.poll():
            if descriptor == woken:
                _drain(woken)
                _report(shell, reports)
            elif wanted := os.read(wishes, 64):
                for wish in wanted:
                    _fulfil(wish, shell, terminal)
            else:
                news.unregister(wishes)  # who started this has gone, and its reaper ends all


def _become(
    terminal: int, arguments: list[bytes], reports: int, last: int, in_foreground: bool
) -> None:
    try:
        os.setpgid(0, 0)
        if in_foreground:
            _give(terminal, os.getpid())
        for number in (*_RESET, *_HANDLED):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
        # Before it can print: who hears READY makes the person's terminal raw.
        _tell(reports, READY)
        os.closerange(3, max(last, terminal) + 8)
        os.execv(sys.argv[4], arguments)
    except OSError as error:
        os.write(
            2, b"%b: %b\n" % (os.fsencode(sys.argv[4]), os.strerror(error.errno or 0).encode())
        )
    finally:
        os._exit(126)


def _exactly(descriptor: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += os.read(descriptor, count - len(data)) or sys.exit(126)
    return data


def _drain(descriptor: int) -> None:
    try:
        while os.read(descriptor, 512):
            pass
    except BlockingIOError:
        pass


def _report(shell: int, reports: int) -> None:
    """Tell of each stop of the shell; where it has ended, end as it did."""
    while True:
        pid, status = os.waitpid(shell, os.WUNTRACED | os.WNOHANG)
        if not pid:
            return
        if os.WIFSTOPPED(status):
            _tell(reports, os.WSTOPSIG(status))
        elif os.WIFSIGNALED(status):
            _die_of(os.WTERMSIG(status))
        else:
            os._exit(os.WEXITSTATUS(status))


def _tell(reports: int, number: int) -> None:
    with contextlib.suppress(OSError):  # who started this has gone
        os.write(reports, bytes([number]))


def _die_of(number: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def _fulfil(wish: int, shell: int, terminal: int) -> None:
    if wish in (FOREGROUND, BACKGROUND):
        _give(terminal, shell if wish == FOREGROUND else os.getpgrp())
        wish = signal.SIGCONT
    with contextlib.suppress(ProcessLookupError):
        os.killpg(shell, wish)


def _give(terminal: int, group: int) -> None:
    """Make `group` the foreground of the terminal; who is in its background would be stopped by that."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
    with contextlib.suppress(OSError):
        os.tcsetpgrp(terminal, group)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


if __name__ == "__main__":
    main()
