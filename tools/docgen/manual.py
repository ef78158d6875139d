"""`docs/zsh-ls.1`: the manual page, from the same declarations that `--help` shows."""

from __future__ import annotations

import argparse

from argparse_manpage.manpage import Manpage

import zsh_ls
from tools.releasing.names import NAMES
from zsh_ls.cli import full_parser
from zsh_ls.cli.help_text import Paragraphs

# The width that usage lines are folded to, whatever terminal makes the page.
_COLUMNS = 78

_ENDING = r"""
.SH EXIT STATUS
.B zsh\-ls run
exits with the status of the command it ran. The other commands exit with 0 when they could say what was
asked,
.B check
with 1 when it found something, and all with 2 for wrong usage or a file that cannot be read.

.SH ENVIRONMENT
.TP
.B ALAN_DB_PATH
the database, in place of alan.db in the data folder
.TP
.B NO_COLOR
no colours and no other escape codes
.TP
.B XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR
where config.toml, the database, kept outputs, caches and sockets lie
.PP
.B zsh\-ls config
shows every setting, its variable and where its value came from.

.SH SEE ALSO
.BR zsh (1),
.BR bash (1),
.UR {site}
the documentation
.UE
"""


def document() -> str:
    """The page as roff."""
    parser = full_parser()
    _fold_alike(parser)
    page = Manpage(
        parser,
        format="single-commands-section",
        _data={
            "project_name": "zsh-ls",
            "version": zsh_ls.__version__,
            "manual_title": "User Commands",
            "description": "runs shell commands, remembers them, and says what their exits meant",
        },
    )
    page.date = ""  # the page changes when the program does, not with the day
    return str(page).rstrip("\n") + _ENDING.format(site=NAMES["site"])


class _Folded(Paragraphs):
    def __init__(self, prog: str) -> None:
        argparse.HelpFormatter.__init__(self, prog, width=_COLUMNS)


def _fold_alike(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = _Folded
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _fold_alike(command)
