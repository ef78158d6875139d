"""One start of an interactive shell in a terminal of its own, up to its first prompt.

The prompt is there when the shell's line editor has the terminal: no echo, no lines, returns as they are
(readline) or exchanged with newlines (zsh), which `read -k` leaves alone, signals and output as in a usual
terminal, which `stty raw` does not, and the shell itself in the foreground, waiting for keys.
The shell is killed then, so that it runs no exit hook and writes no history. This process adopts what it
leaves running, knows it by a number that every child inherits, and ends and names it.
"""

from __future__ import annotations

import bisect
import contextlib
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence

from zsh_ls.lazy import attrs
from zsh_ls.system.private_folders import passing_folder
from zsh_ls.tasks.process.processes import (
    Process,
    arguments_of,
    descendants,
    is_zombie,
    send,
    stat,
    table,
    variables_of,
    waits_for_keys,
)
from zsh_ls.tasks.process.terminal import open_terminal
from zsh_ls.tasks.supervision.process_tags import LISTS_CHILDREN, Adoption, children, tag_of

from . import hooks

_TOKEN = "ZSH_LS_START"
# Variables of this program, and what describes this process's terminal, not the new one.
_NOT_PASSED_ON = ("ZSH_LS_TASK", "ZSH_LS_DOOR", "COLUMNS", "LINES", "OLDPWD")
_COLUMNS, _ROWS = 80, 24
# With PROMPT_SP zsh marks what stands before a prompt on its line.
_BEFORE_PROMPT = b"\x1b[1m\x1b[7m%\x1b[27m"
_LINE_EDITOR = b"\x1b[?2004h"
_NO_LINE_EDITOR = b"\x1b[?2004l"
# For a shell whose line editor does not say so: how long the terminal must have been its own.
_EDITOR_SETTLED_S = 0.2
_LOOKS_EVERY_S = 0.002
_STOPS_WITHIN_S = 0.1
_LEFT_LOOKED_FOR_S = 0.25
# For what is asked to end and has something to take away first.
_ENDS_WITHIN_S = 1.5
# A worker on a pipe ends by itself, but on a busy machine not at once.
_WORKERS_LOOKED_FOR_S = 1.0
_LONGEST_COMMAND = 200
# `/usr/bin/env python3 tool`
_NAMING_WORDS = 3
# `bash ~/.pyenv/shims/python3`, which becomes `bash ~/.pyenv/libexec/pyenv exec python3`; rbenv, asdf too.
_SHIM_WORDS = _NAMING_WORDS + 1
_SHIM = re.compile(r" \S*/shims/\S| \S*/(?:\w+env|asdf)(?: |-)exec(?: |$)")
# A start that spins writes a trace without end: of more than this its middle is let go.
_LARGEST_TRACE_BYTES = 64 << 20
_KEPT_BYTES = 2 << 20
_BEGINS_EVENT = re.compile(rb"[^\x01]\x01")
# What a terminal answers by itself: where the cursor is, what it is, its background.
_ANSWERS: Mapping[bytes, bytes] = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b[0c": b"\x1b[?62;c",
    b"\x1b[>c": b"\x1b[>0;0;0c",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
}
# zsh opens a terminal with O_NOCTTY; opened by sh, it becomes the controlling one of the session. The number
# is inherited by every process of the start, also by those that empty their environment.
_WITH_TERMINAL = (
    "/bin/sh",
    "-c",
    '{ echo "$1" >/proc/self/oom_score_adj; } 2>/dev/null; shift; exec "$@" 0<>"$0" 1>&0 2>&0',
)
_BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_FIRST_TAG, _LAST_TAG = 201, 299
_HIGHEST_TAG = 1000
_FOREIGN_STEP = 50


@attrs.frozen(kw_only=True)
class StartPlan:
    """How to start the shell `path` of kind `zsh` or `bash`.

    `environment` is the person's. `zdotdir` is the ZDOTDIR that zsh would have without a hook. `limit_s` is
    when a start without a prompt is ended. With `traces` a trace is kept. `skip` names commands that are left
    out (`hooks`), None has no hook of that kind. `shields` is for start-up files that set what traces.
    `becomes` is the kind of shell that takes the place of this one by `exec`, None for none: it is traced
    too. A traced start that becomes such a shell without this being told is not waited for.
    """

    kind: str
    path: str
    environment: Mapping[str, str]
    login: bool = False
    zdotdir: str | None = None
    limit_s: float = 30.0
    traces: bool = False
    shields: bool = False
    skip: tuple[str, ...] | None = None
    becomes: str | None = None


@attrs.frozen
class Look:
    """From when until when zsh held these files open, by which it reads its start-up files."""

    first_at: float
    last_at: float
    files: frozenset[str]


@attrs.define
class Child:
    """A process that the shell made, and the names of the program that it became.

    It was made after `after`, when it was not there yet, and first seen at `at`. The names are the base names
    of its first words: of a script its interpreter's too. `is_shim` of one that looks for the program first.
    """

    pid: int
    after: float
    at: float
    names: frozenset[str] = frozenset()
    is_shim: bool = False


@attrs.frozen
class RecordedStart:
    """One start: times are seconds since the epoch, as a shell's EPOCHREALTIME.

    `prompt_at` is None where no prompt came; then `exit` is the shell's own status, None if it was ended at
    the limit. `output_at` are the moments at which it wrote, `shell_at` is when it wrote the mark that zsh
    puts before a prompt, if it did. `alive` maps its processes at the end to when they began, `left` are
    those that outlived the shell. `folder` is where the hook's own file was. `trace` is that of a start to
    its prompt, of others and of a huge one its beginning and its end. `output` is what it wrote, `looks` are
    moments with the files that zsh was seen to read then, where such moments differ, and `children` what
    the shell was seen to start. `program` is the
    path of what runs in the place of the shell at the end, where `exec` has put another one there.
    """

    began_at: float
    ended_at: float
    prompt_at: float | None
    exit: int | None
    pid: int
    folder: str
    trace: bytes
    output_at: tuple[float, ...]
    shell_at: float | None
    alive: Mapping[int, float]
    left: tuple[str, ...]
    output: bytes = b""
    looks: tuple[Look, ...] = ()
    children: tuple[Child, ...] = ()
    program: str | None = None


# The shells themselves, whose ends somebody waits for.
_shells: set[int] = set()


class Started:
    """A shell on a terminal, before its first prompt; a context manager that ends all of it."""

    def __init__(self, plan: StartPlan) -> None:
        self.plan = plan
        self.folder = passing_folder("zsh-ls-start-", in_memory=True)
        self.output_at: list[float] = []
        self.lengths: list[int] = []
        self.output = bytearray()
        self.marked_at: float | None = None
        self.looks: list[Look] = []
        self.children: dict[int, Child] = {}
        self._looked_at = 0.0
        self.left: tuple[str, ...] = ()
        # The trace's beginning and end, before it was emptied.
        self._let_go: tuple[bytes, bytes] | None = None
        self._token = uuid.uuid4().hex
        self._tag = _free_tag()
        self._editor_since: float | None = None
        # The process group that is told when the terminal goes.
        self._foreground: int | None = None
        self._watches_scripts = plan.traces and "zsh" in (plan.kind, plan.becomes)
        self._master, theirs = open_terminal(_COLUMNS, _ROWS)
        self._adoption = Adoption()
        try:
            argv, environment = self._prepared()
            tag = "" if self._tag is None else str(self._tag)
            home = environment.get(hooks.HOME_VARIABLE) or environment.get("HOME", "/")
            self._terminal = os.ttyname(theirs)
            launched = [*_WITH_TERMINAL, self._terminal, tag, *argv]
            self._own_arguments = [
                b"".join(f"{it}\0".encode() for it in words) for words in (launched, argv)
            ]
            self.began_at = time.time()
            self.process = subprocess.Popen(
                launched,
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                cwd=home if os.path.isdir(home) else "/",
                env=environment,
                start_new_session=True,
            )
            _shells.add(self.process.pid)
        except BaseException:
            self._adoption.end()
            os.close(self._master)
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        finally:
            os.close(theirs)

    def __enter__(self) -> Started:
        return self

    def __exit__(self, *_: object) -> None:
        """End the shell without a word, then whatever it left; and forget the folder."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGCONT)
        with contextlib.suppress(OSError):
            self._foreground = os.tcgetpgrp(self._master)
        self.process.kill()
        self.process.wait()
        _shells.discard(self.process.pid)
        os.close(self._master)
        self.left = self._end_what_is_left()
        self._adoption.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def type(self, text: bytes) -> None:
        """Type into the terminal."""
        with contextlib.suppress(OSError):
            os.write(self._master, text)

    def stop(self) -> None:
        """Have the shell stand still until all ends."""
        self.process.send_signal(signal.SIGSTOP)
        until = time.time() + _STOPS_WITHIN_S
        stopped_or_ended = os.WSTOPPED | os.WEXITED | os.WNOWAIT | os.WNOHANG
        # One that has been reaped has ended.
        with contextlib.suppress(ChildProcessError):
            while (
                not os.waitid(os.P_PID, self.process.pid, stopped_or_ended) and time.time() < until
            ):
                select.select([], [], [], _LOOKS_EVERY_S)

    def prompt_comes(self, until: float, is_stopped: Callable[[], bool]) -> float | None:
        """When the line editor said that it has the terminal; None if not by `until`, or if the shell ended.

        It sets the terminal first and says so then: what was said before that is a start-up file's. And it
        has said so once the shell waits for keys.
        """
        of_files = 0
        while time.time() < until and not is_stopped():
            if not self._reads_all(_LOOKS_EVERY_S, until):
                return None
            if self._watches_scripts:
                self._look_for_scripts()
            if self.plan.traces:
                self._look_for_children()
                self._bound_trace()
                if self.plan.becomes is None and shell_kind(self.replaced_by()):
                    return None
            if not self._is_set_for_editor():
                of_files, self._editor_since = len(self.output), None
                continue
            if not self._waits_for_keys():
                self._editor_since = None
                continue
            if not self._reads_all(0, until):
                return None
            said = self.output.rfind(_LINE_EDITOR, max(0, of_files - len(_LINE_EDITOR) + 1))
            if said > self.output.rfind(_NO_LINE_EDITOR):
                return self._written_at(said + len(_LINE_EDITOR))
            if self._editor_since is None:
                self._editor_since = time.time()
            elif time.time() - self._editor_since > _EDITOR_SETTLED_S:
                return self._editor_since
        return None

    def reads(self, patience_s: float) -> int | None:
        """How many bytes came within that time; None once the shell has ended."""
        if not select.select([self._master], [], [], patience_s)[0]:
            return None if self.process.poll() is not None else 0
        try:
            came = os.read(self._master, 1 << 16)
        except OSError:
            came = b""
        if not came:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1.0)
            return None
        self.output_at.append(time.time())
        if _BEFORE_PROMPT in came:
            self.marked_at = self.output_at[-1]
        # An escape sequence may come in two pieces.
        seen = bytes(self.output[-8:])
        self.output += came
        self.lengths.append(len(self.output))
        for question, answer in _ANSWERS.items():
            if (seen + came).count(question) > seen.count(question):
                self.type(answer)
        return len(came)

    def _reads_all(self, patience_s: float, until: float) -> bool:
        """Read what has come; False once the shell has ended."""
        came = self.reads(patience_s)
        while came and time.time() < until:
            came = self.reads(0)
        return came is not None

    def trace(self, *, is_whole: bool) -> bytes:
        """What has been traced so far; unless it `is_whole`, only the beginning and the end of much."""
        begins, before = self._let_go or (b"", b"")
        try:
            with open(f"{self.folder}/trace", "rb") as file:
                written = begins + before + file.read()
        except OSError:
            return begins + before
        if (is_whole and self._let_go is None) or len(written) <= 2 * _KEPT_BYTES:
            return written
        return whole_beginning(written[:_KEPT_BYTES]) + whole_end(written[-_KEPT_BYTES:])

    def _bound_trace(self) -> None:
        """Empty a huge trace, which is in memory; the shell appends to it."""
        path = f"{self.folder}/trace"
        with contextlib.suppress(OSError):
            size = os.stat(path).st_size
            if size <= _LARGEST_TRACE_BYTES:
                return
            with open(path, "r+b") as file:
                begins = file.read(_KEPT_BYTES) if self._let_go is None else self._let_go[0]
                file.seek(size - _KEPT_BYTES)
                self._let_go = whole_beginning(begins), whole_end(file.read())
                file.truncate(0)

    def alive(self) -> dict[int, float]:
        """The living processes of this start, and when each began: seconds since the epoch, to 0.01."""
        booted_at = _booted_at()
        return {it.pid: booted_at + it.started / _TICKS_PER_S for it in self._living()}

    def replaced_by(self) -> str | None:
        """The program that has taken the shell's place; None for none, and where that cannot be read."""
        arguments = arguments_of(self.process.pid)
        if not arguments or arguments in self._own_arguments:
            return None
        try:
            return os.readlink(f"/proc/{self.process.pid}/exe")
        except OSError:
            return None

    def _look_for_scripts(self) -> None:
        """Note which files zsh reads: it holds them, from descriptor 10 on.

        No command tells where its last start-up file ends, and behind that zsh reads the history.
        """
        folder, at = f"/proc/{self.process.pid}/fd", time.time()
        try:
            numbers = [it for it in os.listdir(folder) if len(it) > 1]
            files = frozenset(os.readlink(f"{folder}/{it}") for it in numbers)
        except OSError:  # one was closed meanwhile
            return
        is_same = bool(self.looks) and self.looks[-1].files == files
        first_at = self.looks.pop().first_at if is_same else at
        self.looks.append(Look(first_at, at, files))

    def _look_for_children(self) -> None:
        """Note what the shell starts: of a list (`a && b`) zsh tells the whole before it runs."""
        began = time.time()
        made = children(self.process.pid)
        # Not before: between the two this process may have had to wait for a processor.
        at = time.time()
        for pid in made:
            child = self.children.get(pid)
            if child is None:
                after = max(self._looked_at, self._began(pid))
                child = self.children[pid] = Child(pid, after, at)
            if not child.names:
                words = self._words(pid)
                child.names = frozenset(map(os.path.basename, words[:_NAMING_WORDS])) - {""}
                # zsh makes a process in that of a `$(…)`.
                others = () if words or child.is_shim else map(self._words, children(pid))
                child.is_shim = child.is_shim or any(map(_is_shim, (words, *others)))
        self._looked_at = began

    def _began(self, pid: int) -> float:
        """The moment since the epoch that a process was not made before; 0 where it is gone.

        Linux tells the tick, a hundredth of a second: less than the time between two looks, where this
        process has to wait for a processor.
        """
        process = stat(pid)
        return _booted_at() + process.started / _TICKS_PER_S if process else 0.0

    def _words(self, pid: int) -> list[str]:
        """The first words of what runs in a process; none where that is a part of the shell still."""
        arguments = arguments_of(pid)
        if arguments in self._own_arguments:
            return []
        return arguments.decode("utf-8", "replace").split("\0")[:_SHIM_WORDS]

    def _written_at(self, length: int) -> float:
        """When so much of the output had come."""
        return self.output_at[bisect.bisect_left(self.lengths, length)]

    def _is_set_for_editor(self) -> bool:
        """Whether the terminal is as line editors set it; `stty raw` and `read -k` set it otherwise."""
        try:
            iflag, oflag, _, lflag, *_ = termios.tcgetattr(self._master)
        except termios.error:
            return False
        translates = iflag & termios.ICRNL and not iflag & termios.INLCR
        edits = not lflag & (termios.ICANON | termios.ECHO) and lflag & termios.ISIG
        return bool(edits and oflag & termios.OPOST and not translates)

    def _waits_for_keys(self) -> bool:
        """Whether the shell itself is in the foreground and waits for keys, not for a program."""
        try:
            mine = os.tcgetpgrp(self._master) == self.process.pid
        except OSError:
            return False
        return mine and waits_for_keys(self.process.pid, self._terminal)

    def _prepared(self) -> tuple[list[str], dict[str, str]]:
        plan = self.plan
        environment = {**plan.environment, _TOKEN: self._token}
        for name in _NOT_PASSED_ON:
            environment.pop(name, None)
        if environment.get("TERM", "dumb") in ("", "dumb"):
            environment["TERM"] = "xterm-256color"
        argv = [plan.path, *(["-l"] if plan.login else []), "-i"]
        if not plan.traces and plan.skip is None:
            return argv, environment
        environment[hooks.TRACE_VARIABLE] = f"{self.folder}/trace"
        self._write("trace", "")
        next_shell = (
            None
            if plan.becomes is None
            else hooks.NextShell(plan.becomes, self.folder, plan.zdotdir)
        )
        text_of_zsh = hooks.zsh_env(shields=plan.shields, skip=plan.skip, next_shell=next_shell)
        text_of_bash = {
            login: hooks.bash_rc(
                login=login, shields=plan.shields, skip=plan.skip, next_shell=next_shell
            )
            for login in (False, True)
        }
        if "zsh" in (plan.kind, plan.becomes):
            self._write(".zshenv", text_of_zsh)
        if "bash" in (plan.kind, plan.becomes):
            self._write(".bash_profile", text_of_bash[True])
            self._write(".bashrc", text_of_bash[False])
        if plan.kind == "zsh":
            if plan.zdotdir is not None:
                environment[hooks.ZDOTDIR_VARIABLE] = plan.zdotdir
            environment["ZDOTDIR"] = self.folder
            return argv, environment
        if plan.login:
            environment[hooks.HOME_VARIABLE] = environment.get("HOME", "/")
            environment["HOME"] = self.folder
            return argv, environment
        return [plan.path, "--rcfile", f"{self.folder}/.bashrc", "-i"], environment

    def _write(self, name: str, text: str) -> None:
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def _end_what_is_left(self) -> tuple[str, ...]:
        """End what the start left running, and say what that was: workers on a pipe end by themselves."""
        began = time.time()
        own = self._own_arguments[-1].replace(b"\0", b" ").decode("utf-8", "replace").strip()
        while left := self._left():
            are_workers = {*left.values()} <= {own[:_LONGEST_COMMAND]}
            if time.time() > began + (_WORKERS_LOOKED_FOR_S if are_workers else _LEFT_LOOKED_FOR_S):
                break
            select.select([], [], [], 0.02)
        names = tuple(dict.fromkeys(name for name in left.values() if name))
        self._have_end(left)
        for _ in range(5):
            if not (left := self._left()):
                break
            for process in left:
                with contextlib.suppress(OSError):
                    send(process, signal.SIGKILL)
            select.select([], [], [], 0.02)
        self._reap()
        return names

    def _have_end(self, left: Iterable[Process]) -> None:
        """Ask these to end, and wait until they have: a lock, a socket is taken away by its owner.

        One that stays would have the person's next shells wait for it. What was in the foreground has been
        told already, as the terminal is gone: another signal would interrupt what it does about that.
        """
        told = {it for it in left if self._was_hung_up(it)}
        for _ in range(2):
            asked = [it for it in left if it not in told]
            for process in asked:
                for asks in (signal.SIGTERM, signal.SIGCONT):
                    with contextlib.suppress(OSError):
                        send(process, asks)
            # Next those that did not care for the other one.
            told = {*asked}
            until = time.time() + _ENDS_WITHIN_S
            while left := self._left():
                if time.time() > until:
                    break
                self._reap()
                select.select([], [], [], 0.02)

    def _was_hung_up(self, process: Process) -> bool:
        try:
            return os.getpgid(process.pid) == self._foreground
        except OSError:
            return False

    def _reap(self) -> None:
        """Reap what ended of this start and was adopted by this process."""
        for pid in self._adopted():
            if is_zombie(pid):
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)

    def _left(self) -> dict[Process, str]:
        """The living processes of this start, with their command lines."""
        found = {}
        for process in self._living():
            line = arguments_of(process.pid).replace(b"\0", b" ").decode("utf-8", "replace")
            found[process] = line.strip()[:_LONGEST_COMMAND]
        return found

    def _living(self) -> list[Process]:
        """The processes of this start: all below its shell, and all below its orphans.

        The number alone tells nothing: a task of another server, or any other program, may have it too.
        """
        alive = table()
        if self._tag is None:
            token, name = f"{_TOKEN}={self._token}".encode(), _TOKEN.encode()
            return [it for it in alive.values() if token in (variables_of(it.pid, name) or ())]
        # Looked for after the listing: who has lost its parent since is among them.
        shell = () if self.process.returncode is not None else (self.process.pid,)
        below = descendants([*shell, *self._adopted()], alive)
        return [alive[pid] for pid in below]

    def _adopted(self) -> list[int]:
        """The children of this process, dead ones too, that the shell or a process below it left behind.

        Another start that is measured at the same time may have the same number, never the same variable.
        """
        if self._tag is None:
            return []
        token, name = f"{_TOKEN}={self._token}".encode(), _TOKEN.encode()
        return [
            pid
            for pid in children()
            if pid not in _shells
            and tag_of(pid) == self._tag
            and token in (variables_of(pid, name) or (token,))
        ]


