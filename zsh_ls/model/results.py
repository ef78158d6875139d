"""What the sidecar answers. The names are those of the wire (`docs/protocol.md`); None is left out there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, Literal

from zsh_ls.lazy import attrs

from .places import Place
from .words import Origin, Scope, Status


@attrs.frozen
class AlanEstimate:
    """`poll_meta.alan_estimate`: an Estimate at one moment; seconds rounded to 0.1. `agents` of a team's."""

    command_template: str
    median_duration_s: float
    p90_duration_s: float
    completion_probability: float
    sample_size: int
    basis: str
    scope: str
    agents: int | None = None


@attrs.frozen
class PollMeta:
    """What an observer may want to know while a task runs (POLL-2)."""

    polls_since_output: int
    elapsed_since_last_output_s: float
    total_elapsed_s: float
    alan_estimate: AlanEstimate | None
    waiting_for_input: bool
    next_useful_poll_s: float | None
    suggestion: str | None


@attrs.frozen
class Annotations:
    """For whom a result is and how much it matters (ALAN-11)."""

    priority: float
    audience: tuple[str, ...] = ("user", "assistant")


@attrs.frozen
class Verbosity:
    """What the resolver did with the output (VERB-4)."""

    operation: str
    level: Literal["lean", "balanced", "full", "debug"]
    state: Literal["running", "success", "failed", "timed out"]
    total_lines: int
    omitted_lines: int
    escalated_by: tuple[str, ...]
    full_output: str | None


@attrs.frozen
class TracedLine:
    """How one line of a traced script went, over all its executions; `line` is zero-based."""

    line: int
    count: int
    exit: int
    pipestatus: tuple[int, ...]
    total_ms: float
    max_ms: float


@attrs.frozen
class MatchedLine:
    """The line of the output that a pattern matched: its number from 1, and its text."""

    line: int
    text: str


class NotAsked(Enum):
    """The value of a field that is left out where nobody asked for it, as null says something there."""

    NOT_ASKED = "not asked"


NOT_ASKED: Final = NotAsked.NOT_ASKED


@attrs.frozen
class TaskResult:
    """A task at one moment. `exit`, `success` and `pipestatus` are absent while it runs.

    `output` is what this answer brings, `from_line` to `to_line` of the whole
    (1-based, inclusive; None where it brings nothing). `project` is the folder of the
    project that the run is of, None without one (ALAN-13). `places` are all that the
    output has named so far (PLACE-1). `matched` is None where a match was awaited and something
    else ended the waiting.
    """

    task_id: str
    command: str
    shell: str
    cwd: str
    status: Status
    output: str
    from_line: int | None
    to_line: int | None
    new_bytes: int
    elapsed_seconds: float
    has_stdin: bool
    is_pty: bool
    origin: Origin
    annotations: Annotations
    formatted: str
    project: str | None
    success: bool | None = None
    exit: int | None = None
    pipestatus: tuple[int, ...] | None = None
    signal: int | None = None
    insights: Mapping[str, Sequence[str]] | None = None
    places: tuple[Place, ...] | None = None
    verbosity: Verbosity | None = None
    error: str | None = None
    message: str | None = None
    more: bool | None = None
    poll_meta: PollMeta | None = None
    lines: tuple[TracedLine, ...] | None = None
    traced: bool | None = None
    session: str | None = None
    matched: MatchedLine | NotAsked | None = NOT_ASKED
    # What `formatted` says of the limit, for the structured answers of MCP alone, whose clients may show
    # a model nothing else.
    ends_at_s: float | None = None


@attrs.frozen
class Progress:
    """Progress of a running or just ended task, on a cursor of its own (`zsh/progress`).

    `places` are those that the output has named since the last one.
    """

    task_id: str
    command: str
    origin: Origin
    status: Status
    output: str
    from_line: int | None
    to_line: int | None
    new_bytes: int
    elapsed_seconds: float
    poll_meta: PollMeta | None = None
    places: tuple[Place, ...] | None = None
    exit: int | None = None
    pipestatus: tuple[int, ...] | None = None
    insights: Mapping[str, Sequence[str]] | None = None
    formatted: str | None = None
    # The `tag` of the RunRequest: for the frontend, which never sends it to a client.
    tag: str | None = None


@attrs.frozen
class KillInsight:
    """How a kill is judged (KILL-2)."""

    template: str
    kill_elapsed_ms: int
    category: str
    message: str


@attrs.frozen
class KillResult:
    """The answer to a kill: nothing of the task is left."""

    success: bool
    message: str
    task_id: str
    exit: int
    output: str
    insight: KillInsight | None = None
    formatted_insight: str | None = None


@attrs.frozen
class Sent:
    """The answer to typing into a task."""

    success: bool
    message: str
    # Where what it says to it begins in its output: for who listens, never sent to a client.
    from_byte: int = 0


@attrs.frozen
class Resized:
    """The answer to a new terminal size."""

    success: bool


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
class Gap:
    """Bytes the cap left out: `from_byte` up to, not including, `to_byte`."""

    from_byte: int
    to_byte: int


@attrs.frozen
class OutputPage:
    """Kept output by line range; `output` is base64 of the bytes where raw was asked for."""

    task_id: str
    command: str
    output: str
    from_line: int | None
    to_line: int | None
    total_lines: int
    total_bytes: int
    more: bool | None = None
    gap: Gap | None = None


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


NotRecorded = Literal["hook", "off", "gone", "own", "untrusted"]


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
