"""The command-line frontend: `zsh-ls NAME …` calls the module of that name in `cli.commands`.

A command is one module there: its docstring is its help, `add_arguments`
declares what it takes, `run` does it and gives the exit status. Modules import
what they need inside `run`, so that `zsh-ls serve` answers an editor at once.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType

from zsh_ls import __version__
from zsh_ls.system.exiting import PATIENCE_S, flush, leave_within

from . import commands

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; without a command, print the help."""
    try:
        words = sys.argv[1:] if argv is None else list(argv)
        parser = _parser(words[:1])
        arguments = parser.parse_args(words)
        if arguments.command is None:
            parser.print_help()
            return 0
        status = int(_load(arguments.command).run(arguments))
        if argv is None:
            # Python would wait for all threads before it exits, and one may be stuck.
            flush()
            leave_within(PATIENCE_S, status)
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe; Python must not report that again when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser(asked_for: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser, with one command only if that is given: loading all would delay it."""
    parser = argparse.ArgumentParser(
        prog="zsh-ls",
        description="Runs shell commands, remembers them, and says what their exits meant.",
    )
    parser.add_argument("--version", action="version", version=f"zsh-ls {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in [name for name in _names() if name in asked_for] or _names():
        module = _load(name)
        summary, _, details = (module.__doc__ or "").partition("\n")
        command = subparsers.add_parser(
            name,
            help=summary[:1].lower() + summary[1:].rstrip("."),
            description=summary,
            epilog=details.strip() or None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
    return parser


def _names() -> list[str]:
    return sorted(
        module.name.rstrip("_")
        for module in pkgutil.iter_modules(commands.__path__)
        if module.name[0] != "_"
    )


def _load(name: str) -> ModuleType:
    # `import` is a keyword, so its module has an underscore at the end of its name.
    for candidate in (name, f"{name}_"):
        try:
            return importlib.import_module(f".commands.{candidate}", __package__)
        except ModuleNotFoundError as missing:
            if missing.name != f"{commands.__name__}.{candidate}":
                raise
    raise LookupError(name)