def _is_shim(words: Sequence[str]) -> bool:
    """Whether it is a version manager's shim, or what that becomes, which stands behind its interpreter."""
    return _SHIM.search(" ".join(words)) is not None


def recorded(plan: StartPlan, is_stopped: Callable[[], bool] = lambda: False) -> RecordedStart:
    """Start the shell and wait for its first prompt, or until `is_stopped`; blocks.

    Raises OSError where it cannot be started.
    """
    with Started(plan) as started:
        prompt_at = started.prompt_comes(started.began_at + plan.limit_s, is_stopped)
        if prompt_at is None:
            # What a shell that spins goes on to trace would take the place of what it did until now.
            started.stop()
        ended_at = time.time()
        status = started.process.poll()
        program = started.replaced_by()
        alive = started.alive() if plan.traces else {}
        trace = started.trace(is_whole=prompt_at is not None) if plan.traces else b""
    return RecordedStart(
        started.began_at,
        ended_at,
        prompt_at,
        None if prompt_at is not None else status,
        started.process.pid,
        started.folder,
        trace,
        tuple(started.output_at),
        started.marked_at,
        alive,
        started.left,
        bytes(started.output),
        tuple(started.looks),
        tuple(started.children.values()),
        program,
    )


def whole_beginning(part: bytes) -> bytes:
    """The beginning of a trace without the event that was cut off, which with a later one reads as one."""
    return part[: part.rfind(b"\1") + 1].rstrip(b"\1")


def whole_end(part: bytes) -> bytes:
    """The end of a trace without the event that was cut off; bash's begin with several marks."""
    begins = _BEGINS_EVENT.search(part)
    return part[begins.end() - 1 :] if begins else b""


def shell_kind(program: str | None) -> str | None:
    """Which of the shells that can be traced a program is, by its name (`zsh-5.9`); None for another one."""
    name = os.path.basename(program or "")
    return next((it for it in ("zsh", "bash") if name.startswith(it)), None)


def _booted_at() -> float:
    """The moment that the ticks of processes are counted from, in seconds since the epoch; never too late."""
    return time.time() - time.clock_gettime(_BOOT_CLOCK)


def _free_tag() -> int | None:
    """A number for the processes of one start; None where the system has no such numbers."""
    own = tag_of(os.getpid()) if sys.platform.startswith("linux") and LISTS_CHILDREN else None
    if own is None:
        return None
    chosen = random.choice(
        [it for it in range(_FIRST_TAG, _LAST_TAG) if (own + it) % _FOREIGN_STEP]
    )
    return own + chosen if own + chosen <= _HIGHEST_TAG else None
