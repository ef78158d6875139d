"""The command that adds an extra fits how zsh-ls was installed."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from zsh_ls.system.installation import EXTRAS, adding

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("left", "line"),
    [
        ("pipx_metadata.json", "pipx inject zsh-ls mcp"),
        ("uv-receipt.toml", "uv tool install 'zsh-ls[mcp]'"),
    ],
)
def test_an_installer_of_programs_is_known_by_what_it_leaves(
    tmp_path: Path, left: str, line: str
) -> None:
    (tmp_path / left).touch()
    assert adding("mcp", tmp_path) == line


def test_uvx_is_told_what_to_start_with() -> None:
    prefix = Path("/home/me/.cache/uv/archive-v0/b7N-mJb8v8jcxbZx")
    assert adding("mcp", prefix) == "uvx --from 'zsh-ls[mcp]' zsh-ls"


def test_elsewhere_it_is_the_pip_of_this_python() -> None:
    assert shlex.split(adding("mcp")) == [
        f"{sys.prefix}/bin/python",
        *("-m", "pip", "install", "zsh-ls[mcp]"),
    ]


def test_what_pipx_injects_is_what_the_extra_brings() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for name, packages in EXTRAS.items():
        asked = {re.match(r"[\w.-]+(\[\w+\])?", it)[0] for it in extras[name]}  # type: ignore[index]
        assert asked == set(packages)
