"""Names and addresses that a release is published under stand in one file; others agree with it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import zsh_ls
from tools.releasing.names import NAMES
from tools.releasing.neovim import released
from zsh_ls.model import addresses

ROOT = Path(__file__).parent.parent.parent


def test_the_package_has_the_address() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    urls = project["project"]["urls"]
    assert project["project"]["name"] == NAMES["pypi"]
    assert (urls["Source"], urls["Documentation"]) == (NAMES["repository"], NAMES["site"])
    assert urls["Issues"] == NAMES["repository"] + "/issues"
    hook = project["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    pictures, links = (it["replacement"] for it in hook["substitutions"])
    assert NAMES["raw_files"] in pictures
    assert NAMES["repository"] in links


def test_the_extension_has_the_address() -> None:
    extension = json.loads((ROOT / "editors/vscode/package.json").read_text())
    assert extension["publisher"] == NAMES["vscode_publisher"]
    assert extension["repository"]["url"] == NAMES["repository"] + ".git"
    assert extension["bugs"]["url"] == NAMES["repository"] + "/issues"


def test_the_program_has_the_addresses() -> None:
    assert NAMES["repository"] == addresses.REPOSITORY
    assert NAMES["site"] == addresses.SITE


def test_the_plugin_has_the_addresses() -> None:
    newest = (ROOT / "editors/nvim/zsh-ls.nvim-scm-1.rockspec").read_text()
    assert f"url = 'git+{NAMES['neovim_plugin']}'" in newest
    assert f"homepage = '{NAMES['repository']}'" in newest
    text = released(newest, "zsh-ls.nvim-1.tar.gz")
    place = f"releases/download/v{zsh_ls.__version__}/zsh-ls.nvim-1.tar.gz"
    assert f"source = {{ url = '{NAMES['repository']}/{place}' }}" in text
    assert f"version = '{zsh_ls.__version__}-1'" in text
    assert "scm" not in text
