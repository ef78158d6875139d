"""The wheel and the source distribution, and the ways in which people install them."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from tools.releasing.results import (
    ROOT,
    MissingToolError,
    Result,
    does_the_main_job,
    home_in,
    run,
    tried,
)

NAME = "wheel, sdist"


def make(out: Path) -> list[Path]:
    """Build both into `out`, with the time of the last commit in place of now."""
    stamp = run(["git", "log", "-1", "--format=%ct"]).stdout.strip()
    run(
        [sys.executable, "-m", "build", "--outdir", out, ROOT],
        more={"SOURCE_DATE_EPOCH": stamp},
    )
    return [*sorted(out.glob("zsh_ls-*.whl")), *sorted(out.glob("zsh_ls-*.tar.gz"))]


def check(files: list[Path], scratch: Path) -> list[Result]:
    """Whether they are whole and reproducible, and work for pip, pipx, uv and uvx."""
    wheel, sdist = files
    packages = scratch / "packages"
    ways: list[tuple[str, Callable[[], str]]] = [
        ("built again: the same bytes", lambda: _same_again(files, scratch)),
        ("the wheel has the program alone", lambda: _holds_the_program(wheel)),
        ("the source has all that git has", lambda: _holds_everything(sdist)),
        ("its page has no relative link", lambda: _links_are_absolute(wheel)),
        ("packages it needs, fetched", lambda: _fetch(wheel, packages)),
        ("pip", lambda: _by_pip(wheel, scratch / "pip")),
        ("pip, from the source", lambda: _by_pip(sdist, scratch / "pip-source")),
        ("pipx", lambda: _by_pipx(wheel, scratch / "pipx", packages)),
        ("pipx, then zsh-ls mcp", lambda: _mcp_without_its_extra(scratch / "pipx")),
        ("uv tool", lambda: _by_uv_tool(wheel, scratch / "uv", packages)),
        ("uvx", lambda: _by_uvx(wheel, scratch / "uvx", packages)),
        ("uvx, with [mcp]", lambda: _mcp_by_uvx(wheel, scratch / "uvx-mcp", packages)),
    ]
    return [tried(NAME, what, way) for what, way in ways]


def _same_again(files: list[Path], scratch: Path) -> str:
    def sums(paths: list[Path]) -> list[str]:
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]

    again = scratch / "again"
    assert sums(make(again)) == sums(files), "another build gave other bytes"
    return ""


def _holds_the_program(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    program = {top for top in tops if not top.endswith((".dist-info", ".data"))}
    assert program == {"zsh_ls"}, f"has {tops}"
    data = [name.split("/", 1)[1] for name in names if ".data/" in name]
    assert data == ["data/share/man/man1/zsh-ls.1"], f"has {data}"
    mine = set(run(["git", "ls-files", "zsh_ls"]).stdout.split())
    assert mine <= set(names), f"lacks {sorted(mine - set(names))}"
    return f"{len(names)} files"


def _holds_everything(sdist: Path) -> str:
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    lacks = {name for name in run(["git", "ls-files"]).stdout.splitlines() if name not in names}
    assert not lacks, f"lacks {sorted(lacks)[:5]}"
    return f"{len(names)} files"


def _links_are_absolute(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (page,) = (it for it in archive.namelist() if it.endswith(".dist-info/METADATA"))
        links = re.findall(r"\]\(([^)]+)\)", archive.read(page).decode())
    relative = [link for link in links if not link.startswith(("https://", "#"))]
    assert links
    assert not relative, f"relative: {relative}"
    return f"{len(links)} links"


def _fetch(wheel: Path, packages: Path) -> str:
    constraints = ROOT / "tests/constraints.txt"
    target = [f"{wheel}[mcp]", "pipx", "uv", "pip"]  # pipx brings its own pip up to date
    words = ["pip", "wheel", "-q", "-c", str(constraints), "-w", str(packages), *target]
    run([sys.executable, "-m", *words])
    return f"{len(list(packages.iterdir()))} packages"


def _by_pip(file: Path, folder: Path) -> str:
    run([sys.executable, "-m", "venv", folder / "venv"])
    constraints = ROOT / "tests/constraints.txt"
    run([folder / "venv/bin/python", "-m", "pip", "install", "-q", "-c", constraints, file])
    return does_the_main_job([folder / "venv/bin/zsh-ls"], folder)


def _tool(name: str, folder: Path, packages: Path) -> Path:
    """A program of the fetched packages, in an environment of its own."""
    venv = folder / "tool"
    if not (venv / "bin" / name).exists():
        run([sys.executable, "-m", "venv", venv])
        offline = ["--no-index", "--find-links", str(packages)]
        run([venv / "bin/python", "-m", "pip", "install", "-q", *offline, name])
    return venv / "bin" / name


def _by_pipx(wheel: Path, folder: Path, packages: Path) -> str:
    pipx = _tool("pipx", folder, packages)
    places = {"PIPX_HOME": str(folder / "home"), "PIPX_BIN_DIR": str(folder / "bin")}
    offline = f"--pip-args=--no-index --find-links={packages}"
    run([pipx, "install", "--python", sys.executable, offline, wheel], folder, places)
    return does_the_main_job([folder / "bin/zsh-ls"], folder / "person")


def _mcp_without_its_extra(folder: Path) -> str:
    """`zsh-ls mcp` without the extra says in one line how to have it."""
    program = folder / "bin/zsh-ls"
    if not program.exists():
        raise MissingToolError("pipx did not install it")
    done = subprocess.run(
        [program, "mcp"],
        env={**os.environ, **home_in(folder / "person")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stderr.strip()
    assert done.returncode == 1, f"exited {done.returncode}"
    assert "pipx inject zsh-ls mcp" in said, said
    return said.splitlines()[0]


def _uv_places(folder: Path, packages: Path) -> dict[str, str]:
    return {
        "UV_CACHE_DIR": str(folder / "cache"),
        "UV_TOOL_DIR": str(folder / "tools"),
        "UV_TOOL_BIN_DIR": str(folder / "bin"),
        "UV_FIND_LINKS": str(packages),
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_PYTHON": sys.executable,
    }


def _by_uv_tool(wheel: Path, folder: Path, packages: Path) -> str:
    uv = _tool("uv", folder, packages)
    run([uv, "tool", "install", wheel], folder, _uv_places(folder, packages))
    return does_the_main_job([folder / "bin/zsh-ls"], folder / "person")


def _by_uvx(wheel: Path, folder: Path, packages: Path) -> str:
    uv = _tool("uv", folder, packages)
    environment = {**_uv_places(folder, packages), **home_in(folder / "person")}
    script = folder / "deploy.sh"
    script.write_text("#!/bin/bash\nset -e\nlocal version=$(git describe)\n")
    shutil.copy(wheel, folder)
    said = run([uv, "tool", "run", "--from", wheel, "zsh-ls", "parse", script], folder, environment)
    return said.stdout.strip().splitlines()[0]


def _mcp_by_uvx(wheel: Path, folder: Path, packages: Path) -> str:
    """With the extra an agent's first message is answered."""
    uv = _tool("uv", folder, packages)
    hello = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"release","version":"1"}}}\n'
    )
    program = [str(uv), "tool", "run", "--from", f"{wheel}[mcp]", "zsh-ls", "mcp"]
    places = {**os.environ, **_uv_places(folder, packages), **home_in(folder / "person")}
    # Its input stays open until it has answered: a server whose client has gone ends.
    with subprocess.Popen(
        program, env=places, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(hello)
        server.stdin.flush()
        answer = server.stdout.readline()
    assert '"serverInfo"' in answer, f"answered {answer!r}"
    return "initialize is answered"
