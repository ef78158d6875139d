"""How a word may go on: from the script, the shell, PATH and the manual; nothing where none of it fits."""

from __future__ import annotations

import asyncio
import sys
from itertools import islice
from pathlib import Path
from types import FrameType

import pytest

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.documents.store import Read
from zsh_ls.sidecar.editor.completion import _own_commands
from zsh_ls.sidecar.editor.types import CompletionKind, Completions, Edit

PAGE = """
.SH NAME
frob \\- turn things round
.SH OPTIONS
.TP
.BR \\-n ", " \\-\\-line\\-number
Prefix each line with its number.
.TP
.BI \\-\\-line\\-length= N
Cut lines.
"""


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A manual of a few pages, and a PATH with one program and a file that is none."""
    (tmp_path / "man" / "man1").mkdir(parents=True)
    for name in ("frob", "git-push", "git-pull", "frob-it"):
        (tmp_path / "man" / "man1" / f"{name}.1").write_text(PAGE)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "frobnicate").touch(mode=0o755)
    (programs / "frob-data").touch(mode=0o644)
    monkeypatch.setenv("MANPATH", str(tmp_path / "man"))
    monkeypatch.setenv("PATH", str(programs))


async def at(sidecar: Sidecar, marked: str, name: str = "x.zsh") -> Completions:
    """What may stand at the `^` of a text."""
    uri = f"file:///tmp/{name}"
    sidecar.open_document(uri, marked.replace("^", ""), "shellscript", 1)
    return await sidecar.completions(uri, marked.index("^"))


async def labels(sidecar: Sidecar, marked: str, name: str = "x.zsh") -> list[str]:
    return [it.label for it in (await at(sidecar, marked, name)).found]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("frob_it() { ls; }\nfro^", ["frob_it", "frobnicate"]),
        ("if fro^", ["frobnicate"]),
        ("x=$(sudo fro^", ["frobnicate"]),
        ("frob --line-^", ["--line-number", "--line-length"]),
        ("sudo -u me frob -^ file", ["-n", "--line-number", "--line-length"]),
        ("frob \\\n  --line-n^", ["--line-number"]),
        ("my_own=1\nprint $my_^", ["my_own"]),
        ('my_own=1\nprint "${(k)my_^"', ["my_own"]),
        ("setopt extended_^", ["extended_glob", "extended_history"]),
        ("setopt NOEXTENDEDG^", ["NO_EXTENDED_GLOB"]),
        ("set -eo err_^", ["err_exit", "err_return"]),
        ("git pus^", ["push"]),
        ("whi^", ["which", "while", "while …; do … done", "while read … done"]),
    ],
)
async def test_a_word_goes_on_as_its_place_allows(
    sidecar: Sidecar, marked: str, expected: list[str]
) -> None:
    assert await labels(sidecar, marked) == expected


@pytest.mark.parametrize(
    "marked",
    [
        "# fro^", "print fro^", "print '$PAT^'", "print \\$PAT^", "frob -- --line^", "./fro^",
        "frob unheard^", "unheard-of -^", "cat <<A\nfro^\nA\n", "print 'x\nfro^\n'", "print > fro^",
        "for x in fro^", "print '*(^'", 'print "*(^"', "f(^", "print '${(^'",
    ],
)  # fmt: skip
async def test_nothing_is_offered_where_none_of_it_fits(sidecar: Sidecar, marked: str) -> None:
    assert await labels(sidecar, marked) == []


async def test_each_shell_has_its_own_words(sidecar: Sidecar) -> None:
    assert "nullglob" in await labels(sidecar, "shopt -s null^", "x.bash")
    assert await labels(sidecar, "#!/bin/sh\nshop^", "x.sh") == []
    assert "PIPESTATUS" in await labels(sidecar, "echo $PIPE^", "x.bash")
    assert "pipestatus" in await labels(sidecar, "echo $pipe^")


@pytest.mark.parametrize(
    ("marked", "letter", "told"),
    [
        ("ls *(^", ".", "plain files"),
        ("ls **/*.c(.o^", "m", "modification time"),
        ("ls x(#q^", "/", "directories"),
        ('print "${(^"', "U", "Convert all letters"),
        ("print ${(s:,:^", "f", "Split the result"),
    ],
)
async def test_zshs_letters_are_told_between_their_parentheses(
    sidecar: Sidecar, marked: str, letter: str, told: str
) -> None:
    found = {it.label: it.detail for it in (await at(sidecar, marked)).found}
    assert told in found[letter]
    assert all(0 < len(detail) <= 80 for detail in found.values())
    assert await labels(sidecar, marked, "x.bash") == []


async def test_nothing_written_yet_brings_what_is_near_and_says_there_is_more(
    sidecar: Sidecar,
) -> None:
    found = await at(sidecar, "near() { ls; }\n^")
    assert found.found[0].label == "near"
    assert "frobnicate" not in {it.label for it in found.found}
    assert not found.is_complete
    assert (await at(sidecar, "n^")).is_complete


async def test_the_letters_already_there_are_replaced(sidecar: Sidecar) -> None:
    found = await at(sidecar, "frob --line-n^umber")
    assert found.span == Span(5, 13)
    assert found.found[0].detail == "Prefix each line with its number"
    assert found.found[0].kind is CompletionKind.FLAG


async def test_what_was_just_written_is_there_at_the_next_look(sidecar: Sidecar) -> None:
    uri = "file:///tmp/x.zsh"
    await at(sidecar, "first=1\nprint $fir^")
    text = "second=1\n"
    sidecar.edit_document(
        uri, [Edit(Span(0, 0), text), Edit(Span(len(text) + 15, len(text) + 18), "sec")], 2
    )
    await sidecar.insights_for(uri)
    async with asyncio.timeout(20):
        while not (found := await sidecar.completions(uri, len(text) + 18)).found:
            await asyncio.sleep(0)
    assert [it.label for it in found.found] == ["second"]


async def test_a_program_is_told_by_its_page(sidecar: Sidecar) -> None:
    assert await sidecar.purpose("frob") == "turn things round"
    assert await sidecar.purpose("../frob") == ""


def test_of_very_many_functions_no_more_are_looked_at_than_are_offered() -> None:
    """To collect 200,000 of them first held up everybody for 90 ms."""
    script = parse("".join(f"f{n}() {{ :; }}\n" for n in range(100)), Dialect.ZSH)
    read = Read(1, script, ())
    begun = _own_commands(read)
    asked: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_qualname == "Script.source":
            asked.append(event)

    sys.setprofile(note)
    try:
        first = list(islice(begun, 10))
    finally:
        sys.setprofile(None)
    assert [it.label for it in first] == [f"f{n}" for n in range(10)]
    assert len(asked) == 10
