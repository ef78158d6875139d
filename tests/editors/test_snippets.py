"""What the pages of editors tell people to write is what the tests of the real editors run."""

from __future__ import annotations

import re
import textwrap

import pytest

from .desk import EDITORS


def blocks(editor: str, language: str) -> list[str]:
    """The code blocks of an editor's page."""
    text = (EDITORS / editor / "README.md").read_text()
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for _, block in found]


@pytest.mark.parametrize(
    ("editor", "language", "file"),
    [("helix", "toml", "languages.toml"), ("emacs", "elisp", "init.el")],
)
def test_the_first_block_of_a_page_is_the_file_that_is_tried(
    editor: str, language: str, file: str
) -> None:
    path, _, content = (EDITORS / editor / file).read_text().partition("\n")
    assert path.startswith(("# ", ";; "))
    assert blocks(editor, language)[0].strip() == content.strip()
