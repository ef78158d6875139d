"""From a profile to what is told: milliseconds, plugins, programs and causes."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Sequence

from zsh_ls.lazy import attrs
from zsh_ls.model.startup import (
    BackgroundJob,
    FileCost,
    FirstPrompt,
    LeftRunning,
    LineCost,
    PluginCost,
    StartupReport,
    Stuck,
)

from .causes import causes_of
from .plugins import Plugin, plugin_of
from .profile import LEAST_PROGRAM_S, Profile
from .programs import programs_of

_LONGEST_COMMAND = 160


def report_of(
    profile: Profile,
    untraced_ms: Sequence[float],
    left: Sequence[str],
    is_compiled: Callable[[str], bool],
) -> StartupReport:
    """What a traced start says, beside the times of untraced ones; none of those where it stood still."""
    first_prompt = None
    if untraced_ms:
        first_prompt = FirstPrompt(
            _rounded(statistics.median(untraced_ms)),
            _rounded(min(untraced_ms)),
            _rounded(max(untraced_ms)),
        )
    report = StartupReport(
        profile.kind,
        _ms(profile.total_s),
        tuple(
            LineCost(
                row.place.file,
                row.place.line,
                _ms(row.own_s),
                _ms(row.total_s),
                row.count,
                programs_of(row.may_start, row.kind, profile.functions)
                if row.place.line and row.own_s >= LEAST_PROGRAM_S
                else (),
                row.commands,
                row.all_commands,
            )
            for row in profile.rows
        ),
        tuple(
            FileCost(
                it.file, _ms(it.own_s), _ms(it.total_s), it.count, it.commands, it.all_commands
            )
            for it in profile.files
        ),
        _plugins(profile),
        (),
        (),
        tuple(
            BackgroundJob(it.place.file, it.place.line, _ms(it.seconds))
            for it in profile.beside
            if it.place.line
        ),
        profile.commands,
        tuple(
            (_ms(seconds), tuple((place.file, place.line) for place in callers))
            for seconds, callers in profile.spans
        ),
        first_prompt_ms=first_prompt,
        left=tuple(LeftRunning(it) for it in left) or None,
    )
    if not untraced_ms:
        return report
    return attrs.evolve(report, causes=causes_of(profile, is_compiled, report.less_ms))


def stuck_at(profile: Profile, after_s: float, exit_status: int | None) -> Stuck:
    """Where a start stood at its end."""
    after_ms = _rounded(after_s * 1000)
    if profile.last is None:
        return Stuck(f"({profile.kind})", 0, "", after_ms, after_ms, exit_status)
    place, text, still_s = profile.last
    command = text[:_LONGEST_COMMAND] if place.line else ""
    return Stuck(place.file, place.line, command, after_ms, _rounded(still_s * 1000), exit_status)


def _plugins(profile: Profile) -> tuple[PluginCost, ...]:
    """What each plugin and framework costs, the dearest first, with all that it called."""
    own: Counter[Plugin] = Counter()
    total: Counter[Plugin] = Counter()
    commands: Counter[Plugin] = Counter()
    all_commands: Counter[Plugin] = Counter()
    known: dict[str, Plugin | None] = {}
    for file in profile.files:
        known[file.file] = plugin = plugin_of(file.file)
        if plugin:
            own[plugin] += file.own_s  # type: ignore[assignment]
            commands[plugin] += file.commands
    for seconds, callers in profile.spans:
        plugins = {plugin for it in callers if (plugin := known.get(it.file))}
        for plugin in plugins:
            total[plugin] += seconds  # type: ignore[assignment]
            all_commands[plugin] += 1
    return tuple(
        PluginCost(it.name, it.folder, _ms(own[it]), _ms(total[it]), commands[it], all_commands[it])
        for it in sorted(total, key=lambda it: -own[it])
    )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)


def _rounded(milliseconds: float) -> float:
    return round(milliseconds, 1)
