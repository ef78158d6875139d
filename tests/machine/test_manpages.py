"""Tests of reading manual pages with the real `man`, from a folder of the test."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from zsh_ls.machine.manpages import find_page, read_page
from zsh_ls.shell.manpages.options import parse_options
from zsh_ls.shell.manpages.page import page_names

PAGE = r""".TH {title} 1
.SH NAME
{name} \- a page for a test
.SH OPTIONS
.TP
.BR \-e " " \fIPATTERNS\fR ", " \-\-regexp =\fIPATTERNS\fR
Use PATTERNS as the patterns.
If there are several, any will do.
.TP
.B \-q
Be quiet.
"""


def write_page(folder: Path, name: str) -> Path:
    path = folder / "man1" / f"{name}.1"
    path.parent.mkdir(exist_ok=True)
    path.write_text(PAGE.format(name=name, title=name.upper()))
    return path


@pytest.fixture(autouse=True)
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "man"
    folder.mkdir()
    for name in ("frob", "frob-push", "git-push", "git", "["):
        write_page(folder, name)
    monkeypatch.setenv("MANPATH", str(folder))
    return folder


async def test_a_page_is_read_as_plain_text_with_its_file_and_time(pages: Path) -> None:
    page = await read_page("frob", timeout_s=20)
    assert page is not None
    assert page.path == str(pages / "man1" / "frob.1")
    assert page.mtime == (pages / "man1" / "frob.1").stat().st_mtime
    assert [entry.heading for entry in parse_options(page.text)] == [
        "-e PATTERNS, --regexp=PATTERNS",
        "-q",
    ]


async def test_a_command_without_a_page_has_none() -> None:
    assert await read_page("no-such-page-anywhere", timeout_s=20) is None


async def test_a_changed_page_is_known_by_its_time(pages: Path) -> None:
    before = await find_page("frob", timeout_s=20)
    os.utime(pages / "man1" / "frob.1", (1_000_000, 1_000_000))
    after = await find_page("frob", timeout_s=20)
    assert before is not None
    assert after is not None
    assert (after.path, after.mtime) == (before.path, 1_000_000)


async def test_the_readers_own_settings_have_no_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = tmp_path / "canary"
    for name in ("PAGER", "MANPAGER", "LESSOPEN"):
        monkeypatch.setenv(name, f"touch {canary}")
    monkeypatch.setenv("MANOPT", f"-P 'touch {canary}'")
    page = await read_page("frob", timeout_s=20)
    assert page is not None
    assert "Be quiet." in page.text
    assert not canary.exists()


HOSTILE = [
    "",
    "-P",
    "--pager=touch {canary}",
    "-Ptouch {canary}",
    "--html=touch {canary}",
    "frob; touch {canary}",
    "$(touch {canary})",
    "`touch {canary}`",
    "frob|touch {canary}",
    "frob\ntouch {canary}",
    "frob\0x",
    "./evil",
    "../evil",
    "{folder}/evil.1",
    "/etc/passwd",
    "~root",
    "frob *",
    "frob'",
    'frob"',
    "é" * 10,
    "a" * 10_000,
    "\x1b[31m",
    "-",
    "--",
]


# MAN-3
@pytest.mark.parametrize("shape", HOSTILE)
async def test_a_hostile_name_is_never_anything_but_refused(shape: str, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    evil = tmp_path / "evil.1"
    evil.write_text(PAGE.format(name="evil", title="EVIL"))
    name = shape.format(canary=canary, folder=tmp_path)
    assert await read_page(name, timeout_s=20) is None
    assert not canary.exists()


@pytest.mark.parametrize("shape", HOSTILE)
def test_a_hostile_command_gives_names_of_pages_or_none(shape: str) -> None:
    for name in page_names(shape.format(canary="/c", folder="/f") + " push"):
        assert "/" not in name.strip("/")


async def test_a_name_that_begins_with_a_bracket_is_a_page_too() -> None:
    page = await read_page("[", timeout_s=20)
    assert page is not None


async def test_a_man_that_does_not_end_is_ended_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_file = tmp_path / "pid"
    slow = tmp_path / "bin" / "man"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {pid_file}\nwait\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    reading = asyncio.create_task(read_page("frob", timeout_s=600))
    await until(lambda: pid_file.exists() and pid_file.read_text().strip() != "")
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await until(lambda: not _is_running(int(pid_file.read_text())))
    assert await read_page("frob", timeout_s=0.2) is None


async def test_a_machine_without_man_has_no_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert await read_page("frob", timeout_s=20) is None


async def until(condition: Callable[[], bool]) -> None:
    """Wait in a thread until a condition holds that another process brings about."""

    def wait() -> None:
        end = time.monotonic() + 20
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.01)

    await asyncio.to_thread(wait)


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"
