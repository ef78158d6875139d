"""The closed vocabularies: each word has one meaning, on the wire, in the database and on screen."""

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
    """How ALAN remembers that an execution ended."""

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
    def is_elsewhere(self) -> bool:
        """Whether the run was none of this program's: done by hand, or another history's."""
        return self in (Origin.TERMINAL, Origin.IMPORT)


class Basis(StrEnum):
    """Whose history an estimate rests on."""

    COMMAND = "command"
    TEMPLATE = "template"
    BASE = "base"
