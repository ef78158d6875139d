"""Pipelines, kinds, names and connectors of the installed functions are those of zsh's own parse tree."""

import difflib
import shutil
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.shell.zsh_tree import PLAIN_NAME, VERSION, compiled, flattened, tree
from zsh_ls.model.syntax import Pipeline, Script, Segment, SegmentKind
from zsh_ls.shell.syntax.parser import parse

FOLDERS = (
    "/usr/share/zsh/functions",
    "/usr/share/zsh/vendor-completions",
    "/usr/share/zsh-syntax-highlighting",
    "/usr/share/zsh-autosuggestions",
    "/usr/share/zsh-antigen",
    "/usr/share/zplug",
    "/usr/share/powerlevel9k",
    "/etc/zsh",
)
FEWEST = 1000
EXACT_FILES = 0.995
FOUND_PIPELINES = 0.9995


def scripts() -> list[Path]:
    """The installed files in zsh's language: no compiled ones, and none with another interpreter."""
    paths = (path for folder in FOLDERS for path in sorted(Path(folder).rglob("*")))
    return [path for path in paths if path.is_file() and not path.is_symlink() and _is_zsh(path)]


def _is_zsh(path: Path) -> bool:
    head = path.read_bytes()[:200]
    is_text = path.suffix in {"", ".zsh", ".zsh-theme", ".plugin"} and b"\0" not in head
    return is_text and (not head.startswith(b"#!") or b"zsh" in head.split(b"\n", 1)[0])


def seen(script: Script) -> list[str]:
    """A tree of our parser in the notation of `zsh_tree.flattened`."""
    return list(_lines(script.pipelines))


def _lines(pipelines: Iterable[Pipeline]) -> Iterable[str]:
    for pipeline in pipelines:
        if not (pipeline.timed and pipeline.segments[0] == _nothing(pipeline)):
            segments = "|".join(_segment(segment) for segment in pipeline.segments)
            marks = "! " * pipeline.negated + "coproc " * pipeline.coproc
            yield f"{marks}{segments} {pipeline.connector.value}".strip()
        for segment in pipeline.segments:
            for body in segment.bodies:
                yield from _lines(body.pipelines)


def _nothing(pipeline: Pipeline) -> Segment:
    """The empty segment of a `time` without a command."""
    return Segment(SegmentKind.SIMPLE, pipeline.segments[0].span)


def _segment(segment: Segment) -> str:
    if segment.kind is not SegmentKind.SIMPLE:
        return "while" if segment.kind is SegmentKind.UNTIL else segment.kind.value
    if not segment.words:
        return "assignments" if segment.assignments else "redirections"
    word = segment.command_word
    return f"simple {word if PLAIN_NAME.fullmatch(word.encode('latin-1')) else '?'}"


def zsh_version() -> str:
    if not shutil.which("zsh"):
        return ""
    told = subprocess.run(["zsh", "--version"], capture_output=True, text=True, check=True)
    return told.stdout.split()[1]


needs_zsh = pytest.mark.skipif(zsh_version() != VERSION, reason=f"the layout is that of {VERSION}")


@needs_zsh
@pytest.mark.slow
def test_the_installed_functions_have_the_structure_that_zsh_sees(tmp_path):
    files = exact = pipelines = found = 0
    inexact = []
    paths = scripts()
    for path, output in zip(paths, compiled(paths, tmp_path), strict=True):
        if output is None:
            continue
        expected = flattened(tree(output))
        got = seen(parse(path.read_bytes().decode("latin-1")))
        matcher = difflib.SequenceMatcher(None, expected, got, autojunk=False)
        same = expected == got
        files, exact = files + 1, exact + same
        pipelines += max(len(expected), len(got))
        found += len(got) if same else sum(each.size for each in matcher.get_matching_blocks())
        inexact += [] if same else [path]
    assert files >= FEWEST
    assert exact >= EXACT_FILES * files, inexact
    assert found >= FOUND_PIPELINES * pipelines, inexact


@needs_zsh
@pytest.mark.slow
def test_good_scripts_have_no_problems(tmp_path):
    paths = scripts()
    accepted = [
        path
        for path, output in zip(paths, compiled(paths, tmp_path), strict=True)
        if output is not None
    ]
    troubled = [path for path in accepted if parse(path.read_bytes().decode("latin-1")).problems]
    assert troubled == []


@pytest.mark.slow
def test_every_prefix_of_real_functions_parses_to_something():
    sample = sorted(scripts(), key=lambda path: path.stat().st_size)[200:1000:100]
    stop_at = time.monotonic() + 100
    for path in sample:
        text = path.read_bytes().decode("latin-1")
        code_starts = parse(text).pipelines[0].span.start
        for length in range(0, len(text), 3):
            assert bool(parse(text[:length]).pipelines) == (length > code_starts), (path, length)
        if time.monotonic() > stop_at:
            break


@needs_zsh
@pytest.mark.parametrize(
    "text",
    [
        "if [[ a ]] { b } elif (( c )) { d } else { e | f }",
        "if a; then b; else c; fi && d",
        "for x (a b) c | d\nfor x in a; e\nfor (( ;; )) { f }",
        "case $x in (a|b) c;; d|e) f;& (g)h) i;| esac",
        "case x { a) b ;; }",
        "() { a } b; function { c } d; f g() h; function i j { k }",
        "{ a } always { b }; { c; d } | ( e )",
        "repeat 3 a; while (b) c; until (( d )) { e }",
        "foreach x (a b)\n c\nend",
        "select x (a b) c",
        "time a | b; coproc c; ! d | e",
        "x=1 y=(a b) z; typeset a=(b c) d; a[1]=x; >f",
        "print *(.Nom[1,3]) (a|b c)* ${(s:|:)x} =(a) <(b) <1-3>",
        "{a;b}; {echo hi}",
        "a && b || c & d &| e &! f",
        "[[ a == (b|c)* && ( -n d || ! e ) ]] || f",
        "if if a; then b; fi; then c; fi",
        "cat <<E | a\n$(b)\nE\nc",
        "a && ; b\nc | ; d",
        "f() if a; then b; fi; g() ( c )",
        '$(( a )) `b` "c" d=e f',
        "nocorrect a; - b; builtin c",
        "if x=1 { a } else { b }; until y=2 { c }",
        "{if a; then b; fi}; {for x (1) c}; { d; }",
        "repeat 2 a & b; for x (1) c && d &| e",
        "for x () { a } b",
        "f() { local x==(<<<'') y; setopt z }",
    ],
)
def test_snippets_have_the_structure_that_zsh_sees(text, tmp_path):
    path = tmp_path / "script"
    path.write_text(text)
    (output,) = compiled([path], tmp_path)
    assert output is not None
    assert seen(parse(text)) == flattened(tree(output))
