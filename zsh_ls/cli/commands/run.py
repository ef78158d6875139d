"""Run a command as if it had been typed, and say what its exit meant.

One COMMAND is a line of shell; several words are a command and its arguments.
Standard input, keys, Ctrl-C, Ctrl-Z and the window's size are the command's, its
output comes as it is written, and nothing else is on standard output. At the end
one status line, and what is news, follow on standard error. The exit status is
the command's own; 124 after a timeout, 137 after a kill, 125 where nothing could
be started. There is no time limit but --timeout and the person's own setting.

--brief is for agents and hooks: as much of the output as its outcome calls for,
the status line and all that is to be said of it, on standard output at the end.

With --shared it runs in the zsh-ls server of this workspace, where an editor
has started one: the editor and its agents see the task, and can type into it
and stop it. A task whose `zsh-ls run --shared` is killed stays with the server.
Without a server it runs here.

With --session NAME it begins with the variables, functions, aliases, options and
folder that the last run of that session left (zsh, bash); `zsh-ls session` tells of
them. A session goes with this terminal.

    zsh-ls run make test
    zsh-ls run 'make test | tail -5'
    head=$(zsh-ls run git rev-parse HEAD)
    zsh-ls run --shell bash --timeout 600 './deploy.sh'
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zsh_ls.cli.live import Ended
    from zsh_ls.model.requests import RunRequest
    from zsh_ls.sidecar import Sidecar

ARG_START, ARG_END = 45, 46  # in /proc/self/stat, counted from the state, which follows the name
NOT_FOUND = 127


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls run` takes."""
    parser.usage = "zsh-ls run [OPTIONS] [--] COMMAND [ARG ...]"
    parser.add_argument("line", metavar="COMMAND", help="a line of shell, or a command")
    rest = parser.add_argument(
        "rest", nargs=argparse.REMAINDER, metavar="ARG", help="the command's own arguments"
    )
    rest.required = False  # argparse would name it among what is missing
    parser.add_argument("--brief", action="store_true", help="the view for agents, at the end")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    parser.add_argument("--shell", metavar="S", help="zsh, bash, sh or an absolute path")
    parser.add_argument(
        "--timeout", type=float, metavar="N", help="seconds until it is ended (no limit)"
    )
    parser.add_argument(
        "--session", metavar="NAME", help="begin with what the last run of this session left"
    )
    parser.add_argument(
        "--cwd", metavar="D", help="the folder to run in (this one, or the session's)"
    )
    parser.add_argument(
        "--env",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="set a variable, or unset it; may be given again",
    )
    parser.add_argument("--pty", action="store_true", help="give it a terminal where there is none")
    parser.add_argument(
        "--shared", action="store_true", help="run in the workspace's server, if one runs"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the line; gives the command's own exit status."""
    from zsh_ls.shell.template.identity import shown_command
    from zsh_ls.tasks.supervision.supervisor import reaper_left

    arguments.words = [arguments.line, *arguments.rest]
    # Before anything else: until then `ps` shows a secret of the line to everybody (ALAN-7).
    for word in arguments.words:
        if (shown := shown_command(word)) != word:
            _replace_in_title(word, shown)
    with reaper_left():
        if arguments.shared:
            from zsh_ls.cli.running import run_shared
            from zsh_ls.cli.session import run_reporting_errors

            shared: list[int | None] = []

            async def work() -> int:
                shared.append(await run_shared(arguments))
                return shared[0] or 0

            status = run_reporting_errors(work())
            if shared != [None]:
                return status
        from zsh_ls.cli.running import request_of, run_followed, run_line
        from zsh_ls.cli.session import with_sidecar

        request = request_of(arguments)
        if arguments.brief or arguments.json:
            return with_sidecar(lambda sidecar: run_line(sidecar, request, as_json=arguments.json))
        if arguments.pty:
            return with_sidecar(lambda sidecar: run_followed(sidecar, request), only_news=True)
        status, ended_by = _run_live(arguments, request)
    if ended_by == signal.SIGINT:
        _die_of(signal.SIGINT)
    return status


def _run_live(arguments: argparse.Namespace, request: RunRequest) -> tuple[int, int | None]:
    """Run it between the streams of this process: its exit status, and the signal that ended its shell."""
    from zsh_ls.cli.live import run_live
    from zsh_ls.cli.session import with_sidecar

    ends: list[Ended] = []

    async def work(sidecar: Sidecar) -> int:
        ends.append(await run_live(sidecar, request))
        return ends[0].status

    status = with_sidecar(work, only_news=True)
    if status == NOT_FOUND and arguments.rest and " " in arguments.line.strip():
        print(
            f"zsh-ls run: {arguments.line!r} is one word here; quote the whole line, or no part of it",
            file=sys.stderr,
        )
    return status, ends[0].signal if ends else None


def _die_of(number: int) -> None:
    """End as the command did: a loop of the shell that called this ends at Ctrl-C by that alone."""
    from zsh_ls.system.exiting import flush

    flush()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


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
