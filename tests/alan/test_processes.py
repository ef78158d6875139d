"""Tests of several servers on one file, also killed while they write: no acknowledged record is lost.

`ZSH_LS_STORE_SECONDS=20 ZSH_LS_STORE_KILLS=50` makes both longer.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.alan.test_agreed_names import query

ROOT = Path(__file__).parent.parent.parent
SECONDS = float(os.environ.get("ZSH_LS_STORE_SECONDS", "2"))
KILLS = int(os.environ.get("ZSH_LS_STORE_KILLS", "10"))
SERVERS = 8


def writer(path: Path, name: str, seconds: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.alan.writer", str(path), name, str(seconds)]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )


def check(path: Path, acknowledged: int, unheard: int = 0) -> None:
    """Assert that the file is sound, holds what was acknowledged, and that its patterns agree with its log.

    `unheard`: how many more may be stored whose acknowledgement was cut off.
    """
    (integrity,) = query(path, "PRAGMA integrity_check")
    assert list(integrity.values()) == ["ok"]
    (counts,) = query(
        path,
        """SELECT (SELECT count(*) FROM run) AS log,
            (SELECT sum(runs) FROM pattern WHERE kind = 0) AS commands,
            (SELECT sum(runs) FROM pattern WHERE kind = 1) AS templates,
            (SELECT sum(runs) FROM session_template) AS sessions""",
    )
    assert acknowledged <= counts["log"] <= acknowledged + unheard
    assert set(counts.values()) == {counts["log"]}


@pytest.mark.slow
def test_eight_servers_on_one_file_lose_nothing_and_meet_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    servers = [writer(path, f"server{n}", SECONDS) for n in range(SERVERS)]
    acknowledged = 0
    for server in servers:
        printed, complaint = server.communicate(timeout=SECONDS + 60)
        assert (server.returncode, complaint.decode()) == (0, "")
        acknowledged += printed.count(b"\n")
    assert acknowledged >= SERVERS
    check(path, acknowledged)


@pytest.mark.slow
def test_a_writer_killed_at_any_moment_loses_no_acknowledged_record(tmp_path: Path) -> None:
    path, acknowledged = tmp_path / "alan.db", 0
    for kill in range(KILLS):
        server = writer(path, f"server{kill}", 60)
        assert server.stdout is not None
        for _ in range(20 + 37 * kill % 100):
            assert server.stdout.readline()
        server.send_signal(signal.SIGKILL)
        printed, _ = server.communicate(timeout=60)
        acknowledged += 20 + 37 * kill % 100 + printed.count(b"\n")
        check(path, acknowledged, unheard=kill + 1)
