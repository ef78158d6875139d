"""Run a script and print it with each line's count, status and time.

What the script prints comes first, as it comes; then the script itself, with
what each of its lists did beside it, and where the time went. zsh and bash
scripts can be traced; others run all the same and say why they were not. The
exit status is the script's own.

On a terminal the script has one: it can ask and be answered, keys and the
window's size are its own, and so is Ctrl-C; what ran so far is told all the
same. In a pipe, standard input is the script's; there Ctrl-C reaches the script
first, and a second one ends it.

    zsh-ls trace ./deploy.zsh --dry-run
    zsh-ls trace --json build.sh | jq '.lines'
"""

from __future__ import annotations

from zsh_ls.cli.plain_arguments import REMAINDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls trace` takes."""
    parser.add_argument("script", metavar="SCRIPT", help="the script's file")
    parser.add_argument("arguments", nargs=REMAINDER, metavar="ARG", help="its own arguments")
    parser.add_argument("--shell", metavar="S", help="zsh, bash, sh or an absolute path")
    parser.add_argument(
        "--timeout", type=float, metavar="N", help="seconds until it is ended (no limit)"
    )
    parser.add_argument("--cwd", metavar="D", help="the folder to run in (this one)")
    parser.add_argument("--speedscope", metavar="FILE", help="write a profile for speedscope")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the script; gives its own exit status, 125 where it cannot be read."""
    from zsh_ls.tasks.supervision.supervisor import reaper_left

    with reaper_left():
        from zsh_ls.cli.session import with_sidecar
        from zsh_ls.cli.tracing import run_traced

        return with_sidecar(lambda sidecar: run_traced(sidecar, arguments))
