"""What becomes of a script when one of its commands fails, worked out from the text alone.

`fates(script)` says it of every command; `status_reads(script)` says whose status `$?` and the like read.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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

_MODULES = {
    "Fate": "fate",
    "FateKind": "fate",
    "Rule": "because",
    "Sources": "nodes",
    "fates": "analysis",
    "sourced_files": "nodes",
}


def __getattr__(name: str) -> "Any":
    """What works them out, loaded when it is asked for: a rule that names a kind of fate needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(
        import_module(f".{_MODULES.get(name, 'reads')}", __name__), name
    )
    return found
