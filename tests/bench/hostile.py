"""Hostile inputs: how long other requests wait while the server reads them, and for answers about them.

    python -m tests.bench hostile                       everything
    python -m tests.bench hostile documents             texts that are opened
    python -m tests.bench hostile others                files that are none, manual pages, patterns, outputs
    python -m tests.bench hostile '200,000 functions'   some, by their names

Each document is opened, asked about in every way an editor asks, edited and closed, while `zsh/tasks` is sent
every few milliseconds. `worst` is its slowest answer, `stalls` those over 100 ms: by the clock, and in
processor time that the server used up meanwhile, which a machine that is busy otherwise does not change.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import attrs

from tests.server.rpc import Message, Peer, position, range_of
from tests.shell.hostile import MEGABYTE_LINES, REPEATED

from ._hostile_cases import Case, cases
from ._peers import OURS, own_home

EVERY_S = 0.01
STALL_S = 0.1
PATIENCE_S = 120.0
LARGE_CHARACTERS = 400_000
LONG_ANSWER_BYTES = 100_000
LONG_ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":(\d+),')
URI = "file:///tmp/hostile.zsh"
ABOUT_A_DOCUMENT = (
    "textDocument/codeLens",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
)
AT_A_PLACE = (
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/documentHighlight",
    "textDocument/definition",
    "textDocument/prepareRename",
)
FUNCTIONS = 200_000


@attrs.define
class Seen:
    """What happened while one document was there."""

    waits_s: list[float]
    used_s: list[float]
    answered_s: float = 0.0
    unanswered: int = 0

    @property
    def own_s(self) -> list[float]:
        """The waits, or what the server used up meanwhile where that is less."""
        return [min(both) for both in zip(self.waits_s, self.used_s, strict=True)]


def texts() -> dict[str, str]:
    """Names and texts: one construct over and over, lines of a megabyte, and an ordinary long script."""
    repeated = {repr(it): it * (LARGE_CHARACTERS // len(it)) for it in REPEATED}
    lines = {f"line {it[:12]!r}…": it for it in MEGABYTE_LINES}
    functions = "".join(f"f{n}() {{ :; }}\n" for n in range(FUNCTIONS)) + "f7\n"
    longer = functions.replace(":", "first one | second one")
    long = {
        "ordinary, 20,000 lines": _ordinary(20_000),
        "200,000 functions": functions,
        "200,000 longer functions": longer,
    }
    return {**long, **lines, **repeated}


def _ordinary(lines: int) -> str:
    """As long a script as none is: functions that zsh comes with, one after the other."""
    files = sorted(Path("/usr/share/zsh/functions").rglob("*"))
    read = (file.read_text(errors="replace") for file in files if file.is_file())
    return "".join(islice((line for text in read for line in text.splitlines(True)), lines))


def main(arguments: list[str]) -> int:
    all_seen: list[Seen] = []
    documents, others = texts(), cases()
    chosen = {it: documents[it] for it in _chosen(documents, "documents", arguments)}
    with own_home() as env:
        found = _started(env)
        for name, text in chosen.items():
            all_seen.append(_while_it_is_there(found, text))
            _tell(name, all_seen[-1], even_good=bool(arguments))
        found.leave()
        found.end()
    for name in _chosen(others, "others", arguments):
        all_seen.append(_while_asked(others[name]))
        _tell(name, all_seen[-1], even_good=True)
    if all_seen:
        waits = [it for seen in all_seen for it in seen.waits_s]
        own = [it for seen in all_seen for it in seen.own_s]
        print(f"{len(all_seen)} cases: {_stalls(waits)} answers over 100 ms", end="")
        print(f", the slowest {max(waits) * 1e3:.0f} ms")
        print(f"by the server's own time: {_stalls(own)}, the slowest {max(own) * 1e3:.0f} ms")
    return 0


def _chosen(names: Iterable[str], kind: str, arguments: list[str]) -> list[str]:
    return [it for it in names if not arguments or kind in arguments or it in arguments]


def _tell(name: str, seen: Seen, *, even_good: bool) -> None:
    stalls = _stalls(seen.waits_s)
    if stalls or seen.unanswered or even_good:
        print(
            f"{name:<33}worst {max(seen.waits_s) * 1e3:7.0f} ms, {stalls:3} stalls,"
            f" of its own {max(seen.own_s) * 1e3:6.0f} ms, {_stalls(seen.own_s):3} stalls,"
            f" answered after {seen.answered_s:5.1f} s, unanswered {seen.unanswered}",
            flush=True,
        )


def _stalls(waits_s: Iterable[float]) -> int:
    return sum(it > STALL_S for it in waits_s)


class _Hearing(Peer):
    """A client that takes long answers as fast as they come: reading them is no part of a wait."""

    def _message(self, content: bytes) -> Message:
        long = LONG_ANSWER.match(content) if len(content) > LONG_ANSWER_BYTES else None
        return {"id": int(long[1])} if long else super()._message(content)


def _started(env: dict[str, str], **more: object) -> Peer:
    found = _Hearing(OURS, env)
    found.initialize({"textDocument": {"diagnostic": {}}}, **more)
    found.call("zsh/run", {"command": "true"})
    return found


def _while_asked(case: Case) -> Seen:
    """One server for each, as what hurts may stand in its settings or in its home."""
    with own_home() as env:
        folder = Path(env["HOME"])
        (folder / "work").mkdir()
        case.prepare(folder)
        env["MANPATH"] = str(folder / "man")
        where = (folder / "work").as_uri()
        found = _started(env, rootUri=where, initializationOptions=dict(case.options))
        seen, began = Seen([], []), time.monotonic()
        asked = case.ask(found, folder)
        while asked and time.monotonic() < began + PATIENCE_S:
            _wait_for_ping(found, seen, asked)
        seen.answered_s, seen.unanswered = time.monotonic() - began, len(asked)
        found.leave()
        found.end()
    return seen


def _while_it_is_there(found: Peer, text: str) -> Seen:
    seen, began = Seen([], []), time.monotonic()
    found.open(URI, text)
    asked = {found.ask(method, params) for method, params in _questions(text)}
    while asked and time.monotonic() < began + PATIENCE_S:
        _wait_for_ping(found, seen, asked)
    seen.answered_s, seen.unanswered = time.monotonic() - began, len(asked)
    found.change(URI, 2, {"range": range_of((0, 0), (0, 0)), "text": "x\n"})
    for _ in range(10):
        _wait_for_ping(found, seen, asked)
    found.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    found.received.clear()
    return seen


def _questions(text: str) -> Iterator[tuple[str, object]]:
    document = {"uri": URI}
    last = text.count("\n")
    for method in ABOUT_A_DOCUMENT:
        yield method, {"textDocument": document}
    for method in AT_A_PLACE:
        yield method, {"textDocument": document, "position": position(last, 400_000)}
    on_name = {"textDocument": document, "position": position(max(0, last - 1), 1)}
    yield "textDocument/references", {**on_name, "context": {"includeDeclaration": True}}
    yield "textDocument/rename", {**on_name, "newName": "another"}
    yield (
        "textDocument/selectionRange",
        {"textDocument": document, "positions": [position(last, 0)]},
    )
    yield "workspace/symbol", {"query": "f1"}
    whole = {"textDocument": document, "range": range_of((0, 0), (last, 0))}
    yield "textDocument/semanticTokens/range", whole
    yield "textDocument/inlayHint", whole
    yield "textDocument/codeAction", {**whole, "context": {"diagnostics": []}}
    yield "textDocument/diagnostic", {"textDocument": document}


def _wait_for_ping(found: Peer, seen: Seen, asked: set[int]) -> None:
    used_s, began = _used_s(found), time.monotonic()
    ping = found.ask("zsh/tasks", {})
    found.answer_to(ping, PATIENCE_S)
    seen.waits_s.append(time.monotonic() - began)
    seen.used_s.append(_used_s(found) - used_s)
    asked -= {message.get("id") for message in found.received}
    time.sleep(EVERY_S)


def _used_s(found: Peer) -> float:
    """Processor time of the server: of all threads of the process that the one it was started as watches."""
    outer = found.process.pid
    children = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
    threads = (it for child in children for it in Path(f"/proc/{child}/task").glob("*/schedstat"))
    used_ns = 0
    for thread in threads:
        with contextlib.suppress(OSError):  # it has just ended
            used_ns += int(thread.read_text().split()[0])
    return used_ns / 1e9
