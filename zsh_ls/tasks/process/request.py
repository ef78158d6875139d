"""What a task is to be: every decision is made before it is started, nothing is guessed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from zsh_ls.model.requests import RunnableScript
from zsh_ls.model.words import Origin


@attrs.frozen(kw_only=True)
class StartRequest:
    """One execution to start.

    `shell` is the kind (`zsh`, `bash`, `sh`, or the base name of what `shell_path`
    names). `env` overrides `base_env` (default: this process's own environment),
    None unsets. `label` gives the text kept on disk beside the output for other
    processes (of the façade's tasks the command without its secrets); it is called
    when that is written, in a thread. `workspace` is the root it belongs to. With
    `script` that is what runs, and `command` its name. `stdin_fd` is a descriptor
    of this process that becomes its standard input where nothing else is one.
    """

    command: str
    shell_path: str
    cwd: str
    shell: str = "zsh"
    env: Mapping[str, str | None] = attrs.field(factory=dict)
    timeout_s: float | None = None
    pty: bool = False
    cols: int = 80
    rows: int = 24
    interactive: bool = False
    stdin: str | None = None
    origin: Origin = Origin.EDITOR
    base_env: Mapping[str, str] | None = None
    label: Callable[[], str] = str
    workspace: str = ""
    script: RunnableScript | None = None
    stdin_fd: int | None = None

    @property
    def text(self) -> str:
        """What the shell reads."""
        return self.command if self.script is None else self.script.text
