"""No script gets out of a rehearsal (REH-5); each attempt is also in `attempts_outside.txt`.

As root each is tried a second time as an ordinary user (`ordinary.py`), who has fewer rights but whose
sandbox is made another way.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from zsh_ls.rehearsal.report import RehearsalLimit

from .attempts import ATTEMPTS, Attempt
from .ordinary import folder_of_ordinary, python, tried_as
from .score_attempts import NOBODY_READS, PARENT, tried
from .world import world

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="the other tests are an ordinary user's")


@pytest.fixture
def home() -> Iterator[Path]:
    """The home of an ordinary user, which is neither in /tmp nor in /run, as a rehearsal hides those."""
    PARENT.mkdir(exist_ok=True)
    folder = PARENT / f"ordinary-{os.urandom(6).hex()}"
    yield folder_of_ordinary(folder)
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda it: it.name)
def test_an_attempt_is_held(attempt: Attempt) -> None:
    PARENT.mkdir(exist_ok=True)
    with world(PARENT) as made:
        stopped, touched = tried(made, attempt)
    assert touched == set()
    assert stopped == (RehearsalLimit.TIME if attempt.name in NOBODY_READS else None)


@as_root
@pytest.mark.slow
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda it: it.name)
def test_an_attempt_of_an_ordinary_user_is_held(attempt: Attempt, home: Path) -> None:
    """Where that user may have no user namespaces, the sandbox is refused and says so (REH-4)."""
    if python() is None:
        pytest.skip("not tried: no Python of this machine can be run by an ordinary user")
    refused = tried_as(home, ["check"])["refused"]
    if refused is not None:
        assert "user namespaces" in refused
        pytest.skip(f"not tried: {refused}")
    found = tried_as(home, [attempt.name])
    assert found["touched"] == []
    assert found["stopped"] == (RehearsalLimit.TIME if attempt.name in NOBODY_READS else None)


@pytest.mark.parametrize("user", ["root", "ordinary"])
def test_most_attempts_reach_outside_what_they_aim_at(user: str) -> None:
    """By the record of a run with nothing around them."""
    name = "attempts_outside.txt" if user == "root" else "attempts_outside_ordinary.txt"
    told = Path(__file__).with_name(name).read_text().splitlines()
    reached = {line.split()[0] for line in told if line.split()[1:2] == ["reached"]}
    assert len(reached) >= 60
    assert {it.name for it in ATTEMPTS} >= reached
