"""Tell agents what is news of the commands they run in their own shell.

After a command, the hook adds one or two lines to what the agent reads, where there is news: a
failure that the exit hides, what an exit means, how long it usually takes, which tests failed.
It changes nothing, and where there is no news it is silent. Only with --rewrite it comes
before a command, too, and has it run through `zsh-ls run --brief`. docs/agents.md has more.

    zsh-ls hook install claude --dry-run   what would be changed
    zsh-ls hook install claude --rewrite   commands run by `zsh-ls run --brief`
    zsh-ls hook install claude --project   for all who work on this project
    zsh-ls hook uninstall claude           takes out what was put in, no more
    zsh-ls hook claude                     what the agent runs; it reads stdin
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

AGENTS = ("claude", "codex", "cursor", "gemini", "opencode")
WRONG_USAGE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls hook` takes."""
    parser.add_argument(
        "action",
        metavar="ACTION",
        choices=(*AGENTS, "install", "uninstall"),
        help="install, uninstall, or the agent that speaks: claude, codex, cursor, gemini, opencode",
    )
    parser.add_argument(
        "agent", nargs="?", choices=AGENTS, metavar="AGENT", help="whose configuration is changed"
    )
    parser.add_argument(
        "--project", action="store_true", help="the project's configuration, not the person's"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show what would be changed, and change nothing"
    )
    parser.add_argument(
        "--rewrite", action="store_true", help="run commands through `zsh-ls run --brief`"
    )
    parser.add_argument(
        "--wake", action="store_true", help="wait for the end of a detached run, and exit with 2"
    )


def run(arguments: argparse.Namespace) -> int:
    """Answer an event, or change an agent's configuration."""
    if arguments.action in AGENTS and arguments.wake:
        from zsh_ls.cli.hook_waking import wake

        return wake(arguments.action)
    if arguments.action in AGENTS:
        from zsh_ls.cli.hooking import speak

        return speak(arguments.action, rewrite=arguments.rewrite)
    if arguments.agent is None:
        import sys

        print(f"zsh-ls hook {arguments.action}: which agent? {', '.join(AGENTS)}", file=sys.stderr)
        return WRONG_USAGE
    from zsh_ls.cli import hook_files

    project, only_show = arguments.project, arguments.dry_run
    if arguments.action == "uninstall":
        return hook_files.uninstall(arguments.agent, project=project, only_show=only_show)
    rewrite = arguments.rewrite
    return hook_files.install(
        arguments.agent, project=project, only_show=only_show, rewrite=rewrite
    )
