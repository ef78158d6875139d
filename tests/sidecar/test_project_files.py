"""The scripts of a project that symbols are looked for in: how many, how large in all, none by a link."""

from __future__ import annotations

from pathlib import Path

from zsh_ls.sidecar.documents.project_files import MOST_BYTES, MOST_SCRIPTS, scripts_of


def test_so_many_scripts_are_looked_into_the_nearest_first(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/far.zsh").touch()
    for number in range(MOST_SCRIPTS):
        (tmp_path / f"{number}.sh").touch()
    found = scripts_of(str(tmp_path))
    assert len(found) == MOST_SCRIPTS
    assert not any(it.endswith("far.zsh") for it in found)


def test_they_are_so_large_in_all(tmp_path: Path) -> None:
    for name, size in (("a.sh", MOST_BYTES - 10), ("b.sh", 11), ("c.sh", 10)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    (tmp_path / "d.sh").symlink_to("c.sh")
    assert [Path(it).name for it in scripts_of(str(tmp_path))] == ["a.sh", "c.sh"]
