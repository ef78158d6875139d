"""Static insights on scripts, without running anything.

The rules are those of `zsh-ls rules` under "static"; what the shell itself
cannot read is an error. Files are read as they are; below folders the shell scripts are found by name
or first line. `-` reads standard input. The exit status is 1 with findings, 0
without, 2 where an argument cannot be used or a path cannot be read.
`# zsh-ls: ignore=NAME` at the end of a line, or alone on the line above,
silences a rule there.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zsh_ls.cli.findings import Finding

STDIN = "-"
PROGRESS_AFTER_S = 2.0
AT_ONCE = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATH…, --rule, --format."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files, folders, or -")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="R",
        help="look for this rule alone (may be given more than once)",
    )
    parser.add_argument(
        "--format", choices=("text", "json", "sarif", "github"), default="text", help="of findings"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check, print the findings, and say by the exit status whether there were any."""
    from zsh_ls.cli.findings import FORMATS

    wanted = {name for names in arguments.rule for name in names.split(",")}
    problems = _unusable(wanted)
    if problems:
        return _refuse(problems)
    scripts = _scripts(arguments.paths, problems)
    found = asyncio.run(_check_all(scripts, wanted, problems))
    print(FORMATS[arguments.format](found), end="")
    return _refuse(problems) if problems else int(bool(found))


def _unusable(names: Iterable[str]) -> list[str]:
    from zsh_ls.cli.commands.rules import unknown_rule
    from zsh_ls.cli.findings import SYNTAX_ERROR
    from zsh_ls.insights.registry import Kind, rules_of

    known = {rule.name for rule in rules_of(Kind.STATIC)} | {SYNTAX_ERROR}
    return [unknown_rule(name) for name in sorted(names) if name not in known]


def _refuse(problems: Iterable[str]) -> int:
    for problem in problems:
        print(f"zsh-ls check: {problem}", file=sys.stderr)
    return 2


def _scripts(named: Sequence[str], problems: list[str]) -> list[str]:
    """The files to read; what cannot be read is added to `problems`, what is huge is said."""
    from zsh_ls.cli.script_files import Unreadable, is_huge, scripts_below

    found = []
    for path in named:
        try:
            below = scripts_below(path) if os.path.isdir(path) else iter((path,))
            for script in below:
                if script != path and is_huge(script):
                    print(f"zsh-ls check: {script}: too long, not checked", file=sys.stderr)
                else:
                    found.append(script)
        except Unreadable as problem:
            problems.append(str(problem))
    return found


async def _check_all(paths: Sequence[str], wanted: Set[str], problems: list[str]) -> list[Finding]:
    """The findings of every file in order; the shells check a few files at once beside us."""
    from zsh_ls.cli.script_files import Unreadable

    room = asyncio.Semaphore(AT_ONCE)
    tasks = []
    for path in _with_progress(paths):
        try:
            tasks.append(asyncio.create_task(_check(path, _read(path), wanted, room)))
        except Unreadable as problem:
            problems.append(str(problem))
        await asyncio.sleep(0)
    checked = await asyncio.gather(*tasks)
    return [each for found in checked for each in found if not wanted or each.rule in wanted]


def _read(path: str) -> str:
    from zsh_ls.cli.script_files import read_script

    return (
        sys.stdin.buffer.read().decode("utf-8", "replace") if path == STDIN else read_script(path)
    )


async def _check(path: str, text: str, wanted: Set[str], room: asyncio.Semaphore) -> list[Finding]:
    from zsh_ls.cli.findings import SYNTAX_ERROR, error_on_line, findings_of
    from zsh_ls.insights import static
    from zsh_ls.machine.syntax_check import syntax_problems
    from zsh_ls.shell.dialect import dialect_of, is_preprocessed

    dialect = dialect_of(text, name=path)
    found = findings_of(path, text, static(text, dialect))
    if is_preprocessed(text, path):
        return found
    if not wanted or SYNTAX_ERROR in wanted:
        async with room:
            complaints = await syntax_problems(text, dialect)
        found += [error_on_line(path, text, each.line, each.message) for each in complaints]
    return sorted(found, key=lambda each: (each.line, each.column))


def _with_progress(paths: Sequence[str]) -> Iterator[str]:
    started_s, shown = time.monotonic(), False
    for number, path in enumerate(paths, 1):
        if sys.stderr.isatty() and time.monotonic() - started_s > PROGRESS_AFTER_S:
            print(f"\r\x1b[Kchecking {number} of {len(paths)} files", end="", file=sys.stderr)
            shown = True
        yield path
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr)
