"""What the sidecar answers. The names are those of the wire (`docs/protocol.md`); None is left out there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, Literal

from zsh_ls.lazy import attrs

from .places import Place
from .words import Origin, Status


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
