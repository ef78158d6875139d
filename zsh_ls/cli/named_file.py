"""Writes the file that a person named for what a command makes."""

from __future__ import annotations

import errno
import os

from zsh_ls.system.projects import leads_out, top_of


def write_named(path: str, text: str) -> None:
    """Write `text` to the file `path`; raises OSError.

    That is ELOOP where a link in the project around the current folder leads out of it: the project may
    be somebody else's, and the file that the link leads to is not what was named.
    """
    here = os.getcwd()
    if leads_out(path, top_of(here) or here):
        raise OSError(
            errno.ELOOP, f"a link leads out of the project, to {os.path.realpath(path)}", path
        )
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
