"""Clients of a server with a fake sidecar, for tests of the protocol, and of the real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .rpc import FAKE, Peer, peer


@pytest.fixture
def stranger() -> Iterator[Peer]:
    """A client that has sent nothing yet, of a server with a fake sidecar."""
    with peer(FAKE) as found:
        yield found


@pytest.fixture(scope="session")
def _veteran() -> Iterator[Peer]:
    with peer(FAKE) as found:
        found.initialize()
        yield found


@pytest.fixture
def client(_veteran: Peer) -> Iterator[Peer]:
    """An initialized client without capabilities, shared by all tests: none may change its state."""
    yield _veteran
    assert _veteran.call("zsh/health")["status"] == "healthy"
    _veteran.received.clear()


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Variables of the environment that keep the server out of this user's own files."""
    return home_in(tmp_path)


@pytest.fixture(scope="session")
def real_one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    """A real server that the tests of a module share."""
    with peer(env=home_in(tmp_path_factory.mktemp("home"))) as found:
        found.initialize()
        yield found


def home_in(tmp_path: Path) -> dict[str, str]:
    """The variables that keep all files of zsh-ls below `tmp_path`."""
    for name in ("data", "state", "cache", "config"):
        (tmp_path / name).mkdir()
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    return {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_RUNTIME_DIR": str(runtime),
        "ALAN_DB_PATH": "",
    }


@pytest.fixture
def real(home: dict[str, str]) -> Iterator[Callable[..., Peer]]:
    """Starts a real server in a home of its own; what is given goes with `initialize`."""
    with ExitStack() as stack:

        def start(capabilities: object = None, **more: object) -> Peer:
            found = stack.enter_context(peer(env=home))
            found.initialize(capabilities, **more)
            return found

        yield start
