"""What a rehearsal looks up with the machine's own `find` lies in the private copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsh_ls.rehearsal.files import SandboxFiles

SHOWN = "/home/me/project"


@pytest.fixture
def files(tmp_path: Path) -> SandboxFiles:
    """A copy with a file and links out of it, beside a file that is not of it."""
    copy = tmp_path / "copy"
    (copy / "sub").mkdir(parents=True)
    for path in (copy / "own.o", copy / "sub" / "own.o", tmp_path / "mine.o"):
        path.touch()
    (copy / "out").symlink_to(tmp_path)
    return SandboxFiles("", {SHOWN: str(copy)})


def test_it_finds_what_is_in_the_copy(files: SandboxFiles) -> None:
    found = files.found_by(["find", ".", "-name", "*.o"], SHOWN)
    assert sorted(found) == ["./own.o", "./sub/own.o"]
    assert files.found_by(["find", "..", "-name", "own.o"], f"{SHOWN}/sub")


@pytest.mark.parametrize(
    "words",
    [
        *(["..", "-name", "*.o"], ["sub/../..", "-type", "f"], ["out/", "-name", "*.o"]),
        *(["-L", ".", "-name", "*.o"], ["-H", "out"], [".", "-follow"], ["out/.", "-type", "f"]),
        *(["/tmp"], [".", "-newer", "../mine.o"], [".", "-files0-from", "x"]),
    ],
)
def test_it_looks_nowhere_else(files: SandboxFiles, words: list[str]) -> None:
    """`find ../.. -delete` in a script had the machine's own files listed, and foretold as removed."""
    assert files.found_by(["find", *words], SHOWN) == ()


def test_a_folder_that_a_link_leads_out_of_is_none_of_the_copy(files: SandboxFiles) -> None:
    assert files.found_by(["find", ".", "-name", "*.o"], f"{SHOWN}/out") == ()
