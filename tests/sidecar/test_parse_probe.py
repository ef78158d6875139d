"""Whether a text can be parsed is found out in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.sidecar.documents import parse_probe
from zsh_ls.sidecar.documents.parse_probe import is_readable


async def test_an_ordinary_text_is_readable() -> None:
    assert await is_readable("for x in *; do\n  echo $x | cat\ndone\n" * 1_000, Dialect.ZSH)


def _children() -> list[str]:
    threads = Path("/proc/self/task").iterdir()
    return [child for each in threads for child in (each / "children").read_text().split()]


async def test_what_takes_longer_than_it_may_is_not_and_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parse_probe, "ALLOWED_S", 0)
    before = _children()
    assert not await is_readable("if " * 400_000, Dialect.ZSH)
    assert set(_children()) <= set(before)


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A workspace with modules that end whoever imports them."""
    for name in ("zsh_ls.py", "json.py", "attrs.py", "sitecustomize.py"):
        (tmp_path / name).write_text("raise SystemExit(3)\n")
    return tmp_path


async def test_a_folder_of_the_workspace_is_not_where_the_process_imports_from(
    trap: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(trap)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert await is_readable("true\n", Dialect.ZSH)
