"""What `zsh-ls check` gives of one file."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import attrs

from .check_cache import Kept
from .findings import Finding


@attrs.frozen
class CheckReport:
    """What was found in a file, in the order of its text, or why it could not be read.

    `kept` is what the cache may keep of it, with its key.
    """

    findings: Sequence[Finding] = ()
    problems: Sequence[str] = ()
    kept: tuple[str, Kept] | None = None
