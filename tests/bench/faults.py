"""Raises once in each function that a run's end calls, one after the other, and counts what goes wrong.

`python -m tests.bench faults [KIND…] [--part 1/2] [--oserror]`: a line of a document, a traced script, a run
on a terminal, one of a session, one that is killed, one that times out. It has gone wrong where a request was
not answered in time, the end is another one or is not recorded, closing takes over five seconds, or something
is missing untold. Where a function that only takes the request raises, the request is answered by an error,
and the next one brings the end: those are counted apart.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import attrs

import zsh_ls
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import DocumentRange, PollRequest, RunRequest, ScriptRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.span import Span
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places

PROGRAM = str(Path(zsh_ls.__file__).parent) + "/"
URI = "file:///nowhere/x.zsh"
COMMAND = "seq 3; grep nope /etc/passwd | cat; (exit 3)"
SCRIPT = "#!/bin/zsh\nseq 3\nif ( echo a\n echo b ); then\n  (exit 3)\nfi\n"
PATIENCE_S = 8.0
CLOSING_S = 5.0
# The first that is called of a run's end.
BEGINNING = {"EndWatch._look", "EndWatch.expect_now", "Task._time_is_up", "Sidecar.kill"}

Function = tuple[str, str]


@attrs.define
class Injection:
    """Notes the functions that are called from a run's end on, or raises once in one of them."""

    fault: Exception
    target: Function | None = None
    seen: dict[Function, None] = attrs.field(factory=dict)
    is_armed: bool = False
    has_raised: bool = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Called by Python at the beginning of each function."""
        code = frame.f_code
        if not code.co_filename.startswith(PROGRAM) or self.has_raised:
            return
        self.is_armed = self.is_armed or code.co_qualname in BEGINNING
        if not self.is_armed:
            return
        function = _named(code)
        if self.target is None:
            self.seen[function] = None
        elif function == self.target:
            self.has_raised = True
            raise self.fault


@attrs.define
class Seen:
    """What became of one run."""

    ends: list[tuple[str, int | None]] = attrs.field(factory=list)
    output: str = ""
    rows: list[tuple[int, str]] = attrs.field(factory=list)
    told: str = ""
    errors: int = 0
    problems: list[str] = attrs.field(factory=list)


def _named(code: CodeType) -> Function:
    return code.co_filename.removeprefix(PROGRAM), code.co_qualname


async def _line(sidecar: Sidecar) -> TaskResult:
    where = DocumentRange(URI, Span(11, 11 + len(COMMAND)))
    return await sidecar.run(RunRequest(COMMAND, document=where, yield_after=60.0, progress=True))


async def _script(sidecar: Sidecar) -> TaskResult:
    return await sidecar.run_script(ScriptRequest(URI, yield_after=60.0))


async def _terminal(sidecar: Sidecar) -> TaskResult:
    return await sidecar.run(RunRequest("seq 3; (exit 3)", pty=True, yield_after=60.0))


async def _session(sidecar: Sidecar) -> TaskResult:
    return await sidecar.run(RunRequest("seq 3; x=1; (exit 3)", session="s", yield_after=60.0))


async def _timeout(sidecar: Sidecar) -> TaskResult:
    return await sidecar.run(RunRequest("seq 3; sleep 60", timeout=0.3, yield_after=60.0))


async def _kill(sidecar: Sidecar) -> TaskResult:
    result = await sidecar.run(RunRequest("seq 3; sleep 60", yield_after=0.1))
    try:
        await sidecar.kill(result.task_id)
    except Exception:
        with suppress(RequestRejected):  # it has ended
            await sidecar.kill(result.task_id)
        raise
    return result


KINDS: dict[str, tuple[str, Callable[[Sidecar], Any]]] = {
    "line": (f"#!/bin/zsh\n{COMMAND}\n", _line),
    "script": (SCRIPT, _script),
    "terminal": ("", _terminal),
    "session": ("", _session),
    "timeout": ("", _timeout),
    "kill": ("", _kill),
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench faults")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--part", default="1/1", help="one of so many parts of the functions")
    parser.add_argument("--oserror", action="store_true", help="raise OSError, not RuntimeError")
    asked = parser.parse_args(arguments)
    logging.getLogger("zsh_ls").setLevel(logging.CRITICAL + 1)
    number, parts = map(int, asked.part.split("/"))
    wrong = 0
    for kind in asked.kinds or KINDS:
        wrong += _sweep(kind, number, parts, OSError if asked.oserror else RuntimeError)
    return 1 if wrong else 0


def _sweep(kind: str, number: int, parts: int, of: type[Exception]) -> int:
    _once(kind, Injection(of(), ("", "")))  # what is loaded late is loaded now
    noting = Injection(of())
    usual = _once(kind, noting)
    functions = list(noting.seen)[number - 1 :: parts]
    wrong = errors = 0
    for function in functions:
        seen = _once(kind, Injection(of("injected"), function))
        errors += bool(seen.errors)
        found = _differences(seen, usual)
        wrong += bool(found)
        if found:
            print(f"    {function[0]}: {function[1]}: {'; '.join(found)}", flush=True)
    print(
        f"{kind:9}{len(functions):5} functions, {wrong} went wrong, {errors} requests had an error",
        flush=True,
    )
    return wrong


def _differences(seen: Seen, usual: Seen) -> list[str]:
    found = list(seen.problems)
    if set(seen.ends) - set(usual.ends):
        found.append(f"ended as {seen.ends}")
    if seen.rows != usual.rows:
        found.append(f"recorded as {seen.rows}")
    if seen.output != usual.output and "missing" not in seen.told:
        found.append(f"printed {seen.output!r}")
    return found


def _once(kind: str, injection: Injection) -> Seen:
    folder = tempfile.TemporaryDirectory(prefix="zsh-ls-bench-", ignore_cleanup_errors=True)
    with folder, _traced(injection):
        return asyncio.run(_run_of(kind, Path(folder.name)))


@contextmanager
def _traced(injection: Injection) -> Iterator[None]:
    threading.settrace(injection)
    sys.settrace(injection)
    try:
        yield
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]  the library's own stubs know no None


async def _run_of(kind: str, folder: Path) -> Seen:
    text, begin = KINDS[kind]
    (folder / "workspace").mkdir()
    places = Places(folder / "data" / "alan.db", folder / "outputs", folder / "run")
    options = SidecarOptions(
        session="faults",
        workspace=str(folder / "workspace"),
        places=places,
        settings=Settings(manopt_enabled=False),
    )
    seen, has_ended = Seen(), asyncio.Event()
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    sidecar = await Sidecar.open(options)
    sidecar.on_progress(lambda news: news.status is Status.RUNNING or has_ended.set())
    if text:
        sidecar.open_document(URI, text, "shellscript", 1)
    await sidecar.health()
    await _asked(seen, lambda: begin(sidecar), once=True)
    task_id = next(iter(sidecar._runs._runs))
    poll = PollRequest(task_id, listen=PATIENCE_S, until="end", full_output=True)
    last = await _asked(seen, lambda: sidecar.poll(poll))
    if last is not None:
        seen.output = last.output
    if kind == "line":
        await _asked(seen, has_ended.wait)
    await _asked(seen, sidecar.health)
    began = time.monotonic()
    await _asked(seen, sidecar.close)
    await sidecar.close()
    if time.monotonic() - began > CLOSING_S:
        seen.problems.append(f"closing took {time.monotonic() - began:.1f} s")
    with sqlite3.connect(places.database) as connection:
        seen.rows = connection.execute(
            "SELECT exit_code, outcome_type FROM observations"
        ).fetchall()
    connection.close()
    return seen


async def _asked(seen: Seen, ask: Callable[[], Any], *, once: bool = False) -> TaskResult | None:
    """The answer to a request, asked twice where it was an error; None where it is no result of a run."""
    for is_last in (once, True):
        try:
            async with asyncio.timeout(PATIENCE_S):
                answer = await ask()
        except TimeoutError:
            seen.problems.append("a request is not answered")
            return None
        except Exception as fault:
            seen.errors += 1
            seen.told += "missing"
            if is_last and not once:
                seen.problems.append(f"a second error: {fault!r}")
            if is_last:
                return None
        else:
            if not isinstance(answer, TaskResult):
                return None
            if answer.status is not Status.RUNNING:
                seen.ends.append((answer.status.value, answer.exit))
            seen.told += " ".join((answer.insights or {}).get("warning", ()))
            return answer
    return None
