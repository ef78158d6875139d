"""The .vsix as it would be published: what is in it, and that its server needs a Python and nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.rpc import Peer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),  # of several workers one builds it, and the others wait
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here"),
]

MOST_BYTES = 3_400_000
PLATFORMS = ["darwin-arm64", "darwin-x86_64", "linux-aarch64", "linux-x86_64"]
OURS = {
    "LICENSE.txt",
    "bundled/launch.py",
    "changelog.md",
    "dist/extension.js",
    "l10n/bundle.l10n.de.json",
    "l10n/bundle.l10n.json",
    "media/icon.png",
    "media/view.svg",
    "package.json",
    "package.nls.de.json",
    "package.nls.json",
    "readme.md",
}
LIBRARIES = {
    "attr",
    "attrs",
    "cattr",
    "cattrs",
    "lsprotocol",
    "markdown_it",
    "mdurl",
    "platformdirs",
    "pygls",
    "ruamel",
    "typing_extensions.py",
    "zsh_ls",
}


@pytest.fixture(scope="module")
def said(packed: Path) -> str:
    """The output of vsce when it packed the extension."""
    return (packed.parent / "said").read_text()


@pytest.fixture(scope="module")
def extension(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder it is unpacked to where it is installed."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    return folder / "extension"


@pytest.fixture
def server(extension: Path, tmp_path: Path) -> Iterator[Peer]:
    """Its server, by a Python that finds no other library (`-S`) and a person who has nothing."""
    command = [sys.executable, "-S", "-P", str(extension / "bundled/launch.py"), "serve", "--stdio"]
    folders = ("HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    peer = Peer(command, env={**dict.fromkeys(folders, str(tmp_path)), "PYTHONPATH": ""})
    yield peer
    peer.end()


def test_it_is_packed_without_a_warning(said: str) -> None:
    assert "WARNING" not in said
    assert "DONE" in said


def test_only_what_is_needed_is_in_it(extension: Path) -> None:
    files = {str(it.relative_to(extension)) for it in extension.rglob("*") if it.is_file()}
    libraries = {it for it in files if it.startswith("bundled/libs/")}
    compiled = {it for it in files if it.startswith("bundled/compiled/")}
    pictures = {it for it in files if it.startswith("media/walkthrough/")}
    assert files - libraries - compiled - pictures == OURS
    tops = {it.split("/")[2] for it in libraries}
    assert {it for it in tops if not it.endswith(".dist-info")} == LIBRARIES
    assert [it for it in files if re.search(r"\.(pyc|map|ts)$|node_modules", it)] == []
    # psutil alone is compiled, once for each platform.
    binaries = sorted(it for it in files if it.endswith(".so"))
    assert [it.split("/")[2] for it in binaries] == PLATFORMS
    assert {it.split("/")[3].split("-")[0] for it in compiled} == {"psutil"}


def test_its_page_has_a_picture_and_no_link_that_only_the_repository_has(extension: Path) -> None:
    page = (extension / "readme.md").read_text()
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", page)
    assert [it for _, it in links if not it.startswith("https://")] == []
    assert [it for picture, it in links if picture]


def test_it_is_small(packed: Path) -> None:
    assert packed.stat().st_size < MOST_BYTES


def test_nothing_in_it_names_the_machine_it_was_built_on(extension: Path) -> None:
    home = str(Path(__file__).parents[3])
    named = [it for it in extension.rglob("*") if it.is_file() and home in _text(it)]
    assert named == []
    # Sums of files that pip wrote for that machine: with them no two builds are the same.
    assert [*extension.rglob("RECORD"), *extension.rglob("direct_url.json")] == []


def test_every_library_comes_with_its_licence(extension: Path) -> None:
    libs = extension / "bundled/libs"
    for about in libs.glob("*.dist-info"):
        assert list((about / "licenses").rglob("*")) or list(about.glob("LICENSE*")), about.name


def test_its_server_runs_a_command_with_python_and_nothing_else(server: Peer) -> None:
    about = server.initialize({"experimental": {"zshLs": {"version": 1}}})
    assert about["serverInfo"]["name"] == "zsh-ls"
    result = server.call("zsh/run", {"command": "print -r -- bundled", "yield_after": 20})
    assert (result["output"].strip(), result["exit"]) == ("bundled", 0)


def test_what_it_leaves_out_is_named_where_it_is_asked_for(extension: Path) -> None:
    command = [sys.executable, "-S", "-P", str(extension / "bundled/launch.py")]
    done = subprocess.run(
        [*command, "tasks", "--watch"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install rich textual" in done.stderr


def test_its_server_reads_long_scripts_too(server: Peer) -> None:
    """Long texts are first tried in a process of their own, which must find the libraries as well."""
    server.initialize()
    long = "#!/bin/zsh\n" + "print hello | grep nothing\n" * 12_000
    server.open("file:///long.zsh", long)
    document = {"textDocument": {"uri": "file:///long.zsh"}}
    assert server.call("textDocument/codeLens", document)


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "replace")
