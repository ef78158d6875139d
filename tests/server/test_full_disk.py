"""A full disk: what fits in memory is shown, and what is lost is reported with the reason.

The server runs in a mount namespace of its own with small file systems that are really full. Where none
may be made, its files may not grow (RLIMIT_FSIZE), and its runtime folder takes no new one.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .rpc import PATIENCE_S, ROOT, SERVE, Message, Peer, peer

pytestmark = pytest.mark.slow
NAMESPACE = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
# The line that each test prints is 64 bytes long, its end included.
RUNNER = """#!/bin/sh
n=0
awk -v most="$1" 'BEGIN { for (n = 1; n <= most; n++) printf "%063d\\n", n }'
echo "FAILED tests/test_it.py::test_it - assert 1 == 2"
echo "========== 1 failed in 0.01s =========="
exit 1
"""


@functools.cache
def may_mount() -> bool:
    tried = [*NAMESPACE, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/tmp"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def serving(on_small_disks: dict[str, str]) -> list[str]:
    """The command of a server that sees these folders as file systems with those options."""
    mounts = [
        f"mount -t tmpfs -o mode=700,{options} tmpfs '{folder}'"
        for folder, options in on_small_disks.items()
    ]
    return [*NAMESPACE, "sh", "-ec", "\n".join([*mounts, 'exec "$@"']), "sh", *SERVE]


def with_files_that_do_not_grow() -> list[str]:
    code = (
        "import os, resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    return [sys.executable, "-c", code, *SERVE]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "pytest").write_text(RUNNER)
    (folder / "bin" / "pytest").chmod(0o755)
    return folder


@pytest.fixture
def full(home: dict[str, str], workspace: Path) -> Iterator[Peer]:
    """A server whose folder for outputs is full."""
    state = home["XDG_STATE_HOME"]
    command = serving({state: "size=1m"}) if may_mount() else with_files_that_do_not_grow()
    with peer(command, home) as found:
        found.initialize(rootUri=workspace.as_uri())
        if may_mount():
            filled = f"cat /dev/zero > {state}/ballast"
            found.call("zsh/run", {"command": filled, "yield_after": PATIENCE_S})
        yield found


def suite_of(server: Peer, workspace: Path, lines: int, **more: Any) -> Any:
    path = f"{workspace / 'bin'}{os.pathsep}{os.environ['PATH']}"
    asked = {"command": f"pytest {lines}", "env": {"PATH": path}, "yield_after": PATIENCE_S}
    return server.call("zsh/run", asked | more)


def health_with_a_problem(server: Peer) -> Message:
    """The result of `zsh/health` once the output of a run could not be stored."""
    while (health := server.call("zsh/health"))["status"] == "healthy":
        server.call("zsh/run", {"command": "true", "yield_after": PATIENCE_S})
    found: Message = health
    return found


def test_a_failed_test_that_fits_in_memory_is_whole(full: Peer, workspace: Path) -> None:
    result = suite_of(full, workspace, 12_000)
    lines = result["output"].splitlines()
    assert lines[:12_000] == [f"{n:063}" for n in range(1, 12_001)]
    assert lines[12_000:] == RUNNER.replace('"', "").replace("echo ", "").splitlines()[3:5]
    verbosity = result["verbosity"]
    assert (verbosity["level"], verbosity["omitted_lines"], result["exit"]) == ("full", 0, 1)
    assert (verbosity["operation"], verbosity["state"]) == ("test", "failed")
    assert "Output incomplete" not in result["formatted"]
    health = health_with_a_problem(full)
    assert health["status"] == "degraded"
    assert "outputs cannot be kept" in health["problem"]


def test_what_is_lost_of_a_failed_test_is_said_with_the_reason(full: Peer, workspace: Path) -> None:
    lines = 200_000
    result = suite_of(full, workspace, lines)
    verbosity, total = result["verbosity"], lines + 2
    lost = verbosity["omitted_lines"]
    assert 0 < lost < total
    assert verbosity["total_lines"] == total
    assert (verbosity["level"], verbosity["operation"], verbosity["state"]) == (
        "balanced",
        "test",
        "failed",
    )
    assert (verbosity["full_output"], result["exit"], result["status"]) == (None, 1, "completed")
    reason = "No space left on device" if may_mount() else "File too large"
    said = f"Output incomplete: {lost} of {total} lines were not kept: {reason}."
    assert said in result["insights"]["warning"]
    assert said in result["formatted"]
    shown = result["output"].splitlines()
    assert shown[0] == (
        f"[failed, exit 1: {lost} of {total} lines omitted; {lost} not kept: {reason}]"
    )
    assert shown[1] == f"{1:063}"
    assert shown[-1] == "========== 1 failed in 0.01s =========="
    assert shown[-3] == f"{lines:063}"
    assert f"... {lost} lines omitted" in shown
    # Every line that is not among the lost ones is there, whole.
    assert len(shown) == total - lost + 2
    assert "outputs cannot be kept" in health_with_a_problem(full)["problem"]
    page = full.call("zsh/output", {"task_id": result["task_id"], "from_line": total - 1})
    assert page["output"].endswith("1 failed in 0.01s ==========\n")
    assert page["total_lines"] == total


def test_a_run_that_goes_on_says_what_it_has_lost(full: Peer, workspace: Path) -> None:
    result = suite_of(full, workspace, 200_000, yield_after=0)
    seen, lost = result["output"], 0
    while result["status"] == "running" or result.get("more"):
        result = full.call(
            "zsh/poll", {"task_id": result["task_id"], "listen": PATIENCE_S, "until": "end"}
        )
        seen += result["output"]
        lost = max(lost, result["verbosity"]["omitted_lines"])
    assert seen.endswith("1 failed in 0.01s ==========\n")
    assert lost > 0
    assert any("Output incomplete" in said for said in result["insights"]["warning"])


def test_when_there_is_room_again_all_is_well(full: Peer, home: dict[str, str]) -> None:
    if not may_mount():
        pytest.skip("a limit of this kind is for good")
    health_with_a_problem(full)
    freed = f"rm {home['XDG_STATE_HOME']}/ballast; echo kept"
    result = full.call("zsh/run", {"command": freed, "yield_after": PATIENCE_S})
    while full.call("zsh/health")["status"] != "healthy":
        full.call("zsh/run", {"command": "true", "yield_after": PATIENCE_S})
    kept = f"cat {home['XDG_STATE_HOME']}/zsh-ls/*/{result['task_id']}/output"
    assert full.call("zsh/run", {"command": kept, "yield_after": PATIENCE_S})["output"] == "kept\n"


@pytest.fixture
def crammed(home: dict[str, str]) -> Iterator[Peer]:
    """A server in whose runtime and temporary folders no file can be made any more."""
    home = home | {"TMPDIR": "/tmp"}
    runtime = home["XDG_RUNTIME_DIR"]
    small = "size=64k,nr_inodes=16"
    folders = {runtime: small, "/dev/shm": small}
    command = serving(folders) if may_mount() else SERVE
    with peer(command, home) as found:
        found.initialize()
        found.call("zsh/run", {"command": "true", "yield_after": PATIENCE_S})
        if may_mount():
            fill = "".join(f"touch {it}/{{1..50}}; cat /dev/zero > {it}/1; " for it in folders)
        else:
            fill = f"chmod 500 {runtime}/zsh-ls-reports-*"
        found.call("zsh/run", {"command": f"{{ {fill} }} 2>/dev/null", "yield_after": PATIENCE_S})
        yield found
        if not may_mount():
            for folder in Path(runtime).glob("zsh-ls-reports-*"):
                folder.chmod(0o700)


COMMANDS = [
    ("true", ""),
    ("false | true", ""),
    ("set -e; false", ""),
    ("trap 'echo bye' EXIT; echo a", "a\nbye\n"),
    ("trap 'echo oops' ERR; false | true", ""),
    ("functions >/dev/null 2>&1; exit 3", ""),
    ("sleep 0 & wait", ""),
    (": " + "x" * 200_000 + "; echo long", "long\n"),
]


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
def test_shells_say_nothing_of_a_full_runtime_folder(crammed: Peer, shell: str) -> None:
    for command, printed in COMMANDS:
        if shell == "sh" and "ERR" in command:
            continue
        asked = {"command": command, "shell": shell, "yield_after": PATIENCE_S}
        result = crammed.call("zsh/run", asked)
        assert (result["status"], result["output"]) == ("completed", printed), command[:40]
        if "|" in command and shell != "sh":
            (said,) = result["insights"]["warning"]
            assert said.startswith("The exit of each segment is missing: ")


@pytest.mark.parametrize("shell", ["zsh", "bash"])
@pytest.mark.skipif(not shutil.which("unshare"), reason="without Linux there is no such folder")
def test_a_session_whose_state_finds_no_room_says_so(home: dict[str, str], shell: str) -> None:
    if not may_mount():
        pytest.skip("no small file system may be mounted here")
    folders = {home["XDG_RUNTIME_DIR"]: "size=512k", "/dev/shm": "size=512k"}
    fill = "; ".join(f"cat /dev/zero > {it}/fill" for it in folders)
    with peer(serving(folders), home) as found:
        found.initialize()
        asked = {"shell": shell, "session": "s", "yield_after": PATIENCE_S}
        command = f"x=1; {{ {fill}; }} 2>/dev/null; true"
        result = found.call("zsh/run", {"command": command, **asked})
    assert (result["exit"], result["output"]) == (0, "")
    assert "State not kept: no space left on device." in result["insights"]["info"]


@pytest.mark.skipif("not may_mount()")
def test_memory_names_the_full_disk(home: dict[str, str]) -> None:
    """SQLite says `disk I/O error` where its index (-shm) finds no room."""
    data = home["XDG_DATA_HOME"]
    program = f"XDG_DATA_HOME={data}/other {sys.executable} -m zsh_ls"
    texts = (f"{program} run true", f"cat /dev/zero > {data}/ballast", f"{program} doctor")
    with peer(serving({data: "size=4m"}), home) as found:
        found.initialize()
        for text in texts:
            given = {"command": text, "yield_after": PATIENCE_S, "env": {"PYTHONPATH": str(ROOT)}}
            told = found.call("zsh/run", given)["output"]
    assert "alan.db cannot grow: the disk is full" in told


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_scripts_run_in_a_full_runtime_folder(crammed: Peer, tmp_path: Path, shell: str) -> None:
    uri = (tmp_path / "nowhere" / "x").as_uri()
    crammed.open(uri, f"#!/bin/{shell}\nfor i in 1 2 3; do\n  echo $i\ndone\n(exit 4)\n")
    asked = {"textDocument": {"uri": uri}, "yield_after": PATIENCE_S}
    result = crammed.call("zsh/runScript", asked)
    assert (result["output"], result["exit"]) == ("1\n2\n3\n", 4)
    assert (result["traced"], result.get("lines")) == (False, None)
    assert result["message"].startswith("Not traced: ")


@pytest.mark.parametrize("shell", ["zsh", "bash"])
@pytest.mark.skipif(not shutil.which("unshare"), reason="without Linux there is no such folder")
def test_a_trace_that_does_not_fit_says_so_and_prints_nothing(
    home: dict[str, str], tmp_path: Path, shell: str
) -> None:
    if not may_mount():
        pytest.skip("no small file system may be mounted here")
    runtime = home["XDG_RUNTIME_DIR"]
    uri = (tmp_path / "nowhere" / "x").as_uri()
    text = f"#!/bin/{shell}\ncat /dev/zero > {runtime}/fill 2>/dev/null\n"
    text += "for i in {1..2000}; do\n  :\ndone\necho done\n"
    with peer(serving({runtime: "size=128k"}), home) as found:
        found.initialize()
        found.open(uri, text)
        asked = {"textDocument": {"uri": uri}, "yield_after": PATIENCE_S}
        result = found.call("zsh/runScript", asked)
    assert (result["output"], result["exit"], result["traced"]) == ("done\n", 0, True)
    assert any(
        said.startswith("Some of what its lines did is missing: ")
        for said in result["insights"]["warning"]
    )
