"""A database that fails while the server runs is reported once, and runs go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .rpc import Message, Peer, peer

MESSAGE = "window/showMessage"
WARNING = 2


def _remove(database: Path) -> None:
    for file in database.parent.glob("alan.db*"):
        file.unlink()


def _put_nonsense_there(database: Path) -> None:
    _remove(database)
    database.write_bytes(b"no database" * 1000)


def _run(found: Peer) -> None:
    assert found.call("zsh/run", {"command": "true"})["exit"] == 0
    found.call("zsh/stats")  # reads what was remembered: the writer has been there


def _warned(found: Peer) -> list[Message]:
    return [it["params"] for it in found.received if it.get("method") == MESSAGE]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trouble", "said"), [(_remove, "was removed"), (_put_nonsense_there, "is damaged")]
)
def test_a_database_that_breaks_under_a_live_server_is_said_once(
    home: dict[str, str], trouble: Callable[[Path], None], said: str
) -> None:
    database = Path(home["XDG_DATA_HOME"], "zsh-ls", "alan.db")
    with peer(env=home) as found:
        found.initialize()
        _run(found)
        assert _warned(found) == []
        trouble(database)
        _run(found)
        warning = found.news(MESSAGE)
        assert warning["type"] == WARNING
        assert warning["message"].startswith(f"zsh-ls: {database} {said}")
        _run(found)
        assert _warned(found) == []


@pytest.mark.slow
def test_a_database_that_is_broken_at_the_start_is_said_when_the_client_listens(
    home: dict[str, str],
) -> None:
    database = Path(home["XDG_DATA_HOME"], "zsh-ls", "alan.db")
    database.parent.mkdir(parents=True)
    database.write_bytes(b"no database" * 100)
    with peer(env=home) as found:
        found.initialize()
        assert found.news(MESSAGE)["message"].startswith(f"zsh-ls: {database} is damaged")
        _run(found)
        assert found.call("zsh/health")["database"]["status"] == "degraded"
        assert _warned(found) == []
    assert database.read_bytes() == b"no database" * 100
