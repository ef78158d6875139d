"""A server that is far, away, killed, full, strange or of another age; agents that lie or are two.

Whatever happens: nothing is lost, nothing counts twice, and one sentence says what is wrong.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.model.words import Outcome
from zsh_ls.sidecar.team import TeamUnavailable
from zsh_ls.team.client import TeamProblem, checked_parameters

from .full_disk import NoMounts, SmallDisk
from .postgres import Server, database, make_certificate
from .proxies import Listener, Proxy, Rubbish
from .test_sharing import stored
from .world import Home


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server]:
    """One that may be stopped and killed; what it has committed is on the disk."""
    made = Server(tls=True, fsync="on")
    yield made
    made.close()


@pytest.fixture
def own_database(own_server: Server) -> Iterator[str]:
    with database(own_server) as name:
        yield name
        if own_server.process is None:
            own_server.start()


def fails(home: Home, match: str) -> None:
    """A sync that fails says so in one line, and `status` says it again."""
    with pytest.raises(TeamUnavailable, match=match) as told:
        home.sync()
    assert "\n" not in str(told.value)
    assert home.status().error == str(told.value)


def test_a_server_50_ms_away(home: Home, server: Server, team_database: str) -> None:
    with Proxy(server.port, delay_s=0.05) as proxy:
        home.join(server.dsn(team_database, port=proxy.port))
        home.run(times=1200)  # three batches
        assert home.sync().sent == 1200
    assert stored(server, team_database) == [(1200, 0, 0, 0, 1)]


def test_a_server_that_is_stopped_and_comes_back(
    home: Home, own_server: Server, own_database: str
) -> None:
    home.join(own_server.dsn(own_database))
    own_server.stop()
    home.run(times=3)
    fails(home, "is away")
    assert home.status().waiting == 3
    home.run()
    own_server.start()
    assert home.sync().sent == 4
    assert home.status().error is None
    assert stored(own_server, own_database) == [(4, 0, 0, 0, 1)]


def test_a_server_that_is_killed_in_the_middle_of_a_batch(
    home: Home, own_server: Server, own_database: str
) -> None:
    home.join(own_server.dsn(own_database))
    home.run(times=2)
    home.sync()
    home.run(times=5)
    admin = own_server.connect(own_database)
    with contextlib.closing(admin):
        # The batch has begun, and waits for this lock.
        admin.execute("BEGIN")
        admin.execute("LOCK TABLE zsh_ls.contribution")
        problems: list[str] = []

        def sync() -> None:
            try:
                home.sync()
            except TeamUnavailable as problem:
                problems.append(str(problem))

        pushing = threading.Thread(target=sync)
        pushing.start()
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
        while admin.execute(waiting).fetchone() == (0,):
            pass
        own_server.kill()
        pushing.join()
    assert len(problems) == 1
    assert home.status().waiting == 5
    own_server.start()
    assert stored(own_server, own_database) == [(2, 0, 0, 0, 1)]
    home.run()
    assert home.sync().sent == 8
    assert stored(own_server, own_database) == [(8, 0, 0, 0, 1)]


def test_an_answer_that_is_lost_makes_nothing_count_twice(
    home: Home, server: Server, team_database: str
) -> None:
    """The server has the batch, and the client does not know it."""
    is_lossy = threading.Event()

    def lets_pass(data: bytes, is_answer: bool) -> bool:
        return not (is_lossy.is_set() and is_answer and b"applied" in data)

    with Proxy(server.port, lets_pass=lets_pass) as proxy:
        home.join(server.dsn(team_database, port=proxy.port))
        home.run(times=3)
        is_lossy.set()
        fails(home, "is away")
        assert stored(server, team_database) == [(3, 0, 0, 0, 1)]
        assert home.status().waiting == 3
        home.run(times=2)
        is_lossy.clear()
        assert home.sync().sent == 5
    assert stored(server, team_database) == [(5, 0, 0, 0, 1)]


def test_forgetting_a_run_of_a_batch_that_is_on_its_way(
    home: Home, own_server: Server, own_database: str
) -> None:
    home.join(own_server.dsn(own_database))
    own_server.stop()
    home.run(times=3)
    fails(home, "is away")
    with home.store() as store:
        assert store.forget("make test") == 3
    home.run(times=1)
    own_server.start()
    home.sync()
    home.sync()
    assert stored(own_server, own_database) == [(1, 0, 0, 0, 1)]


def test_a_server_out_of_disk(home: Home, server: Server, team_database: str) -> None:
    home.join(server.dsn(team_database))
    home.run(times=2)
    with server.connect(team_database) as admin:
        # What PostgreSQL raises when a file cannot grow, at the end of a batch.
        admin.execute(
            """CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'could not extend file'; END $$"""
        )
        admin.execute(
            "CREATE TRIGGER full_disk BEFORE INSERT ON zsh_ls.batch EXECUTE FUNCTION full_disk()"
        )
        fails(home, "out of room")
        assert stored(server, team_database) == []
        admin.execute("DROP TRIGGER full_disk ON zsh_ls.batch")
    home.sync()
    assert stored(server, team_database) == [(2, 0, 0, 0, 1)]


@contextlib.contextmanager
def small(**more: Any) -> Iterator[Server]:
    """A server that has a file system of a few megabytes."""
    try:
        made = Server(disk=SmallDisk, **more)
    except NoMounts as told:
        pytest.skip(f"a real full disk needs a mount, and none is allowed here: {told}")
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def small_server() -> Iterator[Server]:
    with small() as made:
        yield made


def test_a_file_system_that_is_really_full(home: Home, small_server: Server) -> None:
    """PostgreSQL cannot grow a file; runs go on being remembered, and count once when there is room."""
    disk = small_server.disk
    assert disk is not None
    with small_server.connect() as admin:
        admin.execute(f"CREATE TABLESPACE small LOCATION '{disk.path}/space'".encode())
    with database(small_server) as name:
        with small_server.connect(name) as admin:
            for table in ("figure", "contribution", "batch", "agent"):
                admin.execute(f"ALTER TABLE zsh_ls.{table} SET TABLESPACE small".encode())
        home.join(small_server.dsn(name))
        home.run(times=2)
        home.sync()
        disk.fill()
        # More than the pages that are there can take.
        home.run_all([home.ended(f"tool{at} x", Outcome.SUCCESS, 20.0) for at in range(400)])
        fails(home, "out of room .*No space left on device")
        assert home.status().waiting == 400
        assert sum(row[0] for row in stored(small_server, name)) == 2
        home.run(times=3)  # nothing local waits for the server
        fails(home, "out of room")
        assert home.status().waiting == 403
        disk.empty()
        assert home.sync().sent == 405
        assert home.sync().sent == 405
        assert sum(row[0] for row in stored(small_server, name)) == 405


def problem_of(home: Home) -> str | None:
    """What a sync failed for, None if it did not."""
    try:
        home.sync()
    except TeamUnavailable as problem:
        return str(problem)
    return None


def test_a_write_ahead_log_whose_file_system_is_full(home: Home) -> None:
    """PostgreSQL ends with a panic, in the middle of a batch; what it has taken in is there afterwards."""
    # No checkpoint gives room back, and the server stays down until it is started.
    settings = {"max_wal_size": "1GB", "restart_after_crash": "off", "fsync": "on"}
    with small(keeps_log_there=True, **settings) as server:
        disk = server.disk
        assert disk is not None
        home.join(server.dsn())
        home.run(times=2)
        assert home.sync().sent == 2
        disk.fill()
        given, problem = 2, None
        while problem is None:
            tools = [f"tool{given}x{at} x" for at in range(400)]
            home.run_all([home.ended(it, Outcome.SUCCESS, 20.0) for it in tools])
            given += len(tools)
            problem = problem_of(home)
        assert "\n" not in problem
        server.wait_for_end()
        log = (server.folder / "log").read_text()
        assert "PANIC" in log
        assert "No space left on device" in log
        assert home.status().error == problem
        home.run(times=3)  # nothing local waits for the server
        fails(home, "is away")
        assert 403 <= home.status().waiting < given
        disk.empty()
        server.start()
        assert home.sync().sent == given + 3
        assert home.sync().sent == given + 3
        assert sum(row[0] for row in stored(server, "postgres")) == given + 3


@pytest.mark.parametrize("kind", [Rubbish, Listener])
def test_a_server_that_answers_rubbish_or_nothing(
    home: Home, server: Server, team_database: str, kind: type[Listener]
) -> None:
    home.join(server.dsn(team_database))
    home.run()
    with kind() as strange:
        kept = home.folder / "config/zsh-ls/team.json"
        before = kept.read_text()
        kept.write_text(
            before.replace(f"port={server.port}", f"port={strange.port}").replace(
                f"host={server.folder}", "host=127.0.0.1"
            )
        )
        fails(home, "team's server")
        with pytest.raises(TeamUnavailable):
            Home.at(home.folder / "new").join(f"host=127.0.0.1 port={strange.port} user=me")
        kept.write_text(before)
    home.sync()
    assert stored(server, team_database) == [(1, 0, 0, 0, 1)]


def test_a_name_that_nobody_looks_up_ends_a_connection_in_time(
    home: Home, server: Server, team_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`team sync` has an end within 10 s: libpq's limit is for each address, and has none for names."""
    home.join(server.dsn(team_database, port=server.port).replace("127.0.0.1", "localhost"))
    home.run()
    is_answered = threading.Event()
    look_up = socket.getaddrinfo

    def slow(*question: Any, **more: Any) -> Any:
        is_answered.wait()
        return look_up(*question, **more)

    monkeypatch.setattr("socket.getaddrinfo", slow)
    monkeypatch.setattr("zsh_ls.team.client.CONNECT_IN_ALL_S", 0.1)
    fails(home, "is away .no answer within 0.1 s")
    is_answered.set()
    monkeypatch.undo()
    assert home.sync().sent == 1


