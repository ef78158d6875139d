"""The documentation as a site, and the manual page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.docs import stale_pages
from tools.releasing import site
from zsh_ls.cli import full_parser

ROOT = Path(__file__).parent.parent.parent
MANUAL = ROOT / "docs/zsh-ls.1"


@pytest.mark.slow
def test_the_site_is_built_strictly_and_whole(tmp_path: Path) -> None:
    files = site.make(tmp_path)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    results = site.check(files, scratch)
    assert [it for it in results if it.outcome != "ok"] == []
    assert len(results) == 4


def test_a_link_to_what_is_not_there_stops_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs/pictures").mkdir(parents=True)
    (tmp_path / "docs/page.md").write_text("[gone](../gone.txt)\n")
    monkeypatch.setattr(site, "ROOT", tmp_path)
    monkeypatch.setattr(site, "sources", lambda: {"page.md": "docs/page.md"})
    with pytest.raises(FileNotFoundError, match=r"docs/page.md links to ../gone.txt"):
        site.write_pages(tmp_path / "out")


def test_the_manual_page_is_what_the_help_says_now() -> None:
    assert "docs/zsh-ls.1" not in stale_pages()


def test_the_manual_page_has_every_command_and_no_mistake() -> None:
    done = subprocess.run(
        ["man", "--warnings", "-l", str(MANUAL)],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8"},
    )
    assert done.stderr == ""
    (commands,) = (it for it in full_parser()._actions if it.choices)
    assert commands.choices
    assert [name for name in commands.choices if f"zsh-ls {name}" not in done.stdout] == []
