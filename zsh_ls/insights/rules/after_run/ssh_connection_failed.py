"""Rule `ssh-connection-failed`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.model.completed_run import CompletedRun, CompletedSegment
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

CONNECTION_FAILED = 255
ALWAYS_OVER_SSH = {"ssh", "scp", "sftp", "rsync"}
# What git does over the network, and the beginnings of addresses that are not ssh's.
GIT_NETWORK = {"clone", "fetch", "pull", "push", "ls-remote", "remote", "submodule", "archive"}
NOT_SSH = ("http://", "https://", "git://", "file://", "ftp://", "ftps://", "/", "./", "../")


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
    if last is not None and last.exit == CONNECTION_FAILED and _is_over_ssh(last):
        yield Insight(Level.WARNING, "SSH connection failed (exit 255)", span=last.span)


def _is_over_ssh(segment: CompletedSegment) -> bool:
    words = segment.words
    if segment.command != "git":
        return segment.command in ALWAYS_OVER_SSH
    at = next((i for i, word in enumerate(words) if word in GIT_NETWORK), None)
    return at is not None and not any(word.startswith(NOT_SSH) for word in words[at + 1 :])
