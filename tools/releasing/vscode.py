"""The VS Code extension with its server: one package for VS Code's and Open VSX's registries."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

from tools.releasing.archives import commit_time
from tools.releasing.names import NAMES
from tools.releasing.results import (
    ROOT,
    MissingToolError,
    Result,
    does_the_main_job,
    run,
    tried,
)

NAME = "VS Code extension"


def make(out: Path) -> list[Path]:
    """Build it; the tools it needs are fetched at their pinned versions."""
    folder = ROOT / "editors/vscode"
    for old in folder.glob("*.vsix"):
        old.unlink()
    (folder / ".cache/bundled").unlink(missing_ok=True)  # nothing of an earlier build stays in it
    run([folder / "build"], more={"SOURCE_DATE_EPOCH": str(commit_time())})
    (built,) = folder.glob("*.vsix")
    return [Path(shutil.move(built, out / built.name))]


def check(files: list[Path], scratch: Path) -> list[Result]:
    """Whether it runs everywhere, and the server that comes with it does the main job by itself."""
    return [
        tried(NAME, "for every system", lambda: _is_universal(files[0])),
        tried(NAME, "its own server without compiled parts", lambda: _serves(files[0], scratch)),
    ]


def _is_universal(package: Path) -> str:
    with zipfile.ZipFile(package) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("extension/package.json"))
    compiled = [name for name in names if name.endswith((".so", ".dylib", ".node", ".pyd"))]
    needed = [name for name in compiled if "/bundled/compiled/" not in name]
    assert not needed, f"needs {needed[:3]}"
    assert manifest["publisher"] == NAMES["vscode_publisher"]
    return f"{len(names)} files, {package.stat().st_size >> 10} kB"


def _serves(package: Path, scratch: Path) -> str:
    python = shutil.which("python3")
    if python is None:
        raise MissingToolError("python3 is not here")
    with zipfile.ZipFile(package) as archive:
        archive.extractall(scratch)
    bundled = scratch / "extension/bundled"
    shutil.rmtree(bundled / "compiled")
    return does_the_main_job([python, "-P", bundled / "launch.py"], scratch / "home")
