"""What tests of several folders share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .vscode.product import packed_extension


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The .vsix of the extension, built once for all workers: it takes most of a minute."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "vsix"
    folder.mkdir(exist_ok=True)
    return packed_extension(folder)
