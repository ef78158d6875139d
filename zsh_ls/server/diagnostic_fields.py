"""What a diagnostic says of an insight, as JSON: all but where it stands.

Without the protocol's types, for what is said before they are loaded (`first_findings.py`).
"""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import Any

from zsh_ls import __version__
from zsh_ls.insights.pages import page
from zsh_ls.insights.registry import rule_named
from zsh_ls.lazy.platformdirs import user_cache_dir
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.system.bounded_files import MIB, read_bytes

SOURCE = "zsh-ls"
ERROR = 1
SEVERITIES = {Level.WARNING: 2, Level.INFO: 3}

log = logging.getLogger(__name__)


def fields_of(insight: Insight, *, is_error: bool = False) -> dict[str, Any]:
    """The fields of a diagnostic; its `data` says what decides the fate behind it (FATE-10)."""
    said: dict[str, Any] = {
        "message": insight.message,
        "severity": ERROR if is_error else SEVERITIES[insight.level],
        "source": SOURCE,
    }
    if insight.rule:
        said["code"] = insight.rule
        if uri := page_of(insight.rule):
            said["codeDescription"] = {"href": uri}
    if data := _witness(insight):
        said["data"] = data
    return said


def _witness(insight: Insight) -> dict[str, str | int] | None:
    """`because` and, counted from 0, `then_line`, as in `zsh/failures`; None without a fate."""
    if not insight.because:
        return None
    said: dict[str, str | int] = {"because": insight.because}
    if insight.then_line is not None:
        said["then_line"] = insight.then_line - 1
    return said


@cache
def page_of(rule: str) -> str | None:
    """The `file:` URI of the page of `rule`; None if there is no such rule or no file can be written."""
    found = rule_named(rule)
    if found is None:
        return None
    path = Path(user_cache_dir("zsh-ls")) / f"rules-{__version__}" / f"{rule}.md"
    text = page(found) + "\n"
    try:
        if not path.exists() or read_bytes(path, MIB) != text.encode():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as refused:
        log.info("no page for %s: %s", rule, refused)
        return None
    return path.as_uri()
