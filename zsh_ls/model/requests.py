"""What can be asked of the sidecar. The names are those of the wire (`docs/protocol.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from .span import Span
from .words import Origin


@attrs.frozen
class DocumentRange:
    """Where a command stands in an open document: characters of its text at `version`."""

    uri: str
    span: Span
    version: int | None = None


@attrs.frozen
class Caller:
    """Who asks, where several share one sidecar: each reads on a cursor of its own (POLL-3).

    `colour` is whether it wants escape codes in `formatted` texts; None: as the
    sidecar was opened. The link sets both; they are not on the wire.
    """

    name: str = ""
    colour: bool | None = None


HERE = Caller()


@attrs.frozen
class RunRequest:
    """Start `command`; times are seconds. `progress` asks for progress even of a quick run.

    `tag` comes back in every Progress of the task, so that who asked can tell
    its own task before the answer names it.
    """

    command: str
    cwd: str | None = None
    env: Mapping[str, str | None] = attrs.field(factory=dict)
    shell: str | None = None
    timeout: float | None = None
    yield_after: float = 2.0
    pty: bool = False
    cols: int = 80
    rows: int = 24
    interactive: bool = False
    stdin: str | None = None
    document: DocumentRange | None = None
    verbosity: Literal["auto", "debug"] = "auto"
    description: str | None = None
    origin: Origin = Origin.EDITOR
    progress: bool = False
    tag: str | None = None
    caller: Caller = HERE


@attrs.frozen
class PollRequest:
    """Ask a task for news; waits up to `listen` seconds for `until`."""

    task_id: str
    full_output: bool = False
    listen: float = 2.0
    until: Literal["output", "end"] = "output"
    caller: Caller = HERE


@attrs.frozen
class SendRequest:
    """Type into a task."""

    task_id: str
    input: str
    newline: bool = True
    eof: bool = False


@attrs.frozen
class OutputRequest:
    """Kept output of a task, of the last one that ended where none is named."""

    task_id: str | None = None
    from_line: int | None = None
    to_line: int | None = None
    raw: bool = False
