"""Fails each call of the operating system that a run's life makes, once or always; counts what goes wrong.

`python -m tests.bench edges [KIND…] [--part 1/2] [--always]`: the kinds of runs of `faults`, from the
sidecar's opening to its closing. A file that is opened, written, read or listed, a process, a thread, a
socket or a statement of SQLite that fails here fails by what the system says there: no room, no descriptor,
no such file, not allowed, input/output error. It has gone wrong where the sidecar does not open, a request
has no answer in time or an error without a sentence, a run that began ends otherwise or is neither recorded
nor told of, something printed is missing untold, or closing takes over five seconds. A run that is refused
with a sentence is counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import logging
import os
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import attrs

from tests.bench.faults import CLOSING_S, KINDS, PATIENCE_S, PROGRAM, URI
from zsh_ls.model.errors import SidecarError, refused_by_system
from zsh_ls.model.requests import OutputRequest, PollRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places

# What each call fails with, in turn; others are left alone.
OPENED = (errno.EMFILE, errno.EACCES)
MADE = (errno.ENOSPC, errno.EACCES)
FAILURES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("posix.open", "_io.open"), (*OPENED, errno.ENOSPC)),
    **dict.fromkeys(("posix.scandir", "posix.listdir"), (errno.EMFILE, errno.ENOENT)),
    **dict.fromkeys(("posix.stat", "posix.lstat", "posix.readlink"), (errno.EACCES, errno.ENOENT)),
    **dict.fromkeys(("posix.fstat", "posix.read", "posix.pread"), (errno.EIO,)),
    **dict.fromkeys(("posix.write", "posix.pwrite", "posix.sendfile"), (errno.ENOSPC, errno.EIO)),
    **dict.fromkeys(("posix.mkdir", "posix.mkfifo", "posix.symlink", "posix.link"), MADE),
    **dict.fromkeys(("posix.rename", "posix.replace", "posix.chmod", "posix.fchmod"), MADE),
    **dict.fromkeys(("posix.unlink", "posix.rmdir", "posix.utime"), (errno.EACCES, errno.ENOENT)),
    **dict.fromkeys(("posix.ftruncate", "posix.truncate", "posix.fsync"), (errno.ENOSPC,)),
    **dict.fromkeys(("posix.pipe", "posix.pipe2", "posix.openpty", "posix.dup"), (errno.EMFILE,)),
    **dict.fromkeys(("posix.pidfd_open", "posix.memfd_create"), (errno.EMFILE, errno.ENOSYS)),
    **dict.fromkeys(("posix.fork", "posix.posix_spawn"), (errno.EAGAIN,)),
    **dict.fromkeys(("posix.kill", "posix.killpg"), (errno.ESRCH, errno.EPERM)),
    **dict.fromkeys(("posix.waitpid", "posix.wait4", "posix.waitid"), (errno.ECHILD,)),
    **dict.fromkeys(("posix.getcwd", "posix.chdir"), (errno.ENOENT,)),
    **dict.fromkeys(("posix.statvfs", "posix.fstatvfs"), (errno.ENOENT,)),
    "_posixsubprocess.fork_exec": (errno.EAGAIN, errno.ENOMEM),
    **dict.fromkeys(("fcntl.fcntl", "fcntl.flock", "fcntl.ioctl"), (errno.ENOLCK,)),
    **dict.fromkeys(("termios.tcgetattr", "termios.tcsetattr"), (errno.EIO,)),
    "_socket.socketpair": (errno.EMFILE,),
    **dict.fromkeys(
        (f"socket.{it}" for it in ("connect", "bind", "listen", "_accept", "setsockopt")),
        (errno.EACCES,),
    ),
    **dict.fromkeys((f"socket.{it}" for it in ("send", "sendall", "sendmsg")), (errno.EPIPE,)),
    **dict.fromkeys((f"socket.{it}" for it in ("recv", "recvmsg")), (errno.ECONNRESET,)),
    **dict.fromkeys(
        (f"{it}.read" for it in ("FileIO", "BufferedReader", "BufferedRandom", "TextIOWrapper")),
        (errno.EIO,),
    ),
    **dict.fromkeys(
        (
            f"{it}.{call}"
            for it in ("FileIO", "BufferedWriter", "BufferedRandom", "TextIOWrapper")
            for call in ("write", "flush", "truncate")
        ),
        (errno.ENOSPC,),
    ),
    **dict.fromkeys(
        (
            *(f"{it}.{call}" for it in ("Connection", "Cursor") for call in ("execute",)),
            *(f"{it}.{call}" for it in ("Connection", "Cursor") for call in ("executemany",)),
            "Cursor.fetchone",
            "Cursor.fetchall",
        ),
        (errno.EIO,),
    ),
    "_sqlite3.connect": (errno.EIO,),
    "_thread.start_new_thread": (errno.EAGAIN,),
}
# Calls below these are the interpreter's and the loop's own.
NOT_OURS = ("<frozen importlib", "/asyncio/base_events.py", "/asyncio/selector_events.py")
LOOP_S_OWN = {"_run_once", "run_forever", "_read_from_self", "_process_self_data", "__init__"}

Place = tuple[str, str, str]
"""The file, the function and its line, and what it called."""


@attrs.define
class Injection:
    """Notes the calls of the system that are made for this program, or fails one of them."""

    target: tuple[Place, int] | None = None
    is_once: bool = True
    seen: dict[Place, None] = attrs.field(factory=dict)
    has_failed: bool = False

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        """Called by Python before each function that is written in C."""
        if event != "c_call" or (self.has_failed and self.is_once):
            return
        name = _name(called)
        if name not in FAILURES:
            return
        place = _place(frame, name)
        if place is None:
            return
        if self.target is None:
            self.seen[place] = None
        elif self.target[0] == place:
            self.has_failed = True
            _fail(name, self.target[1])


def _name(called: Any) -> str:
    of = getattr(called, "__self__", None)
    name: str = getattr(called, "__name__", "")
    module: str = getattr(called, "__module__", None) or ""
    if module:
        return f"{module}.{name}"
    return f"{type(of).__name__}.{name}"


def _place(frame: FrameType | None, name: str) -> Place | None:
    """Where our program made that call, None where it did not."""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(PROGRAM):
            where = f"{code.co_qualname}:{frame.f_lineno}"
            return code.co_filename.removeprefix(PROGRAM), where, name
        if code.co_filename.startswith(NOT_OURS[0]) or (
            code.co_filename.endswith(NOT_OURS[1:]) and code.co_name in LOOP_S_OWN
        ):
            return None
        frame = frame.f_back
    return None


def _fail(name: str, number: int) -> None:
    if name.startswith(("Connection.", "Cursor.", "_sqlite3.")):
        fault = sqlite3.OperationalError("disk I/O error")
        fault.sqlite_errorcode, fault.sqlite_errorname = 10, "SQLITE_IOERR"
        raise fault
    if name == "_thread.start_new_thread":
        raise RuntimeError("can't start new thread")
    raise OSError(number, os.strerror(number))


@attrs.define
class Seen:
    """What became of one life of a sidecar."""

    ends: list[tuple[str, int | None]] = attrs.field(factory=list)
    output: str = ""
    rows: list[tuple[int, str]] = attrs.field(factory=list)
    told: str = ""
    refused: str = ""
    problems: list[str] = attrs.field(factory=list)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench edges")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--part", default="1/1", help="one of so many parts of the calls")
    parser.add_argument("--always", action="store_true", help="fail from then on, not once")
    parser.add_argument("--below", default="", help="only calls of files that begin so")
    asked = parser.parse_args(arguments)
    logging.getLogger("zsh_ls").setLevel(logging.CRITICAL + 1)
    number, parts = map(int, asked.part.split("/"))
    wrong = 0
    for kind in asked.kinds or KINDS:
        wrong += _sweep(kind, asked.below, number, parts, is_once=not asked.always)
    return 1 if wrong else 0


def _sweep(kind: str, below: str, number: int, parts: int, *, is_once: bool) -> int:
    _life(kind, Injection((("", "", ""), 0)))  # what is loaded late is loaded now
    noting = Injection()
    usual = _life(kind, noting)
    targets = [
        (it, code) for it in noting.seen for code in FAILURES[it[2]] if it[0].startswith(below)
    ]
    targets = targets[number - 1 :: parts]
    wrong = refused = 0
    for place, code in targets:
        seen = _life(kind, Injection((place, code), is_once))
        found = _differences(seen, usual)
        wrong += bool(found)
        refused += bool(seen.refused)
        if found:
            name = errno.errorcode[code]
            print(f"    {place[0]}: {place[1]}: {place[2]} {name}: {'; '.join(found)}", flush=True)
    print(f"{kind:9}{len(targets):5} failures, {wrong} went wrong, {refused} refused", flush=True)
    return wrong


def _differences(seen: Seen, usual: Seen) -> list[str]:
    found = list(seen.problems)
    if seen.refused:
        return found
    if set(seen.ends) - set(usual.ends):
        found.append(f"ended as {seen.ends}, told {seen.told!r}")
    if seen.rows != usual.rows and not seen.told:
        found.append(f"recorded as {seen.rows}")
    if seen.output != usual.output and not seen.told:
        found.append(f"printed {seen.output!r}")
    return found


def _life(kind: str, injection: Injection) -> Seen:
    folder = tempfile.TemporaryDirectory(prefix="zsh-ls-bench-", ignore_cleanup_errors=True)
    with folder:
        return asyncio.run(_life_in(kind, Path(folder.name), injection))


@contextmanager
def _injected(injection: Injection) -> Iterator[None]:
    threading.setprofile(injection)
    sys.setprofile(injection)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  the library's own stubs know no None


async def _life_in(kind: str, folder: Path, injection: Injection) -> Seen:
    (folder / "workspace").mkdir()
    places = Places(folder / "data" / "alan.db", folder / "outputs", folder / "run")
    seen = Seen()
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    with _injected(injection):
        await _lived(kind, seen, folder, places)
    if places.database.exists():
        connection = sqlite3.connect(places.database)
        try:
            seen.rows = connection.execute(
                "SELECT exit_code, outcome_type FROM observations"
            ).fetchall()
        except sqlite3.Error as fault:
            seen.told += f"(the file: {fault})"
        connection.close()
    return seen


async def _lived(kind: str, seen: Seen, folder: Path, places: Places) -> None:
    text, begin = KINDS[kind]
    options = SidecarOptions(
        session="edges",
        workspace=str(folder / "workspace"),
        places=places,
        settings=Settings(manopt_enabled=False),
    )
    sidecar: Sidecar | None = await _asked(seen, lambda: Sidecar.open(options))
    if sidecar is None:
        if not seen.refused:
            seen.problems.append("does not open")
        return
    if text:
        sidecar.open_document(URI, text, "shellscript", 1)
    await _ran(seen, sidecar, begin)
    if text:
        await _asked(seen, lambda: sidecar.insights_for(URI))
    await _asked(seen, sidecar.memory_stats)
    await _asked(seen, sidecar.history)
    await _asked(seen, lambda: sidecar.tasks(include_ended=True))
    health = await _asked(seen, sidecar.health)
    if health is not None:
        seen.told += (health.problem or "") + (health.database.problem or "")
    began = time.monotonic()
    await _asked(seen, sidecar.close)
    if time.monotonic() - began > CLOSING_S:
        seen.problems.append(f"closing took {time.monotonic() - began:.1f} s")


async def _ran(seen: Seen, sidecar: Sidecar, begin: Callable[[Sidecar], Any]) -> None:
    result = await _asked(seen, lambda: begin(sidecar))
    if isinstance(result, TaskResult):
        poll = PollRequest(result.task_id, listen=PATIENCE_S, until="end", full_output=True)
        for answer in (result, await _asked(seen, lambda: sidecar.poll(poll))):
            if isinstance(answer, TaskResult):
                seen.output = answer.output
                seen.told += " ".join((answer.insights or {}).get("warning", ()))
                if answer.status is Status.ERROR and "[error]" in answer.formatted:
                    seen.refused += answer.formatted
                if answer.status is not Status.RUNNING:
                    seen.ends.append((answer.status.value, answer.exit))
        if not seen.ends:
            seen.problems.append("has no end")
        kept = OutputRequest(result.task_id)
        await _asked(seen, lambda: sidecar.output(kept))
    elif not seen.refused:
        seen.problems.append("no run")


async def _asked(seen: Seen, ask: Callable[[], Any]) -> Any:
    """The answer to a request; None where it is an error, which is noted."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await ask()
    except TimeoutError:
        seen.problems.append("a request is not answered")
    except SidecarError as refused:
        seen.refused += str(refused)
    except Exception as fault:
        if refused := refused_by_system(fault):
            seen.refused += str(refused)
            return None
        seen.problems.append(f"an error without a sentence: {fault!r}")
    return None
