"""A server with a fake sidecar that runs nothing, for tests of the protocol alone.

`zsh/run` of `sleep N` answers after N seconds, of `crash` raises, of
`progress N` reports N times, of `print` writes to stdout; `big N` answers with
N characters. Whatever runs can be killed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from zsh_ls.model.agent_run import AgentRun, AgentRunNotes
from zsh_ls.model.answer import Answer
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.reports import (
    CircuitList,
    CommandStats,
    DatabaseHealth,
    Durations,
    Health,
    HistoryPage,
    MemoryStats,
    SessionStats,
    TaskList,
    TerminalRecord,
)
from zsh_ls.model.requests import (
    Caller,
    OutputRequest,
    PollRequest,
    RunRequest,
    SendRequest,
    TerminalRunRequest,
)
from zsh_ls.model.results import (
    AlanEstimate,
    Annotations,
    KillResult,
    OutputPage,
    PollMeta,
    Progress,
    Resized,
    Sent,
    TaskResult,
    Verbosity,
)
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level, Origin, Status
from zsh_ls.server import boot
from zsh_ls.server.client import Client
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.server.session import serve
from zsh_ls.sidecar.config import Settings
from zsh_ls.sidecar.editor.types import DocumentInsight, Edit, LineHint


def result(request: RunRequest, output: str = "") -> TaskResult:
    return TaskResult(
        task_id="0000aaaa",
        command=request.command,
        shell=request.shell or "zsh",
        cwd=request.cwd or "/",
        status=Status.COMPLETED,
        output=output,
        from_line=1 if output else None,
        to_line=1 if output else None,
        new_bytes=len(output),
        elapsed_seconds=0.0,
        has_stdin=False,
        is_pty=request.pty,
        origin=request.origin,
        annotations=Annotations(0.7),
        formatted="[COMPLETED task_id=0000aaaa elapsed=0.0s exit=0]",
        project=None,
        success=True,
        exit=0,
        pipestatus=(0,),
        verbosity=Verbosity("command", "full", "success", 0, 0, (), None),
    )


@attrs.define
class FakeSidecar:
    """Has the methods of the sidecar, and answers from the request alone."""

    settings: Settings
    listener: Callable[[Progress], None] = lambda _: None
    changed: Callable[[str], None] = lambda _: None
    texts: dict[str, str] = attrs.field(factory=dict)
    killed: dict[str, asyncio.Event] = attrs.field(factory=dict)

    async def run(self, request: RunRequest) -> TaskResult:
        verb, _, rest = request.command.partition(" ")
        if verb == "sleep":
            await asyncio.sleep(float(rest))
        elif verb == "crash":
            raise KeyError("/secret/path")
        elif verb == "refuse":
            raise RequestRejected("NEVERHANG: Circuit OPEN")
        elif verb == "print":
            print("a stray print")
        elif verb == "progress":
            await self._progress(request, int(rest))
        elif verb == "timeout":
            return result(request, str(self.settings.timeout_s))
        return result(request, "x" * int(rest) if verb == "big" else "")

    async def poll(self, request: PollRequest) -> TaskResult:
        if request.task_id != "0000aaaa":
            raise InvalidRequest(f"Unknown task: {request.task_id}")
        await asyncio.sleep(request.listen)
        return result(RunRequest("poll"))

    def has_task(self, task_id: str) -> bool:
        return task_id in self.killed

    async def kill(self, task_id: str, caller: object = None) -> KillResult:
        if task_id not in self.killed:
            raise InvalidRequest(f"Unknown task: {task_id}")
        self.killed[task_id].set()
        return KillResult(True, f"Task {task_id} killed", task_id, 137, "")

    async def send(self, request: SendRequest) -> Sent:
        raise RequestRejected("no standard input")

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        raise InvalidRequest(f"Unknown task: {task_id}")

    async def tasks(self, *, include_ended: bool = False) -> TaskList:
        return TaskList((), 0)

    async def output(self, request: OutputRequest) -> OutputPage:
        raise InvalidRequest(f"Unknown task: {request.task_id}")

    async def command_stats(self, command: str) -> CommandStats:
        return CommandStats(False, command, 0, 0.0, 0.0, 0.0, 0, Durations(None, None, 0), ())

    async def memory_stats(self, project: str | None = "") -> MemoryStats:
        return MemoryStats(0, 0, None, None, SessionStats("s", 0, 0), (), {})

    async def history(
        self, query: str = "", project: str | None = "", limit: int = 50
    ) -> HistoryPage:
        return HistoryPage(())

    async def circuit(self, action: str = "status", command: str | None = None) -> CircuitList:
        return CircuitList(())

    async def record_terminal_run(self, request: TerminalRunRequest) -> TerminalRecord:
        return TerminalRecord(recorded=True)

    def configure(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def is_trusted(self) -> bool:
        return self.settings.trusted

    def on_trust_changed(self, listener: Callable[[bool], None]) -> Callable[[], None]:
        return lambda: None

    async def health(self) -> Health:
        database = DatabaseHealth("/dev/null", "ok", 0)
        return Health("healthy", "0", {"zsh": "5.9"}, database, 0, CircuitList(()))

    async def explain(self, command: str, dialect: Dialect = Dialect.ZSH) -> Answer:
        return Answer("deterministic", command, details=dialect.value)

    async def ask(self, query: str) -> Answer:
        return Answer("deterministic", query)

    async def interrupt(self, task_id: str) -> None:
        return None

    def forget_caller(self, caller: Caller) -> None:
        return None

    def on_progress(self, listener: Callable[[Progress], None]) -> Callable[[], None]:
        self.listener = listener
        return lambda: None

    def open_document(self, uri: str, text: str, language_id: str, version: int) -> None:
        self.texts[uri] = text

    def edit_document(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        for edit in edits:
            start, end = edit.span
            self.texts[uri] = self.texts[uri][:start] + edit.text + self.texts[uri][end:]

    def close_document(self, uri: str) -> None:
        del self.texts[uri]

    async def record_agent_run(self, run: AgentRun) -> AgentRunNotes:
        raise NotImplementedError

    async def insights_for(self, uri: str) -> list[DocumentInsight]:
        """One warning on every word `bad`."""
        text = self.texts[uri]
        places = [n for n in range(len(text)) if text.startswith("bad", n)]
        insight = Insight(Level.WARNING, "this is bad", "seen-bad")
        return [DocumentInsight(Span(at, at + 3), insight) for at in places]

    async def hints_for(self, uri: str) -> list[LineHint]:
        """A hint at the end of each line."""
        ends = [n for n, letter in enumerate(self.texts[uri]) if letter == "\n"]
        return [LineHint(at, f"{at}s") for at in ends]

    def on_insights_changed(self, listener: Callable[[str], None]) -> Callable[[], None]:
        self.changed = listener
        return lambda: None

    async def close(self) -> None:
        return None

    async def _progress(self, request: RunRequest, times: int) -> None:
        task_id = f"{len(self.killed):08x}"
        ended = self.killed[task_id] = asyncio.Event()
        for number in range(times):
            self.listener(self._news(request, task_id, number, Status.RUNNING))
            await asyncio.sleep(0)
            if number == 2 and request.stdin == "wait for the kill":
                await ended.wait()
                break
        self.listener(self._news(request, task_id, times, Status.COMPLETED))
        for uri in self.texts:
            self.changed(uri)

    def _news(self, request: RunRequest, task_id: str, number: int, status: Status) -> Progress:
        estimate = AlanEstimate(
            "progress *", 10.0, 20.0, min(number, 100) / 100, 3, "template", "project"
        )
        meta = PollMeta(0, 0.0, 0.0, estimate, False, None, None)
        output = f"line {number} {request.description or ''}\n"
        return Progress(
            task_id,
            request.command,
            Origin.EDITOR,
            status,
            output,
            number + 1,
            number + 1,
            len(output),
            float(number),
            meta if status is Status.RUNNING else None,
            tag=request.tag,
        )


def shells(_: Client) -> dict[str, str]:
    return {"zsh": "5.9"}


async def open_fake(client: Client, settings: Settings) -> Any:
    return FakeSidecar(settings)


if __name__ == "__main__":
    wire = boot.take_wire()
    beginning = boot.begin(wire, shells)
    raise SystemExit(serve(ShellLanguageServer(open_fake, Settings(), shells), wire, beginning))
