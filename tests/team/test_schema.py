"""The schema on a real PostgreSQL: rights, checks, batches that count once, sums that are right."""

from __future__ import annotations

import json
import random
import subprocess
import threading
from typing import Any

import psycopg
import pytest

from zsh_ls.team.init import init_sql

from .postgres import Server, binaries, database

AGENTS = [f"{at:032x}" for at in range(1, 9)]


def row(template: int = 1, *, project: int = 1, ok: int = 1, bucket: int = 900) -> dict[str, Any]:
    return {
        "project": f"{project:032x}",
        "template": f"{template:032x}",
        "sealed": "c2VhbGVk",
        "outcomes": {"succeeded": ok},
        "durations": {"ended": [[bucket, ok]]},
    }


def batch(agent: str, upto: int, *add: Any, remove: Any = (), name: str | None = None) -> Any:
    return {
        "version": 1,
        "agent": agent,
        "batch": name or f"{agent[-8:]}{upto:08x}",
        "upto": upto,
        "add": list(add),
        "remove": list(remove),
    }


def call(connection: psycopg.Connection[Any], function: str, request: Any) -> Any:
    found = connection.execute(
        f"SELECT zsh_ls.{function}(%s::jsonb)".encode(), (json.dumps(request),)
    ).fetchone()
    assert found is not None
    return found[0]


def pulled(connection: psycopg.Connection[Any], since: Any = (0, 0)) -> Any:
    return call(connection, "pull", {"version": 1, "since": list(since), "limit": 1000})


def snapshot(connection: psycopg.Connection[Any]) -> list[Any]:
    """Everything that is stored, and every object of the schema with its rights."""
    tables = ("figure", "contribution", "agent", "batch", "schema_version")
    rows = [
        connection.execute(f"SELECT * FROM zsh_ls.{it} ORDER BY 1, 2".encode()).fetchall()
        for it in tables
    ]
    objects = connection.execute(
        """SELECT p.proname, p.prosrc, p.proacl::text FROM pg_proc p
        WHERE p.pronamespace = 'zsh_ls'::regnamespace ORDER BY 1"""
    ).fetchall()
    relations = connection.execute(
        """SELECT oid, relname, relacl::text FROM pg_class
        WHERE relnamespace = 'zsh_ls'::regnamespace ORDER BY 2"""
    ).fetchall()
    return [rows, objects, relations]


def test_running_init_again_changes_nothing(server: Server, team_database: str) -> None:
    """TEAM-1: what `team init` prints goes to psql, and may do so again."""
    with server.connect(team_database) as admin:
        for agent in AGENTS[:3]:
            call(admin, "push", batch(agent, 1, row()))
        before = snapshot(admin)
        for _ in range(2):
            done = subprocess.run(
                f"{binaries()}/psql -X -v ON_ERROR_STOP=1 -h {server.folder} -p {server.port}"
                f" -U admin {team_database}".split(),
                check=False,
                input=init_sql(),
                capture_output=True,
                text=True,
            )
            assert (done.returncode, done.stderr) == (0, "")
        assert snapshot(admin) == before


def test_a_role_of_any_name_is_made(server: Server) -> None:
    role = "équipe 'a\" b"
    with database(server, initialised=False) as name, server.connect(name) as admin:
        admin.execute(init_sql(role).encode())
        admin.execute(init_sql(role).encode())
        found = admin.execute(
            "SELECT rolcanlogin FROM pg_roles WHERE rolname = %s", (role,)
        ).fetchone()
        assert found == (False,)
        admin.execute('DROP OWNED BY "équipe \'a"" b"')
        admin.execute('DROP ROLE "équipe \'a"" b"')


@pytest.mark.parametrize("role", ["", "pg_me", "public", "a\nb", "a$b", "a\\b", "x" * 64])
def test_a_name_that_no_role_can_have_is_refused(role: str) -> None:
    with pytest.raises(ValueError, match="role"):
        init_sql(role)


