"""Which files a question about names looks into: regular ones inside a trusted workspace (DOC-8)."""

from __future__ import annotations

import os
from pathlib import Path

import attrs
import pytest

from zsh_ls.sidecar import Sidecar, SidecarOptions

MIB = 1 << 20
HELP = "help() { print helped; }\n"


@pytest.fixture
def workspace(options: SidecarOptions) -> Path:
    return Path(str(options.workspace))


async def defined_in(sidecar: Sidecar, workspace: Path, source: str) -> str | None:
    """The file that `help` is defined in for a script that sources `source`, and calls it."""
    script = f"source {source}\nhelp\n"
    uri = (workspace / "script.zsh").as_uri()
    sidecar.open_document(uri, script, "zsh", 1)
    found = await sidecar.navigation.definition(uri, script.rindex("help"))
    sidecar.close_document(uri)
    return found[0].uri if found else None


async def test_a_file_of_the_workspace_is_looked_into_where_it_is_trusted(
    sidecar: Sidecar, workspace: Path
) -> None:
    library = workspace / "lib.zsh"
    library.write_text(HELP)
    for source in ("./lib.zsh", str(library)):
        assert await defined_in(sidecar, workspace, source) == library.as_uri()
    sidecar.configure(attrs.evolve(sidecar.settings, trusted=False))
    assert await defined_in(sidecar, workspace, "./lib.zsh") is None
    sidecar.configure(attrs.evolve(sidecar.settings, trusted=True))
    assert await defined_in(sidecar, workspace, "./lib.zsh") == library.as_uri()


async def test_nothing_outside_of_the_workspace_is_looked_into(
    sidecar: Sidecar, workspace: Path
) -> None:
    outside = workspace.parent / "lib.zsh"
    outside.write_text(HELP)
    (workspace / "link.zsh").symlink_to(outside)
    (workspace / "folder").symlink_to(workspace.parent)
    for source in ("../lib.zsh", str(outside), "./link.zsh", "./folder/lib.zsh"):
        assert await defined_in(sidecar, workspace, source) is None, source


async def test_only_a_regular_file_of_at_most_a_mebibyte_is_read(
    sidecar: Sidecar, workspace: Path
) -> None:
    os.mkfifo(workspace / "pipe.zsh")
    largest, larger = workspace / "largest.zsh", workspace / "larger.zsh"
    largest.write_text(HELP.ljust(MIB - 1, "#") + "\n")
    larger.write_text(HELP.ljust(MIB, "#") + "\n")
    assert await defined_in(sidecar, workspace, "./largest.zsh") == largest.as_uri()
    for source in ("./pipe.zsh", "./larger.zsh"):
        assert await defined_in(sidecar, workspace, source) is None


async def test_files_are_followed_eight_deep(sidecar: Sidecar, workspace: Path) -> None:
    for last in (8, 9):
        for number in range(1, last):
            (workspace / f"{number}.zsh").write_text(f"source ./{number + 1}.zsh\n")
        (workspace / f"{last}.zsh").write_text(HELP)
        found = await defined_in(sidecar, workspace, "./1.zsh")
        assert found == ((workspace / "8.zsh").as_uri() if last == 8 else None)
