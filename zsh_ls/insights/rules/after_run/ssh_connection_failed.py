"""Rule `ssh-connection-failed`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.shell.status.exit_codes import is_over_ssh

CONNECTION_FAILED = 255


@rule(RuleKind.AFTER_RUN, Level.WARNING, order=4)
def ssh_connection_failed(run: CompletedRun) -> Iterator[Insight]:
    """Exit 255 of ssh, or of what runs over it: the connection failed.

    The remote command never ran, so nothing is known of it. scp, sftp, rsync
    and git over ssh pass the 255 on.

        ssh -o ProxyCommand=false web1 uptime   #= 255
        #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: SSH connection failed (exit 255)

    Any other command may give 255 for reasons of its own:

        sh -c 'exit 255'                        #= 255
    """
    last = run.last
    if (
        last is not None
        and last.exit == CONNECTION_FAILED
        and is_over_ssh(last.command, last.words)
    ):
        yield Insight(Level.WARNING, "SSH connection failed (exit 255)", span=last.span)
