"""Static insights on scripts, without running anything.

The rules are those of `zsh-ls rules` under "static"; what the shell itself
cannot read is an error. Files are read as they are; below folders the shell
scripts are found by name or first line, and links are not followed. In Markdown, GitHub
and GitLab workflows, Dockerfiles, Makefiles and justfiles the shell inside is looked at:
in those that are named, and with `--embedded` in those below folders. `-` reads
standard input. As text and for GitHub findings are printed as they are found, a
terminal shows how far it is, and Ctrl-C keeps what was found. The exit status is
1 with findings, 0 without, 2 where an argument cannot be used or a path cannot be
read, 130 after Ctrl-C. `# zsh-ls: ignore=NAME` at the
end of a line, or alone on the line above, silences a rule there.

Results are kept by the content of files in the user's cache folder, so that only
what changed is worked out again; `--no-cache` does without.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from zsh_ls.cli.check_cache import CheckCache
    from zsh_ls.cli.findings import Finding
    from zsh_ls.cli.progress import ProgressLine

# Formats of which each finding is whole by itself; the others are one document.
STREAMED = {"text", "github"}
INTERRUPTED = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """PATH…, --embedded, --rule, --all-rules, --format."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files, folders, or -")
    parser.add_argument(
        "--embedded",
        action="store_true",
        help="in folders also look into Markdown, CI workflows, Dockerfiles, Makefiles and justfiles",
    )
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        metavar="R",
        help="look for this rule alone (may be given more than once)",
    )
    parser.add_argument(
        "--all-rules", action="store_true", help="also look for the rules that are off by default"
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="work everything out anew, and keep no results for the next check",
    )
    parser.add_argument(
        "--format", choices=("text", "json", "sarif", "github"), default="text", help="of findings"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check, print the findings, and say by the exit status whether there were any."""
    from zsh_ls.cli.checking import check_all
    from zsh_ls.cli.findings import FORMATS
    from zsh_ls.cli.progress import ProgressLine

    wanted = {name for names in arguments.rule for name in names.split(",")}
    problems: list[str] = []
    # The rules are large; where the results were kept, none is needed.
    if wanted or arguments.all_rules:
        from zsh_ls.insights.registry import rule_named

        from .rules import unknown_rule

        known = _known_rules()
        wanted = {rule.name if (rule := rule_named(name)) else name for name in wanted}
        problems = [unknown_rule(name) for name in sorted(wanted) if name not in known]
        wanted = wanted or known
    if problems:
        return _refuse(problems)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The bytes of a file's name that are no UTF-8 come out as they are on the disk.
        sys.stdout.reconfigure(errors="surrogateescape")
    output = FORMATS[arguments.format]
    found: list[Finding] = []
    files = checked = 0
    cache = None if arguments.no_cache else _cache(wanted)
    try:
        with ProgressLine() as progress, _saved(cache):
            scripts = _scripts(arguments, problems, progress)
            files = len(scripts)
            progress.text = f"checked 0 of {files} files"
            for report in check_all(scripts, wanted, cache):
                found += report.findings
                problems += report.problems
                checked += 1
                progress.text = f"checked {checked} of {files} files"
                if report.findings and arguments.format in STREAMED:
                    with progress.aside():
                        print(output(report.findings), end="", flush=True)
    except KeyboardInterrupt:
        # What was found so far is worth having, also as one document.
        print(f"zsh-ls check: interrupted, {checked} of {files} files checked", file=sys.stderr)
        return INTERRUPTED
    finally:
        if arguments.format not in STREAMED:
            print(output(found), end="", flush=True)
    if not found and not problems and sys.stderr.isatty():
        # A person would wonder whether it had looked at all; a script reads the exit status.
        print(
            f"{'1 file' if files == 1 else f'{files} files'} checked, nothing found",
            file=sys.stderr,
        )
    return _refuse(problems) if problems else int(bool(found))


def _known_rules() -> set[str]:
    from zsh_ls.cli.findings import SYNTAX_ERROR
    from zsh_ls.insights.registry import RuleKind, rules_of

    return {rule.name for rule in rules_of(RuleKind.STATIC)} | {SYNTAX_ERROR}


def _cache(wanted: set[str]) -> CheckCache | None:
    """The results of earlier checks; None where this user can have no such folder."""
    from zsh_ls.cli.check_cache import CheckCache
    from zsh_ls.cli.checking import cache_folder

    folder = cache_folder()
    return CheckCache(folder, wanted) if os.path.isabs(folder) else None


@contextlib.contextmanager
def _saved(cache: CheckCache | None) -> Iterator[None]:
    """Keep new results in the end, also at Ctrl-C; without space for them they are worked out again."""
    try:
        yield
    finally:
        if cache is not None:
            with contextlib.suppress(OSError):
                cache.save()


def _refuse(problems: Iterable[str]) -> int:
    for problem in problems:
        print(f"zsh-ls check: {problem}", file=sys.stderr)
    return 2


def _scripts(
    arguments: argparse.Namespace, problems: list[str], progress: ProgressLine
) -> list[str]:
    """The files to read; what cannot be read is added to `problems`, a huge one is reported."""
    from zsh_ls.cli.script_files import is_huge, scripts_below

    found = []
    for path in arguments.paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        for script in scripts_below(path, problems, embedded=arguments.embedded):
            if is_huge(script):
                with progress.aside():
                    print(f"zsh-ls check: {script}: too long, not checked", file=sys.stderr)
            else:
                found.append(script)
                progress.text = f"looking for scripts: {len(found)} found"
    return found
