"""Shared by the families about ALAN's memory: source, runs as lines, replies for unknown commands."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime

from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.history import HostHistory
from zsh_ls.model.recall import RunEntry, TemplateRecord
from zsh_ls.model.words import Outcome

from .family import Draft, Facts, NotKnown
from .markup import as_text, code_span
from .pattern import QueryMatch
from .say import count, duration, ended, moment, share

DEFAULT_LIST = 5
MAX_LIST = 20
MAX_HOSTS = 1000
# Outcomes that count as failures; a kill is the user's decision.
FAILED = (Outcome.FAILURE, Outcome.TIMEOUT)


def during(reading: QueryMatch) -> str:
    """The match's window as words to follow a verb, with a leading space; empty without a window."""
    return f" {reading.window.label}" if reading.window else ""


def from_elsewhere(record: TemplateRecord) -> str:
    """`, 9 done by hand or imported`, empty if no run was from elsewhere."""
    return f", {record.elsewhere} done by hand or imported" if record.elsewhere else ""


def list_length(reading: QueryMatch) -> int:
    """The number of entries that the question asks for, within limits."""
    return min(reading.number or DEFAULT_LIST, MAX_LIST)


def run_line(run: RunEntry, now: datetime) -> str:
    """One run as a list item: the command, how it ended, when, after how long."""
    how = f"{ended(run.outcome, run.exit)} {moment(run.at, now)} after {duration(run.duration_s)}"
    return f"- {code_span(run.command)} {how}"


def runs_draft(runs: Sequence[RunEntry], total: int, condition: str, facts: Facts) -> Draft:
    """`{12 runs} {condition}`, and the newest of them as a list."""
    shown = f"; the last {len(runs)} of them" if len(runs) < total else ""
    lines = tuple(run_line(run, facts.now) for run in runs)
    return Draft("deterministic", f"{count(total, 'run')} {condition}{shown}.", lines)


def host_rate(host: HostHistory) -> str:
    """How many connections to a host failed, and the failure rate weighted by age."""
    total = count(host.total, "connection")
    return f"{host.failed} of {total} failed ({share(host.failure_rate)} weighted by age)"


def host_meant(reading: QueryMatch, facts: Facts) -> Draft | None:
    """The history of the ssh host that a subject names, None if none does."""
    for host in facts.recall.hosts(limit=MAX_HOSTS):
        if host.host in reading.subjects:
            return Draft("deterministic", f"{code_span(host.host)}: {host_rate(host)}.")
    return None


def unseen(reading: QueryMatch, what: str) -> NotKnown:
    """The reply if memory knows none of the possible commands; `{}` is replaced by the first."""
    name = reading.subjects[0]
    return NotKnown(
        what.format(as_text(name)),
        reason=f"no run of {as_text(name)} is remembered",
        missing=f"runs of {as_text(name)} in ALAN's memory",
        collect=(ProposedCommand(f"zsh-ls stats {shlex.quote(as_text(name))}"),),
    )
