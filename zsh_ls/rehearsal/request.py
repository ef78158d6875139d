"""What is asked for, and why it may be refused."""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.lazy import attrs

DEFAULT_TIMEOUT_S = 60.0
DEFAULT_MAX_COPY_MB = 500


class RehearsalRefused(Exception):
    """The sandbox cannot be had, or the workspace is too large; the message says what is missing."""


class NotRehearsed(Exception):
    """The script cannot be read, or is written for another interpreter."""


@attrs.frozen
class RehearsalRequest:
    """A script and how it is rehearsed.

    `script` is an absolute path, `text` what it holds where that is not what the file holds (an
    editor's). `fail` is a line, from 1, whose commands fail; with `each` those of every line do, each
    in a run of its own. `real` runs the stand-ins as well, inside the sandbox. `stdin` is a descriptor
    of ours with the text that the script reads; without one it reads nothing.
    """

    script: str
    arguments: tuple[str, ...] = ()
    cwd: str = "/"
    text: str | None = None
    fail: int | None = None
    each: bool = False
    real: bool = False
    timeout_s: float = DEFAULT_TIMEOUT_S
    max_copy_mb: int = DEFAULT_MAX_COPY_MB
    environment: Mapping[str, str] = attrs.field(factory=dict)
    stdin: int | None = None
