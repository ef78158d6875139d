"""What can be asked of the sidecar. The names are those of the wire (`docs/protocol.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from zsh_ls.lazy import attrs

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

    `colour` is whether it wants escape codes in `formatted` texts, `only_news` whether it wants no
    other insights than those that are news (ALAN-16); None: as the sidecar was opened. The link sets
    all three; they are not on the wire.
    """

    name: str = ""
    colour: bool | None = None
    only_news: bool | None = None


HERE = Caller()


@attrs.frozen(kw_only=True)
class ProcessOptions:
    """What the process of a run is given, as the engine needs it; `env` overrides, None unsets a variable.

    `cols` and `rows` are the size of its terminal (`pty`). With `interactive` it
    can be typed into through a pipe; `stdin` is all it can read.
    """

    env: Mapping[str, str | None] = attrs.field(factory=dict)
    pty: bool = False
    cols: int = 80
    rows: int = 24
    interactive: bool = False
    stdin: str | None = None
    origin: Origin = Origin.EDITOR


@attrs.frozen(kw_only=True)
class RunOptions(ProcessOptions):
    """How to run a command or a script; times are seconds.

    `progress` asks for progress even of a quick run. `tag` comes back in every
    Progress of the task, so that who asked can tell its own task before the
    answer names it.
    """

    cwd: str | None = None
    shell: str | None = None
    timeout: float | None = None
    yield_after: float = 2.0
    description: str | None = None
    progress: bool = False
    tag: str | None = None
    caller: Caller = HERE


@attrs.frozen
class ScriptRequest(RunOptions):
    """Run the text of an open document as a script, saved or not.

    With `trace` every list it executes is told with its exit and its time (DOC-3).
    """

    uri: str
    arguments: tuple[str, ...] = ()
    trace: bool = True


@attrs.frozen
class RunnableScript:
    """A script to run: from its file, or its `text` where no file holds just that.

    `edited` is the file that holds another text than the one that is open in an editor.
    `options` are the shell's own, as an interpreter line gives them; with
    `traces` it tells what its lists did, those in subshells too where it
    `traces_subshells`. `reads_startup` is false for `zsh -f`.
    """

    text: str
    path: str | None = None
    options: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    traces: bool = False
    traces_subshells: bool = True
    reads_startup: bool = True
    edited: str | None = None


@attrs.frozen
class RunRequest(RunOptions):
    """Start `command`.

    With `script` that is what runs and `command` is its name; `not_traced` says
    why what was to be traced is not. A `rerun` is one that a person asked for
    by a key that runs the same again. `session` names what it begins with and leaves
    its state to; `missing` says what is to be done where names are not there that
    the document gives above: None warns, and runs it all the same. One that is `detached`
    outlives whoever asked for it (RUN-20). `stands_in_for` is the shell that the script names, where
    that is not installed and `shell` is another. `args` are what the command reads as `$1` and on.
    """

    command: str
    args: tuple[str, ...] = ()
    document: DocumentRange | None = None
    verbosity: Literal["auto", "debug"] = "auto"
    rerun: bool = False
    session: str | None = None
    missing: Literal["ask", "run", "first"] | None = None
    detached: bool = False
    script: RunnableScript | None = None
    not_traced: str | None = None
    stands_in_for: str | None = None


Until = Literal["output", "end", "match"]
LONGEST_LISTEN_S = 300.0
SessionAction = Literal["list", "show", "reset"]


@attrs.frozen
class PollRequest:
    """Ask a task for news; waits up to `listen` seconds for `until`.

    `pattern` is what a line has to match, with `until` "match" alone. The lines looked at
    begin behind the last one that the caller's pattern matched, at first with the first line
    of all; with `match_from`, at that byte of the output. `echo` is what was typed then: a terminal
    shows it again, and that alone is neither news nor a match.
    """

    task_id: str
    full_output: bool = False
    listen: float = 2.0
    until: Until = "output"
    pattern: str | None = None
    match_from: int | None = None
    echo: str | None = None
    caller: Caller = HERE


@attrs.frozen
class SendRequest:
    """Type into a task."""

    task_id: str
    input: str
    newline: bool = True
    eof: bool = False


@attrs.frozen
class TerminalRunRequest:
    """Remember what ran in a terminal of the editor, whose shell is the process `process`.

    `command` is the line as it was typed, a leading space included; `started_at` is in Unix seconds.
    """

    command: str
    exit: int
    cwd: str
    duration_s: float
    started_at: float | None = None
    pipestatus: tuple[int, ...] = ()
    process: int | None = None


@attrs.frozen
class OutputRequest:
    """Kept output of a task, of the last one that ended where none is named."""

    task_id: str | None = None
    from_line: int | None = None
    to_line: int | None = None
    raw: bool = False
