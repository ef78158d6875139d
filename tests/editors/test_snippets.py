"""What the pages of editors tell people to write is what the tests of the real editors run."""

from __future__ import annotations

import json
import re
import textwrap

import pytest

from .environment import EDITORS

FILES = [
    ("helix", "toml", "languages.toml"),
    ("emacs", "elisp", "init.el"),
    ("zed", "json", "settings.json"),
    ("sublime", "json", "LanguageServers.sublime-settings"),
    ("kate", "json", "settings.json"),
    ("jetbrains", "json", "zsh-ls/template.json"),
]
NOT_RUN = ("zed", "sublime", "kate", "jetbrains")


def blocks(editor: str, language: str) -> list[str]:
    """The code blocks of an editor's page."""
    text = (EDITORS / editor / "README.md").read_text()
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for _, block in found]


@pytest.mark.parametrize(("editor", "language", "file"), FILES)
def test_the_first_block_of_a_page_is_the_file_beside_it(
    editor: str, language: str, file: str
) -> None:
    content = (EDITORS / editor / file).read_text()
    without_path = re.sub(r"\A(?:#|;;|//) ~?[\w./-]+\n", "", content)
    assert blocks(editor, language)[0].strip() == without_path.strip()


@pytest.mark.parametrize("editor", NOT_RUN)
def test_a_page_of_an_editor_that_was_not_run_says_so_first(editor: str) -> None:
    text = (EDITORS / editor / "README.md").read_text()
    assert text.split("\n\n")[1].startswith("**Not run.**")


@pytest.mark.parametrize("editor", NOT_RUN)
def test_what_nobody_ran_is_at_least_well_formed(editor: str) -> None:
    for block in blocks(editor, "json"):
        assert "zsh" in json.dumps(json.loads(block))


def test_sublime_s_options_have_the_names_of_its_current_package() -> None:
    page = (EDITORS / "sublime/README.md").read_text()
    assert '"initialization_options"' in page
    assert "initializationOptions" not in page
