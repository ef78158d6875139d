"""Sharing beside what runs: in an editor's server, in a CI, and with a server that never answers."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

import pytest

from tests.alan.world import World
from zsh_ls.alan.store.store import Store
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.words import Outcome, Scope
from zsh_ls.sidecar import Sidecar, memory
from zsh_ls.sidecar.config import Places, Settings, SidecarOptions

from .postgres import Server
from .proxies import Listener
from .test_sharing import stored, taught
from .world import SECRET, Home

PATIENCE_S = 60.0
URI = "file:///nowhere/a.zsh"


def options(home: Home) -> SidecarOptions:
    return SidecarOptions(
        session="s",
        workspace=str(home.project),
        folder=str(home.project),
        settings=home.settings,
        warms_up=False,
        places=Places(home.folder / "data/alan.db", home.folder / "out", home.folder / "run"),
    )


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zsh_ls.sidecar.sharing.FIRST_AFTER_S", 0.0)


class Told(logging.Handler):
    """Waits for the thread that shares to say in the log what it did."""

    def __init__(self, beginning: str) -> None:
        super().__init__(logging.DEBUG)
        self._beginning = beginning
        self._is_said = threading.Event()

    def __enter__(self) -> Self:
        self._log = logging.getLogger("zsh_ls.sidecar.sharing")
        self._level = self._log.level
        self._log.setLevel(logging.DEBUG)
        self._log.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._log.removeHandler(self)
        self._log.setLevel(self._level)

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage().startswith(self._beginning):
            self._is_said.set()

    async def heard(self) -> bool:
        return await asyncio.to_thread(self._is_said.wait, PATIENCE_S)


@pytest.mark.usefixtures("at_once")
async def test_a_server_that_never_answers_delays_nothing(
    home: Home, server: Server, team_database: str
) -> None:
    """TEAM-1: runs, insights, keystrokes, what is known, and health, all while the exchange hangs."""
    home.join(server.dsn(team_database))
    home.run("make test", times=3, lasted=30)
    kept = home.folder / "config/zsh-ls/team.json"
    with Listener() as hole, home.lived_in(), Told("team: ") as told:
        kept.write_text(
            kept.read_text()
            .replace(f"port={server.port}", f"port={hole.port}")
            .replace(f"host={server.folder}", "host=127.0.0.1")
        )
        sidecar = await Sidecar.open(options(home))
        assert await asyncio.to_thread(hole.accepted.wait, PATIENCE_S)
        for _ in range(3):
            result = await sidecar.run(RunRequest("true", yield_after=PATIENCE_S))
            assert result.exit == 0
        assert (await sidecar.command_stats("make test")).runs == 3
        for typed in ("m", "ma", "mak"):
            text = f"#!/bin/zsh\nset -e\nmake deploy | tee deploy.log\n{typed}\n"
            sidecar.open_document(URI, text, "shellscript", len(text))
            assert await sidecar.insights_for(URI)
            assert (await sidecar.completions(URI, len(text) - 1)).found
            assert await sidecar.hover(URI, text.index("make"))
        assert not hole.ended.is_set(), "the exchange did not hang while all that was done"
        assert await told.heard()
        health = await sidecar.health()
        assert health.status == "healthy"
        assert health.team is not None
        assert health.team.status == "degraded"
        assert "team's server" in (health.team.problem or "")
        await sidecar.close()
    assert home.status().waiting == 6


@pytest.mark.usefixtures("at_once")
async def test_a_server_of_an_editor_gives_and_learns_by_itself(
    tmp_path: Path, home: Home, server: Server, team_database: str
) -> None:
    """TEAM-3, TEAM-4."""
    others = [Home.at(tmp_path / name) for name in ("bob", "eve", "mia")]
    for other in others:
        other.join(server.dsn(team_database))
    taught(others)
    home.join(server.dsn(team_database))
    home.run("true", times=2)
    with home.lived_in(), Told("shared") as told:
        sidecar = await Sidecar.open(options(home))
        assert await told.heard()
        estimate = await sidecar._alan.estimate("make test", str(home.project))
        assert estimate is not None
        assert estimate.scope is Scope.TEAM
        result = await sidecar.run(RunRequest("make test", yield_after=PATIENCE_S))
        assert result.insights is not None
        assert result.insights["info"][0] == "New here. Team: 75% of 12 by 3, ~47s."
        health = await sidecar.health()
        assert health.team is not None
        assert (health.team.status, health.team.problem) == ("ok", None)
        await sidecar.close()
    assert home.status().sent == 2


async def test_what_a_pull_brings_is_said_in_a_script_that_is_open(
    tmp_path: Path, home: Home, server: Server, team_database: str
) -> None:
    """TEAM-4: the hint behind a line comes with the pull, not with the next edit."""
    others = [Home.at(tmp_path / name) for name in ("bob", "eve", "mia")]
    for other in others:
        other.join(server.dsn(team_database))
    taught(others)
    home.join(server.dsn(team_database))
    uri, text = (home.project / "a.zsh").as_uri(), "#!/bin/zsh\nmake test\n"
    with home.lived_in():
        sidecar = await Sidecar.open(options(home))
        changed = asyncio.Event()
        sidecar.open_document(uri, text, "shellscript", 1)
        await sidecar.insights_for(uri)
        assert await sidecar.hints_for(uri) == []
        sidecar.on_insights_changed(lambda which: changed.set() if which == uri else None)
        assert sidecar._sharing is not None
        sidecar._sharing._wake.set()
        await asyncio.wait_for(changed.wait(), PATIENCE_S)
        assert [it.text for it in await sidecar.hints_for(uri)] == ["~47s"]
        await sidecar.close()


def ci(home: Home, dsn: str, **more: str) -> dict[str, str]:
    """The environment of a job: nothing in it is the developer's."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home.folder),
        "ZSH_LS_TEAM_DSN": dsn,
        "ZSH_LS_TEAM_SECRET": SECRET,
        **more,
    }


