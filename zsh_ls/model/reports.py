"""What is told of tasks, memory, sessions and health as a whole: lists, statistics and states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from zsh_ls.lazy import attrs

from .words import Origin, Scope, Status

NotRecorded = Literal["hook", "off", "gone", "own", "untrusted"]


@attrs.frozen
class TaskSummary:
    """One line of the task list."""

    task_id: str
    command: str
    status: Status
    elapsed_seconds: float
    output_bytes: int
    is_pty: bool
    origin: Origin
    description: str | None = None
    detached: bool | None = None
    project: str | None = None
    exit: int | None = None


@attrs.frozen
class TaskList:
    """Running tasks, and the kept ended ones where all were asked for."""

    tasks: tuple[TaskSummary, ...]
    count: int


@attrs.frozen
class Durations:
    """How long runs of a template took."""

    median_s: float | None
    p90_s: float | None
    samples: int


@attrs.frozen
class SshStats:
    """What is known of the host and the remote command of an ssh line."""

    host: str
    connections: int
    failed: int
    remote_command: str | None = None


@attrs.frozen
class RecentRun:
    """One remembered run."""

    command: str
    outcome: str
    exit: int | None
    duration_s: float
    at: float
    origin: str


@attrs.frozen
class CommandStats:
    """What ALAN knows of one command: rates and durations of its template, the streak of its hash.

    A terminal is also told whose runs these are: `scope` is the project that was asked for, or everywhere,
    and `runs_elsewhere` of them were done by hand or imported.
    """

    known: bool
    command_template: str
    runs: int
    success_rate: float
    timeout_rate: float
    kill_rate: float
    streak: int
    durations: Durations
    recent: tuple[RecentRun, ...]
    ssh: SshStats | None = None
    runs_elsewhere: int = 0
    scope: Scope = Scope.EVERYWHERE


@attrs.frozen
class HistoryEntry:
    """A line that was run, as it last ended; `at` is in ISO 8601, in UTC. What is not known is null."""

    command: str
    exit: int | None
    outcome: str | None
    duration_s: float | None
    at: str
    cwd: str | None
    origin: Origin


@attrs.frozen
class HistoryPage:
    """The lines that were asked for, newest first, each text once."""

    entries: tuple[HistoryEntry, ...]


@attrs.frozen
class SessionStats:
    """What ran in this session."""

    id: str
    runs: int
    succeeded: int


@attrs.frozen
class HotPattern:
    """A template that runs often."""

    command_template: str
    runs: int
    success_rate: float


@attrs.frozen
class MemoryStats:
    """What ALAN knows in all; times are Unix seconds."""

    observations: int
    templates: int
    oldest: float | None
    newest: float | None
    session: SessionStats
    hot_patterns: tuple[HotPattern, ...]
    outcomes: Mapping[str, int]


@attrs.frozen
class Circuit:
    """A command that NEVERHANG watches in a folder's project (RUN-14), None for no folder's."""

    command: str
    project: str | None
    state: Literal["open", "half-open"]
    timeouts: int
    opened_at: float
    retry_in_s: float


@attrs.frozen
class CircuitList:
    """The circuits that are not closed."""

    open: tuple[Circuit, ...]


@attrs.frozen
class TerminalRecord:
    """Whether memory took a run of a terminal, and if not, why.

    `hook`: the shell's own hook (`zsh-ls init`) tells memory more; `off`: ZSH_LS_OFF or ZSH_LS_IGNORE
    of that shell; `gone`: the shell has ended, nobody can tell; `own`: `zsh-ls run` remembers what it runs
    itself; `untrusted`: the workspace.
    """

    recorded: bool
    reason: NotRecorded | None = None


@attrs.frozen
class SessionSummary:
    """A named session: the shell it began with, where it is, how many runs left it their state.

    `variables` and `functions` are counts; `restored_ms` is how long the last start took to read them.
    """

    session: str
    shell: str
    cwd: str | None
    runs: int
    variables: int
    functions: int
    restored_ms: float | None


@attrs.frozen
class HeldItem:
    """One thing that a session holds; a secret in its `value` is masked."""

    name: str
    kind: Literal["variable", "function", "alias", "option", "directory"]
    value: str


@attrs.frozen
class SessionList:
    """The sessions, and what the one that was asked for holds."""

    sessions: tuple[SessionSummary, ...]
    held: tuple[HeldItem, ...] | None = None


@attrs.frozen
class DatabaseHealth:
    """Where the memory is and whether it can be written; `problem` says what is wrong, if anything."""

    path: str
    status: Literal["ok", "degraded"]
    observations: int
    problem: str | None = None


@attrs.frozen
class TeamHealth:
    """Whether what is learnt is shared with the team; `problem` says why not, if it is not."""

    status: Literal["ok", "degraded"]
    problem: str | None = None


@attrs.frozen
class DetachedTask:
    """A detached run that is on, of any workspace of this user."""

    task_id: str
    command: str


@attrs.frozen
class Health:
    """Whether the sidecar is well; `problem` says what is wrong beside the database, if anything."""

    status: Literal["healthy", "degraded"]
    version: str
    shells: Mapping[str, str]
    database: DatabaseHealth
    active_tasks: int
    circuit: CircuitList
    detached: tuple[DetachedTask, ...] = ()
    problem: str | None = None
    team: TeamHealth | None = None
