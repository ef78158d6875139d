"""What a release has, installed in every way that a tool is at hand for: no row of its table has failed."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tools.releasing import neovim, python
from tools.releasing.results import FAILED

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# Tried wherever the tests run: lazy.nvim and mini.deps want GitHub, the rock luarocks.
ALWAYS: dict[ModuleType, set[str]] = {
    python: {
        *("pip", "pip, from the source", "pipx", "pipx, then zsh-ls mcp", "uv tool", "uvx"),
        *("uvx, with [mcp]", "the README's lines", "the README's lines for uv"),
    },
    neovim: {"Neovim, as a package", "Neovim 0.12 itself"},
}


@pytest.mark.parametrize("artefact", ALWAYS, ids=lambda it: it.__name__.rpartition(".")[2])
def test_it_is_installed_as_people_install_it(artefact: ModuleType, tmp_path: Path) -> None:
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    out.mkdir()
    scratch.mkdir()
    rows = artefact.check(artefact.make(out), scratch)
    assert [it for it in rows if it.outcome == FAILED] == []
    assert {it.tried for it in rows if it.outcome == "ok"} >= ALWAYS[artefact]
