"""What other package managers are given needs what the program needs, and brings what it names."""

from __future__ import annotations

from pathlib import Path

from tools.releasing import archives, recipe_files
from zsh_ls import __version__


def test_recipes_need_what_the_program_needs(tmp_path: Path) -> None:
    (tmp_path / f"zsh_ls-{__version__}-py3-none-any.whl").touch()
    (tmp_path / f"zsh_ls-{__version__}.tar.gz").touch()
    (archive,) = recipe_files.make(tmp_path)
    archives.unpack(archive, tmp_path)
    folder = tmp_path / "zsh-ls-recipes"
    arch = (folder / "PKGBUILD").read_text()
    (depends,) = (it for it in arch.splitlines() if it.startswith("depends="))
    assert {"python-attrs", "python-markdown-it-py", "python-prompt_toolkit"} < set(depends.split())
    flake = (folder / "flake.nix").read_text()
    assert " prompt-toolkit psutil " in flake
    assert " ruamel-yaml " in flake
    assert (folder / "constraints.txt").is_file()


def test_an_archive_is_the_same_bytes_later_and_elsewhere(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "in").mkdir(parents=True, mode=0o700 if name == "one" else 0o755)
        (tmp_path / name / "in/file").write_text("the same")
        archives.pack(tmp_path / name, tmp_path / f"{name}.tar.gz", "packed")
        (tmp_path / name / "in/file").touch()
    first, second = ((tmp_path / f"{name}.tar.gz").read_bytes() for name in ("one", "two"))
    assert first == second
