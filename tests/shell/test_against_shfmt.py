"""Segments have the ranges that shfmt finds in the bash and sh scripts installed on the machine."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell.shfmt_tree import shfmt_pipelines
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse

# Not all of /usr/lib and /usr/share: to walk through them takes longer than to read what is found.
FOLDERS = (
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib/git-core",
    "/usr/share/debconf",
    "/etc",
    "/var/lib/dpkg/info",
)
SHEBANG = re.compile(rb"#!\s*\S*?(?:/env\s+(?:-S\s+)?)?(?:\S*/)?(bash|sh|dash)\b")
LARGEST = 400_000
FEWEST = 100


def scripts() -> Iterator[tuple[Path, bytes, Dialect]]:
    """The installed scripts, without duplicates."""
    seen = set()
    for folder in FOLDERS:
        for path in sorted(Path(folder).rglob("*")):
            if path.is_symlink() or not path.is_file() or not os.access(path, os.R_OK):
                continue
            with path.open("rb") as file:
                match = SHEBANG.match(file.read(64))
            if (
                match
                and path.stat().st_size < LARGEST
                and (source := path.read_bytes()) not in seen
            ):
                seen.add(source)
                yield path, source, Dialect.BASH if match[1] == b"bash" else Dialect.SH


def parser_pipelines(source: bytes, dialect: Dialect) -> list[tuple[tuple[int, int], ...]]:
    """The segments' ranges; the source is decoded as latin-1, so that they count bytes as shfmt does."""
    script = parse(source.decode("latin-1"), dialect)
    return sorted(
        tuple((segment.span.start, segment.span.end) for segment in pipeline.segments)
        for pipeline in script.every_pipeline()
    )


@pytest.mark.slow
def test_segments_have_the_ranges_that_shfmt_sees():
    compared, different = 0, []
    for path, source, dialect in scripts():
        expected = shfmt_pipelines(source, dialect)
        if expected is not None:
            compared += 1
            if parser_pipelines(source, dialect) != expected:
                different.append(path)
    assert compared >= FEWEST
    assert different == []


SNIPPETS = [
    "a | b |& c && ! d 2>f; (e|f)>g\nx=1 y=2",
    "for i in $(a|b); do c; done | d &\n time a | b",
    "cat <<E | b\nx\nE\nf() { g; }\ng() ( h )",
    "case x in a|b) c | d;; (e) f;; esac; if a; then b; elif c; then d; else e; fi >f",
    'while a; do b; done < <(c | d); echo "$(e | f)" `g | h` ${i:-$(j)} $(( $(k) + 1 ))',
    "[[ a == @(b|c) && d ]] || (( e | f )); coproc g; select x in a; do b; done",
    "x=(a $(b) c) y=${z:-`d`}; for ((i=0; i<1; i++)); do a; done",
    "echo `a \\`b | c\\` d`; { a; b; } | c\na \\\n b | \\\n c # d",
]


@pytest.mark.parametrize("text", SNIPPETS)
def test_snippets_have_the_ranges_that_shfmt_sees(text):
    source = text.encode("latin-1")
    assert parser_pipelines(source, Dialect.BASH) == shfmt_pipelines(source, Dialect.BASH)
