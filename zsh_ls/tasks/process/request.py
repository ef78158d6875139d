"""The request to start a task, with every decision already made."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zsh_ls.lazy import attrs
from zsh_ls.model.requests import ProcessOptions, RunnableScript

from .streams import Streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session_files import Restore


@attrs.frozen(kw_only=True)
class StartRequest(ProcessOptions):
    """One execution to start.

    `shell` is the kind (`zsh`, `bash`, `sh`, or the base name of `shell_path`).
    `env` overrides `base_env` (default: the environment of this process); None
    unsets a variable. `label` gives the text that is kept on disk with the output
    for other processes (the façade gives the command without its secrets); it is
    called in a thread when the output is stored. `workspace` is the root that the
    task belongs to. If there is a `script`, that runs, and `command` is its name.
    `stdin_fd` is a descriptor of this process that becomes the task's standard
    input, unless `interactive` or `stdin` give it another. With `streams` it runs between
    those of this process; `pty` then says whether any of them is a terminal. `session` is the
    state that the shell begins with, and has it write what it was at its end. `args` are
    what the command reads as `$1` and on, `name` what it reads as `$0`.
    """

    command: str
    shell_path: str
    cwd: str
    args: tuple[str, ...] = ()
    name: str | None = None
    shell: str = "zsh"
    timeout_s: float | None = None
    base_env: Mapping[str, str] | None = None
    label: Callable[[], str] = str
    workspace: str = ""
    script: RunnableScript | None = None
    stdin_fd: int | None = None
    streams: Streams | None = None
    session: Restore | None = None

    @property
    def text(self) -> str:
        """The code that the shell runs."""
        return self.command if self.script is None else self.script.text
