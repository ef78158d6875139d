"""The states of sessions in files of a private folder, each for this user alone (SESS-4)."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Iterator
from hashlib import sha256

from zsh_ls.system.bounded_files import read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .state import State


MOST_BYTES = 64 << 20
_SUFFIX = ".json"


class SessionStore:
    """The sessions of one server, or of one terminal's session; several processes may use one folder.

    `folder` makes the folder, or finds it, when it is first needed.
    """

    def __init__(self, folder: Callable[[], str]) -> None:
        self._make = folder
        self._folder: str | None = None

    @property
    def folder(self) -> str:
        """The folder; raises OSError where there can be none."""
        if self._folder is None or not os.path.isdir(self._folder):
            self._folder = self._make()
        return self._folder

    def get(self, session: str) -> State | None:
        """The newest state of a session; None where it has none, or one that cannot be read."""
        try:
            path = self._path(session)
        except OSError:  # there can be no folder
            return None
        return _read(path)

    def all(self) -> list[State]:
        """All states, by name."""
        try:
            names = [name for name in os.listdir(self.folder) if name.endswith(_SUFFIX)]
        except OSError:
            return []
        states = (_read(f"{self.folder}/{name}") for name in names)
        return sorted(filter(None, states), key=lambda state: state.session)

    def keep(self, state: State, *, over: State | None) -> bool:
        """Keep a new state, if the session still has `over`; raises OSError where there is no room."""
        with self._locked():
            newest = self.get(state.session)
            if _version(newest) != _version(over):
                return False
            text = json.dumps(state.to_json()).encode("utf-8", "surrogatepass")
            path = self._path(state.session)
            passing = f"{path}.{os.urandom(4).hex()}"
            descriptor = os.open(
                passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600
            )
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(text)
                os.replace(passing, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(passing)
                raise
        return True

    def remove(self, session: str | None = None) -> None:
        """Forget one session, or all."""
        with self._locked():
            names = (
                [os.path.basename(self._path(session))]
                if session is not None
                else [it for it in os.listdir(self.folder) if it.endswith(_SUFFIX)]
            )
            for name in names:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(f"{self.folder}/{name}")

    def _path(self, session: str) -> str:
        name = sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return f"{self.folder}/{name}{_SUFFIX}"

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(f"{self.folder}/lock", flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _read(path: str) -> State | None:
    """The state in a file; None where there is none that can be read."""
    from .state import State  # noqa: PLC0415

    try:
        text = read_bytes(path, MOST_BYTES)
        return State.of_json(json.loads(text.decode("utf-8", "surrogatepass")))
    except (OSError, ValueError, TypeError, AttributeError):
        return None


def _version(state: State | None) -> tuple[str, int] | None:
    return None if state is None else (state.id, state.serial)
