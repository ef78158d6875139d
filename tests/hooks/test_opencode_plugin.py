"""The module that opencode loads, run by Node; its client and `zsh-ls` stand in for the real ones."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from zsh_ls.hooks.events import opencode

# What opencode 1.18 does: it loads the module, and calls its hooks around each tool.
DRIVER = """
import { ZshLs } from "./plugin.mjs";
const permission = { bash: { "*": "allow" } };
const data = { permission, agent: { plan: { permission: "ask" } } };
const client = { config: { get: async () => ({ data }) } };
const hooks = await ZshLs({ client, directory: "/work/shop" });
const input = { tool: "bash", callID: "1", sessionID: "s" };
const before = { args: { command: "make" } };
await hooks["tool.execute.before"](input, before);
const after = { output: "out", metadata: { exit: 0 } };
await hooks["tool.execute.after"]({ ...input, args: before.args }, after);
const other = { args: { path: "a" } };
await hooks["tool.execute.before"]({ ...input, tool: "read" }, other);
console.log(JSON.stringify({ command: before.args.command, output: after.output, other }));
"""
# It keeps what it is told, and answers as each of its two uses does.
ZSH_LS = """#!/bin/sh
case "$*" in
"hook opencode --rewrite") cat > before.json; echo '{"command": "zsh-ls run make"}' ;;
"hook opencode") cat > after.json; echo '{"context": "news"}' ;;
esac
"""


def driven(folder: Path, program: str, *, rewrite: bool) -> dict[str, object]:
    (folder / "plugin.mjs").write_text(opencode.plugin(rewrite=rewrite))
    (folder / "driver.mjs").write_text(DRIVER)
    (folder / "bin").mkdir()
    (folder / "bin" / "zsh-ls").write_text(program)
    (folder / "bin" / "zsh-ls").chmod(0o755)
    done = subprocess.run(
        ["node", "driver.mjs"],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


# HOOK-2
def test_with_rewrite_the_command_is_replaced_and_the_rules_are_told(tmp_path: Path) -> None:
    found = driven(tmp_path, ZSH_LS, rewrite=True)
    assert found == {
        "command": "zsh-ls run make",
        "output": "out\n\nnews",
        "other": {"args": {"path": "a"}},
    }
    told = json.loads((tmp_path / "before.json").read_text())
    assert told["permissions"] == [{"bash": {"*": "allow"}}, "ask"]
    asked = opencode.asked(told)
    assert asked is not None
    assert (asked.command, asked.folder) == ("make", "/work/shop")


# HOOK-1, HOOK-2
def test_without_it_nothing_is_asked_before_a_command(tmp_path: Path) -> None:
    found = driven(tmp_path, ZSH_LS, rewrite=False)
    assert (found["command"], found["output"]) == ("make", "out\n\nnews")
    assert not (tmp_path / "before.json").exists()


# HOOK-3
@pytest.mark.parametrize(
    "program", ["#!/bin/sh\nexit 3\n", "#!/bin/sh\necho '{'\n", "#!/nowhere\n"]
)
def test_a_broken_zsh_ls_changes_nothing(program: str, tmp_path: Path) -> None:
    found = driven(tmp_path, program, rewrite=True)
    assert (found["command"], found["output"]) == ("make", "out")
