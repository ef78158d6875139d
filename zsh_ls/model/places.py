"""Where an output says that something is: a place in a file, and how a test went (PLACE-1, PLACE-3)."""

from __future__ import annotations

from typing import Literal

from zsh_ls.lazy import attrs

Severity = Literal["error", "warning", "info"]


@attrs.frozen
class Place:
    """A place in a file that a tool named.

    `file` is absolute, `line`, `column` and `end_line` count from 1, columns in characters.
    `source` is the tool's base name, `test` the full name that a test runner gives the test.
    """

    file: str
    line: int
    severity: Severity
    message: str
    source: str
    column: int | None = None
    end_line: int | None = None
    test: str | None = None


@attrs.frozen
class TestResult:
    """How one test went, by the full name that its runner gives it.

    `unchanged` says that it passed after a failure, and nothing of its project had been changed between.
    """

    __test__ = False  # pytest would collect it

    name: str
    passed: bool
    unchanged: bool = False


@attrs.frozen
class TestHistory:
    """What memory knows of a test: whether each of its last runs `failed`, the latest first (at most 10).

    `failed_at` is when the last failed run ended, in Unix time. `passed_unchanged` says that one of these
    runs passed right after a failure without any change. `is_of_command`: the command that was asked
    about ran it last.
    """

    __test__ = False

    name: str
    failed: tuple[bool, ...]
    failed_at: float | None
    passed_unchanged: bool
    is_of_command: bool
