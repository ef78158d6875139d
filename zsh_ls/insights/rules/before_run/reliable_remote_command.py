"""Rule `reliable-remote-command`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import percent
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

RELIABLE = 0.9
ENOUGH_RUNS = 3


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=12)
def reliable_remote_command(past: CommandHistory) -> Iterator[Insight]:
    """More than nine in ten of at least three runs of the remote command succeeded, over all hosts.

        $ ssh web1 uptime   #= 0
        $ ssh web2 uptime   #= 0
        $ ssh web3 uptime   #= 0
        $ ssh web4 uptime
        #< info: Remote command 'uptime' reliable across 3 hosts (100% success).

    Two runs are too few to say so:

        $ ssh web1 uptime   #= 0
        $ ssh web2 uptime   #= 0
        $ ssh web3 uptime
    """
    remote = past.remote
    if remote is None or remote.total < ENOUGH_RUNS or remote.success_rate <= RELIABLE:
        return
    rate = percent(remote.success_rate)
    yield Insight(
        Level.INFO,
        f"Remote command '{remote.template}' reliable across {remote.hosts} hosts ({rate} success).",
        is_news=False,
    )
