"""Peers of the server: over a fake sidecar for the protocol alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .rpc import FAKE, Peer, peer


@pytest.fixture
def stranger() -> Iterator[Peer]:
    """A client that has said nothing yet, to a server over a fake sidecar."""
    with peer(FAKE) as found:
        yield found


@pytest.fixture(scope="session")
def _veteran() -> Iterator[Peer]:
    with peer(FAKE) as found:
        found.initialize()
        yield found


@pytest.fixture
def client(_veteran: Peer) -> Iterator[Peer]:
    """An initialized client without capabilities, shared: what one test sends, the next must not feel."""
    yield _veteran
    assert _veteran.call("zsh/health")["status"] == "healthy"
    _veteran.heard.clear()
