"""Run a command and say what its exit meant.

Shows as much of the output as its outcome calls for, the status line, and what
is to be said of it. The exit status is the command's own; 124 after a timeout,
137 after a kill, 125 where nothing could be started. Ctrl-C reaches the command
first; a second one ends it with all its descendants.

With --shared it runs in the zsh-ls server of this workspace, where an editor
has started one: the editor and its agents see the task, and can type into it
and stop it. Output comes live. A task whose `zsh-ls run --shared` is killed
stays with the server. Without a server it runs here.

    zsh-ls run 'make test | tail -5'
    zsh-ls run --shell bash --timeout 600 './deploy.sh'
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

ARG_START, ARG_END = 45, 46  # in /proc/self/stat, counted from the state, which follows the name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls run` takes."""
    parser.add_argument("line", metavar="COMMAND", help="the command line, as one argument")
    parser.add_argument("--shell", metavar="S", help="zsh, bash, sh or an absolute path")
    parser.add_argument(
        "--timeout", type=float, metavar="N", help="seconds until it is ended (no limit)"
    )
    parser.add_argument("--pty", action="store_true", help="give it a terminal of its own")
    parser.add_argument("--cwd", metavar="D", help="the folder to run in (this one)")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    parser.add_argument(
        "--shared", action="store_true", help="run in the workspace's server, if one runs"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the line; gives the command's own exit status."""
    from zsh_ls.shell.template.identity import shown_command
    from zsh_ls.tasks.supervision.supervisor import reaper_left

    # Before anything else: until then `ps` shows a secret of the line to everybody (ALAN-7).
    if (shown := shown_command(arguments.line)) != arguments.line:
        _replace_in_title(arguments.line, shown)
    with reaper_left():
        if arguments.shared:
            from zsh_ls.cli.running import run_shared
            from zsh_ls.cli.session import run_reporting_errors

            return run_reporting_errors(run_shared(arguments))
        from zsh_ls.cli.running import request_of, run_line
        from zsh_ls.cli.session import with_sidecar

        request = request_of(arguments)
        return with_sidecar(lambda sidecar: run_line(sidecar, request, as_json=arguments.json))


def _replace_in_title(argument: str, instead: str) -> None:
    """Overwrite `argument` in this process's command line with `instead`, cut to the same length.

    Does nothing on systems other than Linux. Until Python gets here, `ps` shows the original.
    """
    import ctypes

    try:
        fields = Path("/proc/self/stat").read_text(encoding="latin-1").rpartition(")")[2].split()
        start, end = int(fields[ARG_START]), int(fields[ARG_END])
    except (OSError, IndexError, ValueError):
        return
    if not 0 < start < end:
        return
    typed = os.fsencode(argument)
    at = ctypes.string_at(start, end - start).find(b"\0%b\0" % typed) + 1
    if at:
        shown = instead.encode()[: len(typed)].decode(errors="ignore").encode()
        ctypes.memmove(start + at, shown.ljust(len(typed)), len(typed))
