"""What plugin managers install: a branch whose root is the plugin, by Neovim's own manager."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.editors.environment import ROOT, editor_environment
from tests.editors.nvim.neovim import HERE, Neovim


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.slow
@pytest.mark.real_editor
def test_the_branch_is_the_plugin_and_neovim_installs_it(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(ROOT), str(clone))
    said = subprocess.run(
        [clone / "editors/nvim/release"], capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("nvim is ")
    here = set(git(clone, "ls-tree", "-r", "--name-only", "HEAD:editors/nvim").split())
    assert set(git(clone, "ls-tree", "-r", "--name-only", "nvim").split()) == here

    with editor_environment(tmp_path / "person") as environment:
        environment.write("script.zsh", "#!/bin/zsh\nmake test | tee test.log\n")
        editor = Neovim("0.12", environment)
        done = subprocess.run(
            [editor.command[0], "--headless", "-u", str(HERE / "installed.lua")],
            cwd=environment.project,
            env={**editor.env, "ZSH_LS_PLUGIN": f"file://{clone}"},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert done.stdout, done.stderr
        found = json.loads(done.stdout.splitlines()[-1])
        assert found["from"].startswith(str(environment.home)), "the checkout's own was loaded"
        assert found["name"] == "zsh_ls"
        assert found["commands"] == 2
        assert found["help"] > 0
        assert "a failure of 'make test' is lost" in found["said"][0]
        assert found["told"]["history.hints"] is False
