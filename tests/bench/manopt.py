"""How many of the option lines of manual pages the parser finds.

An option line is any line of the rendered page, whatever the section, that
begins with an option; it is found when its first flag is the flag of a parsed
option. Prose that happens to begin a line with a flag counts against us where
the flag is no option of the page. Pages: coreutils, grep, git, tar, curl, zsh,
and 100 others drawn with a fixed seed from what is installed.
`--misses` shows the lines not found, `--sample N` draws options to judge by hand.
"""

import argparse
import asyncio
import random
import re
import subprocess
from collections.abc import Iterator
from typing import NamedTuple

from zsh_ls.machine.manpages import read_page
from zsh_ls.shell.manpages.options import OptionEntry, parse_options, plain_text

NAMED = ("grep", "git", "tar", "curl", "zsh")
COREUTILS = """
    arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp
    csplit cut date dd df dir dircolors dirname du echo env expand expr factor fmt fold groups
    head hostid id install join link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl
    nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm
    rmdir runcon seq sha256sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail
    tee test timeout touch tr truncate tsort tty uname unexpand uniq unlink users vdir wc who
    whoami yes
"""
OPTION_LINE = re.compile(r"^\s+(-{1,2}[A-Za-z0-9?#](?:[\w.-]*\w)?)", re.MULTILINE)
OTHERS = 100
SEED = 20261120


class PageScore(NamedTuple):
    """One page's option lines."""

    name: str
    lines: int
    missed: tuple[str, ...]
    entries: tuple[OptionEntry, ...]


def installed() -> list[str]:
    listing = subprocess.run(
        ["apropos", "-s", "1,8", "."], capture_output=True, text=True, check=False
    )
    names = {line.split(" ", 1)[0] for line in listing.stdout.splitlines()}
    if not names:
        names = set(_files())
    # Thousands of pages of one program, or of one compiler, would be the whole sample.
    return sorted(name for name in names if not name.startswith(("gcloud", "perl", "git-")))


def _files() -> Iterator[str]:
    listing = subprocess.run(["manpath", "-q"], capture_output=True, text=True, check=True)
    for folder in listing.stdout.strip().split(":"):
        found = subprocess.run(
            ["find", f"{folder}/man1", f"{folder}/man8", "-name", "*.gz"],
            capture_output=True,
            text=True,
            check=False,
        )
        for path in found.stdout.splitlines():
            yield path.rpartition("/")[2].removesuffix(".gz").rpartition(".")[0]


async def score(name: str) -> PageScore | None:
    page = await read_page(name, timeout_s=20.0)
    if page is None:
        return None
    entries = parse_options(page.text)
    flags = {form.flag for entry in entries for form in entry.forms}
    lines = [(found[1], found[0].strip()) for found in OPTION_LINE.finditer(plain_text(page.text))]
    missed = tuple(
        flag for flag, _ in lines if flag not in flags and f"--no-{flag[2:]}" not in flags
    )
    return PageScore(name, len(lines), missed, entries)


async def scores(names: list[str], wanted: int) -> list[PageScore]:
    """Pages with option lines, in the order of `names`, until there are enough."""
    found: list[PageScore] = []
    for name in names:
        page = await score(name)
        if page is not None and page.lines:
            found.append(page)
        if len(found) >= wanted:
            break
    return found


def report(title: str, pages: list[PageScore]) -> None:
    lines = sum(page.lines for page in pages)
    missed = sum(len(page.missed) for page in pages)
    share = 100 * (lines - missed) / lines if lines else 0.0
    print(f"{title:28} {len(pages):4} pages {lines:6} option lines  {share:5.1f}% found")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench manopt")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    asyncio.run(measure(options))
    return 0


async def measure(options: argparse.Namespace) -> None:
    rng = random.Random(options.seed)
    coreutils = COREUTILS.split()
    own = {*NAMED, *coreutils}
    others = [name for name in installed() if name not in own]
    rng.shuffle(others)
    groups = {
        "coreutils": await scores(coreutils, len(coreutils)),
        **{name: await scores([name], 1) for name in NAMED},
        "others": await scores(others, OTHERS),
    }
    for title, pages in groups.items():
        report(title, pages)
    every = [page for pages in groups.values() for page in pages]
    report("all", every)
    if options.misses:
        for page in every:
            if page.missed:
                print(page.name, f"{len(page.missed)}/{page.lines}", *page.missed[:8])
    if options.sample:
        show_sample(rng, every, options.sample)


def show_sample(rng: random.Random, pages: list[PageScore], size: int) -> None:
    drawn = [(page.name, entry) for page in pages for entry in page.entries]
    for name, entry in rng.sample(drawn, min(size, len(drawn))):
        print(name, entry.heading, entry.description, sep="\t")
