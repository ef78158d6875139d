"""Static insights on scripts, without running anything.

Files are read as they are; below folders the shell scripts are found by name
or first line. `-` reads standard input. The exit status is 1 with findings, 0
without, 2 where an argument cannot be used or a path cannot be read.
`# zsh-ls: ignore=NAME` at the end of a line, or alone on the line above,
silences a rule there.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zsh_ls.cli.findings import Finding

STDIN = "-"
PROGRESS_AFTER_S = 2.0


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
    from zsh_ls.cli.script_files import Unreadable

    wanted = {name for names in arguments.rule for name in names.split(",")}
    if problems := _unusable(wanted):
        return _refuse(problems)
    try:
        paths = list(_paths(arguments.paths))
        findings = [
            finding
            for path in _with_progress(paths)
            for finding in _check(path)
            if not wanted or finding.rule in wanted
        ]
    except Unreadable as problem:
        return _refuse([str(problem)])
    print(FORMATS[arguments.format](findings), end="")
    return 1 if findings else 0


def _unusable(names: Iterable[str]) -> list[str]:
    from zsh_ls.cli.commands.rules import unknown_rule
    from zsh_ls.cli.findings import SYNTAX
    from zsh_ls.insights.registry import Kind, rules_of

    known = {rule.name for rule in rules_of(Kind.STATIC)} | {SYNTAX}
    return [unknown_rule(name) for name in sorted(names) if name not in known]


def _refuse(problems: Iterable[str]) -> int:
    for problem in problems:
        print(f"zsh-ls check: {problem}", file=sys.stderr)
    return 2


def _paths(named: Sequence[str]) -> Iterator[str]:
    from zsh_ls.cli.script_files import is_huge, scripts_below

    for path in named:
        if path == STDIN or not os.path.isdir(path):
            yield path
            continue
        for script in scripts_below(path):
            if is_huge(script):
                print(f"zsh-ls check: {script}: too long, not checked", file=sys.stderr)
            else:
                yield script


def _check(path: str) -> list[Finding]:
    from zsh_ls.cli.findings import findings_of
    from zsh_ls.cli.script_files import read_script
    from zsh_ls.insights import static
    from zsh_ls.shell.dialect import dialect_of

    text = sys.stdin.read() if path == STDIN else read_script(path)
    return findings_of(path, text, static(text, dialect_of(text, name=path)))


def _with_progress(paths: Sequence[str]) -> Iterator[str]:
    started_s, shown = time.monotonic(), False
    for number, path in enumerate(paths, 1):
        if sys.stderr.isatty() and time.monotonic() - started_s > PROGRESS_AFTER_S:
            print(f"\r\x1b[Kchecking {number} of {len(paths)} files", end="", file=sys.stderr)
            shown = True
        yield path
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr)
