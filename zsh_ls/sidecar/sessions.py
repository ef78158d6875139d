"""Named sessions: what a run begins with, and what the next one of its session will (SESS-1, SESS-4)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
from collections.abc import Mapping

from zsh_ls.lazy import attrs
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level
from zsh_ls.sessions.store import SessionStore
from zsh_ls.shell.redaction.redact import redact
from zsh_ls.system.private_folders import make_private, passing_folder, sweep

from .config import SidecarOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.reports import SessionList, SessionSummary
    from zsh_ls.sessions.state import State
    from zsh_ls.sidecar.runs.launch import Shell
    from zsh_ls.sidecar.runs.session_run import Begun
    from zsh_ls.tasks import Dumps


KINDS = ("zsh", "bash")
LONGEST_NAME = 4_096
PREFIX = "sessions-"
LARGE_BYTES = 256 << 10
MOVED_ON = "State not kept: the session moved on meanwhile."
NOT_WRITTEN = "State not kept: the shell ended without writing it."
NO_ROOM = "State not kept: no space left on device."
TOO_LARGE = "State not kept: it is larger than 16 MiB."


class Sessions:
    """The sessions of one sidecar."""

    def __init__(self, options: SidecarOptions) -> None:
        self._options = options
        self._own_folder: str | None = None
        self._store = SessionStore(self._folder)
        self._has_store = options.keeps_sessions is not None

    def _folder(self) -> str:
        """The folder of the states: that of the terminal's session, or one that goes with this process."""
        self._has_store = True
        runtime = str(self._options.places.runtime)
        make_private(runtime)
        with contextlib.suppress(OSError):
            sweep(PREFIX, runtime)
        if self._options.keeps_sessions is not None:
            folder = os.path.join(runtime, f"{PREFIX}{self._options.keeps_sessions}")
            make_private(folder)
            return folder
        self._own_folder = passing_folder(PREFIX, runtime)
        return self._own_folder

    def get(self, session: str) -> State | None:
        """The newest state of a session."""
        return self._store.get(session) if self._has_store else None

    def name_of(self, request: RunRequest, shell: Shell) -> str | None:
        """The session that a run belongs to: the one it names, else its document's (SESS-2).

        Raises RequestRejected for a shell that keeps no state, or another than the session's.
        """
        session = request.session
        if session is None:
            if request.document is None or request.script or shell.kind not in KINDS:
                return None
            if request.detached:
                return None
            session = request.document.uri
        elif shell.kind not in KINDS:
            raise RequestRejected(
                f"A session needs zsh or bash; {shell.kind} cannot say what it leaves."
            )
        state = self.get(session)
        if state is not None and not _is_same(state, shell):
            if request.session is None:
                raise RequestRejected(
                    f"The session of this document began with {state.shell}; it cannot go on with "
                    f"{shell.kind}. Begin the session of this document anew."
                )
            raise RequestRejected(
                f"Session {session} began with {state.shell}; it cannot go on with {shell.kind}. "
                f"Name another one, or begin it anew: `zsh-ls session reset {shlex.quote(session)}` in "
                "a terminal, zsh/session (action reset) elsewhere."
            )
        return session

    def of_block(self, request: RunRequest, shell: Shell) -> RunRequest:
        """A run of a block of another file: blocks of a second shell there have a session of their own."""
        if request.session is not None or request.document is None or shell.kind not in KINDS:
            return request
        state = self.get(request.document.uri)
        if state is None or _is_same(state, shell) or request.detached:
            return request
        return attrs.evolve(request, session=f"{request.document.uri}#{shell.kind}")

    def shell_of(self, session: str | None) -> str | None:
        """The shell that a session began with, as a kind or a path."""
        state = self.get(session) if session is not None else None
        return None if state is None else state.path

    def begin(
        self, session: str, shell: Shell, request: RunRequest, own_folder: str | None
    ) -> Begun:
        """Begin a run with the newest state; `own_folder` is the one that the request asks for."""
        from zsh_ls.sidecar.runs.session_run import Begun  # noqa: PLC0415

        return Begun(session, shell, self.get(session), frozenset(request.env), own_folder)

    @staticmethod
    def folder_of(begun: Begun, default: str) -> tuple[str, tuple[Insight, ...]]:
        """The folder that a run begins in, and a warning where the session's is gone."""
        folder = None if begun.state is None else begun.state.folder
        if folder is None or os.path.isdir(folder):
            return folder or default, ()
        said = f"The session's folder {folder} is gone; run in {default}."
        return default, (Insight(Level.WARNING, said, "session"),)

    async def end(
        self, begun: Begun, dumps: Dumps, command: str, *, succeeded: bool
    ) -> tuple[Insight, ...]:
        """Keep what `command` left, which ended by itself; what is to be said of it."""
        from zsh_ls.shell.syntax.parser import parse  # noqa: PLC0415

        changes: tuple[str, ...] = ()
        if "cd" in command or "pushd" in command:
            dialect = Dialect(begun.shell.kind)
            # Most runs have no session.
            from zsh_ls.shell.symbols.collect import names_of  # noqa: PLC0415
            from zsh_ls.shell.symbols.missing import folder_changes  # noqa: PLC0415

            changes = folder_changes(names_of(parse(command, dialect)))
        size = len(dumps.before or b"") + len(dumps.after or b"")
        if size > LARGE_BYTES:
            said = await asyncio.to_thread(self._end, begun, dumps, changes, succeeded)
        else:
            said = self._end(begun, dumps, changes, succeeded)
        return () if said is None else (Insight(Level.INFO, said, "session"),)

    def _end(
        self, begun: Begun, dumps: Dumps, changes: tuple[str, ...], succeeded: bool
    ) -> str | None:
        from zsh_ls.sessions.dump import read_dump  # noqa: PLC0415
        from zsh_ls.sessions.state import State  # noqa: PLC0415

        if dumps.is_too_large:
            return TOO_LARGE
        if dumps.before is None or dumps.after is None:
            return NO_ROOM if dumps.lacks_room else NOT_WRITTEN
        kind = begun.shell.kind
        before, after = read_dump(dumps.before, kind), read_dump(dumps.after, kind)
        if before is None or after is None:
            return NOT_WRITTEN
        state = begun.state or State(begun.session, kind, begun.shell.path, os.urandom(8).hex())
        # A `cd` that led nowhere changed nothing.
        done = changes if succeeded or before.folders[:1] != after.folders[:1] else ()
        state = attrs.evolve(
            state.after(before, after, own_names=begun.own_names, own_folder=begun.own_folder),
            restored_ms=dumps.restored_ms if begun.state else state.restored_ms,
            changes=(*state.changes, *done)[-MOST_CHANGES:],
        )
        try:
            kept = self._store.keep(state, over=begun.state)
        except OSError as full:
            return f"State not kept: {full.strerror or full}."
        return None if kept else MOVED_ON

    def listed(self, action: str, session: str | None, redactions: tuple[str, ...]) -> SessionList:
        """The sessions and, with `show`, what one of them holds; `reset` forgets one, or all."""
        from zsh_ls.model.reports import HeldItem, SessionList  # noqa: PLC0415

        if action not in ("list", "show", "reset"):
            raise InvalidRequest(f"action: expected list, show or reset, got {action!r}")
        if action == "show" and session is None:
            raise InvalidRequest("session: expected the name of the session to show")
        state = self.get(session) if session is not None else None
        if session is not None and state is None:
            raise InvalidRequest(f"Unknown session: {session}")
        if action == "reset":
            if self._has_store:
                self._store.remove(session)
            state = None
        states = self._store.all() if self._has_store else []
        held = None
        if action == "show" and state is not None:
            states = [state]
            held = tuple(
                HeldItem(it.name, it.kind, _masked(it.name, it.kind, it.value, redactions))
                for it in state.held()
            )
        elif session is not None and action == "list":
            states = [it for it in states if it.session == session]
        return SessionList(tuple(map(_summary, states)), held)

    def close(self) -> None:
        """Remove the states that go with this process."""
        if self._own_folder is not None:
            import shutil  # noqa: PLC0415  a mere run makes no such folder

            shutil.rmtree(self._own_folder, ignore_errors=True)


