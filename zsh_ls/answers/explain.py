"""Explains a command: what it does, its history, meanings of exit statuses, warnings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime

import attrs

from zsh_ls.model.answer import Answer, ProposedCommand
from zsh_ls.model.insight import Insight
from zsh_ls.model.results import CommandStats, RecentRun
from zsh_ls.model.words import Level, Outcome
from zsh_ls.shell.status.exit_codes import OVER_SSH, general_meaning, normal_meaning

from .build import build, fallback
from .form import Sections
from .markup import as_text, code_span
from .outline import MAX_PARTS, Described, Outline
from .say import count, duration, ended, moment, share

# Rules about hidden failures in pipes, whose messages replace the general sentence.
_MASKED = "masked-"
_LOWEST, _HIGHEST = 1, 125
_FAILED = (Outcome.FAILURE.value, Outcome.TIMEOUT.value)


@attrs.frozen
class CommandFacts:
    """The input: a command's outline with manual pages, figures of memory, findings of static rules."""

    outline: Outline
    described: tuple[Described, ...]
    now: datetime
    stats: CommandStats | None = None
    findings: tuple[Insight, ...] = ()


def explain(facts: CommandFacts) -> Answer:
    """The explanation; a fallback if neither a manual page nor memory knows the command."""
    if not _is_known(facts):
        return _unknown(facts.outline)
    blocks = (
        _block("What it does", _doing(facts.described)),
        _block("What is known of it", _remembered(facts)),
        _block("What its exit means", _exits(facts)),
        _block("What to watch", _warnings(facts)),
    )
    details = "\n\n".join(filter(None, blocks))
    return build("deterministic", Sections(_summary(facts), details or None))


def _is_known(facts: CommandFacts) -> bool:
    told = any(part.purpose or part.page for part in facts.described)
    return told or bool(facts.stats and facts.stats.known) or bool(facts.findings)


def _unknown(outline: Outline) -> Answer:
    programs = [part.program for part in outline.parts if part.program]
    name = programs[0] if programs else ""
    return fallback(
        f"what {code_span(outline.command)} does",
        reason=f"no manual page of {as_text(name)} and no run of it"
        if name
        else "it runs no program",
        missing="a manual page, or a run that ALAN remembers",
        collect=(ProposedCommand(f"type {shlex.quote(as_text(name))}" if name else "zsh-ls ask"),),
    )


def _block(title: str, lines: Iterator[str]) -> str:
    """A bold title above a list; nothing if the list is empty."""
    listed = "\n".join(lines)
    return f"**{title}**\n{listed}" if listed else ""


def _summary(facts: CommandFacts) -> str:
    lines = [_what(facts), _past(facts.stats)]
    return "\n".join(line for line in lines if line)


def _what(facts: CommandFacts) -> str:
    described = facts.described
    if len(described) == 1 and described[0].purpose:
        name = described[0].page or described[0].part.program
        return f"{code_span(name)}: {as_text(described[0].purpose)}."
    programs = list(dict.fromkeys(one.part.program for one in described if one.part.program))
    names = ", ".join(map(code_span, programs[:MAX_PARTS]))
    if len(facts.outline.pipes) == 1 and len(described) == len(facts.outline.pipes[0]):
        return f"A pipeline of {len(described)} commands: {names}."
    return f"Runs {names}." if names else f"Shell text: {code_span(facts.outline.command)}."


def _past(stats: CommandStats | None) -> str:
    if stats is None or not stats.known:
        return "No run of it is remembered."
    succeeded = f"{count(stats.runs, 'run')} remembered, {share(stats.success_rate)} succeeded"
    median_s = stats.durations.median_s
    usual = "" if median_s is None else f", it usually takes {duration(median_s)}"
    return f"{succeeded}{usual}."


def _doing(described: Sequence[Described]) -> Iterator[str]:
    """A line for each command and, below it, for each of its flags that the manual page describes."""
    for one in described[:MAX_PARTS]:
        purpose = as_text(one.purpose) if one.purpose else "no manual page tells of it"
        yield f"- {code_span(one.part.text)}: {purpose}"
        for option in one.options:
            told = as_text(option.description) if option.description else "not described"
            yield f"  - {code_span(option.heading)}: {told}"
    if len(described) > MAX_PARTS:
        yield f"- and {count(len(described) - MAX_PARTS, 'command')} more"


def _remembered(facts: CommandFacts) -> Iterator[str]:
    stats = facts.stats
    if stats is None or not stats.known:
        return
    yield f"- Its pattern: {code_span(stats.command_template)}"
    if stats.durations.p90_s is not None:
        runs = count(stats.durations.samples, "run")
        yield f"- Nine times of ten it takes at most {duration(stats.durations.p90_s)} ({runs})"
    if stats.timeout_rate or stats.kill_rate:
        yield f"- Timed out: {share(stats.timeout_rate)}, killed: {share(stats.kill_rate)}"
    if abs(stats.streak) > 1:
        yield f"- {'Succeeded' if stats.streak > 0 else 'Failed'} {abs(stats.streak)} times in a row"
    failure = next((run for run in stats.recent if run.outcome in _FAILED), None)
    if failure is not None:
        yield f"- It last {_how(failure)} {moment(failure.at, facts.now)}"
    if stats.ssh is not None:
        connections = count(stats.ssh.connections, "connection")
        yield f"- Host {code_span(stats.ssh.host)}: {stats.ssh.failed} of {connections} failed"


def _how(run: RecentRun) -> str:
    return ended(Outcome(run.outcome), run.exit)


def _exits(facts: CommandFacts) -> Iterator[str]:
    """Meanings of exit statuses: normal ones of the last command, ssh's 255, that of the last failure."""
    if not facts.described:
        return
    program = facts.described[-1].part.program
    told = {status: normal_meaning(program, status) for status in range(_LOWEST, _HIGHEST)}
    for status, meaning in told.items():
        if meaning:
            yield f"- {status}: {meaning}, no failure"
    if program in OVER_SSH:
        yield "- 255: the connection failed"
    runs = facts.stats.recent if facts.stats else ()
    seen = next((run.exit for run in runs if run.outcome in _FAILED and run.exit), None)
    if seen is not None and (meaning := general_meaning(seen)):
        yield f"- {seen}, as it last failed: {meaning}"


def _warnings(facts: CommandFacts) -> Iterator[str]:
    already_reported = any(finding.rule.startswith(_MASKED) for finding in facts.findings)
    for programs in () if already_reported else facts.outline.pipes:
        hidden = ", ".join(map(code_span, programs[:-1]))
        last = code_span(programs[-1])
        yield f"- The exit is that of {last}; without `pipefail` a failure of {hidden} does not show"
    for finding in facts.findings:
        lead = "Warning: " if finding.level is Level.WARNING else ""
        mend = f" (fix: {as_text(finding.fix.title)})" if finding.fix else ""
        yield f"- {lead}{as_text(finding.message)}{mend}"
