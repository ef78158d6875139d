"""The files for other projects' registries: loaded by what would load them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.editors.environment import EDITORS, editor_environment
from tests.editors.nvim.neovim import Neovim
from zsh_ls import __version__

REGISTRY = EDITORS / "registry"
CATEGORIES = {"Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"}
SCRIPT = "#!/bin/zsh\nmake test | tee test.log\n"


@pytest.fixture(scope="module")
def package() -> dict[str, object]:
    """Mason's package, as YAML has it."""
    loaded: dict[str, object] = yaml.safe_load(
        (REGISTRY / "mason/packages/zsh-ls/package.yaml").read_text()
    )
    return loaded


def test_mason_installs_this_version_from_pypi_and_links_its_program(package) -> None:  # type: ignore[no-untyped-def]
    assert package["source"] == {"id": f"pkg:pypi/zsh-ls@{__version__}"}
    assert package["bin"] == {"zsh-ls": "pypi:zsh-ls"}


def test_mason_s_package_has_what_its_schema_asks_for_and_no_more(package) -> None:  # type: ignore[no-untyped-def]
    required = {"name", "description", "homepage", "licenses", "languages", "categories", "source"}
    assert set(package) == required | {"bin", "neovim"}
    assert package["name"] == "zsh-ls"
    assert set(package["categories"]) <= CATEGORIES


def test_mason_names_the_configuration_that_lspconfig_has(package) -> None:  # type: ignore[no-untyped-def]
    name = package["neovim"]["lspconfig"]
    assert (REGISTRY / f"nvim-lspconfig/lsp/{name}.lua").exists()


@pytest.mark.slow
@pytest.mark.real_editor
def test_neovim_attaches_by_the_file_for_lspconfig_alone(tmp_path: Path) -> None:
    with editor_environment(tmp_path) as environment:
        environment.write("script.zsh", SCRIPT)
        editor = Neovim("0.12", environment)
        done = subprocess.run(
            [editor.command[0], "--clean", "--headless", "-l", str(_here("attaches.lua"))],
            cwd=environment.project,
            env={**editor.env, "ZSH_LS_LSPCONFIG": str(REGISTRY / "nvim-lspconfig")},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.stdout, done.stderr
        found = json.loads(done.stdout)
        assert (found["name"], found["root"]) == ("zsh_ls", str(environment.project))
        assert "a failure of 'make test' is lost" in found["said"][0]


def _here(name: str) -> Path:
    return Path(__file__).parent / name
