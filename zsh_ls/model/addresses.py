"""Where this project is found on the web, for programs that link to it (see `tools/releasing/names.toml`)."""

from __future__ import annotations

REPOSITORY = "https://github.com/zsh-ls/zsh-ls"
SITE = "https://zsh-ls.github.io/zsh-ls/"


def page_of_rule(name: str) -> str:
    """The address of a rule's page, by the name it has in a diagnostic's `code`."""
    return f"{SITE}insights/{name}/"
