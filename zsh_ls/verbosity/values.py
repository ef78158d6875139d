"""The resolver's input and output."""

from __future__ import annotations

from zsh_ls.lazy import attrs
from zsh_ls.model.results import Verbosity


@attrs.frozen
class Elision:
    """Lines of a huge output that are not in the input: `lines` of them before zero-based line `before`.

    The caller passes the beginning and end of a huge output, so that time and memory
    stay bounded. `lost` is the reason if the lines between are not stored either. `telling` are
    those of the lines that are shown all the same: how many elided lines are before each, and its text.
    """

    before: int
    lines: int
    lost: str = ""
    telling: tuple[tuple[int, str], ...] = ()

    @property
    def hidden(self) -> int:
        """How many of its lines are not shown."""
        return self.lines - len(self.telling)


@attrs.frozen
class ResolverInput:
    """One execution as it was recorded; unknown values are None.

    `combined` is the output in its order; `stdout` and `stderr` are known only if
    they were read separately (never with `combined_via` `pty`). `delivered` is output
    that was shown before: it is searched for signs of test runners, and not shown
    again. `previous_failures` counts failed runs of
    the same text in the same folder in this session, `previous_failed_tests` are the names of
    the tests that failed in the last run of it (`results.failed_tests`). `full_output` is where the
    whole output was saved, if it was.
    """

    command: str = ""
    exit: int | None = None
    pipestatus: tuple[int, ...] = ()
    stdout: str | None = None
    stderr: str | None = None
    combined: str | None = None
    combined_via: str | None = None
    timed_out: bool = False
    still_running: bool = False
    previous_failures: int = 0
    previous_failed_tests: tuple[str, ...] | None = None
    requested_full: bool = False
    delivered: str = ""
    elision: Elision | None = None
    full_output: str | None = None


@attrs.frozen
class ResolvedOutput:
    """The text to show, and what was done to it.

    `whole` says that nothing may be omitted: with an `elision`, the caller has to
    deliver the lines between too. With `begins_with_note` the first line is ours though nothing
    is omitted, so that lines cannot be numbered. `failed_tests` are known of a failed test whose runner is.
    """

    output: str
    verbosity: Verbosity
    whole: bool
    failed_tests: tuple[str, ...] = ()
    begins_with_note: bool = False
