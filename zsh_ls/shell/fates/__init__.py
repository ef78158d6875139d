"""What becomes of a script when one of its commands fails, worked out from the text alone.

`fates(script)` says it of every command; `status_reads(script)` says whose status `$?` and the like read.
"""

from .analysis import fates
from .because import Rule
from .fate import Fate, FateKind
from .nodes import Sources, sourced_files
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
