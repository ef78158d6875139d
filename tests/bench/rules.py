"""Findings of the static rules on real scripts, sampled for judging.

    python -m tests.bench rules [--sample N] [--rule NAME] [ROOT…]

Without ROOT: the zsh functions and scripts that Debian's packages install, and
the shell scripts below /usr/bin, /usr/sbin, /usr/lib, /etc and /usr/share. Each
rule's sample is drawn with a seed of its own, so that it is the same everywhere
the same files are; it is printed as the lines `tests/data/rule_verdicts` keeps.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from zsh_ls.cli.findings import Finding, findings_of
from zsh_ls.cli.script_files import is_huge, read_script, scripts_below
from zsh_ls.insights import static
from zsh_ls.shell.syntax.dialect import dialect_of

INSTALLED = ("/usr/bin", "/usr/sbin", "/usr/lib", "/etc", "/usr/share")
FUNCTIONS = Path("/usr/share/zsh/functions")


def scripts(roots: Sequence[str]) -> Iterator[str]:
    """Every script below the roots once, zsh's autoloaded functions among them."""
    seen: set[str] = set()
    for root in roots:
        found = [*scripts_below(root, []), *functions_below(Path(root))]
        for path in sorted(set(found) - seen):
            seen.add(path)
            if not is_huge(path):
                yield path


def functions_below(root: Path) -> Iterator[str]:
    """zsh's functions have neither a suffix nor a first line that tells."""
    if FUNCTIONS.is_relative_to(root):
        for path in FUNCTIONS.rglob("*"):
            if path.is_file() and path.suffix != ".zwc":
                yield str(path)


def main(arguments: Sequence[str]) -> None:
    """Count the findings of each rule, and print a sample of them with their lines."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench rules")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--rule")
    parser.add_argument("roots", nargs="*", default=INSTALLED)
    options = parser.parse_args(arguments)
    found: dict[str, list[tuple[Finding, str]]] = defaultdict(list)
    counts: Counter[str] = Counter()
    started_s = time.perf_counter()
    for path in scripts(options.roots):
        text = read_script(path)
        counts["files"] += 1
        counts["lines"] += text.count("\n")
        dialect = dialect_of(text, name=path)
        for finding in findings_of(path, text, static(text, dialect)):
            if options.rule in {None, finding.rule}:
                line = text.split("\n")[finding.line - 1].strip()
                found[finding.rule].append((finding, line))
    elapsed_s = time.perf_counter() - started_s
    print(f"{counts['files']} files, {counts['lines']} lines, {elapsed_s:.1f} s", file=sys.stderr)
    for rule in sorted(found):
        print(f"{len(found[rule]):6} {rule}", file=sys.stderr)
        drawn = random.Random(rule).sample(found[rule], min(options.sample, len(found[rule])))
        for finding, line in sorted(drawn, key=lambda each: (each[0].file, each[0].line)):
            print("\t".join([rule, finding.file, str(finding.line), line[:160]]))
