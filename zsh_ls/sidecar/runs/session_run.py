"""What a run of a named session begins with."""

from __future__ import annotations

from zsh_ls.lazy import attrs
from zsh_ls.sessions.state import State
from zsh_ls.tasks import Restore

from .launch import Shell


@attrs.frozen
class Begun:
    """A run of a session: the state it begins with, None for a new session.

    `own_names` and `own_folder` are the request's own variables and folder, which hold for this run alone.
    """

    session: str
    shell: Shell
    state: State | None
    own_names: frozenset[str]
    own_folder: str | None

    @property
    def restore(self) -> Restore:
        """What the shell reads first."""
        if self.state is None:
            return Restore()
        code = self.state.code(self.own_names)
        first, functions, last = (it.encode("utf-8", "surrogateescape") for it in code)
        return Restore(first or b":", functions, last, self.state.has_errexit)
