"""Which ssh hosts are flaky."""

from __future__ import annotations

from zsh_ls.answers.family import MEMORY, Draft, Facts, Family, Reply, host_rate, list_length
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.history import HostHistory


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Hosts by the rate of failed connections, young ones weighing more."""
    hosts = facts.recall.hosts(limit=list_length(match))
    if not hosts:
        return Draft("deterministic", "No ssh connection is remembered.")
    failing = [host for host in hosts if host.failed]
    if not failing:
        return Draft(
            "deterministic", "No ssh host has failed to connect.", tuple(map(_line, hosts))
        )
    worst = failing[0]
    summary = f"{code_span(worst.host)} is the flakiest host: {host_rate(worst)}."
    return Draft("deterministic", summary, tuple(map(_line, failing)))


def _line(host: HostHistory) -> str:
    return f"- {code_span(host.host)}: {host_rate(host)}"


FAMILY = Family(
    name="hosts",
    source=MEMORY,
    examples=("which host is flaky", "which ssh hosts fail most often"),
    patterns=(
        pattern("host flaky|connection-problems", "connection most last", number=True),
        pattern(
            "host fail what|most|often|connection",
            "connection most often last to-connect",
            number=True,
        ),
        pattern(
            "connection fail|flaky|connection-problems",
            "connection most often last already",
            number=True,
        ),
        pattern("connection fail|flaky host", "most often last", number=True),
    ),
    answer=answer,
)
