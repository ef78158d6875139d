"""What the user runs by hand: the shells' hooks write it down, the sidecar takes it in."""

from .hooks import hook_for, spool_beside
from .spool import SpoolFile, read_entries, sweep, waiting_files

__all__ = ["SpoolFile", "hook_for", "read_entries", "spool_beside", "sweep", "waiting_files"]
