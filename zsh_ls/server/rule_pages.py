"""Pages of rules as files that the client can open, in the version of this program."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

import platformdirs

from zsh_ls import __version__
from zsh_ls.insights.pages import page
from zsh_ls.insights.registry import rule_named
from zsh_ls.system.bounded_files import MIB, read_bytes

log = logging.getLogger(__name__)


@cache
def uri_of(rule: str) -> str | None:
    """The `file:` URI of the page of `rule`; None if there is no such rule or no file can be written."""
    found = rule_named(rule)
    if found is None:
        return None
    path = Path(platformdirs.user_cache_dir("zsh-ls")) / f"rules-{__version__}" / f"{rule}.md"
    try:
        _write(path, page(found) + "\n")
    except OSError as refused:
        log.info("no page for %s: %s", rule, refused)
        return None
    return path.as_uri()


def _write(path: Path, text: str) -> None:
    if path.exists() and read_bytes(path, MIB) == text.encode():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
