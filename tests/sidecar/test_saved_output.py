"""The last long output lies private under the workspace, and nobody's link is followed (VERB-4)."""

from __future__ import annotations

import stat
from pathlib import Path

from zsh_ls.sidecar.saved_output import save


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
