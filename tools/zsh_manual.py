"""Writes zsh_ls/shell/zsh_manual/manual.tsv from zsh's own manual pages, as they are installed here.

`python -m tools.zsh_manual` reads zshoptions, zshparam, zshexpn, zshmisc, zshbuiltins, zshmodules and
zshcontrib (Debian: the package zsh-common), and keeps of each entry the heading and its first sentences.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.manpages.roff import plain
from zsh_ls.shell.words.vocabulary import SHELL_WORDS

PAGES = Path("/usr/share/man/man1")
FUNCTIONS = Path("/usr/share/zsh/functions")
TARGET = Path(__file__).parent.parent / "zsh_ls" / "shell" / "zsh_manual" / "manual.tsv"
MOST_CHARACTERS = 320
_HEAD = """\
# What zsh's manual says first of each option, parameter, flag, qualifier, test, builtin and function.
# Made by tools/zsh_manual.py from zsh's manual pages, version {version}; their licence is in LICENSE.zsh.
# kind, name, heading, text, page
"""
_SENTENCE_END = re.compile(r"(?<=[a-z)`'’”])[.:](?= [A-Z`'(]|$)")


class Entry(NamedTuple):
    """An entry of a page: its section, its heading as text, and its first paragraph."""

    section: str
    heading: str
    text: str


def entries(source: str) -> Iterator[Entry]:
    """The entries of a page that stand in no other entry."""
    section, depth, headings, body = "", 0, list[str](), list[str]()
    takes_heading = False
    for line in [*source.split("\n"), ".SH"]:
        begins = line.startswith((".TP", ".SH", ".SS", ".RS", ".PP"))
        if begins and body and depth == 0:
            text = " ".join(plain(" ".join(body)).split())
            yield from (Entry(section, heading, text) for heading in headings)
            headings, body = [], []
        if line.startswith((".SH", ".SS")):
            section, depth, headings, takes_heading = line[4:].strip('" '), 0, [], False
        elif line.startswith(".RS"):
            depth, headings = depth + 1, []
        elif line.startswith(".RE"):
            depth = max(0, depth - 1)
        elif line.startswith(".TP"):
            takes_heading = depth == 0
        elif takes_heading and line and not line.startswith("."):
            headings.append(" ".join(plain(line).split()))
            takes_heading = False
        elif depth == 0 and headings and line and not line.startswith((".", "'")):
            body.append(line)


def first_sentences(text: str) -> str:
    """The first sentence, and those after it while they are short."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    fitting = [end for end in ends if end <= MOST_CHARACTERS]
    if fitting:
        return text[: fitting[min(1, len(fitting) - 1)]].strip(" :")
    return (
        text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS].rpartition(" ")[0] + " …"
    )


_PAGES = (
    *("zshoptions", "zshparam", "zshexpn", "zshmisc"),
    *("zshbuiltins", "zshmodules", "zshcontrib"),
)


def rows() -> Iterator[tuple[str, str, str, str, str]]:
    """Kind, name, heading, text and page of every entry that is kept."""
    for page in _PAGES:
        for it in entries(_source(page)):
            kind, name = _kind_and_name(page, it)
            if kind and it.text and not it.text.startswith(("See the section", "The zsh/")):
                heading = re.sub(r"(?: <[A-Z]>)+$", "", it.heading)
                # The pages quote `so'; in Markdown that begins a code span.
                text = re.sub(r"`([^`']+)'", r"‘\1’", first_sentences(it.text))
                yield kind, name, heading, text, page


_OF_SECTION = {
    "Parameter Expansion Flags": "expansion flag",
    "Glob Qualifiers": "glob qualifier",
    "Globbing Flags": "globbing flag",
    "Modifiers": "modifier",
}


def _kind_and_name(page: str, it: Entry) -> tuple[str, str]:
    """What an entry is of, and its name; `""` for one that is not kept."""
    word = re.split(r"[\s\[<]", it.heading, maxsplit=1)[0]
    if page == "zshexpn":
        return _OF_SECTION.get(it.section, ""), it.heading[:1]
    if page == "zshmisc":
        test = re.search(r"(?:^|\s)(-[A-Za-z]{1,2})(?=\s)", it.heading)
        is_test = test is not None and it.section == "CONDITIONAL EXPRESSIONS"
        return ("test", test[1]) if test and is_test else ("", "")
    if page == "zshoptions" and re.fullmatch(r"[A-Z_]{3,}", word):
        return "option", word.lower().replace("_", "")
    if page == "zshparam" and it.section.startswith("PARAMETERS"):
        return "parameter", word
    if page in ("zshbuiltins", "zshmodules") and word in SHELL_WORDS[Dialect.ZSH].builtins:
        return "builtin", word
    if page == "zshmodules" and (
        "PARAMETER MODULE" in it.section or re.fullmatch(r"[A-Z_]{4,}", word)
    ):
        return "parameter", word
    return ("function", word) if page == "zshcontrib" and word in _functions() else ("", "")


@cache
def _functions() -> frozenset[str]:
    return frozenset(path.name for path in FUNCTIONS.rglob("*"))


def _source(page: str) -> str:
    return gzip.decompress((PAGES / f"{page}.1.gz").read_bytes()).decode()


def main() -> None:
    """Write the file."""
    version = re.search(r'"zsh ([\d.]+)"', plain(_source("zshoptions")[:200]))
    kept: dict[tuple[str, str], tuple[str, ...]] = {}
    for row in rows():
        kept.setdefault(row[:2], row)
    head = _HEAD.format(version=version[1] if version else "unknown")
    TARGET.write_text(head + "".join("\t".join(row) + "\n" for row in kept.values()))
    print(f"{len(kept)} entries")


if __name__ == "__main__":
    main()
