"""Tests that no program of an untrusted workspace is started unasked, and none that its variables name."""
# ruff: noqa: ASYNC240  - what is looked at is small, and nothing else goes on meanwhile

from __future__ import annotations

import ast
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from zsh_ls.machine import facts
from zsh_ls.machine.environment import login_shell, user_environment
from zsh_ls.machine.manpages import find_page
from zsh_ls.machine.syntax_check import syntax_problems
from zsh_ls.model.syntax import Dialect
from zsh_ls.server import known_shells
from zsh_ls.sidecar.documents.parse_probe import is_readable
from zsh_ls.system import programs
from zsh_ls.tasks import find_shell, find_shells

PACKAGE = Path(__file__).parents[2] / "zsh_ls"
NAMES = ("zsh", "bash", "dash", "sh", "man", "nvidia-smi", "git", "shfmt", "ps", "apt-get", "dnf")


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    """The folder in which each program of the workspace creates a file when it is started."""
    folder = tmp_path / "marks"
    folder.mkdir()
    return folder


@pytest.fixture
def workspace(tmp_path: Path, marks: Path) -> Iterator[Path]:
    """An untrusted workspace with a program of each name in NAMES."""
    bin_folder = tmp_path / "workspace" / "bin"
    bin_folder.mkdir(parents=True)
    for name in NAMES:
        trap(bin_folder / name, marks)
    programs.distrust([str(tmp_path / "workspace")])
    yield tmp_path / "workspace"
    programs.distrust(())


def trap(path: Path, marks: Path) -> Path:
    path.write_text(f'#!/bin/sh\n: > "{marks}/{path.name}"\necho "zsh 5.9"\n')
    path.chmod(0o755)
    return path


async def start_everything() -> None:
    """Call each function that starts a program unasked."""
    for found in (*find_shells(), find_shell("dash")):
        assert found is not None
        assert found.path.startswith(("/bin/", "/usr/"))
    assert known_shells._executables()[0][0].startswith(("/bin/", "/usr/"))
    facts.gpus()
    facts.package_manager()
    facts.output_of(["git", "--version"])
    await find_page("ls")
    for dialect in Dialect:
        assert await syntax_problems("echo )\n", dialect)
    await is_readable("true\n", Dialect.BASH)
    user_environment()


def ways(workspace: Path) -> dict[str, str]:
    """Values of PATH that lead to the workspace's programs before the system's."""
    (workspace.parent / "link").symlink_to(workspace / "bin")
    outside = workspace.parent / "outside"
    outside.mkdir()
    for name in NAMES:
        (outside / name).symlink_to(workspace / "bin" / name)
    return {
        "inside": f"{workspace}/bin",
        "not as it is written": f"{workspace.parent}/outside/../workspace/./bin",
        "through a link": f"{workspace.parent}/link",
        "programs that are links": str(outside),
        "relative": "bin",
        "relative to itself": "./bin",
        "up and down": "../workspace/bin",
        "empty, in the folder": "",
    }


