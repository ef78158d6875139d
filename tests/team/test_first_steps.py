"""What a stranger meets first: a wrong DSN, a forgotten secret, half of the packages, a project left out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.model.words import Outcome
from zsh_ls.sidecar import memory
from zsh_ls.sidecar.team import TeamUnavailable
from zsh_ls.team.init import init_sql

from .postgres import WITH_PASSWORD, Server, binaries
from .test_background import ci, zsh_ls
from .test_sharing import stored, taught
from .world import SECRET, Home


@pytest.fixture
def server_with_password(server: Server, team_database: str) -> Any:
    """The DSN of a role that has a password, without it."""
    with server.connect(team_database) as admin:
        admin.execute(
            f"CREATE ROLE {WITH_PASSWORD} LOGIN PASSWORD 'right' IN ROLE zsh_ls_agent".encode()
        )
        yield server.dsn(team_database, port=server.port, user=WITH_PASSWORD)
        admin.execute(f"DROP ROLE {WITH_PASSWORD}".encode())


def test_a_password_that_is_wrong_or_missing_is_no_server_that_is_away(
    home: Home, server_with_password: str
) -> None:
    for more in ("", " password=wrong"):
        with pytest.raises(TeamUnavailable, match="does not let this role in"):
            home.join(server_with_password + more)
    home.join(server_with_password + " password=right")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("dbname=nowhere", "has no such database"),
        ("user=stranger", "does not let this role in"),
        ("port=1", "is away"),
    ],
)
def test_each_fault_of_a_dsn_is_called_by_its_name(
    home: Home, server: Server, team_database: str, wrong: str, said: str
) -> None:
    with pytest.raises(TeamUnavailable, match=said) as told:
        home.join(f"{server.dsn(team_database)} {wrong}")
    assert str(told.value).count("failed") <= 1


def test_a_role_that_the_administrator_forgot_says_what_to_grant(
    home: Home, server: Server, team_database: str
) -> None:
    with server.connect(team_database) as admin:
        admin.execute("CREATE ROLE newcomer LOGIN")
        with pytest.raises(TeamUnavailable, match="its administrator grants it zsh_ls_agent"):
            home.join(server.dsn(team_database, user="newcomer"))
        admin.execute("DROP ROLE newcomer")


@pytest.mark.parametrize("dsn", ["localhost", "mysql://x/y"])
def test_what_is_no_dsn_is_told_what_one_looks_like(home: Home, dsn: str) -> None:
    with pytest.raises(TeamUnavailable, match=r"^the DSN cannot be read: expected postgresql://"):
        home.join(dsn)


def joined(home: Home, dsn: str, *more: str) -> str:
    """What `team join` says beside the secret."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home.folder)}
    done = zsh_ls(home, environment, "team", "join", dsn, *more)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_who_joins_without_the_secret_of_the_others_is_told(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """Nothing would fail, and nothing would ever be learnt."""
    homes = [Home.at(tmp_path / name) for name in ("ada", "bob", "eve")]
    for home in homes:
        home.join(server.dsn(team_database))
    taught(homes)
    fourth, dsn = Home.at(tmp_path / "mia"), server.dsn(team_database)
    right, wrong = tmp_path / "right", tmp_path / "wrong"
    right.write_text(SECRET)
    wrong.write_text("the-secret-of-another-team")
    forgotten = "3 agents give already, under a secret of their own"
    other = "No figure of the team opens with this secret"
    assert forgotten in joined(fourth, dsn)
    assert other in joined(fourth, dsn, "--secret", str(wrong))
    said = joined(fourth, dsn, "--secret", str(right))
    assert "3 agents give." in said
    assert forgotten not in said
    assert other not in said


def test_joining_says_that_this_project_is_left_out_and_how_runs_are_shared(
    home: Home, server: Server, team_database: str
) -> None:
    said = joined(home, server.dsn(team_database), "--remote", "git.example.org/others/*")
    assert "This folder's project, git.example.org/acme/app, is none of these." in said
    assert "`zsh-ls team sync` now" in said
    assert "is none of these" not in joined(home, server.dsn(team_database))


def test_without_cryptography_one_line_says_what_to_install(
    home: Home, server: Server, team_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.join(server.dsn(team_database))
    home.run()
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    for act in (home.sync, home.show, lambda: home.join(server.dsn(team_database))):
        with pytest.raises(
            TeamUnavailable, match=r"needs cryptography; this installs it: .+zsh-ls\[team\]"
        ):
            act()
    assert "cryptography" in str(home.status().error)
    monkeypatch.undo()
    assert home.sync().sent == 1


def test_a_ci_without_its_secret_says_so_with_the_run(
    home: Home, server: Server, team_database: str
) -> None:
    dsn = server.dsn(team_database)
    without = zsh_ls(home, ci(home, dsn, ZSH_LS_TEAM_SECRET=""), "run", "true")
    assert without.returncode == 0
    assert "team: ZSH_LS_TEAM_DSN is set and ZSH_LS_TEAM_SECRET is not\n" in without.stderr
    with_it = zsh_ls(home, ci(home, dsn), "team", "status")
    assert "joined     by the environment" in with_it.stdout
    assert "sent" not in with_it.stdout  # of a process that has ended nothing is known


def test_a_ci_outside_of_any_project_is_shown_to_share_nothing(
    home: Home, server: Server, team_database: str
) -> None:
    """An unpacked archive, or a checkout whose remote was taken away."""
    environment = ci(home, server.dsn(team_database))
    inside = zsh_ls(home, environment, "team", "show")
    assert "a pull names these projects." in inside.stderr
    (home.project / ".git/config").write_text("[core]\n\tbare = false\n")
    outside = zsh_ls(home, environment, "team", "show")
    assert outside.stdout == ""
    assert "a pull names no project: none here has a remote that fits." in outside.stderr


def test_status_says_how_old_what_waits_is(home: Home, server: Server, team_database: str) -> None:
    home.join(server.dsn(team_database))
    assert home.status().waits_since is None
    home.run(lasted=20.0)
    oldest = home.now + 20.0
    home.run(times=3)
    assert home.status().waits_since == oldest
    home.sync()
    assert home.status().waits_since is None


def test_status_says_that_what_was_forgotten_is_still_there(
    home: Home, server: Server, team_database: str
) -> None:
    """TEAM-3: `forget` sends the difference back, with the next push."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home.folder)}
    joined(home, server.dsn(team_database))
    for words in (["run", "true"], ["team", "sync"], ["forget", "true", "--yes"]):
        assert zsh_ls(home, environment, *words).returncode == 0
    told = zsh_ls(home, environment, "team", "status").stdout
    assert "forgotten  1 to be taken out at the server with the next push\n" in told
    assert zsh_ls(home, environment, "team", "sync").returncode == 0
    assert "forgotten" not in zsh_ls(home, environment, "team", "status").stdout
    assert stored(server, team_database) == [(0, 0, 0, 0, 0)]
    shown = json.loads(zsh_ls(home, environment, "team", "status", "--json").stdout)
    assert list(shown) == [
        *("joined", "dsn", "waiting", "sent", "dropped"),
        *("last_push", "last_pull", "agents", "error"),
    ]


def test_what_only_the_team_knows_is_answered_as_it_is_explained(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """TEAM-4: the last basis of every estimate, and named as the team's."""
    others = [Home.at(tmp_path / name) for name in ("bob", "eve", "mia")]
    for other in others:
        other.join(server.dsn(team_database))
        other.run("make all", lasted=47, times=3)
        other.sync()
    home = Home.at(tmp_path / "ada")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home.folder)}
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    join = ["team", "join", server.dsn(team_database), "--secret", str(secret)]
    for words in (join, ["team", "sync"]):
        assert zsh_ls(home, environment, *words).returncode == 0
    asked = zsh_ls(home, environment, "ask", "how long does make all take").stdout
    whose = "of 9 runs of `make all`, by 3 agents of the team)"
    assert re.search(r"`make all` takes 47\.?\d? s \(median " + re.escape(whose), asked)
    last = zsh_ls(home, environment, "ask", "how long did the last make all take").stdout
    assert "no run of make" in last
    file = home.folder / ".local/share/zsh-ls/alan.db"
    with memory.opened(memory.Settings(database=str(file))) as (store, _):
        store.record_all([home.ended("make all", Outcome.SUCCESS, 5.0)])
    told = zsh_ls(home, environment, "explain", "make all").stdout
    assert re.search(
        r"1 run remembered, 100% succeeded, it usually takes 47\.?\d? s \(9 runs of `make all`, by 3",
        told,
    )


