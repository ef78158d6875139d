"""Opens the database file, readable by the user only, and never damages an existing file.

`open_database` returns a connection or raises `Unusable` with a message for the
user. A file that is damaged, of a newer version or of another program is not changed.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from zsh_ls.lazy import attrs
from zsh_ls.system.bounded_files import is_full, kind_of

from .schema import APPLICATION_ID, VERSION, migrate

BUSY_TIMEOUT_S = 5.0
# How long a process that is shutting down waits for other processes that have locked the file.
HURRIED_TIMEOUT_S = 0.5
RETRY_MS = 10
CACHE_KIB = 8192
WAL_KEPT_BYTES = 8 << 20
LONGEST_LOG_PAGES = 8_000
MEMORY = ":memory:"
HEADER_BYTES = 100
DAMAGE_CODES = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ncpfs", "fuse.rclone"}
)
MOUNTS = Path("/proc/self/mountinfo")
LOCAL_ROOT = Path("/var/tmp")
BUSY_CODES = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")

DATABASE_ERROR = sqlite3.Error
"""What SQLite raises: for who stands above and knows no SQLite."""


class Unusable(Exception):
    """The file cannot be used; the message says why and what the user may do."""

    def __init__(
        self,
        message: str,
        *,
        damaged: bool = False,
        is_readable: bool = False,
        busy: bool = False,
    ) -> None:
        super().__init__(message)
        self.busy = busy
        """Whether another process has locked the file, so that a later try may succeed."""
        self.damaged = damaged
        """Whether the file's content is damaged, so that no later try can succeed."""
        self.is_readable = is_readable
        """Whether the file is ours and intact as far as is known, and only writing it failed."""

    @classmethod
    def by(cls, path: Path, error: sqlite3.Error) -> Unusable:
        """The exception for an error of SQLite."""
        damaged = is_damage(error)
        busy = is_busy(error)
        return cls(explained(path, error), damaged=damaged, is_readable=not damaged, busy=busy)


