"""Formats of sizes, durations, shares and times in answers."""

from __future__ import annotations

from datetime import datetime

from zsh_ls.model.words import Outcome

_BINARY_UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_AGES = ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute"))


def size(size_bytes: float) -> str:
    """`8.2 GiB`; one decimal below ten, bytes whole."""
    unit = 0
    while size_bytes >= 1024 and unit < len(_BINARY_UNITS) - 1:
        size_bytes, unit = size_bytes / 1024, unit + 1
    digits = 1 if unit and size_bytes < 100 else 0
    return f"{size_bytes:.{digits}f} {_BINARY_UNITS[unit]}"


def duration(duration_s: float) -> str:
    """`40 ms`, `4.5 s`, `40 s`, `2 min 5 s`, `1 h 3 min`."""
    if duration_s < 1:
        return f"{duration_s * 1000:.0f} ms"
    if duration_s < 60:
        return f"{duration_s:.1f} s".replace(".0 s", " s")
    whole_s = round(duration_s)
    if whole_s < 3600:
        return f"{whole_s // 60} min {whole_s % 60} s"
    return f"{whole_s // 3600} h {whole_s % 3600 // 60} min"


def share(part: float) -> str:
    """`51%`, and `<1%` for small shares above 0."""
    return "<1%" if 0 < part < 0.01 else f"{part:.0%}"


def count(number: int, noun: str) -> str:
    """`1 run`, `12 runs`, `1,204 lines`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def moment(at: float, now: datetime) -> str:
    """`12 minutes ago (11:18)`, `18 hours ago (Friday 17:00)`, `yesterday at 11:00`.

    From two days on it is the date and time.
    """
    age_s = max(0.0, now.timestamp() - at)
    if age_s >= 2 * 86400:
        return datetime.fromtimestamp(at, now.tzinfo).strftime("on %A %Y-%m-%d at %H:%M")
    then = datetime.fromtimestamp(at, now.tzinfo)
    if age_s >= 86400 and (now.date() - then.date()).days == 1:
        return then.strftime("yesterday at %H:%M")
    clock = then.strftime("%H:%M" if then.date() == now.date() else "%A %H:%M")
    for unit_s, name in _AGES:
        if age_s >= unit_s:
            return f"{count(int(age_s // unit_s), name)} ago ({clock})"
    return "just now"


def ended(outcome: Outcome | None, exit_status: int | None) -> str:
    """How a run ended: `succeeded`, `failed with exit 2`, `timed out`, `was killed`."""
    if outcome is Outcome.FAILURE:
        return "failed" if exit_status is None else f"failed with exit {exit_status}"
    if outcome is Outcome.SUCCESS and exit_status:
        return f"ended normally with exit {exit_status}"
    return {
        None: "ended, how is not known,",
        Outcome.SUCCESS: "succeeded",
        Outcome.TIMEOUT: "timed out",
        Outcome.KILLED: "was killed",
    }[outcome]
