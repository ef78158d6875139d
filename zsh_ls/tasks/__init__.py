"""Processes and their output: the only room that starts programs."""

from .engine import Engine
from .keeping import KeptOutput, KeptTask
from .output import Delta, Output, Page
from .past import past_output, past_tasks
from .request import StartRequest
from .shells import FoundShell, find_shell, find_shells
from .spool import Gap, SpoolLimits
from .task import Task

__all__ = [
    "Delta",
    "Engine",
    "FoundShell",
    "Gap",
    "KeptOutput",
    "KeptTask",
    "Output",
    "Page",
    "SpoolLimits",
    "StartRequest",
    "Task",
    "find_shell",
    "find_shells",
    "past_output",
    "past_tasks",
]
