"""A command imports what it uses: textual takes 0.3 s of processor time, `--version` as a whole 0.1 s."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest


@pytest.mark.parametrize("arguments", [["--version"], ["run", "true"]])
def test_what_draws_is_imported_by_commands_that_draw(
    environment: Mapping[str, str], arguments: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "zsh_ls", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.split("\n")
    }
    assert "zsh_ls" in imported
    assert not {"rich", "textual"} & imported
