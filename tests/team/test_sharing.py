"""Joining, what leaves and what does not, what the others learn, forgetting and leaving."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.insights.history import hint
from zsh_ls.insights.rules.before_run.new_here import new_here
from zsh_ls.insights.rules.before_run.new_pattern import new_pattern
from zsh_ls.model.words import Basis, Origin, Outcome, Scope
from zsh_ls.sidecar import memory
from zsh_ls.sidecar.team import TeamUnavailable

from .postgres import Server
from .world import SECRET, Home, clone


@pytest.fixture
def homes(tmp_path: Path, server: Server, team_database: str) -> list[Home]:
    """Four, all of them joined."""
    made = [Home.at(tmp_path / name) for name in ("ada", "bob", "eve", "mia")]
    for home in made:
        home.join(server.dsn(team_database))
    return made


def stored(server: Server, database: str) -> Any:
    with server.connect(database) as admin:
        return admin.execute(
            "SELECT succeeded, failed, timed_out, killed, agents FROM zsh_ls.figure ORDER BY id"
        ).fetchall()


def taught(homes: list[Home], *, of: int = 3) -> None:
    for home in homes[:of]:
        home.run(lasted=47, times=3)
        home.run(outcome=Outcome.FAILURE, lasted=2)
        assert home.sync().waiting == 0


def test_three_run_and_the_fourth_has_learnt(homes: list[Home]) -> None:
    """TEAM-4: the last basis of an estimate, and what is said of a command that is new here."""
    taught(homes, of=2)
    fourth = homes[3]
    fourth.sync()
    assert fourth.past().estimate is None  # shown from three agents up (TEAM-2)
    taught(homes[2:], of=1)
    fourth.sync()
    estimate = fourth.past().estimate
    assert estimate is not None
    assert (estimate.basis, estimate.scope, estimate.agents) == (Basis.TEMPLATE, Scope.TEAM, 3)
    assert estimate.sample_size == 9
    assert estimate.median_s == pytest.approx(47, rel=0.02)
    (said,) = new_here(fourth.past())
    assert said.message == "New here. Team: 75% of 12 by 3, ~47s."
    # A hint of a script that was never run here tells the same number (ALAN-14).
    with fourth.store() as store:
        asked = ["make test", "make deploy"]
        in_script = store.pasts(asked, session="s", now=0, project=str(fourth.project))
    assert in_script[0] is not None
    assert hint(in_script[0]) == "~47s"
    assert in_script[1] is None
    assert list(new_pattern(fourth.past())) == []
    # Another project of the team is another matter, and so is another template.
    assert (
        fourth.past(project=clone(fourth.folder / "other", "git@git.example.org:acme/b")).team
        is None
    )
    assert fourth.past("make deploy").team is None


def test_what_this_machine_knows_comes_before_what_the_team_knows(homes: list[Home]) -> None:
    """TEAM-4."""
    taught(homes)
    fourth = homes[3]
    fourth.sync()
    fourth.run(lasted=5, times=3)
    past = fourth.past()
    assert past.estimate is not None
    assert past.estimate.scope is Scope.PROJECT
    assert past.streak == 3
    assert list(new_here(past)) == []
    elsewhere = clone(fourth.folder / "second", "git@git.example.org:acme/app")
    assert fourth.past(project=elsewhere).team is not None
    (said,) = new_here(fourth.past(project=elsewhere))
    assert said.message.startswith("New here. Elsewhere: 100% of 3")


def test_nothing_is_shared_before_somebody_joins(tmp_path: Path) -> None:
    """TEAM-1."""
    home = Home.at(tmp_path)
    home.run()
    assert home.status().joined is False
    for act in (home.show, home.sync, home.leave):
        with pytest.raises(TeamUnavailable, match="no team is joined"):
            act()


def test_only_projects_that_fit_leave_and_nothing_of_them_but_figures(
    homes: list[Home], server: Server, team_database: str
) -> None:
    """TEAM-2: what leaves, to the byte, and what does not."""
    home = homes[0]
    for name, remote in (
        ("other-owner", "git@git.example.org:rival/app.git"),
        ("other-host", "https://example.net/acme/app"),
        ("local", "/srv/git/app.git"),
        ("none", None),
    ):
        home.run("make secret-plan", project=clone(home.folder / name, remote))
    (home.folder / "nowhere").mkdir()
    home.run("make secret-plan", project=home.folder / "nowhere")
    home.run(" make hidden-target")
    home.run("make imported", origin=Origin.IMPORT)
    assert home.status().waiting == 0
    assert home.show() == ([], {})
    home.run("make test --to alice@host.internal /home/ada/x", lasted=3)
    home.run("make test --to alice@host.internal /home/ada/y", Outcome.KILLED, lasted=9)
    rows, texts = home.show()
    (row,) = rows
    assert set(row) == {"project", "template", "sealed", "outcomes", "durations"}
    assert row["outcomes"] == {"succeeded": 1, "killed": 1}
    assert list(texts) == [row["template"]]
    for word in ("alice", "home/ada", "host", "example", "acme", "make"):
        assert word not in json.dumps(rows)
    home.sync()
    with server.connect(team_database) as admin:
        dumped = str(
            [
                admin.execute(f"SELECT * FROM zsh_ls.{table}".encode()).fetchall()
                for table in ("figure", "contribution", "agent", "batch")
            ]
        )
    assert str(row["sealed"]) in dumped
    for word in ("alice", "home/ada", "internal", "example", "acme", "make", SECRET):
        assert word not in dumped


@pytest.mark.parametrize(
    "remote",
    [
        "git@Git.Example.org:acme/app.git",
        "ssh://git@git.example.org/acme/app",
        "ssh://git@git.example.org:2222/acme/app.git",
        "https://ada:password@git.example.org/acme/app/",
        "git.example.org:acme/app",
    ],
)
def test_a_project_is_known_by_any_spelling_of_its_remote(
    homes: list[Home], server: Server, team_database: str, remote: str
) -> None:
    """TEAM-2."""
    homes[0].run()
    homes[0].sync()
    homes[1].run(project=clone(homes[1].folder / "again", remote))
    homes[1].sync()
    assert stored(server, team_database) == [(2, 0, 0, 0, 2)]


def test_whose_runs_leave_can_be_said(tmp_path: Path, server: Server, team_database: str) -> None:
    home = Home.at(tmp_path, None)
    dsn = server.dsn(team_database)
    with pytest.raises(TeamUnavailable, match="--remote 'host/owner/"):
        home.join(dsn)
    for wrong in ("acme", "git@git.example.org:acme/app", "https://git.example.org/acme"):
        with pytest.raises(TeamUnavailable, match="expected host/owner"):
            home.join(dsn, wrong)
    assert home.status().joined is False
    home.join(dsn, "Git.Example.org/acme/*", "example.net/*/site")
    home.run(project=clone(tmp_path / "a", "git@git.example.org:acme/b"))
    home.run(project=clone(tmp_path / "b", "git@example.net:x/site"))
    home.run(project=clone(tmp_path / "c", "git@example.net:x/other"))
    assert home.status().waiting == 2


def test_the_secret_is_made_kept_private_and_needed(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    first, second, stranger = (Home.at(tmp_path / name) for name in ("a", "b", "c"))
    dsn = server.dsn(team_database)
    report = first.join(dsn, secret=None)
    assert report.new_secret is not None
    assert len(report.new_secret) >= 40
    kept = first.folder / "config/zsh-ls/team.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    second.join(dsn, secret=f"  {report.new_secret}\n")
    stranger.join(dsn, secret="another secret altogether")
    with pytest.raises(TeamUnavailable, match="at least 16 characters"):
        stranger.join(dsn, secret="short")
    for home in (first, second, stranger):
        home.run()
        home.sync()
    assert stored(server, team_database) == [(2, 0, 0, 0, 2), (1, 0, 0, 0, 1)]


def test_what_was_sent_is_told_without_a_server(homes: list[Home]) -> None:
    home = homes[0]
    home.run(times=2)
    assert (home.status().waiting, home.status().sent, home.status().last_push) == (2, 0, None)
    home.sync()
    after = home.status()
    assert (after.waiting, after.sent, after.dropped, after.agents) == (0, 2, 0, 1)
    assert after.last_push is not None
    assert after.last_pull is not None
    assert "password" not in str(after.dsn)


@pytest.mark.parametrize("how", ["command", "since", "project", "all"])
def test_what_is_forgotten_is_taken_out_of_the_team(
    homes: list[Home], server: Server, team_database: str, how: str
) -> None:
    """TEAM-3: `forget` sends the difference back."""
    home, other = homes[:2]
    other.run()
    other.sync()
    home.run("make test", times=3)
    home.run("make test", Outcome.TIMEOUT, lasted=10)
    since = home.now + 30
    home.run("make test", Outcome.FAILURE, times=2)
    home.sync()
    assert stored(server, team_database) == [(4, 2, 1, 0, 2)]
    arguments: dict[str, Any] = {
        "command": {"command": "make test"},
        "since": {"since": since},
        "project": {"project": str(home.project)},
        "all": {},
    }[how]
    memory.forget(home.settings, **arguments)
    home.sync()
    expected = (4, 0, 1, 0, 2) if how == "since" else (1, 0, 0, 0, 1)
    assert stored(server, team_database) == [expected]
    # Ids of forgotten runs are given again, and what has them is sent all the same.
    home.run("make test", times=2)
    assert home.status().waiting == 2
    home.sync()
    assert stored(server, team_database)[0][0] == expected[0] + 2
    with server.connect(team_database) as admin:
        wrong = admin.execute(
            "SELECT count(*) FROM zsh_ls.figure WHERE (SELECT sum(n) FROM unnest(counts) n)"
            " <> succeeded + failed + timed_out + killed"
        ).fetchone()
    assert wrong == (0,)


def test_leaving_keeps_what_was_given_and_erasing_takes_it_out(
    homes: list[Home], server: Server, team_database: str
) -> None:
    taught(homes)
    homes[3].sync()
    homes[3].leave()
    assert homes[3].status().joined is False
    assert homes[3].past().team is None
    homes[0].leave()
    assert stored(server, team_database) == [(9, 3, 0, 0, 3)]
    homes[1].leave(erase=True)
    assert stored(server, team_database) == [(6, 2, 0, 0, 2)]
    # Who comes back is the same agent, and gives nothing twice.
    homes[0].join(server.dsn(team_database))
    homes[0].run()
    homes[0].sync()
    assert stored(server, team_database) == [(7, 2, 0, 0, 2)]


def test_the_log_keeps_what_waits_until_it_is_too_much(
    homes: list[Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    """TEAM-3: retention never passes the cursor; at the cap the oldest are let go, and counted."""
    home = homes[0]
    home.run(times=100)
    home.now += 30 * 86_400
    home.run(times=100)  # with a sweep, of runs that have long lost their weight
    with home.store() as store:
        assert store.observations() == 200
    monkeypatch.setattr("zsh_ls.alan.store.team.MOST_WAITING", 150)
    monkeypatch.setattr("time.time", lambda: home.now)
    assert (home.status().waiting, home.status().dropped) == (150, 50)
    home.sync()
    assert (home.status().waiting, home.status().sent, home.status().dropped) == (0, 150, 50)
    home.now += 30 * 86_400
    home.run(times=400)
    with home.store() as store:
        assert store.observations() < 600
    home.now += 91 * 86_400
    assert (home.status().waiting, home.status().dropped) == (0, 450)