MOST_CHANGES = 100


def _is_same(state: State, shell: Shell) -> bool:
    if state.path == shell.path:
        return True
    with contextlib.suppress(OSError):
        return os.path.samefile(state.path, shell.path)
    return False


def _summary(state: State) -> SessionSummary:
    from zsh_ls.model.reports import SessionSummary  # noqa: PLC0415

    items = [it.kind for it in state.held()]
    return SessionSummary(
        session=state.session,
        shell=state.shell,
        cwd=state.folder,
        runs=state.runs,
        variables=items.count("variable"),
        functions=items.count("function"),
        restored_ms=state.restored_ms,
    )


def _masked(name: str, kind: str, value: str, redactions: tuple[str, ...]) -> str:
    """The value without secrets, which a name may betray."""
    if kind != "variable":
        return redact(value, redactions)
    shown = redact(f"export {name}={_as_word(value)}", redactions)
    if shown == f"export {name}={_as_word(value)}":
        return redact(value, redactions)
    return shown.removeprefix(f"export {name}=")


def _as_word(value: str) -> str:
    if value.startswith("("):
        return value
    return "'" + value.replace("'", "'\\''") + "'" if not value.isalnum() else value


def variables_of(state: State | None, environment: Mapping[str, str | None]) -> frozenset[str]:
    """The names of variables that a run begins with: the session's and the environment's."""
    names = {name for name, value in environment.items() if value is not None}
    if state is not None:
        names = names - set(state.lost_variables) | set(state.variables)
    return frozenset(names)
