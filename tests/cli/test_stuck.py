"""`zsh-ls run` and `zsh-ls mcp` end although a thread is stuck or another process holds the database."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.alan.test_others_at_the_file import held, runs_in
from tests.alan.world import World
from tests.server.conftest import home_in
from tests.server.rpc import ROOT

PATIENCE_S = 60.0
STUCK = """
import importlib, sys, threading
module, owner, attribute = sys.argv.pop(1).split(":")
setattr(getattr(importlib.import_module(module), owner), attribute, lambda *_, **__: threading.Event().wait())
sys.argv[0] = "zsh-ls"
from zsh_ls.cli import main
raise SystemExit(main())
"""
STEPS = [
    "zsh_ls.alan.store.fallback_store:FallbackStore:record",
    "zsh_ls.alan.store.fallback_store:FallbackStore:close",
    "zsh_ls.alan.store.reader:Reader:close",
    "zsh_ls.tasks.engine:Engine:_keep",
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return os.environ | home_in(tmp_path)


def ended(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_line_is_run_and_shown_though_closing_is_stuck(
    environment: dict[str, str], step: str
) -> None:
    command = [sys.executable, "-c", STUCK, step, "run", "echo printed; (exit 3)"]
    done = ended(command, environment)
    assert (done.returncode, "printed" in done.stdout) == (3, True), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_the_frontend_for_agents_ends_with_its_pipe(environment: dict[str, str], step: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STUCK, step, "mcp"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(
            '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
            '"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
            '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
            '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":'
            '{"name":"zsh","arguments":{"command":"echo printed"}}}\n'
        )
        server.stdin.flush()
        while "printed" not in server.stdout.readline():
            pass
        server.stdin.close()
        server.wait(PATIENCE_S)


def test_a_line_is_run_and_remembered_while_another_process_writes(
    environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "data" / "alan.db"
    World.on_file(path).store.close()
    environment |= {"ALAN_DB_PATH": str(path)}
    run = [sys.executable, "-m", "zsh_ls", "run", "echo printed; (exit 3)"]
    with held(path, "BEGIN EXCLUSIVE"):
        done = ended(run, environment)
    assert (done.returncode, "printed" in done.stdout) == (3, True), done.stderr
    assert runs_in(path) == []
    ended(run, environment)
    assert runs_in(path) == ["echo printed; (exit 3)"] * 2


@pytest.mark.parametrize(
    ("command", "step", "progress"),
    [
        ("check", "zsh_ls.insights.script_model:ScriptModel:__init__", "checked 0 of 1 files"),
        ("failures", "zsh_ls.shell.syntax.lines:LineIndex:__init__", "looking at big.sh"),
    ],
)
def test_what_takes_long_of_a_script_is_shown_and_ends_at_ctrl_c(
    environment: dict[str, str], tmp_path: Path, command: str, step: str, progress: str
) -> None:
    (tmp_path / "big.sh").write_text("#!/bin/bash\nset -e\nmake | tee log\n")
    ours, theirs = pty.openpty()
    words = [sys.executable, "-c", STUCK, step, command, "big.sh"]
    with subprocess.Popen(words, cwd=tmp_path, env=environment, stderr=theirs) as working:
        os.close(theirs)
        try:
            shown = b""
            while progress.encode() not in shown:
                assert select.select([ours], [], [], PATIENCE_S)[0], shown
                shown += os.read(ours, 4096)
            working.send_signal(signal.SIGINT)
            assert working.wait(PATIENCE_S) == 130
        finally:  # what is stuck would be waited for without end
            working.kill()
            os.close(ours)
