"""The decision table of docs/verbosity.md, from the rows and limits of the resolver's rules."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

PAGE = Path(__file__).parent.parent.parent / "docs" / "verbosity.md"
BEGIN = "<!-- from the rules: python -m tools.docs docs -->\n"
END = "<!-- to here -->\n"
COLUMNS = ("row", "operation", "state", "lines", "shown")


def table() -> str:
    """The rows with the limits in their places, as Markdown."""
    text = resources.files("zsh_ls.verbosity").joinpath("rules.json").read_text("utf-8")
    data = json.loads(text)
    rows = [[row[name].format(**data["limits"]) for name in COLUMNS] for row in data["table"]]
    cells = [["#", *COLUMNS[1:]], ["---"] * len(COLUMNS), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def document() -> str:
    """The page with the table of today."""
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table()}{END}{after}"
