"""Processes and their output: the only room that starts programs.

Names are fetched when they are asked for, so that `supervisor`, which forks,
can be imported before anything heavy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .engine import Engine
    from .output import Delta, Output, OutputLines, RawOutput
    from .past import past_output, past_tasks
    from .request import StartRequest
    from .shells import FoundShell, find_shell, find_shells
    from .spool import SpoolGap, SpoolLimits
    from .stored_output import StoredOutput, StoredTask
    from .task import Task

_HOMES = {
    "Delta": "output",
    "Engine": "engine",
    "FoundShell": "shells",
    "SpoolGap": "spool",
    "StoredOutput": "stored_output",
    "StoredTask": "stored_output",
    "Output": "output",
    "OutputLines": "output",
    "RawOutput": "output",
    "SpoolLimits": "spool",
    "StartRequest": "request",
    "Task": "task",
    "find_shell": "shells",
    "find_shells": "shells",
    "past_output": "past",
    "past_tasks": "past",
}

__all__ = [
    "Delta",
    "Engine",
    "FoundShell",
    "Output",
    "OutputLines",
    "RawOutput",
    "SpoolGap",
    "SpoolLimits",
    "StartRequest",
    "StoredOutput",
    "StoredTask",
    "Task",
    "find_shell",
    "find_shells",
    "past_output",
    "past_tasks",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
