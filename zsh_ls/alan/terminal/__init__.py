"""Runs in the user's terminals: hooks in the shells write them to files, the sidecar imports these."""

from .hooks import hook_for, spool_beside
from .spool import SpoolFile, read_entries, sweep, waiting_files

__all__ = ["SpoolFile", "hook_for", "read_entries", "spool_beside", "sweep", "waiting_files"]
