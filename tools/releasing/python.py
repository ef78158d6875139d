"""The wheel and the source distribution, and the ways in which people install them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from tools.releasing.archives import commit_time
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
# pipx brings the pip of its environments up to date.
_INSTALLERS = ("pip==26.3", "pipx==1.18.4", "uv==0.13.9")


def make(out: Path) -> list[Path]:
    """Build both into `out`, with the time of the last commit in place of now."""
    more = {"SOURCE_DATE_EPOCH": str(commit_time())}
    run([sys.executable, "-m", "build", "--outdir", out, ROOT], more=more)
    return [*sorted(out.glob("zsh_ls-*.whl")), *sorted(out.glob("zsh_ls-*.tar.gz"))]


def check(files: list[Path], scratch: Path) -> list[Result]:
    """Whether they are whole and reproducible, and work for pip, pipx, uv and uvx."""
    wheel, sdist = files
    packages = scratch / "packages"
    ways: list[tuple[str, Callable[[], str]]] = [
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
        ("the README's lines", lambda: _by_the_readme(packages, scratch / "readme")),
        ("the README's lines for uv", lambda: _by_the_readme(packages, scratch / "uv-lines", "uv")),
    ]
    return [tried(NAME, what, way) for what, way in ways]


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
    target = [f"{wheel}[mcp]", *_INSTALLERS]
    words = ["pip", "wheel", "-q", "-c", str(constraints), "-w", str(packages), *target]
    run([sys.executable, "-m", *words])
    return f"{len(list(packages.iterdir()))} packages"


def _by_pip(file: Path, folder: Path) -> str:
    run([sys.executable, "-m", "venv", folder / "venv"])
    constraints = ROOT / "tests/constraints.txt"
    run([folder / "venv/bin/python", "-m", "pip", "install", "-q", "-c", constraints, file])
    return does_the_main_job([folder / "venv/bin/zsh-ls"], folder)


def _tools(packages: Path) -> Path:
    """The folder of pipx's and uv's programs, from the fetched packages, in one environment for all ways."""
    venv = packages.parent / "tools"
    if not venv.exists():
        run([sys.executable, "-m", "venv", venv])
        offline = ["--no-index", "--find-links", str(packages)]
        run([venv / "bin/python", "-m", "pip", "install", "-q", *offline, "pipx", "uv"])
    return venv / "bin"


def _by_pipx(wheel: Path, folder: Path, packages: Path) -> str:
    pipx = _tools(packages) / "pipx"
    folder.mkdir()
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
    uv = _tools(packages) / "uv"
    folder.mkdir()
    run([uv, "tool", "install", wheel], folder, _uv_places(folder, packages))
    return does_the_main_job([folder / "bin/zsh-ls"], folder / "person")


def _by_uvx(wheel: Path, folder: Path, packages: Path) -> str:
    uv = _tools(packages) / "uv"
    environment = {**_uv_places(folder, packages), **home_in(folder / "person")}
    script = folder / "deploy.sh"
    script.write_text("#!/bin/bash\nset -e\nlocal version=$(git describe)\n")
    shutil.copy(wheel, folder)
    said = run([uv, "tool", "run", "--from", wheel, "zsh-ls", "parse", script], folder, environment)
    assert "git describe" in said.stdout, f"printed {said.stdout!r}"
    return "parses"


def _mcp_by_uvx(wheel: Path, folder: Path, packages: Path) -> str:
    """With the extra an agent's first message is answered."""
    uv = _tools(packages) / "uv"
    program = [str(uv), "tool", "run", "--from", f"{wheel}[mcp]", "zsh-ls"]
    return _greets(program, {**_uv_places(folder, packages), **home_in(folder / "person")})


def _greets(program: list[str], environment: dict[str, str]) -> str:
    hello = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"release","version":"1"}}}\n'
    )
    # Its input stays open until it has answered: a server whose client has gone ends.
    with subprocess.Popen(
        [*program, "mcp"],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(hello)
        server.stdin.flush()
        answer = server.stdout.readline()
    assert '"serverInfo"' in answer, f"answered {answer!r}"
    return "initialize is answered"


def readme_lines(installer: str) -> list[str]:
    """What the README has people type to install, in its order, for pipx or for uv."""
    text = (ROOT / "README.md").read_text().partition("## Install")[2].partition("```\n")[0]
    found: list[tuple[str, str]] = re.findall(r"^\$ (.+?) +# (.+)$", text, re.MULTILINE)
    lines = []
    for line, comment in found:
        other = comment.partition("or: ")[2]
        lines.append(other if other.startswith(installer) else line)
    assert len(lines) == 3, lines
    return lines


def _by_the_readme(packages: Path, folder: Path, installer: str = "pipx") -> str:
    """One line after the other, word for word, from an empty home; the packages stand for PyPI."""
    tools = _tools(packages)
    home = folder / "person"
    programs = home / ".local/bin"
    environment = {
        **home_in(home),
        "XDG_DATA_HOME": str(home / ".local/share"),  # uv puts programs beside it
        "PATH": f"{programs}:{tools}:/usr/local/bin:/usr/bin:/bin",
        "PIP_FIND_LINKS": str(packages),
        "PIP_NO_INDEX": "1",
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "UV_CACHE_DIR": str(folder / "cache"),
        "UV_FIND_LINKS": str(packages),
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_PYTHON": sys.executable,
    }
    (home / "deploy.sh").write_text("#!/bin/sh\nprintf 'fine\\n'\n")
    lines = readme_lines(installer)
    for line in lines:
        run(["bash", "-c", line], home, environment)
    _greets([str(programs / "zsh-ls")], environment)
    return f"{len(lines)} lines; {does_the_main_job([programs / 'zsh-ls'], home)}"
