"""docs/architecture.md names files and what is in them: every one of them is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("docs/architecture.md", "CONTRIBUTING.md", "tests/README.md")
# `path`, `path.py: name, Class.name` or `path/`; a name may be followed by arguments.
_CODE = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?:[\w.<>-]+/)+[\w.*<>-]*|[\w-]+\.(?:py|md|toml|json|txt|yml)")


def references(page: str) -> list[tuple[str, str]]:
    """Each path a page names, with the names it says are in it, `""` for none."""
    found = []
    for code in _CODE.findall((ROOT / page).read_text()):
        path, colon, names = code.partition(": ")
        is_pattern = any(it in path for it in "<*") or path.startswith("zsh/")
        if _PATH.fullmatch(path.split(" ")[0]) and not is_pattern:
            found += (
                [(path.split(" ")[0], it.strip()) for it in names.split(",")]
                if colon
                else [(path.split(" ")[0], "")]
            )
    return found


def place_of(path: str, page: str) -> Path | None:
    """The file that a name in a page means: below the root, the package, the page's folder or `editors`."""
    folders = (ROOT, ROOT / "zsh_ls", (ROOT / page).parent)
    near = [it / path for it in folders if (it / path).exists()]
    if not near and "/" not in path:
        near = [it for folder in ("tests", "editors") for it in (ROOT / folder).rglob(path)]
    return near[0] if near else None


def names_in(file: Path) -> set[str]:
    """Names at the top of a module, and `Class.name` of what its classes define."""
    found = set()
    for node in ast.parse(file.read_text()).body:
        for name in _bound(node):
            found.add(name)
            if isinstance(node, ast.ClassDef):
                found |= {f"{name}.{inner}" for it in node.body for inner in _bound(it)}
    return found


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [it.id for it in targets if isinstance(it, ast.Name)]


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_every_name_is_there(page: str) -> None:
    missing = []
    for path, name in references(page):
        file = place_of(path, page)
        if file is None or (name and name not in names_in(file)):
            missing.append(f"{path}: {name}" if name else path)
    assert missing == []
    assert page != PAGES[0] or len(references(page)) > 40  # the page is read at all
