"""Rule `flaky-host`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.formatting import percent
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

FLAKY = 0.3
ENOUGH_CONNECTIONS = 3


@rule(RuleKind.BEFORE_RUN, Level.WARNING, order=9, on_lines=True)
def flaky_host(past: CommandHistory) -> Iterator[Insight]:
    """More than three in ten of at least three connections to the ssh host failed, the latest counting most.

    Exit 255 of ssh is a failed connection; any other says that it stood.

        $ ssh web1 uptime   #= 255
        $ ssh web1 uptime   #= 255
        $ ssh web1 uptime   #= 255
        $ ssh web1 date
        #< warning: Host 'web1' has 100% connection failure rate (3/3).

    Two say little:

        $ ssh web1 uptime   #= 255
        $ ssh web1 uptime   #= 255
        $ ssh web1 date

    A command that fails on the host is not the host's fault:

        $ ssh web1 false    #= 1
        $ ssh web1 false    #= 1
        $ ssh web1 false    #= 1
        $ ssh web1 date
    """
    host = past.host
    if host is None or host.total < ENOUGH_CONNECTIONS:
        return
    if host.failure_rate > FLAKY:
        rate = percent(host.failure_rate)
        yield Insight(
            Level.WARNING,
            f"Host '{host.host}' has {rate} connection failure rate ({host.failed}/{host.total}).",
        )
