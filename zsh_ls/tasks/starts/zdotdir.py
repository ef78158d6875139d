"""The ZDOTDIR that a zsh has when it begins with the person's own files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping

from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.system.bounded_probe import printed_by

_GLOBAL_FILES = ("/etc/zsh/zshenv", "/etc/zshenv")
_LARGEST_BYTES = 1 << 20
_PATIENCE_S = 5.0
_SAYS = 'print -rn -- "${ZDOTDIR+$ZDOTDIR/}"'


def zdotdir_of(shell: str, environment: Mapping[str, str]) -> str | None:
    """That of the environment, or what the machine's own zshenv makes of it; None for none."""
    given = environment.get("ZDOTDIR")
    if not any(_mentions(file) for file in _GLOBAL_FILES):
        return given
    # The shell reads the machine's file and nothing of the person's: their folder is an empty one.
    with tempfile.TemporaryDirectory(prefix="zsh-ls-home-") as empty:
        unset = ["-u", "ZDOTDIR"] if given is None else [f"ZDOTDIR={given}"]
        told = printed_by(
            ["/usr/bin/env", *unset, f"HOME={empty}", shell, "-c", _SAYS], timeout_s=_PATIENCE_S
        )
        said = told.decode("utf-8", "surrogateescape")
        if not said:
            return given
        return said.removesuffix("/").replace(empty, environment.get("HOME", "/")) or None


def _mentions(file: str) -> bool:
    try:
        return os.path.exists(file) and b"ZDOTDIR" in read_bytes(file, _LARGEST_BYTES)
    except NotRead:
        return False
