"""Tests that no secret of tests/data/secrets reaches the file or an answer (ALAN-7)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.alan.world import World
from tests.shell.secret_cases import TELLING_LENGTH, SecretCase, pieces, secret_cases
from tests.shell.test_redact import FILES, MISSED

RUN = re.compile(rf"[^\x00-\x08\x0b-\x1f]{{{TELLING_LENGTH},}}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "alan.db"


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_no_secret_is_in_the_file_nor_in_what_is_remembered(name: str, path: Path) -> None:
    cases = [case for case in secret_cases(name) if case.line not in MISSED]
    world = World.on_file(path)
    # The names of tables may hold what a token begins with (`depot_project_`).
    of_every_memory = held(path)
    for number, case in enumerate(cases):
        world.run(case.command, number % 2)
    remembered = "\n".join(repr(world.past(case.command)) for case in cases)
    assert leaking(cases, held(path) + remembered, of_every_memory) == []
    world.store.close()


def held(path: Path) -> str:
    """All bytes of the database, its log and the log's index."""
    return "".join(file.read_bytes().decode("latin-1") for file in path.parent.iterdir())


def leaking(cases: list[SecretCase], text: str, innocent: str) -> list[str]:
    """The lines of the cases of which a secret, or a telling part of one, is in the text."""
    telling = {piece for case in cases for secret in case.secrets for piece in pieces(secret)}
    told = {piece for piece in parts_of(text) if piece in telling and piece not in innocent}
    return [
        case.line
        for case in cases
        for secret in case.secrets
        if (secret in text if len(secret) < TELLING_LENGTH else told & set(pieces(secret)))
    ]


def parts_of(text: str) -> Iterator[str]:
    """Each part of the text that would be a leak if it were part of a secret.

    The file and its log hold the same rows many times over, with other control characters between them.
    """
    for run in set(RUN.findall(text)):
        for at in range(len(run) - TELLING_LENGTH + 1):
            yield run[at : at + TELLING_LENGTH]
