"""Tests of finding and reading the files of manual pages; other names open no file."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from zsh_ls.machine.manpages import read_page
from zsh_ls.machine.page_files import find, find_first, source, sub_pages
from zsh_ls.shell.manpages.page import page_names, page_of, page_of_text

PAGE = ".TH FROB 1\n.SH OPTIONS\n.TP\n.B \\-x\nDo it.\n"


@pytest.fixture
def manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a manual, the only one in MANPATH."""
    monkeypatch.setenv("MANPATH", str(tmp_path))
    for section in ("man1", "man8"):
        (tmp_path / section).mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("ending", "packed"),
    [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_a_page_is_read_however_it_is_packed(
    manual: Path, ending: str, packed: Callable[[bytes], bytes]
) -> None:
    (manual / "man1" / f"frob.1{ending}").write_bytes(packed(PAGE.encode()))
    found = find("frob")
    assert found is not None
    assert source(found) == PAGE


def test_a_page_may_point_to_another_of_its_manual_and_to_nothing_else(manual: Path) -> None:
    (manual / "man1" / "frob.1").write_text(PAGE)
    (manual / "man8" / "alias.8").write_text(".so man1/frob.1\n")
    (manual / "secret").write_text("secret")
    (manual / "man1" / "thief.1").write_text(".so man1/../secret\n")
    (manual / "man1" / "loop.1").write_text(".so man1/loop.1\n")
    alias, thief, loop = find("alias"), find("thief"), find("loop")
    assert alias is not None
    assert source(alias) == PAGE
    assert thief is not None
    assert source(thief) == ".so man1/../secret\n"
    assert loop is not None
    assert source(loop) == ".so man1/loop.1\n"


def test_the_first_name_that_has_a_page_counts(manual: Path) -> None:
    (manual / "man1" / "git.1").write_text(PAGE)
    found = find_first(["git-nope", "git"])
    assert found is not None
    assert found.name == "git"


# MAN-3
def test_the_sub_commands_page_is_read_before_the_commands_own(manual: Path) -> None:
    for name in ("git-push", "git"):
        (manual / "man1" / f"{name}.1").write_text(PAGE)
    for command, page in (("sudo git -C /tmp push origin", "git-push"), ("git frob x", "git")):
        found = find_first(page_names(command))
        assert found is not None
        assert found.name == page


def test_pages_of_sub_commands_are_those_of_now(manual: Path) -> None:
    folder = manual / "man1"
    (folder / "frob-push.1.gz").touch()
    assert {*sub_pages("frob")} >= {"push"}
    listed_at_ns = folder.stat().st_mtime_ns
    (folder / "frob-pull.1").touch()
    # A file system may count in whole milliseconds.
    os.utime(folder, ns=(listed_at_ns, listed_at_ns + 10**9))
    assert {*sub_pages("frob")} >= {"push", "pull"}
    assert sub_pages("git-nothing-of-this") == frozenset()


@pytest.mark.parametrize("name", ["../secret", "a/b", "-x", "", "a\0b", "x" * 200, "no-such"])
def test_what_is_no_page_of_the_manual_is_not_there(manual: Path, name: str) -> None:
    assert find(name) is None


def test_a_damaged_file_says_nothing(manual: Path) -> None:
    (manual / "man1" / "frob.1.gz").write_bytes(b"\x1f\x8b\x08damaged")
    found = find("frob")
    assert found is not None
    assert source(found) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["man", "grep", "ls", "sort", "cp", "find", "sed", "ps", "tar", "bash", "zsh"]
)
async def test_a_page_says_the_same_as_when_man_shows_it(name: str) -> None:
    shown = await read_page(name, timeout_s=60)
    found = find(name)
    if shown is None or found is None:
        pytest.skip(f"there is no page of {name} here")
    ours, theirs = page_of(name, source(found)), page_of_text(name, shown.text)
    assert ours.purpose == theirs.purpose
    flags = {form.flag for entry in ours.options for form in entry.forms}
    known = {form.flag for entry in theirs.options for form in entry.forms}
    assert len(known - flags) <= 0.05 * len(known)
