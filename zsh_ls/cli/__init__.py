"""The command-line frontend: `zsh-ls NAME …` calls the module of that name in `cli.commands`.

A command is one module there: its docstring is its help, `add_arguments`
declares what it takes, `run` does it and gives the exit status. Modules import
what they need inside `run`, so that `zsh-ls serve` answers an editor at once.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from zsh_ls import __version__

if TYPE_CHECKING:
    import argparse

INTERRUPTED = 130
WRONG_USAGE = 2
_VERSION, _SHORT_VERSION = ["--version"], ["-V"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; without a command, print the help."""
    try:
        words = sys.argv[1:] if argv is None else list(argv)
        if words[:1] in (_VERSION, _SHORT_VERSION):
            print(f"zsh-ls {__version__}")  # the parser takes longer to load than this
            return 0
        if words[:1] == ["init"]:
            from .terminal import text_for, wanted

            # Every new shell waits for this text, and the parser takes longer to load than the shell.
            if asked := wanted(words[1:]):
                print(text_for(asked[0], ctrl_r=asked[1]), end="")
                return 0
        if words[:1] == ["help"]:
            words = [*words[1:2], "--help"]
        if words and words[0][:1] not in ("", "-") and words[0] not in _names():
            return _refuse(words[0])
        parser = _parser(words[:1])
        arguments = parser.parse_args(words)
        if arguments.command is None:
            parser.print_help()
            return 0
        status = int(_load(arguments.command).run(arguments))
        if argv is None:
            from zsh_ls.system.exiting import PATIENCE_S, flush, leave_within

            # Python would wait for all threads before it exits, and one may be stuck.
            flush()
            leave_within(PATIENCE_S, status)
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 0  # the reader has closed the pipe
    finally:
        _give_up_closed_pipes()


def _give_up_closed_pipes() -> None:
    """Let what nobody reads any more go: Python would report it when it closes the streams."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None or stream.closed:
            continue
        try:
            stream.flush()
        except BrokenPipeError:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser(asked_for: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser, with one command only if that is given: loading all would delay it."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="zsh-ls",
        description="Runs shell commands, remembers them, and says what their exits meant.",
    )
    parser.add_argument("-V", "--version", action="version", version=f"zsh-ls {__version__}")
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


def _refuse(name: str) -> int:
    """Say that there is no such command, and which one is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, _names())
    advice = f"did you mean {' or '.join(near)}?" if near else "`zsh-ls help` lists them"
    print(f"zsh-ls: there is no command {name!r}; {advice}", file=sys.stderr)
    return WRONG_USAGE


def _names() -> list[str]:
    import pkgutil

    from . import commands

    return sorted(
        module.name.rstrip("_")
        for module in pkgutil.iter_modules(commands.__path__)
        if module.name[0] != "_"
    )


def _load(name: str) -> ModuleType:
    import importlib

    # `import` is a keyword, so its module has an underscore at the end of its name.
    for candidate in (name, f"{name}_"):
        try:
            return importlib.import_module(f".commands.{candidate}", __package__)
        except ModuleNotFoundError as missing:
            if missing.name != f"{__package__}.commands.{candidate}":
                raise
    raise LookupError(name)
