"""A pull names the projects that this machine has, and learns of no others; both ages of the schema do."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from zsh_ls.model.words import Scope
from zsh_ls.sidecar import memory
from zsh_ls.sidecar.team import asked_for
from zsh_ls.team.client import connected
from zsh_ls.team.init import init_sql
from zsh_ls.team.keys import TeamKeys

from .postgres import Server, database
from .proxies import Proxy
from .test_schema import AGENTS, batch, call, pulled, row
from .test_sharing import stored, taught
from .world import SECRET, Home, clone

KEYS = TeamKeys(SECRET)
APP, LIB = "git.example.org/acme/app", "git.example.org/acme/lib"
LIB_URL = "git@git.example.org:acme/lib.git"
V1 = Path(__file__).with_name("schemas") / "v1.sql"


def members(folder: Path, dsn: str, *names: str) -> list[Home]:
    made = [Home.at(folder / name) for name in names]
    for home in made:
        home.join(dsn)
    return made


def with_library(homes: list[Home]) -> None:
    """Those homes work on a second project too."""
    for home in homes:
        home.run("make docs", lasted=90, times=3, project=clone(home.folder / "lib", LIB_URL))


def known(home: Home) -> set[str]:
    """The remotes of which this home's memory has figures of the team."""
    with home.store() as store:
        rows = store._connection.execute("SELECT DISTINCT project FROM team_figure").fetchall()
    names = {KEYS.hashes.project_hash(it): it for it in (APP, LIB)}
    return {names[project] for (project,) in rows}