@pytest.mark.parametrize("number", range(8))
async def test_no_program_of_an_untrusted_workspace_is_started(
    workspace: Path, marks: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    way = list(ways(workspace).values())[number]
    monkeypatch.setenv("PATH", f"{way}:{os.environ['PATH']}")
    monkeypatch.chdir(workspace / "bin" if way == "" else workspace)
    await start_everything()
    assert list(marks.iterdir()) == []


def test_what_a_program_calls_in_turn_is_not_found_in_the_workspace(
    workspace: Path, marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shim of pyenv's, `#!/usr/bin/env bash`, ran the workspace's bash by a link in ~/.local/bin."""
    own = workspace.parent / "own"
    own.mkdir()
    (own / "shim").write_text("#!/bin/sh\nnvidia-smi\necho asked\n")
    (own / "shim").chmod(0o755)
    monkeypatch.setenv("PATH", f"{ways(workspace)['programs that are links']}:{own}")
    assert facts.output_of(["shim"]) == "asked\n"
    assert list(marks.iterdir()) == []
    (own / "nvidia-smi").symlink_to(workspace / "bin" / "nvidia-smi")
    assert facts.output_of(["shim"]) == "asked\n"
    assert list(marks.iterdir()) == []


async def test_relative_and_empty_folders_of_path_are_passed_over_where_all_is_trusted(
    workspace: Path, marks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.distrust(())
    monkeypatch.chdir(workspace / "bin")
    monkeypatch.setenv("PATH", f":.:../bin::{os.environ['PATH']}:")
    await start_everything()
    assert list(marks.iterdir()) == []
    # An absolute one is the person's.
    monkeypatch.setenv("PATH", f"{workspace}/bin:{os.environ['PATH']}")
    assert facts.output_of(["nvidia-smi"]) == "zsh 5.9\n"
    assert [mark.name for mark in marks.iterdir()] == ["nvidia-smi"]


@pytest.mark.parametrize("trusted", [True, False])
async def test_what_variables_name_is_not_run(
    workspace: Path, marks: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool
) -> None:
    if trusted:
        programs.distrust(())
    script = workspace / "evil"
    script.write_text(f': > "{marks}/read"\n')
    for name in (".zshenv", ".zshrc", ".zprofile", ".zlogin"):
        (workspace / name).write_text(script.read_text())
    (workspace / "sitecustomize.py").write_text(f"open({str(marks / 'python')!r}, 'w')\n")
    monkeypatch.chdir(workspace)
    for base in (str(workspace), "."):
        for name in ("BASH_ENV", "ENV", "PYTHONSTARTUP"):
            monkeypatch.setenv(name, f"{base}/evil")
        monkeypatch.setenv("PYTHONPATH", base)
        monkeypatch.setenv("LD_LIBRARY_PATH", base)
        if not trusted or base == ".":
            monkeypatch.setenv("ZDOTDIR", base)  # of a trusted folder it is the person's
        else:
            monkeypatch.delenv("ZDOTDIR", raising=False)
        for shell in (None, "/bin/bash", "/bin/sh"):
            monkeypatch.setenv("SHELL", shell or login_shell())
            if trusted and base != ".":
                break  # what the person's own environment names, their own shell may read
            await start_everything()
        for found in find_shells():
            assert found.kind == "sh" or found.version
        facts.output_of(["bash", "-c", ":"])
        facts.output_of(["zsh", "-c", ":"])
    assert list(marks.iterdir()) == []


@pytest.mark.parametrize("shell", ["/bin/zsh", "/bin/bash"])
@pytest.mark.parametrize("name", ["NVM_DIR", "HOME", "XDG_CONFIG_HOME"])
def test_the_person_s_own_start_files_read_nothing_that_a_variable_places_in_the_workspace(
    workspace: Path, marks: Path, monkeypatch: pytest.MonkeyPatch, name: str, shell: str
) -> None:
    """A manager of environments may have put the workspace's folder into any variable."""
    home = workspace.parent / "home"
    home.mkdir()
    for folder in (home, workspace):
        for file in (".zshrc", ".bash_profile", ".profile"):
            (folder / file).write_text(f'[ -n "${name}" ] && . "${name}/start.sh"\nexport SEEN=1\n')
    (workspace / "start.sh").write_text(f': > "{marks}/read"\n')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv(name, str(workspace))
    monkeypatch.setenv("SOME_PATHS", f"/opt:{workspace}/lib")
    found = user_environment(shell)
    assert list(marks.iterdir()) == []
    assert "SOME_PATHS" not in found.variables
    assert name == "HOME" or found.variables["SEEN"] == "1"


def test_a_login_shell_of_the_workspace_is_not_asked(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", str(workspace / "bin" / "zsh"))
    assert not login_shell().startswith(str(workspace))


def test_what_is_told_to_programs_is_little() -> None:
    told = programs.environment()
    assert set(told) <= {
        *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR"),
        *("MANPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
        *(name for name in told if name.startswith("LC_")),
    }


def test_a_workspace_is_told_from_one_whose_name_begins_alike(tmp_path: Path) -> None:
    other = tmp_path / "workspace-other"
    other.mkdir()
    program = other / "tool"
    program.write_text("#!/bin/sh\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    programs.distrust([str(tmp_path / "workspace")])
    try:
        assert programs.find("tool", str(other)) == str(program)
        assert programs.find("tool/../tool", str(other)) is None
    finally:
        programs.distrust(())


# Who may start a process in another way than by `_programs`: what was asked for by a person or an
# agent (a rehearsed script and a measured start too), the watchers, which fork and start nothing, and what
# finds its program by `programs.find`, such as the sandbox and the copy of a workspace.
STARTERS = {
    "rehearsal/files.py",
    "rehearsal/inside/launcher.py",
    "rehearsal/inside/stand_in.py",
    "rehearsal/sandbox.py",
    "rehearsal/workspace.py",
    "system/programs.py",
    "tasks/process/launch.py",
    "tasks/process/session_leader.py",
    "tasks/process/streams.py",
    "tasks/starts/shell_start.py",
    "tasks/supervision/keepers.py",
    "tasks/supervision/supervisor.py",
}
STARTING = {
    *("Popen", "check_call", "check_output", "getoutput", "getstatusoutput", "call", "run"),
    *("create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "subprocess_shell"),
    *("posix_spawn", "posix_spawnp", "fork", "forkpty", "system", "popen", "startfile"),
    *(f"exec{how}" for how in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    *(f"spawn{how}" for how in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
}
MODULES = {"subprocess", "os", "asyncio", "pty", "loop"}


def test_nothing_else_starts_a_process() -> None:
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if any(starts(node) for node in ast.walk(ast.parse(path.read_text())))
    }
    assert found == STARTERS


def starts(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return module in MODULES and name in STARTING and (module, name) != ("asyncio", "run")
        case ast.ImportFrom(module=str(module), names=names):
            return module in MODULES and any(it.name in STARTING for it in names)
    return False
