"""Processes and their output: the only package that starts programs.

Names are imported on first use, so that `supervision.supervisor`, which forks, can
be imported before anything large is loaded.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .engine import Engine
    from .output.output import Delta, Output, OutputLines, RawOutput
    from .output.spool import SpoolGap, SpoolLimits
    from .output.stored_output import StoredOutput, StoredTask, past_output, past_task, past_tasks
    from .process.request import StartRequest
    from .process.session_files import Dumps, Restore
    from .process.shells import FoundShell, find_paths, find_shell, find_shells
    from .task import Task

_MODULES = {
    "Delta": "output.output",
    "Dumps": "process.session_files",
    "Engine": "engine",
    "FoundShell": "process.shells",
    "SpoolGap": "output.spool",
    "StoredOutput": "output.stored_output",
    "StoredTask": "output.stored_output",
    "Output": "output.output",
    "OutputLines": "output.output",
    "RawOutput": "output.output",
    "SpoolLimits": "output.spool",
    "Restore": "process.session_files",
    "StartRequest": "process.request",
    "Task": "task",
    "find_paths": "process.shells",
    "find_shell": "process.shells",
    "find_shells": "process.shells",
    "past_output": "output.stored_output",
    "past_task": "output.stored_output",
    "past_tasks": "output.stored_output",
}

__all__ = [
    "Delta",
    "Dumps",
    "Engine",
    "FoundShell",
    "Output",
    "OutputLines",
    "RawOutput",
    "Restore",
    "SpoolGap",
    "SpoolLimits",
    "StartRequest",
    "StoredOutput",
    "StoredTask",
    "Task",
    "find_paths",
    "find_shell",
    "find_shells",
    "past_output",
    "past_task",
    "past_tasks",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    return found
