"""From an empty home, Neovim says something true of the person's own script within a minute."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from .neovim import neovim

MINUTE_S = 60.0
SCRIPT = "#!/bin/zsh\nset -e\nmake deploy | tee deploy.log\n"
TELL = Path(__file__).with_name("first_minute.lua")


@pytest.mark.slow
@pytest.mark.real_editor
def test_neovim_says_on_the_line_what_is_lost(tmp_path: Path) -> None:
    began = time.monotonic()
    with neovim("0.12", tmp_path / "person") as editor:
        editor.environment.write("deploy.zsh", SCRIPT)
        done = editor.run("deploy.zsh", "-S", str(TELL))
    assert time.monotonic() - began < MINUTE_S
    said = json.loads(done.stdout)
    assert any(it.startswith("a failure of 'make deploy' is lost") for it in said)
