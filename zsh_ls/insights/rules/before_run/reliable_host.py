"""Rule `reliable-host`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

ENOUGH_CONNECTIONS = 3


@rule(RuleKind.BEFORE_RUN, Level.INFO, order=10)
def reliable_host(past: CommandHistory) -> Iterator[Insight]:
    """At least three connections to the ssh host, and none failed.

        $ ssh web1 uptime   #= 0
        $ ssh web1 date     #= 0
        $ ssh web1 false    #= 1
        $ ssh web1 hostname
        #< info: Host 'web1' is reliable: 3 successful connections.

    Two are too few to say so:

        $ ssh web1 uptime   #= 0
        $ ssh web1 date     #= 0
        $ ssh web1 hostname
    """
    host = past.host
    if host is not None and host.total >= ENOUGH_CONNECTIONS and not host.failed:
        message = f"Host '{host.host}' is reliable: {host.total} successful connections."
        yield Insight(Level.INFO, message, is_news=False)
