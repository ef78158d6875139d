"""What can be set, where it comes from, and where the program's files live.

A wrong value leaves the old one in force and is reported. Nothing here chooses
how much output is shown; that is always automatic.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zsh_ls.lazy import attrs, platformdirs
from zsh_ls.model.clock import Clock, SystemClock
from zsh_ls.shell.redaction.user_patterns import fault_in
from zsh_ls.system.private_folders import sockets_folder, state_folder
from zsh_ls.system.programs import is_program

if TYPE_CHECKING:
    from zsh_ls.model.machine import Machine

NAME = "zsh-ls"
NOT_TRUSTED = (
    "The workspace is not trusted: nothing is executed in it. "
    "Trust it in the editor, or set zshLs.trusted."
)
LONGEST_TIMEOUT_S = 10 * 365 * 24 * 3600.0
PLACES_OF_RUNS = ("document", "workspace", "project")
# In the order in which one stands in for another (RUN-13).
SHELL_KINDS = ("zsh", "bash", "sh")


@attrs.frozen
class Places:
    """The database file, the folder of kept outputs, the folder of sockets."""

    database: Path
    outputs: Path
    runtime: Path

    @property
    def lines(self) -> Path:
        """The folder for what runs have left on the lines of documents."""
        return self.outputs.parent / "lines"

    @property
    def folders(self) -> frozenset[str]:
        """The folders, without links."""
        return frozenset(map(os.path.realpath, (self.database.parent, self.outputs, self.runtime)))

    @classmethod
    def of_this_user(cls) -> Places:
        """The places of the user this process runs as; nothing is created."""
        return cls(
            database=Path(platformdirs.user_data_dir(NAME)) / "alan.db",
            outputs=Path(state_folder()) / "outputs",
            runtime=Path(sockets_folder()),
        )


def workspace_of(folder: Path) -> str:
    """The project `folder` lies in: the nearest folder above with a `.git`, else `folder` itself."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return str(candidate)
    return str(folder)


@attrs.frozen
class Settings:
    """Values a user may set, by `initializationOptions`, `zshLs` settings or the environment.

    `timeout_s` is the person's own time limit: None where they set none, 0 for no limit.
    `run_cwd` is where a run begins that names no folder: its `document`'s, the top of the `workspace`
    or of the `project`. The other two times are of agents' runs; `agent_timeout_max_s` is None where
    there is no maximum (`timeoutMax: 0`).
    """

    trusted: bool = True
    shell: str | None = None
    run_cwd: str = "document"
    timeout_s: float | None = None
    agent_timeout_s: float = 120.0
    agent_timeout_max_s: float | None = 600.0
    database: str | None = None
    half_life_h: float = 24.0
    manopt_enabled: bool = True
    manopt_timeout_s: float = 2.0
    manopt_fail_trigger: int = 2
    manopt_fail_present: int = 3
    history_hints: bool = True
    history_warnings: bool = False
    history_elsewhere: bool = True
    trace_hints: bool = True
    environment_resolve: bool = True
    redact: tuple[str, ...] = ()

    def database_path(self, places: Places) -> Path:
        """The file of memory that is meant; SQLite may need another (`alan.store.database`)."""
        return Path(self.database) if self.database else places.database


@attrs.frozen
class SidecarOptions:
    """How a sidecar is set up.

    `session` names the life that retries and repeated failures count in;
    `folders` are those of the workspace, `workspace` where there are no others;
    `colour` is whether the reader of `formatted` texts wants escape codes, `only_news` whether its
    results have no other insights than those that are news (ALAN-16). `warms_up`
    loads what the first run needs beforehand, as who serves several wants. `keeps_sessions`
    is `PID-…` of the process with whose end named sessions go, None for this one; `folder` is where
    runs begin that name none, the workspace where it is None. `keeps_detached` is for the keeper
    of a detached run (RUN-20): elsewhere none is started. `machine` is the one that questions are about,
    None for this one.
    """

    session: str
    workspace: str | None = None
    folders: tuple[str, ...] = ()
    colour: bool = False
    only_news: bool = False
    warms_up: bool = True
    keeps_sessions: str | None = None
    folder: str | None = None
    keeps_detached: bool = False
    settings: Settings = attrs.field(factory=Settings)
    places: Places = attrs.field(factory=Places.of_this_user)
    clock: Clock = attrs.field(factory=SystemClock)
    machine: Machine | None = None

    @property
    def all_folders(self) -> tuple[str, ...]:
        """Every folder of the workspace."""
        return self.folders or ((self.workspace,) if self.workspace else ())


THIS_PROJECT = ""
"""The project of the workspace, as the default of requests about a project."""
HISTORY_LIMIT = 50
"""How many lines of history are told where nobody says how many."""

Reader = Callable[[Any], Any]


