"""What `zsh-ls run` asks for, as the fields of a `RunRequest`: here they become one, there they are JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zsh_ls.model.words import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

UNTIL_THE_END_S = 10 * 365 * 24 * 3600.0
TAG = "zsh-ls run"
# A quick command is shown at its end; what takes longer is shown as it comes.
LIVE_AFTER_S = 0.2
LONGEST_LISTEN_S = 300.0
# So that a command which prints a line at a time is not asked for each of them.
BETWEEN_POLLS_S = 0.03


def fields_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The request: wait for the end; the tag identifies progress of this task."""
    # A session says where it is, once it is anywhere.
    follows_session = arguments.session is not None and arguments.cwd is None
    fields: dict[str, Any] = {
        "command": line_of(arguments.words),
        "env": environment_of(arguments.env),
        "cwd": None if follows_session else str(Path.cwd() / (arguments.cwd or "")),
        "shell": arguments.shell,
        "session": arguments.session,
        "timeout": arguments.timeout,
        "yield_after": UNTIL_THE_END_S,
        "pty": arguments.pty,
        "origin": Origin.CLI,
        "progress": True,
        "tag": TAG,
    }
    if arguments.pty:
        import shutil

        fields["cols"], fields["rows"] = shutil.get_terminal_size()
    return fields


def line_of(words: Sequence[str]) -> str:
    """The line of shell: one argument is a line already, several are a command and its words."""
    if len(words) == 1:
        return words[0]
    import shlex

    return shlex.join(words)


def environment_of(changes: Sequence[str]) -> dict[str, str | None]:
    """Variables by name: `NAME=VALUE` sets one, `NAME` alone unsets it."""
    parts = [change.partition("=") for change in changes]
    return {name: value if equals else None for name, equals, value in parts}
