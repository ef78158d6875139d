"""What servers that are gone have run stays in the list of tasks, as long as its output is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import home_in
from .rpc import peer

pytestmark = pytest.mark.slow


def test_a_later_server_lists_what_an_earlier_one_ran_and_has_its_output(tmp_path: Path) -> None:
    home = home_in(tmp_path)
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    with peer(env=home) as first:
        first.initialize(rootUri=folder.as_uri())
        ran = [
            first.call("zsh/run", {"command": it, "cwd": str(folder), "yield_after": 60})["task_id"]
            for it in ("print one", "print two; exit 3")
        ]
        first.leave()
    with peer(env=home) as later:
        later.initialize(rootUri=folder.as_uri())
        own = later.call("zsh/run", {"command": "print own", "cwd": str(folder), "yield_after": 60})
        listed = later.call("zsh/tasks", {"all": True})["tasks"]
        assert [it["task_id"] for it in listed] == [*ran, own["task_id"]]
        assert [(it["command"], it.get("exit")) for it in listed[:2]] == [
            ("print one", 0),
            ("print two; exit 3", 3),
        ]
        assert [it["output_bytes"] for it in listed[:2]] == [4, 4]
        assert later.call("zsh/tasks", {})["tasks"] == []
        assert later.call("zsh/output", {"task_id": ran[1]})["output"] == "two\n"