def test_an_agent_may_push_and_pull_and_nothing_else(server: Server, team_database: str) -> None:
    """TEAM-3: clients may only call `push` and `pull`."""
    with server.connect(team_database, "me") as me:
        assert call(me, "push", batch(AGENTS[0], 1, row()))["applied"] is True
        assert pulled(me)["agents"] == 1
        for table in ("figure", "contribution", "agent", "batch", "schema_version"):
            for statement in (f"SELECT * FROM zsh_ls.{table}", f"DELETE FROM zsh_ls.{table}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    me.execute(statement.encode())
        for forbidden in (
            "SELECT zsh_ls.take_out(1, 1)",
            "SELECT zsh_ls.apply(1, '{}', 1)",
            "SELECT zsh_ls.number_of('1', 1, '')",
            "CREATE TABLE zsh_ls.mine(a int)",
            "CREATE FUNCTION zsh_ls.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                me.execute(forbidden.encode())
    with server.connect(team_database) as admin:
        admin.execute("DROP ROLE IF EXISTS stranger")
        admin.execute("CREATE ROLE stranger LOGIN")
    with (
        server.connect(team_database, "stranger") as stranger,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        call(stranger, "pull", {"version": 1})


def test_a_batch_counts_once(server: Server, team_database: str) -> None:
    """TEAM-3: idempotent by agent and number, whoever sends it again."""
    with server.connect(team_database, "me") as me, server.connect(team_database) as admin:
        first = batch(AGENTS[0], 1, row(ok=2))
        assert call(me, "push", first) == {"schema": 1, "applied": True, "upto": 1}
        assert call(me, "push", first)["applied"] is True
        assert call(me, "push", first | {"upto": 7})["applied"] is True
        other = batch(AGENTS[0], 1, row(ok=5), name="ffffffffffffffff")
        # Another batch with a number that is taken is told the number that is free.
        assert call(me, "push", other) == {"schema": 1, "applied": False, "upto": 1}
        assert call(me, "push", other | {"upto": 2})["applied"] is True
        assert admin.execute("SELECT succeeded, agents FROM zsh_ls.figure").fetchall() == [(7, 1)]
        # A server that was restored, or a client that was: of many batches the last thousand are known.
        assert call(me, "push", batch(AGENTS[0], 5000, row(ok=1)))["applied"] is True
        assert admin.execute("SELECT upto FROM zsh_ls.batch").fetchall() == [(5000,)]


def test_a_figure_is_shown_from_three_agents_up_and_is_gone_below(
    server: Server, team_database: str
) -> None:
    """TEAM-2."""
    with server.connect(team_database, "me") as me:
        for agent in AGENTS[:2]:
            call(me, "push", batch(agent, 1, row(ok=4)))
        assert pulled(me)["rows"] == []
        call(me, "push", batch(AGENTS[2], 1, row(ok=1)))
        answer = pulled(me)
        (shown,) = answer["rows"]
        assert (shown["agents"], shown["succeeded"]) == (3, 9)
        assert (shown["codes"], shown["counts"]) == ([2700], [9])
        assert pulled(me, answer["next"])["rows"] == []
        erased = call(me, "push", {"version": 1, "agent": AGENTS[1], "erase": True})
        assert erased["left"] == 0
        (gone,) = pulled(me, answer["next"])["rows"]
        assert gone == {"project": f"{1:032x}", "template": f"{1:032x}", "gone": True}


IMPOSSIBLE = {
    "no agent": {"agent": "me"},
    "a name that is no hash": {"add": [row() | {"project": "github.com/a/b"}]},
    "a text that is not sealed": {"add": [row() | {"sealed": "make deploy --to prod!"}]},
    "no runs": {"add": [row() | {"outcomes": {}}]},
    "negative runs": {"add": [row() | {"outcomes": {"succeeded": -1}}]},
    "half a run": {"add": [row() | {"outcomes": {"succeeded": 1.5}}]},
    "runs as text": {"add": [row() | {"outcomes": {"succeeded": "1"}}]},
    "too many runs": {"add": [row(ok=100_001)]},
    "too many runs in a batch": {"add": [row(at, ok=2000) for at in range(4)]},
    "more durations than runs": {"add": [row() | {"outcomes": {"killed": 1}}]},
    "a bucket of years": {"add": [row(bucket=99_999)]},
    "a negative bucket": {"add": [row(bucket=-1)]},
    "durations of another shape": {"add": [row() | {"durations": {"ended": {"1": 2}}}]},
    "a bucket of another shape": {"add": [row() | {"durations": {"ended": [5]}}]},
    "rows that are none": {"add": [1, None, "x"]},
    "no list": {"add": {"a": 1}},
    "a number below one": {"upto": 0},
    "a number as text": {"upto": "1"},
    "no number": {"upto": None},
    "a batch without a name": {"batch": None},
    "too many rows": {"add": [row()] * 2001},
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_cannot_be_is_refused_and_leaves_nothing(
    server: Server, team_database: str, what: str
) -> None:
    """An agent that lies: impossible figures are refused by the server's checks."""
    with server.connect(team_database, "me") as me, server.connect(team_database) as admin:
        call(me, "push", batch(AGENTS[0], 1, row(7)))
        before = snapshot(admin)[0]
        with pytest.raises(psycopg.Error) as refused:
            call(me, "push", batch(AGENTS[0], 2, row(8)) | IMPOSSIBLE[what])
        assert refused.value.sqlstate == "ZT001"
        assert snapshot(admin)[0] == before


def test_of_a_day_and_of_an_agent_no_more_is_taken_than_can_be(
    server: Server, team_database: str
) -> None:
    with server.connect(team_database, "me") as me, server.connect(team_database) as admin:
        call(me, "push", batch(AGENTS[0], 1, row()))
        admin.execute("UPDATE zsh_ls.agent SET runs_of_day = 499999")
        with pytest.raises(psycopg.Error, match="in a day"):
            call(me, "push", batch(AGENTS[0], 2, row(ok=2)))
        admin.execute("UPDATE zsh_ls.agent SET day = day - 1")
        assert call(me, "push", batch(AGENTS[0], 2, row(ok=2)))["applied"] is True


def test_another_version_is_told_so(server: Server, team_database: str) -> None:
    with server.connect(team_database, "me") as me:
        for function in ("push", "pull"):
            with pytest.raises(psycopg.Error) as told:
                call(me, function, {"version": 2})
            assert told.value.sqlstate == "ZT002"


def test_a_newer_schema_is_not_made_older(server: Server, team_database: str) -> None:
    with server.connect(team_database) as admin:
        admin.execute("INSERT INTO zsh_ls.schema_version(version) VALUES (9)")
        before = snapshot(admin)
        with pytest.raises(psycopg.Error, match="use a newer one"):
            admin.execute(init_sql().encode())
        admin.execute("ROLLBACK")
        assert snapshot(admin) == before


def test_what_is_taken_out_was_given(server: Server, team_database: str) -> None:
    """`forget` sends the difference back; more than was given cannot be taken out."""
    with server.connect(team_database, "me") as me, server.connect(team_database) as admin:
        call(me, "push", batch(AGENTS[0], 1, row(ok=3)))
        call(me, "push", batch(AGENTS[1], 1, row(ok=5)))
        call(me, "push", batch(AGENTS[0], 2, remove=[row(ok=2)]))
        assert admin.execute("SELECT succeeded, agents FROM zsh_ls.figure").fetchone() == (6, 2)
        call(me, "push", batch(AGENTS[0], 3, remove=[row(ok=90)]))
        stored = admin.execute("SELECT succeeded, agents, counts FROM zsh_ls.figure").fetchone()
        assert stored == (5, 1, [5])


def test_sums_are_those_of_all_agents_in_any_order_with_repeats_and_races(
    server: Server, team_database: str
) -> None:
    """Eight agents at once, each batch sent twice, one after the other or together."""
    numbers = random.Random(20261123)
    given: dict[str, list[Any]] = {
        agent: [
            batch(
                agent,
                upto,
                *(
                    row(
                        numbers.randrange(12),
                        ok=numbers.randrange(1, 5),
                        bucket=numbers.randrange(9),
                    )
                    for _ in range(6)
                ),
            )
            for upto in range(1, 9)
        ]
        for agent in AGENTS
    }
    faults: list[BaseException] = []

    def send(agent: str, seed: int) -> None:
        order = random.Random(seed)
        try:
            with server.connect(team_database, "me") as me:
                for each in given[agent]:
                    for _ in range(1 + order.randrange(2)):
                        call(me, "push", each)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=send, args=(it, at)) for at, it in enumerate(AGENTS * 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    expected: dict[str, int] = {}
    for batches in given.values():
        for each in batches:
            for it in each["add"]:
                key = it["template"]
                expected[key] = expected.get(key, 0) + it["outcomes"]["succeeded"]
    with server.connect(team_database) as admin:
        stored = admin.execute(
            "SELECT encode(template, 'hex'), succeeded, (SELECT sum(n) FROM unnest(counts) n)"
            " FROM zsh_ls.figure"
        ).fetchall()
        assert {key: (runs, held) for key, runs, held in stored} == {
            key: (runs, runs) for key, runs in expected.items()
        }
        mismatched = admin.execute(
            """SELECT count(*) FROM zsh_ls.figure f WHERE succeeded <>
            (SELECT sum(succeeded) FROM zsh_ls.contribution c WHERE c.figure = f.id)
            OR agents <> (SELECT count(*) FROM zsh_ls.contribution c WHERE c.figure = f.id)"""
        ).fetchone()
        assert mismatched == (0,)
        for agent in AGENTS:
            while call(admin, "push", {"version": 1, "agent": agent, "erase": True})["left"]:
                pass
        empty = admin.execute(
            "SELECT count(*), sum(succeeded), sum(agents), sum(cardinality(codes)), max(sealed)"
            " FROM zsh_ls.figure"
        ).fetchone()
        assert empty is not None
        assert empty[1:] == (0, 0, 0, "")


def test_no_row_of_a_slow_transaction_is_passed_over(server: Server, team_database: str) -> None:
    """What a transaction that began earlier commits later is pulled all the same."""
    with (
        server.connect(team_database, "me") as me,
        psycopg.connect(
            host=str(server.folder), port=server.port, user="me", dbname=team_database
        ) as slow,
    ):
        for agent in AGENTS[:2]:
            call(me, "push", batch(agent, 1, row(1), row(2)))
        call(slow, "push", batch(AGENTS[2], 1, row(1)))  # not committed yet
        call(me, "push", batch(AGENTS[3], 1, row(2)))
        answer = pulled(me)
        slow.commit()
        later = pulled(me, answer["next"])
        seen = {it["template"] for it in answer["rows"] + later["rows"]}
        assert seen == {f"{1:032x}", f"{2:032x}"}


def test_pages_bring_everything_once(server: Server, team_database: str) -> None:
    with server.connect(team_database, "me") as me:
        for agent in AGENTS[:3]:
            call(me, "push", batch(agent, 1, *(row(at) for at in range(25))))
        since, seen, more = [0, 0], [], True
        while more:
            answer = call(me, "pull", {"version": 1, "since": since, "limit": 4})
            seen += [it["template"] for it in answer["rows"]]
            since, more = answer["next"], answer["more"]
        assert sorted(seen) == sorted(f"{at:032x}" for at in range(25))
        assert call(me, "pull", {"version": 1, "since": [10**15, 0], "limit": 100})["rows"] != []
