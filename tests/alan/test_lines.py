"""Tests of the lines that `zsh-ls history` searches."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import World
from zsh_ls.alan.store import lines
from zsh_ls.alan.store.lines import LineIndex, lines_of, newest_lines
from zsh_ls.alan.store.retention import PATTERN_KEPT_MS
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.words import Origin, Outcome

HERE, THERE = "/home/me/here", "/home/me/there"


def ran(command: str, project: str, at: float, status: int = 0) -> CompletedRun:
    outcome = Outcome.FAILURE if status else Outcome.SUCCESS
    return CompletedRun(
        command=command,
        shell="zsh",
        exit=status,
        pipestatus=(status,),
        outcome=outcome,
        duration_s=1.5,
        started_at=at,
        session="s",
        cwd=f"{project}/src",
        project=project,
        origin=Origin.TERMINAL,
    )


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World.on_file(tmp_path / "alan.db")
    for run in (
        ran("make all", THERE, 100.0),
        ran("make test", HERE, 200.0),
        ran("make all", HERE, 300.0, 2),
        ran("make install", THERE, 400.0),
        ran("make all", HERE, 500.0),
        ran("echo 'x  y' | Grep Z", THERE, 600.0, 1),
    ):
        made.store.record(run)
    return made


def connected(tmp_path: Path) -> sqlite3.Connection:
    return sqlite3.connect(tmp_path / "alan.db")


def texts(tmp_path: Path) -> set[str]:
    return {row["text"] for row in query(tmp_path / "alan.db", "SELECT text FROM line")}


# PROMPT-2
@pytest.mark.parametrize(
    ("words", "only_here", "expected"),
    [
        ((), False, ["make all", "make test", "echo 'x  y' | Grep Z", "make install"]),
        (("make",), False, ["make all", "make test", "make install"]),
        (("TEST", "ma"), False, ["make test"]),
        (("grep",), False, ["echo 'x  y' | Grep Z"]),
        ((), True, ["make all", "make test"]),
        (("nothing",), False, []),
    ],
)
def test_lines_are_found_here_first_newest_first_each_once(
    world: World, tmp_path: Path, words: tuple[str, ...], only_here: bool, expected: list[str]
) -> None:
    connection = connected(tmp_path)
    listed = newest_lines(connection, words, project=HERE, only_here=only_here, limit=10)
    assert [line.command for line in listed] == expected
    index = LineIndex(HERE, only_here)
    for _ in index.load(connection):
        pass
    assert lines_of(connection, index.found(words, 10)) == listed
    assert index.found(words, 1) == index.found(words, 10)[:1]


# PROMPT-2
@pytest.mark.parametrize("typed", ["make test", "TEST ma", "grep z", "zz", "make x"])
def test_a_query_that_grows_or_changes_finds_what_a_new_one_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr(lines, "LINES_A_CHUNK", 2)
    store = World.on_file(tmp_path / "alan.db").store
    for at, text in enumerate(["make all", "grep z x", "ls", "make test", "zz", "cd", "make x"]):
        store.record(ran(text, HERE, 100.0 + at))
    connection = connected(tmp_path)
    index = LineIndex(HERE)
    assert list(index.load(connection)) == [2, 4, 6, 7]
    queries = [typed[:at] for at in range(len(typed) + 1)]
    for query_now in (*queries, *reversed(queries), "make", "z", "make"):
        fresh = LineIndex(HERE, chunks=index.chunks)
        words = query_now.split()
        assert index.found(words, 10) == fresh.found(words, 10), query_now


def test_a_query_that_grows_is_not_looked_for_where_there_was_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LINES_A_CHUNK", 1)
    index = LineIndex(HERE)
    chunks = list(index.load(connected(tmp_path)))
    steps = [len(list(index.search([word]))) for word in ("insta", "instal", "in")]
    # Each chunk is a step and so is each line found.
    assert steps == [len(chunks) + 1, 2, len(chunks) + 1]


def test_a_line_tells_how_its_last_run_went(world: World, tmp_path: Path) -> None:
    (line,) = newest_lines(
        connected(tmp_path), ["make", "all"], project=HERE, only_here=True, limit=10
    )
    assert (line.exit, line.duration_s, line.at, line.runs) == (0, 1.5, 501.5, 2)
    assert (line.cwd, line.project, line.origin) == (f"{HERE}/src", HERE, Origin.TERMINAL)


# ALAN-7
def test_a_line_with_a_space_before_it_or_a_secret_is_not_kept(
    world: World, tmp_path: Path
) -> None:
    world.store.record(ran(" echo hidden", HERE, 700.0))
    world.store.record(ran("mysql -uroot -phunter2hunter2 db", HERE, 800.0))
    kept = " ".join(texts(tmp_path))
    assert "hidden" not in kept
    assert "hunter2" not in kept
    assert "mysql -uroot" in kept


# CLI-7
def test_what_is_forgotten_is_in_no_history(world: World, tmp_path: Path) -> None:
    world.store.forget("make test")
    assert "make test" not in texts(tmp_path)
    world.store.forget_since(550.0)
    assert texts(tmp_path) == {"make all", "make install"}
    world.store.forget_project(THERE)
    assert [row["project"] for row in query(tmp_path / "alan.db", "SELECT * FROM line")] != []
    assert texts(tmp_path) == {"make all"}
    world.store.forget_all()
    assert texts(tmp_path) == set()


def test_of_a_line_whose_last_run_is_forgotten_its_first_is_left(
    world: World, tmp_path: Path
) -> None:
    world.store.forget_since(450.0)
    (line,) = newest_lines(
        connected(tmp_path), ["make", "all"], project=HERE, only_here=True, limit=10
    )
    assert (line.at, line.exit, line.duration_s, line.runs) == (301.5, None, None, 1)


def test_a_line_is_kept_longer_than_its_run_and_not_for_ever(world: World, tmp_path: Path) -> None:
    day_s = 86_400
    for at in range(130):
        world.store.record(ran("true", HERE, 30 * day_s + at))
    world.store.tidy()
    assert "make test" in texts(tmp_path)
    assert not query(tmp_path / "alan.db", "SELECT * FROM run WHERE preview = 'make test'")
    for at in range(130):
        world.store.record(ran("true", HERE, PATTERN_KEPT_MS / 1000 + day_s + at))
    world.store.tidy()
    assert texts(tmp_path) == {"true"}


def test_newer_rules_read_the_lines_again(world: World, tmp_path: Path) -> None:
    with connected(tmp_path) as connection:
        connection.execute("UPDATE meta SET value = '1' WHERE key = 'rules_version'")
        connection.execute("UPDATE line SET text = 'mysql -uroot -phunter2hunter2 db'")
    reopened = World.on_file(tmp_path / "alan.db")
    while reopened.store.renew_some():
        pass
    assert "hunter2" not in " ".join(texts(tmp_path))