FALSE_ANSWERS = {
    "null": "NULL",
    "a list": "'[]'",
    "no rows": """'{"schema": 1}'""",
    "rows that are none": """'{"schema": 1, "rows": 3, "next": [1, 0], "agents": 1}'""",
    "nowhere next": """'{"schema": 1, "rows": [], "next": ["x"], "agents": 1}'""",
    "as many agents as there are not": """'{"schema": 1, "rows": [], "next": [1, 0], "agents": -1}'""",
}


@pytest.mark.parametrize("what", FALSE_ANSWERS)
def test_a_database_that_answers_what_it_cannot(
    home: Home, server: Server, team_database: str, what: str
) -> None:
    home.join(server.dsn(team_database))
    with server.connect(team_database) as admin:
        admin.execute(
            f"""CREATE OR REPLACE FUNCTION zsh_ls.pull(request jsonb) RETURNS jsonb LANGUAGE sql
            AS $$ SELECT {FALSE_ANSWERS[what]}::jsonb $$""".encode()
        )
    fails(home, "cannot be read")


def test_rows_that_cannot_be_are_left_out(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """A server that lies makes up no template, and no figure that could not be."""
    homes = [Home.at(tmp_path / name) for name in "abcd"]
    for each in homes:
        each.join(server.dsn(team_database))
        each.run("make test", times=3)
        each.run("make lint", times=3)
        each.sync()
    for column, value in (
        ("sealed", "'c2VhbGVkIGJ5IG5vYm9keQ=='"),
        ("succeeded", "1"),
        ("codes", "'{32000}'"),
        ("counts", "'{-5}'"),
    ):
        reader = Home.at(tmp_path / f"reader-{column}")
        reader.join(server.dsn(team_database))
        with server.connect(team_database) as admin:
            saved = f"CREATE TABLE saved AS SELECT id, {column} AS was FROM zsh_ls.figure"
            admin.execute(saved.encode())
            admin.execute(f"UPDATE zsh_ls.figure SET {column} = {value} WHERE id = 1".encode())
            reader.sync()
            admin.execute(
                f"UPDATE zsh_ls.figure f SET {column} = was FROM saved WHERE saved.id = f.id".encode()
            )
            admin.execute("DROP TABLE saved")
        known = [reader.past(it).team is not None for it in ("make test", "make lint")]
        assert sorted(known) == [False, True], column


@pytest.mark.parametrize("to", ["older", "newer", "none"])
def test_a_schema_of_another_age(home: Home, server: Server, team_database: str, to: str) -> None:
    home.join(server.dsn(team_database))
    home.run()
    with server.connect(team_database) as admin:
        if to == "newer":
            admin.execute("INSERT INTO zsh_ls.schema_version(version) VALUES (9)")
            answer = """SELECT '{"schema": 2, "applied": true, "upto": 1}'::jsonb"""
            admin.execute(
                f"""CREATE OR REPLACE FUNCTION zsh_ls.push(request jsonb) RETURNS jsonb LANGUAGE sql
                AS $$ {answer} $$""".encode()
            )
        else:
            drop = "FUNCTION zsh_ls.push(jsonb)" if to == "older" else "SCHEMA zsh_ls CASCADE"
            admin.execute(f"DROP {drop}".encode())
    fails(home, "use a newer zsh-ls" if to == "newer" else "zsh-ls team init")
    assert home.status().waiting == 1


def test_a_role_that_was_revoked(home: Home, server: Server, team_database: str) -> None:
    with server.connect(team_database) as admin:
        admin.execute("CREATE ROLE leaver LOGIN IN ROLE zsh_ls_agent")
        home.join(server.dsn(team_database, user="leaver"))
        home.run()
        admin.execute("REVOKE zsh_ls_agent FROM leaver")
        fails(home, "may not use the team's memory")
        admin.execute("ALTER ROLE leaver NOLOGIN")
        fails(home, "leaver")
        admin.execute("ALTER ROLE leaver LOGIN")
        admin.execute("GRANT zsh_ls_agent TO leaver")
        home.sync()
        admin.execute("DROP ROLE leaver")
    assert stored(server, team_database) == [(1, 0, 0, 0, 1)]


def test_a_certificate_that_is_not_the_servers(
    home: Home, own_server: Server, own_database: str, tmp_path: Path
) -> None:
    """TEAM-3: TLS with `verify-full`, by the name and by the authority."""
    tls = f"hostaddr=127.0.0.1 port={own_server.port} user=me dbname={own_database} sslmode=verify-full"
    authority = own_server.folder / "ca.crt"
    for host, trusted in (("db.example.org", authority), ("localhost", tmp_path / "other/ca.crt")):
        if not trusted.exists():
            trusted.parent.mkdir()
            make_certificate(trusted.parent, "localhost")
        with pytest.raises(TeamUnavailable, match="does not prove"):
            home.join(f"host={host} {tls} sslrootcert={trusted}")
    assert home.status().joined is False
    home.join(f"host=localhost {tls} sslrootcert={authority}")
    home.run()
    home.sync()
    assert stored(own_server, own_database) == [(1, 0, 0, 0, 1)]


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://me@db.example.org/team",
        "postgresql://me@db.example.org/team?sslmode=require",
        "host=10.0.0.1 sslmode=verify-ca",
        "host=localhost,db.example.org",
        "host=localhost hostaddr=192.0.2.1",
        "host=127.0.0.1.example.org",
    ],
)
def test_a_connection_that_others_could_read_is_refused(dsn: str) -> None:
    """TEAM-3."""
    with pytest.raises(TeamProblem, match="sslmode=verify-full"):
        checked_parameters(dsn, {})
    with pytest.raises(TeamProblem, match="sslmode=verify-full"):
        checked_parameters("dbname=x", {"PGHOST": "db.example.org"})


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://me@db.example.org/team?sslmode=verify-full",
        "postgresql://me@localhost/team",
        "host=/run/postgresql",
        "host=::1",
        "dbname=team",
        "host=127.0.0.1,localhost",
    ],
)
def test_a_connection_that_nobody_else_can_read_is_taken(dsn: str) -> None:
    assert checked_parameters(dsn, {})["gssencmode"] == "disable"


