"""In a VS Code of another language the extension speaks that one: palette, questions, list.

The language pack is a stand-in for Microsoft's, whose texts are not ours: it makes German a language.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .host import packed_probe
from .kit import HERE
from .studio import REAL_EDITOR
from .studio import studio as opened
from .workbench import expect

pytestmark = REAL_EDITOR


async def test_in_german_the_extension_speaks_german(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    pack = packed_probe(tmp_path_factory.mktemp("pack"), HERE / "german")
    home = tmp_path_factory.mktemp("german")
    async with opened(home, vsixes, language="de") as studio:
        await studio.ready()
        screen = studio.screen
        # As a person installs it: one that the command line installs is not noted as a language.
        installed = {"$uri": str(pack)}
        await studio.host.ask("command", "workbench.extensions.installExtension", installed)
        await screen.page.reload()
        await screen.started()
        await studio.ready()
        await studio.show("asks.zsh", "#!/bin/zsh\nprint $1\nread 'name?Wer? '\n")
        await screen.command("zsh-ls: Skript ausführen")
        await expect(screen.question).to_contain_text("Argumente von asks.zsh")
        await expect(screen.question).to_contain_text("$1 (Zeile 2)")
        await screen.answer("eins")
        await expect(screen.terminal).to_contain_text("Wer?")
        await studio.host.ask("command", "zsh-ls.tasks.focus")
        await expect(screen.task("asks.zsh")).to_contain_text("wartet auf Eingabe")
        await screen.command("zsh-ls: Aufgabe beenden")
        await expect(screen.task("asks.zsh")).to_contain_text("abgebrochen")
