"""Which files a shell reads when it starts (START-4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsh_ls.sidecar.startup_files import StartOf, start_of


@pytest.mark.parametrize(
    "named",
    [
        "$HOME/.config/zsh",
        '"${XDG_CONFIG_HOME:-$HOME/.config}/zsh"',
        "${XDG_CONFIG_HOME:-~/.config}/zsh",
        "${ZDOTDIR:-$HOME/.config/zsh}",
        "${ZDOTDIR-~/.config/zsh}",
    ],
)
def test_the_folder_that_a_zshenv_names(named: str, tmp_path: Path) -> None:
    rc = tmp_path / ".config/zsh/.zshrc"
    rc.parent.mkdir(parents=True)
    rc.write_text(":\n")
    (tmp_path / ".zshenv").write_text(f"export ZDOTDIR={named}\n")
    assert start_of(str(rc), {"HOME": str(tmp_path)}) == StartOf("zsh", login=False)


@pytest.mark.parametrize(
    ("word", "is_read"),
    [
        ("${MINE:-$HOME}/more.zsh", True),
        ("${MINE:-~}/more.zsh", True),
        ("$MINE/more.zsh", False),
        ("${MINE:-$OTHER}/more.zsh", False),
        ("${MINE:-more.zsh}", False),
    ],
)
def test_a_file_is_known_by_a_default_but_not_by_an_unknown_variable(
    word: str, is_read: bool, tmp_path: Path
) -> None:
    (tmp_path / ".zshrc").write_text(f"source {word}\n")
    more = tmp_path / "more.zsh"
    more.write_text(":\n")
    read_by = start_of(str(more), {"HOME": str(tmp_path)})
    assert (read_by is not None) == is_read
    assert read_by in (None, StartOf("zsh", login=False))
