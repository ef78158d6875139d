"""What goes into one run of a script, and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import Dialect

from .recording import Recording
from .report import RehearsalStop, RehearsedLine, UnknownValue


@attrs.frozen
class Script:
    """The script that is rehearsed: its text, the shell that it is for and that one's own options."""

    path: Path
    text: str
    dialect: Dialect
    shell: str
    options: tuple[str, ...]


@attrs.frozen
class Failure:
    """The text of a script in which one command has been replaced by one that fails."""

    text: str


@attrs.frozen
class Run:
    """What one run gave: its record, the lines as they are told, the exit, the limit that it came to.

    `relying` has what lines of builtins alone rely on and is not known.
    """

    recording: Recording
    lines: tuple[RehearsedLine, ...]
    exit: int | None
    stopped: RehearsalStop | None
    output: str
    relying: Mapping[int, tuple[UnknownValue, ...]]
