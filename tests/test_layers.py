"""The layers of docs/architecture.md: a package imports what is below it, no module in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "zsh_ls"

# Top to bottom; packages of one layer know nothing of each other.
LAYERS = (
    {"server", "cli", "mcp"},
    {"sidecar"},
    {"rehearsal", "alan", "tasks", "machine", "ipc", "sessions", "team"},
    {"hooks"},
    {"insights", "answers", "verbosity", "places", "startup"},
    {"shell"},
    {"model"},
    {"system"},
    {"lazy"},
)
# Who alone may import a library or a module of the standard library.
ONLY_IN = {
    "pygls": {"server"},
    "lsprotocol": {"server"},
    # Others take it from `zsh_ls.lazy`: a command that ends at once would wait for it longer than for Python.
    "attrs": {"lazy", "server", "mcp", "sidecar"},
    "cattrs": {"server", "sidecar", "ipc"},
    "mcp": {"mcp"},
    "rich": {"cli"},
    "textual": {"cli"},
    "sqlite3": {"alan"},
    "subprocess": {"tasks", "machine", "system", "rehearsal"},
    "pty": {"tasks"},
    "socket": {"ipc", "team"},
    "psycopg": {"team"},
    "cryptography": {"team"},
    "keyring": {"team"},
}
# What a package may not import, though it is below it: I/O gives what it read and judges nothing.
NOT_FOR = {
    "tasks": {"hooks", "insights", "verbosity", "answers", "places", "startup"},
    "machine": {"hooks", "insights", "verbosity", "answers", "places", "startup"},
}
# The layers between the I/O and `system` turn values into values.
PURE = LAYERS[3] | LAYERS[4] | LAYERS[5] | LAYERS[6]
IMPURE_MODULES = {
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
# Modules of the root decide which frontend starts; only frontends import them.
ENTRY_POINTS = {"zsh_ls.__main__", "zsh_ls._entry_points"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}
INNER = [name for name in PATHS if name.count(".") and name not in ENTRY_POINTS]


def imports(module: str) -> Iterator[str]:
    """What a module imports anywhere, within functions and for types too: `package.module.name`."""
    package = module if PATHS[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(PATHS[module].read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                above = parts[: len(parts) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            yield from (f"{base}.{name.name}" for name in node.names)


def layer_of(package: str) -> int:
    return next(at for at, packages in enumerate(LAYERS) if package in packages)


@pytest.mark.parametrize("module", INNER)
def test_a_package_imports_only_what_is_below_it(module: str) -> None:
    own = module.split(".")[1]
    for name in imports(module):
        top, _, rest = name.partition(".")
        if top == "zsh_ls" and f"zsh_ls.{rest.split('.')[0]}" in ENTRY_POINTS:
            assert own in LAYERS[0], f"{own} may not import {name}"
        elif top == "zsh_ls" and not rest.startswith("__"):
            other = rest.split(".")[0]
            allowed = other == own or layer_of(other) > layer_of(own)
            allowed = allowed and other not in NOT_FOR.get(own, ())
            assert allowed, f"{own} may not import {other}"
        assert own in ONLY_IN.get(top, {own}), f"{own} may not import {top}: only {ONLY_IN[top]}"
        assert not (own in PURE and top in IMPURE_MODULES), f"{own} is pure and imports {top}"


def test_every_package_has_its_layer() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == set().union(*LAYERS)


def test_the_root_holds_entry_points_alone() -> None:
    assert {path.stem for path in ROOT.glob("*.py")} == {"__init__", "__main__", "_entry_points"}


def test_no_module_imports_in_a_circle() -> None:
    """Counting every import, also those within functions and those for types alone."""
    graph = {name: {target for it in imports(name) if (target := _module_of(it))} for name in PATHS}
    assert list(circles(graph)) == []


def _module_of(name: str) -> str | None:
    if name in PATHS:
        return name
    above = name.rpartition(".")[0]
    return above if above in PATHS else None


def circles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """The strongly connected groups of more than one module (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(node: str) -> Iterator[list[str]]:
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(graph[node]):
            if target not in index:
                yield from visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            at = stack.index(node)
            group = sorted(stack[at:])
            del stack[at:]
            if len(group) > 1:
                yield group

    for node in sorted(graph):
        if node not in index:
            yield from visit(node)


def test_a_circle_is_found() -> None:
    assert list(circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})) == [["b", "c"]]


def test_every_module_opens_with_what_it_promises() -> None:
    silent = [
        name for name, path in PATHS.items() if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []
