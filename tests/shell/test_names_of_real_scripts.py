"""The names of scripts installed on the machine, which still work after their names were changed."""

from __future__ import annotations

import gzip
import random
import subprocess
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.ide.folding import folds
from zsh_ls.shell.ide.selection_range import selections
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.outline import OutlineItem, outline
from zsh_ls.shell.symbols.references import BoundPlace, refusal, replacement, same
from zsh_ls.shell.symbols.symbols import Names
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.expansions import Use

FOLDERS = (
    "/usr/share/zsh/functions",
    "/usr/share/zsh-syntax-highlighting",
    "/usr/share/zsh-autosuggestions",
    "/usr/share/zplug",
)
OTHERS = 40
LARGEST = 40_000


def texts() -> list[tuple[str, str, Dialect]]:
    """The name, text and dialect of zsh's functions and plugins, and of the system's bash and sh scripts."""
    found = [
        (str(path), path.read_text("latin-1"), Dialect.ZSH)
        for folder in FOLDERS
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.suffix not in {".zwc", ".md", ".json"}
    ]
    found = random.Random(8).sample(found, min(len(found), 250))
    return [*found, *_programs()]


def _programs() -> Iterator[tuple[str, str, Dialect]]:
    count = 0
    for path in sorted(Path("/usr/bin").iterdir()):
        if count < OTHERS and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                first = file.readline(40)
            if first.startswith(b"#!") and first.rstrip().endswith((b"/sh", b"bash")):
                count += 1
                dialect = Dialect.BASH if b"bash" in first else Dialect.SH
                yield str(path), path.read_text("latin-1"), dialect


@pytest.fixture(scope="module")
def real() -> list[tuple[str, Names]]:
    found = [(name, text, dialect) for name, text, dialect in texts() if len(text) < LARGEST]
    return [(name, names_of(parse(text, dialect))) for name, text, dialect in found]


def every(items: list[OutlineItem] | tuple[OutlineItem, ...]) -> Iterator[OutlineItem]:
    for item in items:
        yield item
        yield from every(item.children)


@pytest.mark.slow
def test_every_name_stands_where_it_is_said_to(real: list[tuple[str, Names]]) -> None:
    for file, names in real:
        source = names.script.source
        assert all(source(it.span) == it.name for it in names.occurrences), file
        for item in every(outline(names)):
            assert source(item.span) == item.name
            for child in item.children:
                assert (
                    item.extent.start <= child.extent.start <= child.extent.end <= item.extent.end
                )
    assert sum(len(names.occurrences) for _, names in real) > 10_000


@pytest.mark.slow
def test_folds_and_selections_nest(real: list[tuple[str, Names]]) -> None:
    for _, names in real:
        script = names.script
        lines = LineIndex(script.text)
        for fold in folds(script, lines):
            assert 0 <= fold.first_line < fold.last_line < lines.line_count
        for offset in random.Random(1).choices(range(len(script.text) + 1), k=5):
            chain = selections(script, offset)
            assert chain[-1] == (0, len(script.text))
            for inner, outer in pairwise(chain):
                assert outer.start <= inner.start <= inner.end <= outer.end
                assert inner != outer
            assert all(span.start <= offset <= span.end for span in chain)


def renamed(names: Names, places: list[BoundPlace], new_name: str) -> str:
    text = names.script.text
    for place in reversed(places):
        start, end = place.occurrence.span
        text = text[:start] + replacement(names, place, new_name) + text[end:]
    return text


def shape(script: Script) -> list[tuple[str, int]]:
    return [
        (segment.kind.value, len(segment.words))
        for pipeline in script.every_pipeline()
        for segment in pipeline.segments
    ]


@pytest.mark.slow
def test_a_rename_keeps_structure_and_counts(real: list[tuple[str, Names]]) -> None:
    done = 0
    for file, names in real:
        for kind in (NameKind.FUNCTION, NameKind.VARIABLE):
            made = [it for it in names.occurrences if it.kind is kind and it.use is not Use.READ]
            for it in made[:3]:
                places = same([names], BoundPlace(0, it))
                if refusal([names], places) is None:
                    check_rename(file, names, it.name, places)
                    done += 1
    assert done > 100


def check_rename(file: str, names: Names, name: str, places: list[BoundPlace]) -> None:
    text = renamed(names, places, "renamed_by_test")
    again = names_of(parse(text, names.script.dialect))
    if "zle -N" not in names.script.text:
        assert shape(again.script) == shape(names.script), (file, name)
    found = [it for it in again.occurrences if it.name == "renamed_by_test"]
    assert len(found) == len(places), (file, name)
    assert same([again], BoundPlace(0, found[0])) == [BoundPlace(0, it) for it in found]


# Shell scripts of the system with arguments that make them work, in a folder with a.gz and b.gz.
RUNS = (
    "zgrep -n two a.gz b.gz",
    "zgrep --help",
    "zdiff a.gz b.gz",
    "zcmp a.gz b.gz",
    "zcat a.gz",
    "zforce --help",
    "znew --version",
    "xzgrep -c two a.gz",
    "xzdiff a.gz b.gz",
    "bzgrep two a.gz",
    "which sh nothing ls",
    "ldd --version",
    "ldd a.gz",
)


@pytest.mark.slow
def test_a_renamed_program_does_what_it_did_before(tmp_path: Path) -> None:
    for name, line in (("a", "one\ntwo"), ("b", "two")):
        with gzip.GzipFile(tmp_path / f"{name}.gz", "w", mtime=0) as file:
            file.write(line.encode())
    done = [renames_kept(*run.split(), folder=tmp_path) for run in RUNS]
    assert sum(done) > 20


def renames_kept(program: str, *arguments: str, folder: Path) -> int:
    """Rename each definition of a program in turn; returns how many could be renamed."""
    path = Path("/usr/bin") / program
    if not path.exists() or not (text := path.read_text("latin-1")).startswith("#!"):
        return 0
    dialect = dialect_of(text, "", program)
    names, before = names_of(parse(text, dialect)), told(path, arguments, folder, dialect)
    made = {(it.kind, it.name): it for it in names.occurrences if it.use is not Use.READ}
    count = 0
    for it in made.values():
        places = same([names], BoundPlace(0, it))
        if refusal([names], places) is None:
            copy = folder / program
            copy.write_text(renamed(names, places, "renamed_by_test"), "latin-1")
            assert told(copy, arguments, folder, dialect) == before, (program, it.name)
            count += 1
    return count


def told(script: Path, arguments: Sequence[str], folder: Path, dialect: Dialect) -> str:
    """The output of a script, without the folder it is in."""
    done = subprocess.run(
        [dialect.value, script, *arguments],
        capture_output=True,
        timeout=30,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        check=False,
    )
    said = (done.stdout + done.stderr).decode("latin-1") + str(done.returncode)
    return said.replace(str(script), script.name)
