"""What the resolver is told of an execution, and what it answers."""

from __future__ import annotations

import attrs

from zsh_ls.model.results import Verbosity


@attrs.frozen
class Elision:
    """Lines of a huge output that were not handed over: `lines` of them before line `before` (0-based).

    Whoever keeps a huge output gives the resolver its beginning and its end, so
    that time and memory stay bounded, and says what lies between. `lost` is why
    nobody has that any more, where nobody has.
    """

    before: int
    lines: int
    lost: str = ""


@attrs.frozen
class ResolverInput:
    """One execution as it was recorded; None where something is not known.

    `combined` is the output in its true order; `stdout` and `stderr` are known
    only where they were read apart (never with `combined_via` `pty`).
    `delivered` is output the reader has already had: it tells what ran and how
    it went, and is not shown again. `previous_failures` counts failed runs of
    the same text in the same folder in this session. `full_output` is where the
    whole output was saved, if it was.
    """

    command: str = ""
    shell: str | None = None
    exit: int | None = None
    pipestatus: tuple[int, ...] = ()
    stdout: str | None = None
    stderr: str | None = None
    combined: str | None = None
    combined_via: str | None = None
    timed_out: bool = False
    still_running: bool = False
    previous_failures: int = 0
    requested_full: bool = False
    delivered: str = ""
    elision: Elision | None = None
    full_output: str | None = None


@attrs.frozen
class ResolvedOutput:
    """The text to show, and what was done to it.

    `whole` is true where nothing may be cut: with an `elision`, the text between
    has to be delivered too (page it from where it is kept).
    """

    output: str
    verbosity: Verbosity
    whole: bool
