"""The last long output lies private under the workspace, and nobody's link is followed (VERB-4)."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from zsh_ls.sidecar.runs.output import save


def test_the_file_is_private_and_ignored_by_git(tmp_path: Path) -> None:
    assert save(str(tmp_path), ["one\n", "two\n"]) == ".tmp/last-command-output.txt"
    saved = tmp_path / ".tmp" / "last-command-output.txt"
    assert saved.read_text() == "one\ntwo\n"
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert (tmp_path / ".tmp" / ".gitignore").read_text() == "*\n"


def test_a_later_output_replaces_an_earlier_one_whole(tmp_path: Path) -> None:
    save(str(tmp_path), ["a much longer text\n"])
    save(str(tmp_path), ["short\n"])
    assert (tmp_path / ".tmp" / "last-command-output.txt").read_text() == "short\n"
    assert sorted(path.name for path in (tmp_path / ".tmp").iterdir()) == [
        ".gitignore",
        "last-command-output.txt",
    ]


def test_a_link_in_its_place_is_replaced_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("keep me")
    (tmp_path / ".tmp").mkdir()
    (tmp_path / ".tmp" / "last-command-output.txt").symlink_to(precious)
    assert save(str(tmp_path), ["x"])
    assert precious.read_text() == "keep me"


def test_a_folder_that_leads_out_of_the_workspace_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".tmp").symlink_to(tmp_path / "elsewhere")
    assert save(str(tmp_path), ["x"]) is None
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_workspace_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / ".tmp").write_text("a file where the folder should be")
    assert save(str(tmp_path), ["x"]) is None
    assert save(str(tmp_path / "vanished"), ["x"]) is None


@pytest.mark.parametrize("name", [".gitignore", "last-command-output.txt"])
@pytest.mark.parametrize("kind", ["a link", "a dangling link", "a second name", "a pipe"])
def test_what_lies_in_its_place_is_replaced_and_nothing_outside_is_touched(
    tmp_path: Path, name: str, kind: str
) -> None:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    for folder in (workspace / ".tmp", outside):
        folder.mkdir(parents=True)
    precious, planted = outside / "precious", workspace / ".tmp" / name
    if kind in ("a link", "a second name"):
        precious.write_text("keep me")
    if kind == "a second name":
        planted.hardlink_to(precious)
    elif kind == "a pipe":
        os.mkfifo(planted)
    else:
        planted.symlink_to(precious)
    for text in ("one\n", "two\n"):
        assert save(str(workspace), [text]) == ".tmp/last-command-output.txt"
        saved = workspace / ".tmp" / "last-command-output.txt"
        assert (saved.is_symlink(), saved.read_text()) == (False, text)
    ignore = workspace / ".tmp" / ".gitignore"
    assert not ignore.is_symlink()
    assert stat.S_ISREG(ignore.stat().st_mode)
    kept = {it.name: it.read_text() for it in outside.iterdir()}
    assert kept == ({"precious": "keep me"} if "dangling" not in kind and kind != "a pipe" else {})
    assert {it.name for it in (workspace / ".tmp").iterdir()} == {ignore.name, saved.name}


def test_a_pipe_or_a_device_where_the_folder_should_be_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".tmp")
    assert save(str(tmp_path), ["x"]) is None


def test_a_folder_in_the_place_of_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / ".tmp" / "last-command-output.txt").mkdir(parents=True)
    assert save(str(tmp_path), ["x"]) is None
    assert {it.name for it in (tmp_path / ".tmp").iterdir()} == {
        ".gitignore",
        "last-command-output.txt",
    }


def test_the_folder_replaced_by_a_link_at_any_moment_leads_nowhere(tmp_path: Path) -> None:
    """Each step of a save finds the folder in its place, or a link that leads out: the pieces swap them."""
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    for folder in (workspace / ".tmp", outside):
        folder.mkdir(parents=True)
    ours, aside = workspace / ".tmp", workspace / "aside"

    def swapping() -> Iterator[str]:
        yield "one\n"
        ours.rename(aside)
        ours.symlink_to(outside)
        yield "two\n"

    # The folder was open before it was moved: the file is in it, wherever that is now.
    assert save(str(workspace), swapping()) == ".tmp/last-command-output.txt"
    assert (aside / "last-command-output.txt").read_text() == "one\ntwo\n"
    assert list(outside.iterdir()) == []
    assert save(str(workspace), ["x"]) is None
    ours.unlink()
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for step in (
                lambda: aside.rename(ours),
                lambda: ours.rename(aside),
                lambda: ours.symlink_to(outside),
                ours.unlink,
            ):
                with contextlib.suppress(OSError):  # `save` has made one anew
                    step()

    swapper = threading.Thread(target=swap)
    swapper.start()
    for _ in range(1000):
        save(str(workspace), ["x"])
    stop.set()
    swapper.join()
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_folder_of_another_user_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / ".tmp"
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    assert save(str(tmp_path), ["secret"]) is None
    assert list(folder.iterdir()) == []
