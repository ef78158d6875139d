"""The façade: what frontends may ask of a sidecar.

Every sidecar is a `TaskService`, in this process (`sidecar.Sidecar`) or in
another one (`sidecar.remote`). The one in this process is a `SidecarInterface`:
it also holds the editor's documents and answers questions about them. Every
method answers or raises a `model.errors.SidecarError`; nothing else comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from zsh_ls.answers.failures import Failures
from zsh_ls.model.agent_run import AgentRun, AgentRunNotes
from zsh_ls.model.answer import Answer
from zsh_ls.model.reports import (
    CircuitList,
    CommandStats,
    Health,
    HistoryPage,
    MemoryStats,
    SessionList,
    TaskList,
    TerminalRecord,
)
from zsh_ls.model.requests import (
    HERE,
    Caller,
    OutputRequest,
    PollRequest,
    RunRequest,
    ScriptRequest,
    SendRequest,
    TerminalRunRequest,
)
from zsh_ls.model.results import KillResult, OutputPage, Progress, Resized, Sent, TaskResult
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.sidecar.editor.types import (
    Action,
    Completions,
    DocumentInsight,
    Edit,
    Hover,
    Lens,
    LineHint,
    ScriptNeeds,
)

from .config import HISTORY_LIMIT, THIS_PROJECT, Settings, SidecarOptions
from .detached.order import ToDetach

if TYPE_CHECKING:
    from zsh_ls.model.startup import StartupProgress, StartupReport, StartupRequest
    from zsh_ls.rehearsal.report import Rehearsal
    from zsh_ls.rehearsal.request import RehearsalRequest

    from .editor.navigation import Navigation

Unsubscribe = Callable[[], None]


class TaskService(Protocol):
    """Run commands, follow their tasks, ask about memory and documents; in this process or another.

    Each coroutine method can be called from another process
    (`remote.rpc.REMOTE_METHODS`), each `on_` method can be subscribed to
    from there (`remote.rpc.NEWS`).
    """

    async def run(self, request: RunRequest) -> TaskResult:
        """Start a command; answers at its end or after `yield_after`. Cancelling ends the waiting only."""
        ...

    async def run_script(self, request: ScriptRequest) -> TaskResult:
        """Run the text of an open document, traced if asked for; answers as `run` does."""
        ...

    async def poll(self, request: PollRequest) -> TaskResult:
        """What is new of a task since the last poll."""
        ...

    async def kill(self, task_id: str, caller: Caller = HERE) -> KillResult:
        """End a task with all its descendants; answers when nothing is left."""
        ...

    async def interrupt(self, task_id: str) -> None:
        """What Ctrl-C does: an interrupt to the task's foreground job."""
        ...

    async def send(self, request: SendRequest) -> Sent:
        """Type into a task."""
        ...

    async def resize(self, task_id: str, cols: int, rows: int) -> Resized:
        """Give a task's terminal a new size."""
        ...

    async def tasks(self, *, include_ended: bool = False) -> TaskList:
        """Running tasks, with the kept ended ones if asked."""
        ...

    async def output(self, request: OutputRequest) -> OutputPage:
        """Kept output by line range."""
        ...

    async def command_stats(self, command: str, project: str | None = THIS_PROJECT) -> CommandStats:
        """What ALAN knows of one command, in the project of a folder or, with None, everywhere."""
        ...

    async def memory_stats(self, project: str | None = THIS_PROJECT) -> MemoryStats:
        """What ALAN knows in all, of the project of a folder or, with None, of everywhere."""
        ...

    async def history(
        self, query: str = "", project: str | None = THIS_PROJECT, limit: int = HISTORY_LIMIT
    ) -> HistoryPage:
        """The newest lines that hold all words of `query`, of a folder's project or, with None, of all."""
        ...

    async def circuit(
        self,
        action: str = "status",
        command: str | None = None,
        project: str | None = THIS_PROJECT,
    ) -> CircuitList:
        """The circuits of a project that are not closed; `reset` closes one, or all."""
        ...

    async def sessions(self, action: str = "list", session: str | None = None) -> SessionList:
        """The named sessions; `show` one and what it holds, or `reset` one, or all (SESS-4)."""
        ...

    async def health(self) -> Health:
        """Whether everything works."""
        ...

    async def explain(self, command: str, dialect: Dialect = Dialect.ZSH) -> Answer:
        """What a command does, what is known of it, what its exits mean. Nothing is started for it."""
        ...

    async def ask(self, query: str) -> Answer:
        """An answer to a question of the closed set, else a fallback."""
        ...

    async def why_failed(self, task_id: str | None = None) -> Answer:
        """Why a kept task failed; without one why the last run of this workspace did (ANS-7).

        Raises InvalidRequest for a task that is not known or still runs.
        """
        ...

    async def record_agent_run(self, run: AgentRun) -> AgentRunNotes:
        """Remember what an agent ran in its own shell; gives what is news of it (HOOK-1)."""
        ...

    async def insights_for(self, uri: str) -> list[DocumentInsight]:
        """All insights on the lines of an open document now."""
        ...

    async def hints_for(self, uri: str) -> list[LineHint]:
        """What history knows of the lines of an open document, in numbers (DOC-4)."""
        ...

    async def failures(self, uri: str) -> Failures:
        """What becomes of an open script when each of its commands fails (FATE-7)."""
        ...

    def on_progress(self, listener: Callable[[Progress], None]) -> Unsubscribe:
        """Call `listener` with news of tasks that outlived their yield or asked for progress."""
        ...

    def on_insights_changed(self, listener: Callable[[str], None]) -> Unsubscribe:
        """Call `listener` with the URI of a document whose insights may have changed."""
        ...

    @property
    def is_trusted(self) -> bool:
        """Whether anything may be executed."""
        ...

    def on_trust_changed(self, listener: Callable[[bool], None]) -> Unsubscribe:
        """Call `listener` whenever the workspace is trusted from now on, or no longer is."""
        ...


