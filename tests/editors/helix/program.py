"""The unpacked Helix, and the configuration that it is given."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.editors.environment import EDITORS, EditorEnvironment
from tests.editors.fetch_debs import unpacked


def helix_program() -> Path:
    """The program; it finds its runtime beside itself."""
    return unpacked("helix") / "usr/lib/hx/hx"


def configure(environment: EditorEnvironment) -> None:
    """The files of editors/helix, where Helix reads them."""
    folder = environment.home / ".config/helix"
    folder.mkdir(parents=True)
    for name in ("languages.toml", "config.toml"):
        shutil.copy(EDITORS / "helix" / name, folder)
