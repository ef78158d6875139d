"""Show what is set, and where each value came from.

The exit status is 1 where a value is wrong. The command line and agents read
config.toml, whose path the first line tells. Its names are those of the
settings in editors, dotted or as tables:

    timeout = 300
    redact = ["corp-[0-9]+"]
    [history]
    hints = false

What is set there holds before environment variables, and these before the
defaults. A wrong or unknown line is told and changes nothing. An editor's
server has the editor's own settings, which also hold for what joins it.
"""

from __future__ import annotations

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls config` takes."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the settings."""
    from zsh_ls.cli.screen import folded, tell
    from zsh_ls.cli.settings import rows_of
    from zsh_ls.sidecar.config_file import personal_settings

    personal = personal_settings(os.environ)
    rows = rows_of(personal)
    if arguments.json:
        found = {
            "file": str(personal.file),
            "exists": personal.is_there,
            "settings": [{"name": it.name, "value": it.value, "source": it.source} for it in rows],
            "problems": list(personal.problems),
        }
        print(json.dumps(found, ensure_ascii=False))
    else:
        width = max(len(it.name) for it in rows) + 2
        print(personal.file if personal.is_there else f"{personal.file} (not there)")
        for row in rows:
            print(folded(f"{row.name:<{width}}", f"{row.shown}  ({row.source})"))
        for problem in personal.problems:
            tell(f"zsh-ls: {problem}")
    return 1 if personal.problems else 0