def test_an_administrator_without_the_right_is_told_once(
    server: Server, team_database: str
) -> None:
    """As docs/team.md has it: psql ends at the first fault, and says it by its exit."""
    for role, database in (("me", team_database), ("me", "postgres")):
        done = subprocess.run(
            [
                *(binaries() / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"),
                *("-h", str(server.folder), "-p", str(server.port), "-U", role, database),
            ],
            input=init_sql(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 3
        assert done.stderr.count("ERROR") == 1
        assert f"the role me may not make the schema zsh_ls in the database {database}" in (
            done.stderr
        )
    assert stored(server, team_database) == []


READER = """
import json, sys
sys.modules["psycopg"] = None
from tests.team.world import Home
from pathlib import Path
home = Home(Path(sys.argv[1]))
with home.lived_in():
    known = home.past().estimate
    status = home.status()
print(json.dumps([known.scope.value, known.agents, status.joined]))
"""


def test_what_the_team_told_is_read_without_speaking_to_a_server(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """TEAM-1: the read path has no psycopg in it; where that cannot even be imported it answers alike."""
    homes = [Home.at(tmp_path / name) for name in ("ada", "bob", "eve", "mia")]
    for home in homes:
        home.join(server.dsn(team_database))
    taught(homes)
    homes[3].sync()
    done = subprocess.run(
        [sys.executable, "-c", READER, str(homes[3].folder)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert json.loads(done.stdout) == ["team", 3, True]


def test_local_reads_with_a_team_are_a_few_statements_more_however_much_is_read(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """TEAM-1: what a team adds to an insight, in statements of SQLite, at 1 and at 50 lines."""
    homes = [Home.at(tmp_path / name) for name in ("ada", "bob", "eve", "mia")]
    for home in homes:
        home.join(server.dsn(team_database))
    commands = [f"tool{at} x" for at in range(50)]
    for home in homes[:3]:
        home.run_all([home.ended(it, Outcome.SUCCESS, 20.0) for it in commands for _ in range(3)])
        home.sync()

    def statements(home: Home, some: list[str], *, known: bool) -> int:
        asked: list[str] = []
        with home.store() as store:
            store._connection.set_trace_callback(asked.append)
            found = store.pasts(some, session="s", now=home.now, project=str(home.project))
            store._connection.set_trace_callback(None)
        assert [it is not None and it.team is not None for it in found] == [known] * len(some)
        return len(asked)

    reader, stranger = homes[3], Home.at(tmp_path / "zoe")
    reader.sync()
    more = [
        statements(reader, some, known=True) - statements(stranger, some, known=False)
        for some in (commands[:1], commands)
    ]
    assert more[0] == more[1]
    assert 0 < more[0] <= 4
