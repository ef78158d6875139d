"""What becomes of a script when one of its commands fails, worked out from the text alone.

`fates(script)` says it of every command; `status_reads(script)` says whose status `$?` and the like read.
"""

from .analysis import fates
from .because import Rule
from .fate import Fate, FateKind
from .nodes import Sources, sourced_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reads import ReadKind, StatusRead, StatusSource, status_reads

__all__ = [
    "Fate",
    "FateKind",
    "ReadKind",
    "Rule",
    "Sources",
    "StatusRead",
    "StatusSource",
    "fates",
    "sourced_files",
    "status_reads",
]


def __getattr__(name: str) -> "Any":
    """What reads a status, loaded when it is asked for: who wants the fates of a line needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import reads  # noqa: PLC0415

    return getattr(reads, name)
