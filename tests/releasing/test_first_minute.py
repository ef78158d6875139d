"""From an empty home, each frontend says something true of the person's own files within a minute.

Neovim does in `tests/editors/nvim/test_first_minute.py`; each test of `tests/editors/vscode` begins
in an empty home.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mcp.session import session, text_of
from tests.server.rpc import peer
from tools.releasing.results import home_in

MINUTE_S = 60.0
PROGRAM = Path(sys.executable).with_name("zsh-ls")
SCRIPT = "#!/bin/zsh\nset -e\nmake deploy | tee deploy.log\n"
TRUE_OF_IT = "a failure of 'make deploy' is lost"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return home_in(tmp_path / "home")


@pytest.fixture
def script(tmp_path: Path) -> Path:
    file = tmp_path / "home/project/deploy.zsh"
    file.parent.mkdir(parents=True)
    file.write_text(SCRIPT)
    return file


@contextmanager
def a_minute() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < MINUTE_S


def said(home: dict[str, str], folder: Path, *words: str) -> str:
    done = subprocess.run(
        [PROGRAM, *words],
        cwd=folder,
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_command_line_says_what_is_lost_in_a_script(home: dict[str, str], script: Path) -> None:
    with a_minute():
        told = said(home, script.parent, "check", ".")
    assert f"deploy.zsh:3:1: warning[masked-build-failure] {TRUE_OF_IT}" in told


def test_the_command_line_says_what_the_first_exit_meant(
    home: dict[str, str], script: Path
) -> None:
    with a_minute():
        told = said(home, script.parent, "run", "ls deploy.sh | wc -l")
    assert told.splitlines()[0] == "0"
    assert "pipe segment 1 exited 2 (masked by downstream)" in told


@pytest.mark.slow
def test_the_command_line_says_which_line_of_their_zshrc_is_slow(
    home: dict[str, str], script: Path
) -> None:
    (Path(home["HOME"]) / ".zshrc").write_text("alias ll='ls -l'\nsleep 0.3\n")
    with a_minute():
        told = json.loads(said(home, script.parent, "startup", "--shell", "zsh", "--json"))
    lines = {(Path(it["file"]).name, it["line"]) for it in told["lines"] if it["own_ms"] > 250}
    assert lines == {(".zshrc", 2)}


def test_a_language_client_is_told_on_the_line(home: dict[str, str], script: Path) -> None:
    with a_minute(), peer(env=home) as server:
        server.call("initialize", {"rootUri": script.parent.as_uri(), "capabilities": {}})
        server.notify("initialized", {})
        document = {"uri": script.as_uri(), "languageId": "zsh", "version": 1, "text": SCRIPT}
        server.notify("textDocument/didOpen", {"textDocument": document})
        news = server.until(
            lambda it: (
                it.get("method") == "textDocument/publishDiagnostics"
                and bool(it["params"]["diagnostics"])
            ),
            MINUTE_S,
        )
    (found,) = (it for it in news["params"]["diagnostics"] if it["message"].startswith(TRUE_OF_IT))
    assert found["range"]["start"]["line"] == 2


async def test_an_agent_is_told_by_its_tool(home: dict[str, str], script: Path) -> None:
    async with asyncio.timeout(MINUTE_S):
        async with session(home, script.parent) as agent:
            assert TRUE_OF_IT in await text_of(agent, "zsh_check", path=str(script))
