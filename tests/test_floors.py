"""The floors of docs/architecture.md: a room imports what is below it, and nothing beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "zsh_ls"

# Top to bottom; rooms on one floor are strangers.
FLOORS = (
    {"server", "cli", "mcp"},
    {"sidecar"},
    {"alan", "tasks", "machine", "link"},
    {"insights", "answers", "verbosity"},
    {"shell"},
    {"model"},
)
# Who alone may import a library or a module of the system.
KEEPERS = {
    "pygls": {"server"},
    "lsprotocol": {"server"},
    "cattrs": {"server", "sidecar", "link"},
    "mcp": {"mcp"},
    "rich": {"cli"},
    "sqlite3": {"alan"},
    "subprocess": {"tasks", "machine"},
    "pty": {"tasks"},
    "socket": {"link"},
}
# `shell` and the rooms above it up to the I/O floor turn values into values.
PURE = FLOORS[3] | FLOORS[4] | FLOORS[5]
SYSTEM = {
    "os",
    "io",
    "socket",
    "subprocess",
    "sqlite3",
    "pty",
    "shutil",
    "tempfile",
    "asyncio",
    "threading",
}
ENTRY = {"__init__.py", "__main__.py"}


def floor_of(room: str) -> int:
    return next(i for i, rooms in enumerate(FLOORS) if room in rooms)


def imports(path: Path) -> Iterator[str]:
    package = path.relative_to(ROOT.parent).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            tail = node.module.split(".") if node.module else []
            for name in node.names:
                yield ".".join([*base, *tail, name.name])
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_what_is_below_it(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    for name in imports(path):
        top, _, rest = name.partition(".")
        if top == "zsh_ls" and rest:
            other = rest.split(".")[0]
            if other.startswith("_"):
                continue
            allowed = other == room or floor_of(other) > floor_of(room)
            assert allowed, f"{room} may not import {other}"
        assert room in KEEPERS.get(top, {room}), (
            f"{room} may not import {top}: only {KEEPERS[top]} may"
        )
        assert not (room in PURE and top in SYSTEM), f"{room} is pure and imports {top}"


def test_every_room_has_its_floor() -> None:
    rooms = {
        path.name for path in ROOT.iterdir() if path.is_dir() and (path / "__init__.py").exists()
    }
    assert rooms <= set().union(*FLOORS)


def test_every_module_opens_with_what_it_promises() -> None:
    silent = [
        str(path)
        for path in ROOT.rglob("*.py")
        if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []
