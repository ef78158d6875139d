"""The connection to a team's database: each call within a deadline, every fault in one sentence."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeGuard

from zsh_ls.lazy import attrs
from zsh_ls.model.histogram import BUCKETS, KINDS, Histogram
from zsh_ls.model.team import MIN_AGENTS, Batch, Gone, Outcomes, TeamFigure

from .init import DEFAULT_ROLE, PROTOCOL_VERSION
from .keys import MissingExtra, TeamKeys, needs

if TYPE_CHECKING:
    import psycopg

CONNECT_S = 3
CONNECT_IN_ALL_S = 6.0
CALL_S = 6.0
PAGE_ROWS = 500
PAGES_LOOKED_AT, ROWS_LOOKED_AT = 10, 50
MOST_PROJECTS = 1_000
MOST_ERASES = 1_000
LONGEST_PROBLEM = 200
_REFUSED, _OTHER_VERSION = "ZT001", "ZT002"
_HIGHEST = 2**62
_EXPECTED = "expected postgresql://USER@HOST/DATABASE?sslmode=verify-full"
_LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})


# Of PostgreSQL and of PgBouncer, in the language that a server speaks by default.
_NOT_LET_IN = re.compile(
    r"authentication failed|no pg_hba\.conf entry|is not permitted to log in|no such user"
    r"|role .* does not exist|no password supplied",
    re.IGNORECASE,
)
_NO_DATABASE = re.compile(r"database .* does not exist|no such database", re.IGNORECASE)


class TeamProblem(Exception):
    """The team's memory cannot be used as it is; the message says why, in one line."""

    def __init__(self, message: str, *, refused: bool = False) -> None:
        super().__init__(" ".join(message.split())[:LONGEST_PROBLEM])
        self.refused = refused
        """Whether the server refused what was sent, so that sending it again is in vain."""


@attrs.frozen
class Delivery:
    """What the server said of a batch: whether it has it now, and its number of the agent's last."""

    applied: bool
    upto: int


@attrs.frozen
class Page:
    """What is new of the team: figures, what comes next, how many agents gave something."""

    figures: tuple[TeamFigure, ...]
    gone: tuple[Gone, ...]
    next: tuple[int, int]
    more: bool
    agents: int