class SidecarInterface(TaskService, Protocol):
    """A sidecar of this process: it also has settings, callers, open documents, and an end."""

    options: SidecarOptions

    async def ask_knowing(self, query: str, running: TaskList) -> Answer:
        """As `ask`, where more tasks run than this process's."""
        ...

    async def script_needs(self, uri: str, span: Span | None = None) -> ScriptNeeds:
        """What a person is asked before an open script, or a range of it, runs; starts nothing."""
        ...

    async def typed_arguments(self, uri: str, typed: str) -> tuple[str, ...]:
        """The words of what a person typed as the arguments of an open script; starts nothing."""
        ...

    async def to_detach(self, request: RunRequest) -> ToDetach:
        """What a keeper is to run, as `run` would run it here (RUN-20); raises what refuses it."""
        ...

    def forget_caller(self, caller: Caller) -> None:
        """Drop what is kept for a caller that will not come back; its tasks go on."""
        ...

    def has_task(self, task_id: str) -> bool:
        """Whether the task is one of this process, running or kept."""
        ...

    async def record_terminal_run(self, request: TerminalRunRequest) -> TerminalRecord:
        """Remember what ran in a terminal of the editor, unless the shell's own hook tells of it."""
        ...

    def configure(self, settings: Settings) -> None:
        """Take other settings from now on; tasks that run keep theirs."""
        ...

    def open_document(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document. Nothing of it is executed."""
        ...

    def edit_document(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits in order, each against the text the one before left; insights of runs move along."""
        ...

    def close_document(self, uri: str) -> None:
        """Stop watching a document."""
        ...

    async def startup(
        self,
        request: StartupRequest,
        tell: StartupProgress = ...,
        is_enough: Callable[[], bool] = ...,
    ) -> StartupReport:
        """Start the person's shell several times and say where the time goes; `tell` hears how far it is.

        Once `is_enough`, it ends and says what it knows.
        """
        ...

    async def rehearse(
        self, uri: str, asked: RehearsalRequest, tell: Callable[[str], None] = ...
    ) -> Rehearsal:
        """What an open script would do, its lines marked with it; cancelling ends the sandbox."""
        ...

    async def lenses_for(self, uri: str) -> list[Lens]:
        """What of an open document can be run where it stands, if trusted, and what fails unnoticed."""
        ...

    async def hover(self, uri: str, offset: int) -> Hover | None:
        """What the command or the flag at a place does; nothing is started to find out."""
        ...

    @property
    def navigation(self) -> Navigation:
        """What can be asked about the names and the structure of open scripts."""
        ...

    async def actions_for(self, uri: str, span: Span) -> list[Action]:
        """What can be done about a place or a selection of an open document."""
        ...

    async def format_edits(self, uri: str, indent: int, within: Span | None = None) -> list[Edit]:
        """The edits by which shfmt formats a document, `indent` blanks a step or 0 for tabs."""
        ...

    async def completions(self, uri: str, offset: int) -> Completions:
        """How the word that is being written at a place may go on; nothing is started to find out."""
        ...

    async def purpose(self, command: str) -> str:
        """What a command is for, in its manual page's words; `""` where nothing tells."""
        ...

    async def close(self) -> None:
        """End all tasks with their descendants and close the memory."""
        ...
