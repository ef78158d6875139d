"""Enumerations whose values are used in the protocol, the database and output."""

from enum import StrEnum


class Level(StrEnum):
    """How much an insight matters."""

    INFO = "info"
    WARNING = "warning"


class Status(StrEnum):
    """Where a task stands."""

    RUNNING = "running"
    COMPLETED = "completed"
    TIMEOUT = "timeout"
    KILLED = "killed"
    ERROR = "error"


class Outcome(StrEnum):
    """How an execution ended, as ALAN stores it."""

    SUCCESS = "SUCCESS"
    FAILURE = "FAILURE"
    TIMEOUT = "TIMEOUT"
    KILLED = "KILLED"


class Origin(StrEnum):
    """Who asked for an execution."""

    EDITOR = "editor"
    LENS = "lens"
    TRACE = "trace"
    AGENT = "agent"
    CLI = "cli"
    TERMINAL = "terminal"
    IMPORT = "import"

    @property
    def is_in_an_editor(self) -> bool:
        """Whether somebody at an editor asked for the run there."""
        return self in (Origin.EDITOR, Origin.LENS, Origin.TRACE)

    @property
    def is_elsewhere(self) -> bool:
        """Whether another program did the run: it is from a terminal or an import."""
        return self in (Origin.TERMINAL, Origin.IMPORT)


class Basis(StrEnum):
    """Which history an estimate is based on."""

    EXACT = "exact"
    COMMAND = "command"
    TEMPLATE = "template"
    BASE = "base"


class Scope(StrEnum):
    """Whose history an estimate is based on: the project's, that of everywhere, or a team's."""

    PROJECT = "project"
    EVERYWHERE = "everywhere"
    TEAM = "team"
