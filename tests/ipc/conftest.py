"""A folder whose path leaves room for the name of a socket, as a real runtime folder's does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def runtime() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="zl-") as folder:
        yield Path(folder) / "run"
