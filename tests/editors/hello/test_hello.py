"""The server is tested with what real editors say first; they still say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recorder import EDITORS_HERE, recorded, said_by


@pytest.mark.slow
@pytest.mark.real_editor
@pytest.mark.parametrize("name", EDITORS_HERE)
def test_an_editor_says_what_was_recorded_of_it(name: str, tmp_path: Path) -> None:
    assert said_by(name, tmp_path) == recorded(name)
