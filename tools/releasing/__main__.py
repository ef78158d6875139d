"""`tools/release [--check] [--out DIR] [NAME …]`: makes the artefacts of a release.

Without names it makes all. `--check` tries each one afterwards, where the tool
for it is at hand, and prints one table; the exit status is 1 where something
failed. The sums of all files stand in SHA256SUMS beside them.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from tools.releasing.results import FAILED, ROOT, Result, told, tried

ARTEFACTS = ("python", "site", "neovim", "vscode", "recipe_files")


def main(words: list[str] | None = None) -> int:
    """Make what was asked for; gives the exit status."""
    parser = argparse.ArgumentParser(prog="tools/release", description=__doc__)
    parser.add_argument("--check", action="store_true", help="try each artefact")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ARTEFACTS))
    asked = parser.parse_args(words)
    if unknown := set(asked.names) - set(ARTEFACTS):
        parser.error(f"no artefact {', '.join(sorted(unknown))}; there are {', '.join(ARTEFACTS)}")
    asked.out.mkdir(parents=True, exist_ok=True)
    results: list[Result] = []
    for name in asked.names or ARTEFACTS:
        print(f"tools/release: {name} …", file=sys.stderr, flush=True)
        results += _made_and_tried(
            importlib.import_module(f"tools.releasing.{name}"), asked.out.resolve(), asked.check
        )
    _write_sums(asked.out)
    _print(results)
    return 1 if any(it.outcome == FAILED for it in results) else 0


def _made_and_tried(artefact: ModuleType, out: Path, check: bool) -> list[Result]:
    try:
        files = artefact.make(out)
    except (subprocess.CalledProcessError, OSError, AssertionError) as fault:
        return [Result(artefact.NAME, "made", FAILED, told(fault))]
    made = [Result(artefact.NAME, "made", "ok", ", ".join(it.name for it in files))]
    if not check:
        return made
    with tempfile.TemporaryDirectory(prefix="zsh-ls-release-") as scratch:
        again = tried(artefact.NAME, "made again: the same bytes", lambda: _again(artefact, files))
        return [*made, again, *artefact.check(files, Path(scratch))]


def _again(artefact: ModuleType, files: list[Path]) -> str:
    """Make it in another folder, beside what it is made of, and compare."""
    with tempfile.TemporaryDirectory(prefix="zsh-ls-again-") as other:
        for file in files[0].parent.iterdir():
            if file.is_file() and file not in files:
                shutil.copy(file, other)
        remade = artefact.make(Path(other))
        differ = [
            one.name
            for one, two in zip(files, remade, strict=True)
            if one.read_bytes() != two.read_bytes()
        ]
    assert not differ, f"not the same bytes: {', '.join(differ)}"
    return ""


def _write_sums(out: Path) -> None:
    files = sorted(it for it in out.iterdir() if it.is_file() and it.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(it.read_bytes()).hexdigest()}  {it.name}\n" for it in files]
    (out / "SHA256SUMS").write_text("".join(lines))


def _print(results: list[Result]) -> None:
    widths = [
        max(len(cell) for cell in column)
        for column in zip(*((it.artefact, it.tried, it.outcome) for it in results), strict=True)
    ]
    for it in results:
        cells = zip((it.artefact, it.tried, it.outcome), widths, strict=True)
        print("  ".join([*(cell.ljust(width) for cell, width in cells), it.detail]).rstrip())


if __name__ == "__main__":
    sys.exit(main())
