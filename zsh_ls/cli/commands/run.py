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

With --detach it outlives this terminal, an editor and an agent: a server, a watcher, a long
download. Its id is printed, and it is reached by that: `zsh-ls tasks`, `zsh-ls output ID`,
`zsh-ls kill ID`, from editors and agents too. No time limit holds but --timeout.

With --session NAME it begins with the variables, functions, aliases, options and
folder that the last run of that session left (zsh, bash); `zsh-ls session` tells of
them. A session goes with this terminal.

    zsh-ls run make test
    zsh-ls run 'make test | tail -5'
    head=$(zsh-ls run git rev-parse HEAD)
    zsh-ls run --shell bash --timeout 600 './deploy.sh'
    zsh-ls run --detach 'npm run dev'
"""

from __future__ import annotations

import os
import signal

from zsh_ls.cli.plain_arguments import REMAINDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from zsh_ls.cli.live import Ended
    from zsh_ls.model.requests import RunRequest
    from zsh_ls.sidecar import Sidecar

NOT_FOUND = 127
# Of the shell, where no word of a command is usually one; these have such words of their own.
_SIGNS = frozenset(("|", "||", "&&", "&", "|&", ">", ">>", "<", "2>", "2>&1", ">&2", "&>"))
_WITH_SIGNS = ("expr", "test", "[")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls run` takes."""
    parser.usage = "zsh-ls run [OPTIONS] [--] COMMAND [ARG ...]"
    parser.add_argument("line", metavar="COMMAND", help="a line of shell, or a command")
    rest = parser.add_argument(
        "rest", nargs=REMAINDER, metavar="ARG", help="the command's own arguments"
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
    parser.add_argument(
        "--detach", action="store_true", help="let it outlive this terminal, and print its id"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the line; gives the command's own exit status."""
    arguments.words = [arguments.line, *arguments.rest]
    if arguments.shared and not arguments.detach:
        from zsh_ls.cli.joined import run_joined

        joined = run_joined(arguments)
        if joined is not None:
            return joined
    from zsh_ls.lazy import loading

    loading.load_little()
    from zsh_ls.cli.title import hide_secrets
    from zsh_ls.shell.template.identity import shown_command
    from zsh_ls.tasks.supervision.supervisor import reaper_left

    # Before anything else: until then `ps` shows a secret of the line to everybody (ALAN-7).
    hide_secrets(arguments.words, [shown_command(word) for word in arguments.words])
    if arguments.detach:
        from zsh_ls.cli.detaching import run_detached
        from zsh_ls.cli.session import with_sidecar

        return with_sidecar(lambda sidecar: run_detached(sidecar, arguments), only_news=True)
    with reaper_left():
        from zsh_ls.cli.run_request import fields_of
        from zsh_ls.model.requests import RunRequest

        request = RunRequest(**fields_of(arguments))
        if arguments.brief or arguments.json:
            from zsh_ls.cli.running import run_line
            from zsh_ls.cli.session import with_sidecar

            return with_sidecar(
                lambda sidecar: run_line(sidecar, request, as_json=arguments.json),
                only_news=not arguments.json,
            )
        if arguments.pty:
            from zsh_ls.cli.running import run_followed
            from zsh_ls.cli.session import with_sidecar

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
    advice = _advice_on_quoting(arguments, status) if status else None
    if advice:
        from zsh_ls.cli.screen import tell

        tell(f"zsh-ls run: {advice}")
    return status, ends[0].signal if ends else None


def _advice_on_quoting(arguments: argparse.Namespace, status: int) -> str | None:
    """What is told after a failure of words that were probably meant as a line of shell."""
    if not arguments.rest:
        return None
    if status == NOT_FOUND and " " in arguments.line.strip():
        return f"{arguments.line!r} is one word here; quote the whole line, or no part of it"
    if arguments.line in _WITH_SIGNS:
        return None
    sign = next((word for word in arguments.rest if word in _SIGNS), None)
    return sign and f"{sign!r} is a word of the command here; quote the whole line to have it run"


def _die_of(number: int) -> None:
    """End as the command did: a loop of the shell that called this ends at Ctrl-C by that alone."""
    from zsh_ls.system.exiting import flush

    flush()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