def checked_parameters(dsn: str, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The parameters of a connection that nobody else can read or answer (TEAM-3).

    Raises TeamProblem for a DSN that cannot be read, and for one that would go over a network without
    `sslmode=verify-full`.
    """
    conninfo, error = _conninfo_of_psycopg()
    environ = os.environ if environ is None else environ
    try:
        given = {
            name: str(value) for name, value in conninfo(dsn).items() if value not in (None, "")
        }
    except error as fault:
        reason = "" if "=" not in dsn else f" ({_first_line(fault)})"
        raise TeamProblem(f"the DSN cannot be read{reason}: {_EXPECTED}") from None
    if not given:
        raise TeamProblem(f"the DSN is empty: {_EXPECTED}")
    if "service" in given or environ.get("PGSERVICE"):
        raise TeamProblem("a DSN by service is not taken: name the host, the user and the database")
    mode = given.get("sslmode") or environ.get("PGSSLMODE", "")
    given.setdefault("host", environ.get("PGHOST", ""))
    addresses = given.get("hostaddr") or environ.get("PGHOSTADDR") or given["host"]
    for host in addresses.split(","):
        if not _stays_here(host.strip()) and mode != "verify-full":
            raise TeamProblem(
                f"{host} is reached over a network: add sslmode=verify-full to the DSN"
                f" (it has {'sslmode=' + mode if mode else 'none'}), and sslrootcert=FILE where the"
                " server's certificate is of an authority of your own"
            )
    if not given["host"]:
        del given["host"]
    if mode:
        given["sslmode"] = mode
    # With Kerberos about, libpq would leave TLS, and the certificate, aside.
    given["gssencmode"] = "disable"
    given["connect_timeout"] = str(CONNECT_S)
    given["application_name"] = "zsh-ls"
    return given


def _conninfo_of_psycopg() -> tuple[Any, type[Exception]]:
    try:
        from psycopg import Error
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as missing:
        raise TeamProblem(needs("psycopg")) from missing
    return conninfo_to_dict, Error


def _stays_here(host: str) -> bool:
    """Whether a connection to `host` is by a private socket or the loopback interface."""
    if not host or host.startswith(("/", "@")) or host.lower() in _LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def without_password(dsn: str) -> str:
    """The DSN as it may be shown."""
    try:
        conninfo, error = _conninfo_of_psycopg()
    except TeamProblem:
        return "(install zsh-ls[team] to read it)"
    try:
        given = conninfo(dsn)
    except error:
        return "(cannot be read)"
    hidden = ("password", "sslpassword", "passfile", "oauth_client_secret")
    return " ".join(
        f"{name}={_quoted(str(value))}" for name, value in given.items() if name not in hidden
    )


def _quoted(value: str) -> str:
    if value and not any(it.isspace() or it in "'\\" for it in value):
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


class TeamClient:
    """One connection to a team's database, opened by `connected`. Of one thread at a time."""

    def __init__(
        self, connection: psycopg.Connection[Any], keys: TeamKeys, agent: str, call_s: float
    ) -> None:
        self._connection = connection
        self._keys = keys
        self._agent = agent
        self._call_s = call_s

    def push(self, batch: Batch) -> Delivery:
        """Send a batch; a repeated one changes nothing. Raises TeamProblem."""
        request = {
            "version": PROTOCOL_VERSION,
            "agent": self._agent,
            "batch": batch.name,
            "upto": batch.upto,
            **batch.rows,
        }
        answer = self._call("push", request)
        applied, upto = answer.get("applied"), answer.get("upto")
        if not isinstance(applied, bool) or not _is_number(upto):
            raise TeamProblem("the team's server answers what cannot be read")
        return Delivery(applied, upto)

    def pull(
        self, since: tuple[int, int], projects: Collection[str], limit: int = PAGE_ROWS
    ) -> Page:
        """What changed since in at most MOST_PROJECTS projects, by their hashes; raises TeamProblem.

        Rows that cannot be right are left out, and so are those of other projects, which a database of an
        older schema tells too.
        """
        request = {
            "version": PROTOCOL_VERSION,
            "since": list(since),
            "projects": sorted(projects),
            "limit": limit,
        }
        answer = self._call("pull", request)
        rows, following, agents = answer.get("rows"), answer.get("next"), answer.get("agents")
        if (
            not isinstance(rows, list)
            or not isinstance(following, list)
            or len(following) != 2
            or not all(map(_is_number, following))
            or not _is_number(agents)
        ):
            raise TeamProblem("the team's server answers what cannot be read")
        figures: list[TeamFigure] = []
        gone: list[Gone] = []
        for row in rows[:limit]:
            found = self._read(row)
            if found is None or found.project not in projects:
                continue
            if isinstance(found, TeamFigure):
                figures.append(found)
            else:
                gone.append(found)
        return Page(
            tuple(figures),
            tuple(gone),
            (following[0], following[1]),
            answer.get("more") is True,
            agents,
        )

    def has_other_secret(self) -> bool:
        """Whether the team has figures, and none that is looked at opens with this secret.

        Looks at PAGES_LOOKED_AT pages at most, and ends with the first that opens. Raises TeamProblem.
        """
        at, has_any = [0, 0], False
        for _ in range(PAGES_LOOKED_AT):
            request = {"version": PROTOCOL_VERSION, "since": at, "limit": ROWS_LOOKED_AT}
            answer = self._call("pull", request)
            rows, following = answer.get("rows"), answer.get("next")
            if not isinstance(rows, list):
                raise TeamProblem("the team's server answers what cannot be read")
            sealed = [str(it["sealed"]) for it in rows if isinstance(it, dict) and "sealed" in it]
            if any(self._keys.opened(it) is not None for it in sealed):
                return False
            has_any = has_any or bool(sealed)
            if answer.get("more") is not True or not isinstance(following, list):
                break
            at = following
        return has_any

    def _read(self, row: Any) -> TeamFigure | Gone | None:
        """A row of the server, None for one that cannot be right, or is of another secret."""
        if not isinstance(row, dict):
            return None
        project, template = row.get("project"), row.get("template")
        if not _is_hash(project) or not _is_hash(template):
            return None
        if row.get("gone") is True:
            return Gone(str(project), str(template))
        names = ("succeeded", "failed", "timed_out", "killed")
        numbers: list[Any] = [row.get(name) for name in names]
        codes: Any = row.get("codes")
        counts: Any = row.get("counts")
        agents: Any = row.get("agents")
        is_right = (
            all(map(_is_number, numbers))
            and _is_number(agents)
            and isinstance(codes, list)
            and isinstance(counts, list)
            and len(codes) == len(counts) <= BUCKETS * KINDS
            and all(_is_number(it) and it < BUCKETS * KINDS for it in codes)
            and all(_is_number(it) and it > 0 for it in counts)
            and isinstance(row.get("sealed"), str)
        )
        if not is_right or agents < MIN_AGENTS:
            return None
        outcomes = Outcomes(*numbers)
        durations = Histogram(dict(zip(codes, counts, strict=True)))
        if sum(durations.counts.values()) > outcomes.runs or outcomes.runs < agents:
            return None
        text = self._keys.opened(str(row["sealed"]))
        if not text or self._keys.hashes.template_hash(text) != template:
            return None
        return TeamFigure(str(project), text, agents, outcomes, durations)

    def erase(self) -> None:
        """Take out all that this agent gave; raises TeamProblem."""
        request = {"version": PROTOCOL_VERSION, "agent": self._agent, "erase": True}
        for _ in range(MOST_ERASES):
            left = self._call("push", request).get("left")
            if left == 0:
                return
        raise TeamProblem("what this agent gave could not be taken out")

    def _call(self, function: str, request: Mapping[str, object]) -> dict[str, Any]:
        with _explained(), self._cut_off():
            cursor = self._connection.execute(
                f"SELECT zsh_ls.{function}(%s::jsonb)::text", (json.dumps(request),)
            )
            row = cursor.fetchone()
            try:
                answer = json.loads(row[0]) if row else None
            except (TypeError, ValueError, RecursionError):
                answer = None
        if not isinstance(answer, dict) or not _is_number(answer.get("schema")):
            raise TeamProblem("the team's server answers what cannot be read")
        if answer["schema"] != PROTOCOL_VERSION:
            raise _of_other_schema(answer["schema"])
        return answer

    @contextmanager
    def _cut_off(self) -> Iterator[None]:
        """End the connection where the block takes too long: what waits for it fails at once."""
        cutter = threading.Timer(self._call_s, _cut, (self._connection,))
        cutter.daemon = True
        cutter.start()
        try:
            yield
        finally:
            cutter.cancel()


def _of_other_schema(theirs: int) -> TeamProblem:
    if theirs > PROTOCOL_VERSION:
        return TeamProblem(
            f"the team's database has schema {theirs}, this zsh-ls speaks {PROTOCOL_VERSION}: use a"
            " newer zsh-ls"
        )
    return TeamProblem(
        f"the team's database has schema {theirs}, this zsh-ls speaks {PROTOCOL_VERSION}: its"
        " administrator runs `zsh-ls team init | psql DATABASE` again"
    )


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _HIGHEST


def _is_hash(value: object) -> bool:
    return (
        isinstance(value, str)
        and len(value) == 32
        and all(it in "0123456789abcdef" for it in value)
    )


@contextmanager
def connected(dsn: str, keys: TeamKeys, agent: str, call_s: float = CALL_S) -> Iterator[TeamClient]:
    """A client each of whose calls is cut off after `call_s` seconds, whatever the server does.

    Raises TeamProblem.
    """
    parameters = checked_parameters(dsn)
    import psycopg

    try:
        keys.check_usable()
    except MissingExtra as missing:
        raise TeamProblem(str(missing)) from missing

    def connect() -> psycopg.Connection[Any]:
        # Prepared statements are of one server connection, and a pooler gives each transaction another.
        return psycopg.connect(**parameters, autocommit=True, prepare_threshold=None)  # type: ignore[arg-type]

    with _explained():
        connection = _within(CONNECT_IN_ALL_S, connect)
    try:
        yield TeamClient(connection, keys, agent, call_s)
    finally:
        connection.close()


def _within(
    seconds: float, connect: Callable[[], psycopg.Connection[Any]]
) -> psycopg.Connection[Any]:
    """What `connect` gives, or raises; TeamProblem where it takes longer.

    libpq's own limit is for each address, and looking names up has none.
    """
    found: Future[psycopg.Connection[Any]] = Future()

    def work() -> None:
        try:
            connection = connect()
        except BaseException as fault:  # for the thread that waits
            if found.set_running_or_notify_cancel():
                found.set_exception(fault)
            return
        if found.set_running_or_notify_cancel():
            found.set_result(connection)
        else:
            connection.close()

    threading.Thread(target=work, daemon=True).start()
    try:
        return found.result(seconds)
    except FutureTimeout:
        if found.cancel():
            raise TeamProblem(
                f"the team's server is away (no answer within {seconds:g} s)"
            ) from None
        return found.result()


def _cut(connection: psycopg.Connection[Any]) -> None:
    """End a connection that another thread waits for: what it waits for fails at once."""
    import psycopg

    # It may be closed already, by the server or by the thread that has its answer.
    with (
        suppress(psycopg.Error, OSError, ValueError),
        socket.socket(fileno=os.dup(connection.fileno())) as line,
    ):
        line.shutdown(socket.SHUT_RDWR)


@contextmanager
def _explained() -> Iterator[None]:
    """Raise TeamProblem, with a sentence for the person, for what psycopg raises."""
    import psycopg

    try:
        yield
    except psycopg.Error as fault:
        raise _problem_of(fault) from fault
    except (UnicodeError, ValueError, OSError) as fault:
        raise TeamProblem(
            f"the team's server answers what cannot be read: {_first_line(fault)}"
        ) from fault


def _problem_of(fault: psycopg.Error) -> TeamProblem:
    state, text = fault.sqlstate or "", _first_line(fault)
    if state == _REFUSED:
        return TeamProblem(f"the team's server refused it: {text}", refused=True)
    if state == _OTHER_VERSION:
        return TeamProblem(f"{text}: use the zsh-ls that the database was made for, or a newer one")
    if state in ("3F000", "42883", "42P01"):
        return TeamProblem(
            "the team's database has no schema zsh_ls, or an older one: its administrator runs"
            " `zsh-ls team init | psql DATABASE`"
        )
    if state == "42501":
        return TeamProblem(
            f"this role may not use the team's memory ({text}): its administrator grants it"
            f" {DEFAULT_ROLE}, or what `team init --role` named"
        )
    if state.startswith("28") or _refuses_login(fault, text):
        return TeamProblem(f"the team's server does not let this role in ({text})")
    if state == "3D000" or _NO_DATABASE.search(text):
        return TeamProblem(f"the team's server has no such database ({text})")
    if state.startswith("53"):
        return TeamProblem(f"the team's server is out of room ({text})")
    if "certificate" in text or "SSL error" in text:
        return TeamProblem(f"the team's server does not prove that it is the one ({text})")
    return TeamProblem(f"the team's server is away ({text})")


def _refuses_login(fault: psycopg.Error, text: str) -> bool:
    """Whether a connection failed by the role or its password: psycopg gives no state of such a failure."""
    connection = fault.pgconn
    wants_password = connection is not None and bool(connection.needs_password)
    return wants_password or _NOT_LET_IN.search(text) is not None


def _first_line(fault: BaseException) -> str:
    """What a fault says, without what psycopg and libpq say of every connection that fails."""
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    return lines[0].removeprefix("connection failed: ") if lines else type(fault).__name__