def open_database(path: Path, patience_s: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """A connection for writing to the database at `path`, which is created if missing.

    No other connection of this process may be open to the file: POSIX drops all locks of a process
    on a file when it closes any descriptor of it, and this reads the header through one.

    Raises Unusable.
    """
    try:
        _create_if_missing(path)
        _check_before_writing(path)
        _make_private(path)
        connection = _connect(path, "rw", patience_s)
        try:
            _prepare(connection, patience_s)
        except BaseException:
            connection.close()
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(f"{path} cannot be written: {reason}", is_readable=True) from error
    except sqlite3.Error as error:
        raise Unusable.by(path, error) from error
    return connection


def open_reader(path: Path, patience_s: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """A second, read-only connection to a file that `open_database` has opened; raises Unusable."""
    try:
        connection = _connect(path, "rw", patience_s)
        connection.execute("PRAGMA query_only=1")
    except sqlite3.Error as error:
        raise Unusable.by(path, error) from error
    return connection


def fault_in_file(path: Path) -> Unusable | None:
    """What is wrong with the content of a file that is open already, with its log; None if it is sound."""
    try:
        with closing(open_reader(path)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return Unusable.by(path, error)
    except Unusable as unusable:
        return unusable
    if found == "ok":
        return None
    return Unusable(
        f"{path} is damaged ({found}); move it away to begin a new memory", damaged=True
    )


def open_memory(copied_from: Path | None = None) -> sqlite3.Connection:
    """A database in RAM, filled with a copy of a file if that can be read."""
    if copied_from is not None and (copy := _copy_of(copied_from)) is not None:
        return copy
    return _new_memory()


def _new_memory() -> sqlite3.Connection:
    memory = _empty_memory()
    migrate(memory)
    return memory


def _empty_memory() -> sqlite3.Connection:
    return sqlite3.connect(MEMORY, isolation_level=None, check_same_thread=False)


def explained(path: Path, error: sqlite3.Error) -> str:
    """The message for the user about an error of SQLite."""
    code = _code(error)
    if code.startswith(DAMAGE_CODES):
        return f"{path} is damaged or no database ({error}); move it away to begin a new memory"
    if code.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"{path} cannot be written ({error})"
    if code.startswith("SQLITE_FULL") or (code.startswith("SQLITE_IOERR") and is_full(path.parent)):
        return f"{path} cannot grow: the disk is full"
    if code.startswith(BUSY_CODES):
        return f"{path} is held by another process"
    if str(error).startswith(("no such table", "no such column", "no such index")):
        return (
            f"{path} has lost some of its tables: its log (-wal) was cut, or another program changed it "
            f"({error}); move it away, with its -wal and -shm, to begin a new memory"
        )
    return f"{path} cannot be used ({error})"


def file_identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at `path`, which tell whether an open database was removed or replaced."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error means that the file's content is damaged."""
    return _code(error).startswith(DAMAGE_CODES)


def _code(error: sqlite3.Error) -> str:
    """SQLite's name for the error, empty for one that the Python module raised itself."""
    return getattr(error, "sqlite_errorname", "") or ""


def is_busy(error: sqlite3.Error) -> bool:
    """Whether other connections held locks too long (PROTOCOL: too many competed for the log)."""
    return _code(error).startswith(BUSY_CODES)


def _create_if_missing(path: Path) -> None:
    """Create a missing file with mode 0600, its folders with 0700; refuse special and others' files."""
    if path.exists():
        if not path.is_file():
            raise Unusable(
                f"{path} cannot be written: it is a {kind_of(path.stat())}, not a regular file"
            )
        if path.stat().st_uid != os.geteuid() and os.access(path, os.W_OK):
            raise Unusable(f"{path} belongs to another user, who could read what is remembered")
        return
    missing = [folder for folder in path.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):  # another process has created it meanwhile
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDONLY | os.O_CLOEXEC, 0o600))


def _make_private(path: Path) -> None:
    """Restrict the user's own file to mode 0600."""
    status = path.stat()
    if status.st_mode & 0o077 and status.st_uid == os.geteuid():
        path.chmod(0o600)


def _connect(path: Path, mode: str, patience_s: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    return sqlite3.connect(
        uri, uri=True, timeout=patience_s, isolation_level=None, check_same_thread=False
    )


def _check_before_writing(path: Path) -> None:
    """Raise Unusable for a file of another program or a newer version; copy an ancestor's file."""
    if not path.stat().st_size:
        return
    # The header first: SQLite creates files beside a database even if it only reads it.
    # `user_version` is at offset 60 (sqlite.org/fileformat2.html, 1.3); the WAL may have a newer.
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    if len(header) == HEADER_BYTES and header.startswith(b"SQLite format 3\0"):
        _refuse_newer(path, int.from_bytes(header[60:64], "big"))
    with closing(_connect(path, "ro")) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        if application != APPLICATION_ID:
            _check_foreign(connection, path)
    _refuse_newer(path, version)


def _check_foreign(connection: sqlite3.Connection, path: Path) -> None:
    from zsh_ls.alan.compat.ancestor import is_ancestor, keep_copy  # noqa: PLC0415  few have its file

    if is_ancestor(connection):
        keep_copy(connection, path)
    elif _tables(connection):
        raise Unusable(f"{path} is the database of another program")


def _refuse_newer(path: Path, version: int) -> None:
    if version > VERSION:
        raise Unusable(
            f"{path} was written by a newer zsh-ls (version {version} of the database, this one"
            f" knows {VERSION}); it is left untouched"
        )


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}


def _prepare(connection: sqlite3.Connection, patience_s: float) -> None:
    for pragma in (
        "journal_mode=WAL",
        # In WAL mode a power cut may take the last runs with it, and never damages the file.
        "synchronous=NORMAL",
        f"cache_size={-CACHE_KIB}",
        f"journal_size_limit={WAL_KEPT_BYTES}",
        # `Store.tidy` copies the log when nobody waits; a commit does it where that never comes.
        f"wal_autocheckpoint={LONGEST_LOG_PAGES}",
        # A view in somebody else's file calls no function that does more than compute.
        "trusted_schema=OFF",
    ):
        connection.execute(f"PRAGMA {pragma}")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version < VERSION:
        _upgrade(connection, Patience(patience_s))
        # A log that another program cuts takes the last runs with it, and not the tables.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def _upgrade(connection: sqlite3.Connection, patience: Patience) -> None:
    """Migrate the file, unless another process that opened it at the same time has done so."""
    from zsh_ls.alan.compat.ancestor import complete_tables, is_ancestor, mirror_into_tables  # noqa: PLC0415

    with Transaction(connection, patience):
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version >= VERSION:
            return
        ancestor = version == 0 and is_ancestor(connection)
        if ancestor:
            complete_tables(connection)
        migrate(connection)
        if ancestor:
            mirror_into_tables(connection)


def _copy_of(path: Path) -> sqlite3.Connection | None:
    """A copy in RAM of a file of ours, None if it is unreadable or damaged.

    `immutable` reads a file in a folder where no lock or log can be written.
    """
    for options in ("mode=ro", "mode=ro&immutable=1"):
        uri = f"file:{quote(str(path.absolute()))}?{options}"
        try:
            with closing(sqlite3.connect(uri, uri=True, timeout=0.5)) as source:
                if _is_ours(source):
                    memory = _empty_memory()
                    source.backup(memory)
                    return _checked_and_migrated(memory)
        except sqlite3.Error:
            continue
    return None


def _checked_and_migrated(copy: sqlite3.Connection) -> sqlite3.Connection | None:
    """The copy migrated to VERSION; None if it is damaged or lacks tables."""
    if copy.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        return None
    with Transaction(copy):
        migrate(copy)
    return copy if _tables(copy) >= _tables(_new_memory()) else None


def _is_ours(source: sqlite3.Connection) -> bool:
    (application,) = source.execute("PRAGMA application_id").fetchone()
    (version,) = source.execute("PRAGMA user_version").fetchone()
    return bool(application == APPLICATION_ID and version <= VERSION)


@attrs.define(eq=False)
class Patience:
    """How long a connection's transactions wait for other processes' locks.

    They wait for `seconds`, or for HURRIED_TIMEOUT_S once `hurry` is set;
    `is_blocked` is set while one waits. Nothing is committed unless `is_sound()`
    says that the log was not cut, because then what was read may be wrong.
    """

    seconds: float = BUSY_TIMEOUT_S
    hurry: threading.Event = attrs.field(factory=threading.Event)
    is_sound: Callable[[], bool] = lambda: True
    is_blocked: bool = False


class Transaction:
    """`BEGIN IMMEDIATE` … `COMMIT`, or `ROLLBACK` if the body raises.

    SQLite's own waiting backs off to 100 ms, and with eight busy writers one that
    has backed off starves. Here every writer retries after RETRY_MS.
    """

    def __init__(self, connection: sqlite3.Connection, patience: Patience | None = None) -> None:
        self._connection = connection
        self._patience = patience or Patience()

    def __enter__(self) -> None:
        patience = self._patience
        deadline, is_hurried = time.monotonic() + patience.seconds, False
        (usual_ms,) = self._connection.execute("PRAGMA busy_timeout").fetchone()
        self._connection.execute(f"PRAGMA busy_timeout={RETRY_MS}")
        try:
            while not self._try_begin(deadline):
                patience.is_blocked = True
                if patience.hurry.is_set() and not is_hurried:
                    deadline = min(deadline, time.monotonic() + HURRIED_TIMEOUT_S)
                    is_hurried = True
        finally:
            patience.is_blocked = False
            self._connection.execute(f"PRAGMA busy_timeout={usual_ms}")

    def _try_begin(self, deadline: float) -> bool:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > deadline:
                raise
            return False
        return True

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                if not self._patience.is_sound():
                    raise sqlite3.OperationalError("the log has been cut by another program")
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def local_path(path: Path, mounts: str | None = None, root: Path = LOCAL_ROOT) -> Path:
    """`path`, or if that is on a network file system, a path in a private folder under LOCAL_ROOT.

    WAL needs memory that processes share, and does not work there (sqlite.org/wal.html).
    """
    if mounts is None:
        try:
            mounts = MOUNTS.read_text(errors="surrogateescape")
        except OSError:
            mounts = ""
    if file_system_of(path, mounts) not in NETWORK_FILE_SYSTEMS:
        return path
    folder = root / f"zsh-ls-{os.getuid()}"
    name = blake2b(os.fsencode(path), digest_size=8).hexdigest()
    return folder / f"{name}.db" if _is_private_folder(folder) else path


def file_system_of(path: Path, mounts: str) -> str | None:
    """The type of the file system that `path` is on, from a `mountinfo` table (proc(5))."""
    found: tuple[int, str] | None = None
    for line in mounts.splitlines():
        fields, _, tail = line.partition(" - ")
        columns = fields.split(" ")
        if len(columns) < 5 or not tail:
            continue
        place = Path(columns[4].encode().decode("unicode_escape"))
        depth = len(place.parts)
        if path.absolute().is_relative_to(place) and (found is None or depth >= found[0]):
            found = depth, tail.split(" ")[0]
    return found[1] if found else None


def _is_private_folder(folder: Path) -> bool:
    """Whether `folder`, created if missing, is the user's own and closed to others."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    )
