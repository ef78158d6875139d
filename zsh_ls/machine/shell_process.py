"""What can be learnt from outside of a shell that runs in somebody's terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def is_above(process: int, others: Iterable[int]) -> bool:
    """Whether one of `others` is `process`, or was started by it or below it."""
    import psutil  # noqa: PLC0415  slow to import, and most servers are never asked

    for other in others:
        if other == process:
            return True
        try:
            if any(parent.pid == process for parent in psutil.Process(other).parents()):
                return True
        except psutil.Error:
            continue
    return False


def variables_of(process: int) -> Mapping[str, str]:
    """The variables that a process was started with; none where the system does not tell."""
    import psutil  # noqa: PLC0415

    try:
        variables: dict[str, str] = psutil.Process(process).environ()
    except (psutil.Error, OSError):
        return {}
    return variables
