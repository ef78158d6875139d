"""Rule `failing-remote-command`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

OFTEN = 0.5
# What happened once or twice is not often.
OFTEN_RUNS = 3


@rule(RuleKind.BEFORE_RUN, Level.WARNING, order=11, on_lines=True)
def failing_remote_command(past: CommandHistory) -> Iterator[Insight]:
    """The remote command failed more often than not, whatever the host.

    A run whose connection failed says nothing about the command.

        $ ssh web1 backup   #= 1
        $ ssh web2 backup   #= 1
        $ ssh web3 backup
        #< warning: Remote command 'backup' fails often (2/2 across 2 hosts).

    The connection failed here, not the command:

        $ ssh web1 backup   #= 255
        $ ssh web2 backup
    """
    remote = past.remote
    if remote is not None and remote.failed and remote.success_rate < OFTEN:
        share = f"{remote.failed}/{remote.total}"
        yield Insight(
            Level.WARNING,
            f"Remote command '{remote.template}' fails often ({share} across {remote.hosts} hosts).",
            is_news=remote.total >= OFTEN_RUNS,
        )
