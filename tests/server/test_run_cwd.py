"""The setting `run.cwd`: where a run begins that names no folder, as the wire shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .rpc import Peer
from .shared import place

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("setting", "where"), [("workspace", ""), ("project", "/repo"), ("nowhere", "/repo/deep")]
)
def test_a_line_of_a_document_runs_where_the_setting_says(
    tmp_path: Path, setting: str, where: str
) -> None:
    with place(tmp_path) as (home, project):
        deep = project / "repo" / "deep"
        deep.mkdir(parents=True)
        (project / "repo" / ".git").mkdir()
        server = Peer(env=home)
        try:
            given = {"run": {"cwd": setting}}
            server.initialize(rootUri=project.as_uri(), initializationOptions=given)
            uri = (deep / "a.zsh").as_uri()
            server.open(uri, "pwd\n")
            line = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
            run = {"command": "pwd", "document": {"uri": uri, "range": line}}
            result = server.call("zsh/run", run)
            assert (result["cwd"], result["output"]) == (f"{project}{where}", f"{project}{where}\n")
            script = server.call("zsh/runScript", {"textDocument": {"uri": uri}})
            assert script["output"] == f"{project}{where}\n"
            if setting == "nowhere":
                told = server.news("window/showMessage")["message"]
                assert "run.cwd: expected document, workspace or project" in told
        finally:
            server.end()
