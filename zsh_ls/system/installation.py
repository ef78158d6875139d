"""How this zsh-ls was installed, and so the command that adds to it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

# What each extra of pyproject.toml brings; a test holds them together.
EXTRAS = {"mcp": ("mcp",), "team": ("cryptography", "keyring", "psycopg[binary]")}


def adding(extra: str, prefix: Path | None = None) -> str:
    """The command line that gives an installation what an extra of zsh-ls brings.

    `prefix` is the folder of its environment, this one's unless given. An installer of
    programs is known by the file it leaves there; for all others it is that Python's pip.
    """
    place = Path(sys.prefix) if prefix is None else prefix
    wanted = shlex.quote(f"zsh-ls[{extra}]")
    if (place / "pipx_metadata.json").is_file():
        return f"pipx inject zsh-ls {shlex.join(EXTRAS[extra])}"
    if (place / "uv-receipt.toml").is_file():
        return f"uv tool install {wanted}"
    if "archive-v0" in place.parts:  # uvx: an environment in uv's cache, made for one start
        return f"uvx --from {wanted} zsh-ls"
    return f"{shlex.quote(str(place / 'bin/python'))} -m pip install {wanted}"
