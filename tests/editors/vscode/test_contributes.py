"""What the manifest adds to VS Code: keys that shadow nothing, files that are shell scripts too."""

from __future__ import annotations

import json
from typing import Any

from .studio import REAL_EDITOR, Studio

pytestmark = REAL_EDITOR

DEFAULTS = "vscode://defaultsettings/keybindings.json"


def bindings_in(page: str) -> list[dict[str, Any]]:
    """The bindings of VS Code's own page of them; below the list it names commands without a key."""
    found: list[dict[str, Any]] = json.loads(page[page.index("[") : page.index("\n]") + 2])
    return found


async def test_no_key_of_ours_begins_as_one_of_vs_code_does(studio: Studio) -> None:
    bindings = bindings_in(await studio.host.ask("read", DEFAULTS))
    is_ours = [it["command"].startswith("zsh-ls.") for it in bindings]
    ours = {it["key"].split()[0] for it, own in zip(bindings, is_ours, strict=True) if own}
    theirs = {it["key"].split()[0] for it, own in zip(bindings, is_ours, strict=True) if not own}
    assert "ctrl+k" in theirs
    assert ours == {"ctrl+'"}
    assert ours & theirs == set()


async def test_completion_functions_of_zsh_are_shell_scripts(studio: Studio) -> None:
    path = studio.environment.write("_greet", "#compdef greet\n_arguments '1:name:(Ada Grace)'\n")
    assert (await studio.host.ask("open", str(path)))["language"] == "shellscript"
    assert await studio.host.until("lenses", str(path))
