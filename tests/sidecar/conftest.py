"""A real sidecar: real shells, a real database file, folders of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import attrs
import pytest

from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places


@pytest.fixture
def options(tmp_path: Path) -> SidecarOptions:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    places = Places(tmp_path / "data" / "alan.db", tmp_path / "outputs", tmp_path / "run")
    return SidecarOptions(
        session="test",
        workspace=str(workspace),
        places=places,
        settings=Settings(manopt_enabled=False),
    )


@pytest.fixture
async def sidecar(options: SidecarOptions) -> AsyncIterator[Sidecar]:
    service = await Sidecar.open(options)
    yield service
    await service.close()


def settled(options: SidecarOptions, **settings: object) -> SidecarOptions:
    """`options` with other settings."""
    return attrs.evolve(options, settings=attrs.evolve(options.settings, **settings))