def zsh_ls(
    home: Home, environment: dict[str, str], *words: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zsh_ls", *words],
        cwd=home.project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def test_a_ci_joins_by_its_environment_alone(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """TEAM-3: one identity a pipeline, the process's own runs alone, or none."""
    dsn = server.dsn(team_database)
    jobs = [Home.at(tmp_path / name) for name in ("one", "two", "three")]
    for job in jobs[:2]:
        # Whatever ran there before is not this process's.
        without = {name: it for name, it in ci(job, dsn).items() if "TEAM" not in name}
        assert zsh_ls(job, without, "run", "true").returncode == 0
        done = zsh_ls(job, ci(job, dsn, ZSH_LS_TEAM_AGENT="app/test"), "run", "true")
        assert done.returncode == 0, done.stderr
    assert stored(server, team_database) == [(2, 0, 0, 0, 1)]
    reading = ci(jobs[2], dsn, ZSH_LS_TEAM_READONLY="1")
    assert zsh_ls(jobs[2], reading, "run", "true").returncode == 0
    assert zsh_ls(jobs[2], reading, "team", "sync").returncode == 0
    shown = zsh_ls(jobs[2], reading, "team", "show").stdout.splitlines()
    assert [list(json.loads(line)) for line in shown] == [["pull"]]
    assert stored(server, team_database) == [(2, 0, 0, 0, 1)]
    assert not list(tmp_path.rglob("team.json"))
    missing = zsh_ls(jobs[2], ci(jobs[2], dsn, ZSH_LS_TEAM_SECRET=""), "team", "sync")
    assert (missing.returncode, missing.stderr.count("\n")) == (1, 1)
    assert "ZSH_LS_TEAM_SECRET" in missing.stderr


def test_the_command_line(tmp_path: Path, server: Server, team_database: str) -> None:
    """The table of docs/team.md, from outside."""
    home = Home.at(tmp_path)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    init = zsh_ls(home, environment, "team", "init", "--role", "builders")
    assert 'GRANT USAGE ON SCHEMA zsh_ls TO "builders"' in init.stdout
    joined = zsh_ls(home, environment, "team", "join", server.dsn(team_database))
    assert joined.returncode == 0, joined.stderr
    assert joined.stdout.count("\n") == 1
    assert "git.example.org/acme/*" in joined.stderr
    secret = tmp_path / "secret"
    secret.write_text(joined.stdout)
    again = zsh_ls(
        home, environment, "team", "join", server.dsn(team_database), "--secret", str(secret)
    )
    assert (again.returncode, again.stdout) == (0, "")
    zsh_ls(home, environment, "run", "true")
    shown = zsh_ls(home, environment, "team", "show", "--clear")
    assert '"text": "true"' in shown.stdout
    assert zsh_ls(home, environment, "team", "sync").returncode == 0
    status = zsh_ls(home, environment, "team", "status", "--json").stdout
    assert '"waiting": 0, "sent": 1, "dropped": 0, "last_push": "20' in status
    assert zsh_ls(home, environment, "team", "leave", "--erase").returncode == 0
    assert stored(server, team_database) == [(0, 0, 0, 0, 0)]
    left = zsh_ls(home, environment, "team", "leave")
    assert (left.returncode, left.stderr) == (1, "zsh-ls: no team is joined\n")
    for words in (["join", "host=db.example.org"], ["join", "host=/nowhere", "--remote", "a/b"]):
        refused = zsh_ls(home, environment, "team", *words)
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)


def test_explain_tells_what_only_the_team_knows(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """TEAM-4: what docs/team.md shows of four homes, from outside."""
    others = [Home.at(tmp_path / name) for name in ("bob", "eve", "mia")]
    for other in others:
        other.join(server.dsn(team_database))
        other.run("sleep 3", lasted=3, times=3)
        other.sync()
    home = Home.at(tmp_path / "ada")
    environment = {"PATH": os.environ["PATH"], "HOME": str(home.folder)}
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    join = ["team", "join", server.dsn(team_database), "--secret", str(secret)]
    for words in (join, ["team", "sync"]):
        assert zsh_ls(home, environment, *words).returncode == 0
    told = zsh_ls(home, environment, "explain", "sleep 5").stdout
    assert "it usually takes 3 s (9 runs of `sleep *`, by 3 agents of the team)" in told


def test_a_long_sync_says_how_far_it_is_and_ctrl_c_ends_it(
    tmp_path: Path, server: Server, team_database: str
) -> None:
    """It waits for a lock in the server, so that it cannot have ended by itself with 130."""
    home = Home.at(tmp_path)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    environment["XDG_DATA_HOME"] = str(tmp_path / "data")
    words = ["team", "join", server.dsn(team_database)]
    assert zsh_ls(home, environment, *words).returncode == 0
    # The memory of that environment.
    with memory.opened(Settings(database=str(tmp_path / "data/zsh-ls/alan.db"))) as (store, _):
        store.record_all([home.ended("make test", Outcome.SUCCESS, 20.0)] * 1200)
    ours, theirs = pty.openpty()
    with server.connect(team_database) as admin:
        admin.execute("BEGIN")
        admin.execute("LOCK TABLE zsh_ls.contribution")
        with subprocess.Popen(
            [sys.executable, "-m", "zsh_ls", "team", "sync"],
            cwd=home.project,
            env=environment,
            stderr=theirs,
        ) as syncing:
            shown = b""
            while b"0 batches sent, 3 wait" not in shown:
                shown += os.read(ours, 4096)
            syncing.send_signal(signal.SIGINT)
            assert syncing.wait(PATIENCE_S) == 130
        admin.execute("ROLLBACK")
    os.close(theirs)
    os.close(ours)
    quiet = zsh_ls(home, environment, "team", "sync")
    assert (quiet.returncode, quiet.stderr) == (
        0,
        "1200 runs sent in all, 0 wait; 1 agent gives.\n",
    )
    assert stored(server, team_database) == [(1200, 0, 0, 0, 1)]


def test_local_reads_ask_for_no_more_than_one_row_without_a_team(tmp_path: Path) -> None:
    """TEAM-4: without `team join` nothing of a team is looked for."""
    world = World.on_file(tmp_path / "alan.db")
    asked: list[str] = []
    assert isinstance(world.store, Store)
    world.store._connection.set_trace_callback(asked.append)
    world.past("make test")
    assert [it for it in asked if "team" in it] == ["SELECT 1 FROM team_figure WHERE 1 LIMIT 1"]
