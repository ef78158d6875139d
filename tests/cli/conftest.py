"""`zsh-ls` as a person starts it: a real process with data folders of its own, in this terminal session."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Cli = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """An environment whose data, state, cache and runtime folders are the test's own.

    It has a TERM: without one each run would ask a login shell for what a desktop does not give.
    """
    places = {
        f"XDG_{name}_HOME": str(tmp_path / name.lower())
        for name in ("DATA", "STATE", "CONFIG", "CACHE")
    }
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    # Below `tmp_path` there is no room for a socket's name: what is detached would be every test's to see.
    with tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as runtime:
        own = {"XDG_RUNTIME_DIR": runtime, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        yield kept | places | own


@pytest.fixture
def cli(environment: Mapping[str, str], tmp_path: Path) -> Cli:
    """Run `zsh-ls` with arguments; `env` adds to the environment, `input` is typed."""
    folder = tmp_path / "project"
    folder.mkdir()

    def run(*arguments: str, env: Mapping[str, str] | None = None, input: str = "") -> object:  # noqa: A002
        return subprocess.run(
            [sys.executable, "-m", "zsh_ls", *arguments],
            cwd=folder,
            env={**environment, **(env or {})},
            input=input,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run  # type: ignore[return-value]
