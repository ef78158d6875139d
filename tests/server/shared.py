"""Servers that other processes can join, each with a home and a workspace of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .conftest import home_in
from .rpc import PATIENCE_S, Peer


@contextmanager
def place(folder: Path) -> Iterator[tuple[dict[str, str], Path]]:
    """A home, whose path leaves room for the name of a socket, and a workspace."""
    project = folder / "project"
    project.mkdir()
    with tempfile.TemporaryDirectory(prefix="zl-") as runtime:
        yield {**home_in(folder), "XDG_RUNTIME_DIR": runtime}, project


def started(
    home: dict[str, str], project: Path, capabilities: object = None, options: object = None
) -> Peer:
    """A server whose socket is there; `options` go with `initialize`."""
    found = Peer(env=home)
    speaks = {"experimental": {"zshLs": {"version": 1}}, **(capabilities or {})}  # type: ignore[dict-item]
    before = sockets(home)
    found.initialize(speaks, rootUri=project.as_uri(), initializationOptions=options)
    assert found.call("zsh/health")["status"] == "healthy"
    wait_until(lambda: sockets(home) - before)
    return found


def wait_until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.01)


def sockets(home: dict[str, str]) -> set[Path]:
    return set((Path(home["XDG_RUNTIME_DIR"]) / "zsh-ls").glob("*.sock"))


def server_of(editor: Peer) -> int:
    """The process of the server, a child of its supervisor."""
    children = Path(f"/proc/{editor.process.pid}/task/{editor.process.pid}/children")
    return max(int(pid) for pid in children.read_text().split())
