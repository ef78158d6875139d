"""Fixtures: a home, so that nothing of this user is read or written, and a project folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.conftest import home_in


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "home").mkdir()
    return home_in(tmp_path / "home")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder
