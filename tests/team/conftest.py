"""One PostgreSQL for all tests of a worker, and a new database for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .postgres import Server, database
from .world import Home


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture
def team_database(server: Server) -> Iterator[str]:
    with database(server) as name:
        yield name


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.at(tmp_path / "ada")
