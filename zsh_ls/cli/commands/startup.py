"""Say where the time goes when your shell starts.

Starts your own interactive shell in a terminal of its own, several times, up to
its first prompt, and says which plugins, files and lines take the time. Nothing
is typed into it, your history is not written, and dumps that a start writes
are put back.

    own    the line itself, with the programs it starts and what it evaluates
    total  with all it calls: functions, sourced files

`--without FILE:LINE` starts without a line or several and says what that saves;
`--try` does so for the five dearest lines. No file is changed. `--lag` types into
a shell and measures what is felt: to the first prompt, to the first command, of
each Enter and of each letter. A start that stands still is ended after 30
seconds, with the line where it stands. Ctrl-C ends it all and shows what is
known by then. What causes there are, and what helps:
docs/startup.md, or `zsh-ls startup --cause CODE`.

    zsh-ls startup
    zsh-ls startup --try
    zsh-ls startup --without ~/.zshrc:41-43 --runs 10
    zsh-ls startup --speedscope start.json    # for https://www.speedscope.app
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls startup` takes."""
    parser.add_argument("--shell", metavar="S", help="zsh, bash or an absolute path (your own)")
    parser.add_argument("--login", action="store_true", help="as a login shell")
    parser.add_argument(
        "--runs", type=int, default=5, metavar="N", help="starts untraced, and as many traced (5)"
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="FILE:LINE[-LINE]",
        help="what leaving these lines out saves",
    )
    parser.add_argument("--try", dest="try_dearest", action="store_true", help="the dearest lines")
    parser.add_argument("--lag", action="store_true", help="measure what is felt at the prompt")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.add_argument("--speedscope", metavar="FILE", help="write a profile for speedscope")
    parser.add_argument("--cause", metavar="CODE", help="print the page of a known cause")


def run(arguments: argparse.Namespace) -> int:
    """Print where the time goes; 0 also where a start stands still, 2 for wrong usage, 130 after Ctrl-C."""
    from zsh_ls.tasks.supervision.supervisor import reaper_left

    with reaper_left():
        from zsh_ls.cli.session import with_sidecar
        from zsh_ls.cli.starting import cause_page, print_startup

        if arguments.cause is not None:
            return cause_page(arguments.cause)
        return with_sidecar(lambda sidecar: print_startup(sidecar, arguments))
