"""No script gets out of a rehearsal (REH-5); each attempt is also in `attempts_outside.txt`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zsh_ls.rehearsal.rehearse import rehearse
from zsh_ls.rehearsal.report import RehearsalLimit
from zsh_ls.rehearsal.request import RehearsalRequest
from zsh_ls.sidecar.rehearsing import as_plain

from .attempts import ATTEMPTS, Attempt
from .score_attempts import PARENT, written
from .world import world

# Who opens a FIFO to write waits for its reader, which is outside: the time limit ends the wait.
NOBODY_READS = {"fifo", "fifo-link"}


@pytest.mark.slow
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda it: it.name)
def test_an_attempt_is_held(attempt: Attempt) -> None:
    PARENT.mkdir(exist_ok=True)
    with world(PARENT) as made:
        script = written(made, attempt)
        os.set_inheritable(made.inherited, True)
        found = rehearse(
            RehearsalRequest(
                str(script),
                cwd=str(made.workspace),
                real=True,
                environment=made.environment,
                timeout_s=20 if attempt.name in NOBODY_READS else 60,
            )
        )
        if attempt.name in NOBODY_READS:
            assert found.stopped is not None
            assert found.stopped.reason is RehearsalLimit.TIME
        else:
            assert found.stopped is None
        assert made.touched(f"{as_plain(found, first_line=1)}{found.output}") == set()


def test_most_attempts_reach_outside_what_they_aim_at() -> None:
    told = Path(__file__).with_name("attempts_outside.txt").read_text().splitlines()
    reached = {line.split()[0] for line in told if line.split()[1:2] == ["reached"]}
    assert len(reached) >= 60
    assert {it.name for it in ATTEMPTS} >= reached