@pytest.mark.parametrize("dsn", ["", "postgres", "http://x/y", "service=x", "host=x bogus=1"])
def test_a_dsn_that_cannot_be_used_is_refused_in_one_line(home: Home, dsn: str) -> None:
    with pytest.raises(TeamUnavailable, match="DSN") as told:
        home.join(dsn)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_is_wrong(
    home: Home, server: Server, team_database: str, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """No time leaves, and none is asked for: the tables have the server's day and no more."""
    home.now += hours * 3600
    monkeypatch.setattr("time.time", lambda: home.now)
    home.join(server.dsn(team_database))
    home.run(times=2)
    home.sync()
    assert stored(server, team_database) == [(2, 0, 0, 0, 1)]
    with server.connect(team_database) as admin:
        kinds = admin.execute(
            "SELECT DISTINCT data_type FROM information_schema.columns WHERE table_schema = 'zsh_ls'"
        ).fetchall()
    assert not [kind for (kind,) in kinds if kind.startswith(("timestamp", "time", "interval"))]


def test_two_with_one_identity(tmp_path: Path, server: Server, team_database: str) -> None:
    """A home that was copied: each of the two is told the number that is free."""
    homes = [Home.at(tmp_path / name) for name in "ab"]
    for each in homes:
        each.join(server.dsn(team_database))
    homes[0].run()
    homes[0].sync()
    shutil.copy(homes[0].folder / "data/team-agent", homes[1].folder / "data/team-agent")
    for turn in range(3):
        for each in homes:
            each.run(times=turn + 1)
        threads = [threading.Thread(target=each.sync) for each in homes]
        for thread in threads:
            thread.start()
            thread.join()
    assert stored(server, team_database) == [(13, 0, 0, 0, 1)]


def test_a_memory_that_was_lost(home: Home, server: Server, team_database: str) -> None:
    """TEAM-3: the server's number wins."""
    home.join(server.dsn(team_database))
    for _ in range(3):
        home.run(times=2)
        home.sync()
    (home.folder / "data/alan.db").unlink()
    for rest in (home.folder / "data").glob("alan.db-*"):
        rest.unlink()
    home.run("make test", Outcome.FAILURE, times=2)
    assert home.sync().waiting == 0
    assert stored(server, team_database) == [(6, 2, 0, 0, 1)]


def test_a_damaged_file_of_joining_is_said(home: Home, server: Server, team_database: str) -> None:
    home.join(server.dsn(team_database))
    kept = home.folder / "config/zsh-ls/team.json"
    for text in ("", "[]", "{}", '{"remotes": 1}', "\xff"):
        kept.write_text(text)
        with pytest.raises(TeamUnavailable, match="join"):
            home.sync()
        assert home.status().error is not None


def test_an_outbox_at_its_cap_while_the_server_is_away(
    home: Home, own_server: Server, own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsh_ls.alan.store.team.MOST_WAITING", 40)
    home.join(own_server.dsn(own_database))
    own_server.stop()
    home.run(times=60)
    fails(home, "is away")
    home.run(times=50)
    fails(home, "is away")
    own_server.start()
    after = home.sync()
    (given,) = stored(own_server, own_database)
    assert after.sent == given[0]
    assert after.sent + after.dropped == 110
    assert after.dropped > 0


def test_what_no_agent_may_send_stays_and_is_said(
    home: Home, server: Server, team_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that counts wrongly is refused by the server, and nothing of it is counted."""
    home.join(server.dsn(team_database))
    home.run(times=2)

    def lie(self: Any, sealed: str | None = None) -> dict[str, object]:
        return {**true_row(self, sealed), "outcomes": {"succeeded": 1}}

    from zsh_ls.model.team import Given

    true_row = Given.row
    monkeypatch.setattr(Given, "row", lie)
    fails(home, "more durations than runs")
    assert stored(server, team_database) == []
