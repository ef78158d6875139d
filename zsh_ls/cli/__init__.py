"""The command-line frontend: `zsh-ls NAME …` calls the module of that name in `cli.commands`.

A command is one module there: its docstring is its help, `add_arguments`
declares what it takes, `run` does it and gives the exit status. Modules import
what they need inside `run`, so that `zsh-ls serve` answers an editor at once.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence

from zsh_ls import __version__

TYPE_CHECKING = False  # what `typing` has; it takes as long to load as all that is needed here
if TYPE_CHECKING:
    import argparse
    from types import ModuleType

INTERRUPTED = 130
WRONG_USAGE = 2
FULL_DISK = 1
FAULT = 125  # zsh-ls itself failed, not a command
OBJECTS_BETWEEN_COLLECTIONS = 100_000
NO_WINDOWS = (
    "zsh-ls runs on Linux and macOS; on Windows it runs inside WSL: `wsl --install`, then there "
    "`pipx install zsh-ls`"
)
WORDS = (
    "A.L.A.N. (As Long As Necessary) is the memory of what ran: how long commands take, how they "
    "end and fail. NEVERHANG refuses a command for five minutes that ran into its time limit "
    "three times within an hour."
)
_VERSION, _SHORT_VERSION = ["--version"], ["-V"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; without a command, print the help."""
    try:
        words = sys.argv[1:] if argv is None else list(argv)
        if words[:1] in (_VERSION, _SHORT_VERSION):
            print(f"zsh-ls {__version__}")  # the parser takes longer to load than this
            return 0
        if sys.platform == "win32":  # before what only Unix has is imported
            print(NO_WINDOWS, file=sys.stderr)
            return WRONG_USAGE
        _open_closed_streams()
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
        # Modules make many objects and little garbage: looking for it takes a tenth of the start.
        gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 10, 10)
        status = _run(words)
        if argv is None:
            _leave(status)
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as fault:
        return _status_of(fault)
    except Exception as fault:
        from zsh_ls.model.errors import refused_by_system

        if (refused := refused_by_system(fault)) is None:
            raise
        print(f"zsh-ls: {refused}", file=sys.stderr)
        return FAULT
    finally:
        _give_up_closed_pipes()


def _open_closed_streams() -> None:
    """Put /dev/null where a standard stream was closed by whoever started this program.

    The next file that is opened would get its number, and be a command's standard input or written into.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _run(words: Sequence[str]) -> int:
    """Run the command that `words` name; print the help where they name none."""
    from .plain_arguments import plain_arguments

    if words and words[0] in _names():
        module = _load(words[0])
        plain = plain_arguments(words[0], module, words[1:])
        if plain is not None:
            return int(module.run(plain))
    parser = _parser(words[:1])
    arguments, unknown = parser.parse_known_args(words)
    if unknown:
        return _refuse_option(arguments.command, unknown[0], parser)
    if arguments.command is None:
        parser.print_help()
        return 0
    return int(_load(arguments.command).run(arguments))


def _status_of(fault: OSError) -> int:
    """The exit status where the system refused something; says what."""
    if isinstance(fault, BrokenPipeError):
        return 0  # the reader has closed the pipe
    if isinstance(fault, FileNotFoundError) and not _stands_somewhere():
        print("zsh-ls: the current folder does not exist any more", file=sys.stderr)
        return FAULT
    named = f": {fault.filename}" if isinstance(fault.filename, str) else ""
    print(f"zsh-ls: {fault.strerror or fault}{named}", file=sys.stderr)
    return FULL_DISK if fault.errno == errno.ENOSPC else FAULT


def _stands_somewhere() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def _leave(status: int) -> None:
    """Exit at once where nothing is left to do: Python would unload all modules, a fifth of a short run.

    A thread that still works, memory's perhaps, is waited for, but not for ever.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            try:
                stream.flush()
            except BrokenPipeError:
                pass  # nobody reads it any more
            except OSError:
                return  # a full disk, perhaps: Python says so, and exits with 120
    if "threading" not in sys.modules:  # then nobody has started one
        os._exit(status & 0xFF)
    import threading

    others = (it for it in threading.enumerate() if it is not threading.main_thread())
    if all(it.daemon for it in others):
        os._exit(status & 0xFF)
    from zsh_ls.system.exiting import PATIENCE_S, leave_within

    leave_within(PATIENCE_S, status)


def _give_up_closed_pipes() -> None:
    """Let what nobody reads any more go: Python would report it when it closes the streams."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None or stream.closed:
            continue
        try:
            stream.flush()
        except BrokenPipeError:
            import contextlib

            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _parser(asked_for: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser, with one command only if that is given: loading all would delay it."""
    from .help_text import Paragraphs, Parser

    parser = Parser(
        prog="zsh-ls",
        description="Runs shell commands, remembers them, and says what their exits meant.",
        epilog=WORDS,
        formatter_class=Paragraphs,
    )
    parser.add_argument(
        "-V",
        "--version",
        action="version",
        version=f"zsh-ls {__version__}",
        help="tell the version and exit",
    )
    # Without `prog` argparse would lay out a usage to find it, and load what measures the terminal.
    subparsers = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="zsh-ls"
    )
    for name in [name for name in _names() if name in asked_for] or _names():
        module = _load(name)
        summary, _, details = (module.__doc__ or "").partition("\n")
        command = subparsers.add_parser(
            name,
            help=summary[:1].lower() + summary[1:].rstrip("."),
            description=summary,
            epilog=details.strip("\n") or None,
            formatter_class=Paragraphs,
        )
        module.add_arguments(command)
    return parser


def full_parser() -> argparse.ArgumentParser:
    """The parser with every command, from which completions and the manual page are made."""
    return _parser()


def _refuse(name: str) -> int:
    """Say that there is no such command, and which one is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, _names())
    advice = f"did you mean {' or '.join(near)}?" if near else "`zsh-ls help` lists them"
    from .screen import tell

    tell(f"zsh-ls: there is no command {name!r}; {advice}")
    return WRONG_USAGE


def _refuse_option(name: str | None, unknown: str, parser: argparse.ArgumentParser) -> int:
    """Say that a command, or `zsh-ls` itself, has no such option, and which one is near."""
    import argparse
    from difflib import get_close_matches

    (commands,) = (it for it in parser._actions if isinstance(it, argparse._SubParsersAction))
    whole = f"zsh-ls {name}" if name else "zsh-ls"
    options = (commands.choices[name] if name else parser)._option_string_actions
    said = unknown.partition("=")[0]
    near = get_close_matches(said, options, n=1)
    if said.swapcase() in options:
        near = [said.swapcase()]
    advice = f"did you mean {near[0]}?" if near else f"see `{whole} --help`"
    if said in options:
        advice = f"options stand after the command: `{whole} {unknown}`"
    what = "option" if unknown.startswith("-") else "argument"
    from .screen import tell

    tell(f"{whole}: there is no {what} {unknown!r}; {advice}")
    return WRONG_USAGE


def _names() -> list[str]:
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands")
    files = (name.removesuffix(".py") for name in os.listdir(folder) if name.endswith(".py"))
    return sorted(name.rstrip("_") for name in files if name[0] != "_")


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
