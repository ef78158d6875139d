"""List the named sessions of this terminal, show what one holds, or begin anew.

`zsh-ls run --session NAME` begins with what the last run of that session left. Values
that are secrets are masked here. Sessions go with the terminal.

    zsh-ls session
    zsh-ls session show build
    zsh-ls session reset build
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from zsh_ls.model.reports import SessionList
    from zsh_ls.sidecar import Sidecar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls session` takes."""
    parser.add_argument(
        "action", nargs="?", default="list", choices=("list", "show", "reset"), help="what to do"
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the session")
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print them."""
    from zsh_ls.cli.session import with_sidecar

    if arguments.action == "show" and arguments.name is None:
        print("zsh-ls session: show needs the NAME of a session", file=sys.stderr)
        return 2
    if arguments.action == "list" and arguments.name is not None:
        arguments.action = "show"

    async def work(sidecar: Sidecar) -> int:
        from zsh_ls.model.errors import InvalidRequest

        try:
            found = await sidecar.sessions(arguments.action, arguments.name)
        except InvalidRequest as unknown:
            print(f"zsh-ls: {unknown}", file=sys.stderr)
            return 1
        _print(found, arguments)
        return 0

    return with_sidecar(work)


def _print(found: SessionList, arguments: argparse.Namespace) -> None:
    if arguments.json:
        import json

        from zsh_ls.sidecar.to_json import to_json

        print(json.dumps(to_json(found), ensure_ascii=False))
    elif found.held is not None:
        for it in found.held:
            value = it.value.replace("\n", "\n    ")
            if it.kind == "function":
                print(f"{it.kind:9}  {value}")
            elif it.kind == "directory":
                print(f"{it.name:9}  {value}")
            else:
                print(f"{it.kind:9}  {it.name} = {value}")
    elif arguments.action == "reset":
        print(
            f"Session {arguments.name} begins anew."
            if arguments.name
            else "All sessions begin anew."
        )
    elif not found.sessions:
        print("No sessions. `zsh-ls run --session NAME …` begins one.")
    else:
        for session in found.sessions:
            runs = _counted(session.runs, "run")
            held = f"{_counted(session.variables, 'variable')}, {_counted(session.functions, 'function')}"
            print(f"{session.session}  {session.shell}  {session.cwd or ''}  {runs}, {held}")


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