class PartlyUsable(ValueError):
    """A list some items of which are wrong: `usable` are the others, `faults` say what is wrong."""

    def __init__(self, usable: tuple[str, ...], faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.usable = usable
        self.faults = faults


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError("expected true or false")


def _switch(text: str) -> bool:
    for words, meaning in (
        ({"1", "true", "yes", "on"}, True),
        ({"0", "false", "no", "off"}, False),
    ):
        if text.strip().lower() in words:
            return meaning
    raise ValueError("expected 1 or 0")


def _spelt(read: Reader) -> Reader:
    """`read` for a number that an environment variable spells."""

    def from_text(text: str) -> Any:
        try:
            number = float(text)
        except ValueError:
            raise ValueError("expected a number") from None
        return read(number)

    return from_text


def _seconds(value: Any) -> float:
    number = _number(value)
    if not 0 < number <= LONGEST_TIMEOUT_S:
        raise ValueError("expected a number of seconds above 0")
    return number


def _hours(value: Any) -> float:
    number = _number(value)
    if not 0 < number < float("inf"):
        raise ValueError("expected a number of hours above 0")
    return number


def _seconds_or_0(value: Any) -> float:
    number = _number(value)
    if not 0 <= number <= LONGEST_TIMEOUT_S:
        raise ValueError("expected a number of seconds, 0 for no limit")
    return number


def _seconds_or_none(value: Any) -> float | None:
    return _seconds_or_0(value) or None


def _count(value: Any) -> int:
    number = _number(value)
    if not number.is_integer() or number < 1:
        raise ValueError("expected a whole number above 0")
    return int(number)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("expected a number")
    return float(value)


def _text_or_none(value: Any) -> str | None:
    if value is None or (isinstance(value, str) and value.strip()):
        return value
    raise ValueError("expected text")


def _shell(value: Any) -> str | None:
    """A kind may be absent here and stood in for later; a file that is no program never helps."""
    text = _text_or_none(value)
    if text is None or text in SHELL_KINDS or (os.path.isabs(text) and is_program(text)):
        return text
    raise ValueError(f"expected {', '.join(SHELL_KINDS)} or the absolute path of a program")


def _place_of_runs(value: Any) -> str:
    if value not in PLACES_OF_RUNS:
        raise ValueError(f"expected {', '.join(PLACES_OF_RUNS[:-1])} or {PLACES_OF_RUNS[-1]}")
    return str(value)


def _absolute_path(value: Any) -> str | None:
    text = _text_or_none(value)
    path = Path(text).expanduser() if text else None
    if path is not None and not path.is_absolute():
        raise ValueError("expected an absolute path")
    return str(path) if path else None


def _patterns(value: Any) -> tuple[str, ...]:
    """The patterns that can be used; where one cannot, the others hold, and so do those before."""
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise ValueError("expected a list of regular expressions")
    faults = {item: fault for item in value if (fault := fault_in(item)) is not None}
    usable = tuple(item for item in value if item not in faults)
    if faults:
        expected = "expected a pattern in RE2's syntax"
        texts = [f"{expected}, got {item!r}: {fault}" for item, fault in faults.items()]
        raise PartlyUsable(usable, texts)
    return usable


# The name on the wire (`zshLs` section and `initializationOptions`) -> the field, and what reads it.
NAMES: Mapping[str, tuple[str, Reader]] = {
    "trusted": ("trusted", _boolean),
    "shell": ("shell", _shell),
    "run.cwd": ("run_cwd", _place_of_runs),
    "timeout": ("timeout_s", _seconds_or_0),
    "timeoutMax": ("agent_timeout_max_s", _seconds_or_none),
    "database": ("database", _absolute_path),
    "history.hints": ("history_hints", _boolean),
    "history.warnings": ("history_warnings", _boolean),
    "history.elsewhere": ("history_elsewhere", _boolean),
    "trace.hints": ("trace_hints", _boolean),
    "manopt.enabled": ("manopt_enabled", _boolean),
    "environment.resolve": ("environment_resolve", _boolean),
    "redact": ("redact", _patterns),
}
VARIABLES: Mapping[str, tuple[str, Reader]] = {
    "ALAN_DB_PATH": ("database", _absolute_path),
    "ALAN_DECAY_HALF_LIFE_HOURS": ("half_life_h", _spelt(_hours)),
    "ALAN_HISTORY_ELSEWHERE": ("history_elsewhere", _switch),
    "ALAN_MANOPT_ENABLED": ("manopt_enabled", _switch),
    "ALAN_MANOPT_TIMEOUT": ("manopt_timeout_s", _spelt(_seconds)),
    "ALAN_MANOPT_FAIL_TRIGGER": ("manopt_fail_trigger", _spelt(_count)),
    "ALAN_MANOPT_FAIL_PRESENT": ("manopt_fail_present", _spelt(_count)),
    "NEVERHANG_TIMEOUT_DEFAULT": ("agent_timeout_s", _spelt(_seconds)),
    "NEVERHANG_TIMEOUT_MAX": ("agent_timeout_max_s", _spelt(_seconds_or_none)),
}


def from_environment(environ: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """The defaults as the environment variables set them, and what was wrong with any."""
    given = {name: environ[name] for name in VARIABLES if environ.get(name, "") != ""}
    return _changed(Settings(), given, VARIABLES)


def changed(settings: Settings, given: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """`settings` with those that a client gave, dotted or nested; null and unknown ones change nothing."""
    known = {
        name: value for name, value in flat(given).items() if name in NAMES and value is not None
    }
    return _changed(settings, known, NAMES)


def _changed(
    settings: Settings, given: Mapping[str, Any], table: Mapping[str, tuple[str, Reader]]
) -> tuple[Settings, list[str]]:
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name, value in given.items():
        field, read = table[name]
        try:
            values[field] = read(value)
        except PartlyUsable as partly:
            before: tuple[str, ...] = getattr(settings, field)
            values[field] = tuple(dict.fromkeys((*partly.usable, *before)))
            problems += [f"{name}: {it}; it is not used, all others are" for it in partly.faults]
        except ValueError as wrong:
            problems.append(f"{name}: {wrong}, got {value!r}; the value before stays in force")
    return attrs.evolve(settings, **values), problems


def flat(given: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Values by their dotted names, of a mapping that may be nested."""
    named: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, Mapping) and f"{prefix}{name}" not in NAMES:
            named |= flat(value, f"{prefix}{name}.")
        else:
            named[f"{prefix}{name}"] = value
    return named
