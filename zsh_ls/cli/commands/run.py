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
    from zsh_ls.cli.process_title import replace_in_title
    from zsh_ls.shell.template.identity import shown_command
    from zsh_ls.tasks.supervision.supervisor import reaper_left

    if (shown := shown_command(arguments.line)) != arguments.line:
        replace_in_title(arguments.line, shown)
    with reaper_left():
        if arguments.shared:
            from zsh_ls.cli.session import run_reporting_errors
            from zsh_ls.cli.shared_run import run_shared

            return run_reporting_errors(run_shared(arguments))
        from zsh_ls.cli.running import request_of, run_line
        from zsh_ls.cli.session import with_sidecar

        request = request_of(arguments)
        return with_sidecar(lambda sidecar: run_line(sidecar, request, as_json=arguments.json))
