"""`zsh-ls import`: its summary, and what it says of a missing history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


# CLI-5
@pytest.mark.slow
def test_a_history_is_imported_once_and_then_known(cli: Cli, tmp_path: Path) -> None:
    history = tmp_path / "history"
    history.write_text("".join(f": {1_790_000_000 + n}:4;make all\n" for n in range(5)))
    done = cli("import", "zsh-history", str(history))
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 runs taken in" in done.stdout
    assert "5 without an exit" in done.stdout
    again = json.loads(cli("import", "zsh-history", str(history), "--json").stdout)
    assert (again["taken"], again["known_before"]) == (0, 5)
    stats = json.loads(cli("stats", "make all", "--json").stdout)
    assert stats["known"]
    assert stats["durations"] == {"median_s": 4.0, "p90_s": 4.0, "samples": 5}
    assert stats["recent"][0]["origin"] == "import"


@pytest.mark.slow
def test_a_missing_history_is_one_clear_line(cli: Cli, tmp_path: Path) -> None:
    done = cli("import", "atuin", str(tmp_path / "nowhere.db"))
    assert done.returncode == 125
    assert "nowhere.db is not there" in done.stderr
    assert done.stderr.count("\n") == 1