def test_only_figures_of_projects_that_are_here_are_pulled(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """TEAM-2: and those of one that comes later are, from their beginning."""
    others = members(tmp_path, server.dsn(team_database), "ada", "bob", "eve")
    (mia,) = members(tmp_path, server.dsn(team_database), "mia")
    with_library(others)
    taught(others)
    mia.sync()
    assert known(mia) == {APP}
    assert mia.past().estimate is not None
    mia.sync()  # the cursor is past everything
    mia.run("make test", lasted=3, project=clone(mia.folder / "lib", LIB_URL))
    mia.sync()
    assert known(mia) == {APP, LIB}
    learnt = mia.past("make docs", mia.folder / "lib").estimate
    assert learnt is not None
    assert (learnt.scope, learnt.agents) == (Scope.TEAM, 3)
    # What changes later is pulled of both.
    others[0].run("make test", lasted=47)
    others[0].run("make docs", lasted=90, project=others[0].folder / "lib")
    others[0].sync()
    mia.sync()
    for command, project in (("make test", mia.project), ("make docs", mia.folder / "lib")):
        figure = mia.past(command, project).team
        assert figure is not None
        assert figure.outcomes.succeeded == 10


def test_a_project_that_is_forgotten_is_pulled_no_more(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    others = members(tmp_path, server.dsn(team_database), "ada", "bob", "eve")
    with_library(others)
    taught(others)
    ada = others[0]
    ada.sync()
    assert known(ada) == {APP, LIB}
    memory.forget(ada.settings, project=str(ada.folder / "lib"))
    ada.sync()
    assert known(ada) == {APP}


def test_the_server_is_told_of_no_project_whose_runs_may_not_leave(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """TEAM-2: on the wire, not only in what is kept."""
    told = bytearray()

    def lets_pass(data: bytes, is_answer: bool) -> bool:
        if not is_answer:
            told.extend(data)
        return True

    with Proxy(server.port, lets_pass=lets_pass) as proxy:
        (home,) = members(tmp_path, server.dsn(team_database, port=proxy.port), "ada")
        private = "git.example.org/ada/diary"
        home.run(project=clone(home.folder / "diary", private))
        home.run()
        home.sync()
    assert KEYS.hashes.project_hash(APP).encode() in told
    assert KEYS.hashes.project_hash(private).encode() not in told
    with home.lived_in():
        assert list(asked_for(home.settings, {}, str(home.folder / "diary"))) == [APP]


@pytest.mark.parametrize(
    "asked", [3, "x", {"a": 1}, ["x"], ["0" * 31], [["0" * 32]], ["0" * 32] * 1001]
)
def test_projects_that_are_none_are_refused(
    server: Server, team_database: str, asked: object
) -> None:
    with server.connect(team_database, "me") as me:
        with pytest.raises(psycopg.Error) as refused:
            call(me, "pull", {"version": 1, "projects": asked})
        assert refused.value.sqlstate == "ZT001"
        most = [f"{at:032x}" for at in range(1000)]
        assert call(me, "pull", {"version": 1, "projects": most})["rows"] == []


def test_a_client_of_before_is_answered_as_before(server: Server, team_database: str) -> None:
    """One that names no projects is told of all."""
    with server.connect(team_database, "me") as me:
        for agent in AGENTS[:3]:
            call(me, "push", batch(agent, 1, row(project=1), row(project=2)))
        assert {it["project"] for it in pulled(me)["rows"]} == {f"{1:032x}", f"{2:032x}"}
        one = call(me, "pull", {"version": 1, "limit": 1000, "projects": [f"{2:032x}"]})
        assert {it["project"] for it in one["rows"]} == {f"{2:032x}"}
        assert set(one) == set(pulled(me))
        assert call(me, "pull", {"version": 1, "limit": 1000, "projects": []})["rows"] == []


def test_the_schema_of_before_serves_until_it_is_migrated(tmp_path: Path, server: Server) -> None:
    """Version 1 tells everything; the client keeps what it asked for. Migrating loses and repeats nothing."""
    with database(server, initialised=False) as name:
        with server.connect(name) as admin:
            admin.execute(V1.read_bytes())
        others = members(tmp_path, server.dsn(name), "ada", "bob", "eve")
        (mia,) = members(tmp_path, server.dsn(name), "mia")
        with_library(others)
        taught(others)
        mia.sync()
        assert known(mia) == {APP}
        before = stored(server, name)
        with server.connect(name) as admin:
            for _ in range(2):
                admin.execute(init_sql().encode())
            version = admin.execute("SELECT max(version) FROM zsh_ls.schema_version").fetchone()
            assert version == (2,)
            left = admin.execute(
                """SELECT proname FROM pg_proc WHERE pronamespace = 'zsh_ls'::regnamespace
                AND proname IN ('take_in', 'histogram_of')"""
            ).fetchall()
            assert left == []
        assert stored(server, name) == before
        for home in others:
            home.run(times=2, lasted=47)
            home.sync()
        mia.sync()
        figure = mia.past().team
        assert figure is not None
        assert (figure.outcomes.succeeded, figure.outcomes.failed, figure.agents) == (15, 3, 3)
        others[0].leave(erase=True)
        assert stored(server, name)[0] == (10, 2, 0, 0, 2)


def test_both_schemas_make_the_same_sums(server: Server) -> None:
    """What version 1 took in row by row, this one does at once: adding, taking out, all at the borders."""
    requests = [
        batch(
            agent,
            upto,
            *(row(at % 4, ok=1 + at % 3, bucket=(at * 37 + upto) % 60) for at in range(12)),
            row(1, ok=3, bucket=5),
            {
                **row(2),
                "outcomes": {"killed": 2, "failed": 1},
                "durations": {"cut_short": [[7, 2]]},
            },
            remove=[
                row(1, ok=2, bucket=5),
                row(3, ok=100, bucket=1),
                {**row(9), "outcomes": {"timed_out": 1}, "durations": {}},
            ]
            if upto % 2
            else [],
        )
        for agent in AGENTS[:4]
        for upto in range(1, 6)
    ]
    found = []
    for sql in (V1.read_text(), init_sql()):
        with database(server, initialised=False) as name, server.connect(name) as admin:
            admin.execute(sql.encode())
            for request in requests:
                assert call(admin, "push", request)["applied"] is True
            call(admin, "push", {"version": 1, "agent": AGENTS[0], "erase": True})
            found.append(
                [
                    admin.execute(
                        f"""SELECT f.project, f.template, {of}.succeeded, {of}.failed, {of}.timed_out,
                        {of}.killed, {of}.codes, {of}.counts, f.agents, f.shown, f.sealed
                        FROM zsh_ls.figure f JOIN zsh_ls.contribution c ON c.figure = f.id
                        ORDER BY f.template, c.agent""".encode()
                    ).fetchall()
                    for of in ("f", "c")
                ]
            )
    assert found[0] == found[1]
    assert len(found[0][1]) >= 9


def test_a_server_that_tells_of_another_project_is_not_believed(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    others = members(tmp_path, server.dsn(team_database), "ada", "bob", "eve")
    taught(others)
    with connected(server.dsn(team_database), KEYS, AGENTS[0]) as client:
        lib = KEYS.hashes.project_hash(LIB)
        with server.connect(team_database) as admin:
            admin.execute(
                """ALTER FUNCTION zsh_ls.pull(jsonb) RENAME TO honest;
                CREATE FUNCTION zsh_ls.pull(request jsonb) RETURNS jsonb LANGUAGE sql SECURITY DEFINER
                AS $$ SELECT zsh_ls.honest(request - 'projects') $$;
                GRANT EXECUTE ON FUNCTION zsh_ls.pull(jsonb) TO zsh_ls_agent"""
            )
        assert client.pull((0, 0), [lib]).figures == ()
        assert len(client.pull((0, 0), [KEYS.hashes.project_hash(APP)]).figures) == 1
