"""`python -m tools.docs docs [--check]` writes the generated files.

These are pages of `docs`, the types of the editors' plugins, what `zsh-ls mcp` lists, and the ready-made
files for agents.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tools.docgen import (
    agent_files,
    decision_table,
    listed_tools,
    lua,
    manual,
    protocol_page,
    typescript,
)
from zsh_ls.insights import pages

ROOT = Path(__file__).parent.parent
PAGES: Mapping[str, Callable[[], str]] = {
    "docs/insights.md": pages.document,
    "docs/verbosity.md": decision_table.document,
    "docs/zsh-ls.1": manual.document,
    "docs/protocol.md": protocol_page.document,
    "editors/nvim/lua/zsh_ls/protocol.lua": lua.document,
    "editors/vscode/src/protocol.ts": typescript.document,
    "zsh_ls/mcp/listed_tools.json": listed_tools.document,
    **agent_files.files(),
}


def stale_pages() -> list[str]:
    """The generated files that differ from what their sources give now, as paths from the root."""
    return [name for name, text in PAGES.items() if _written(ROOT / name) != text()]


def write_pages() -> None:
    """Write every generated page."""
    for name, text in PAGES.items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(text())


def main(arguments: list[str]) -> int:
    """`docs` writes the pages, `docs --check` exits with 1 if one is stale."""
    if arguments not in (["docs"], ["docs", "--check"]):
        sys.stderr.write("usage: python -m tools.docs docs [--check]\n")
        return 2
    if arguments == ["docs"]:
        write_pages()
        return 0
    stale = stale_pages()
    for name in stale:
        sys.stderr.write(f"{name} is stale: run `python -m tools.docs docs`\n")
    return 1 if stale else 0


def _written(path: Path) -> str:
    return path.read_text() if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
