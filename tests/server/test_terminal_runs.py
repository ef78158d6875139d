"""PROMPT-3: what an editor tells of its terminals is remembered once, and no text with a leading space."""

from __future__ import annotations

import os
import pty
import shutil
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.alan.test_agreed_names import query
from zsh_ls.cli.terminal import text_for

from .rpc import Peer

Start = Callable[..., Peer]
ZSH = shutil.which("zsh") or "/bin/zsh"
READY = b"shell-is-ready"


@contextmanager
def interactive_zsh(env: Mapping[str, str], rc: str = "", first: str = "") -> Iterator[int]:
    """The process of an interactive zsh on a terminal, at its prompt after the line `first`."""
    Path(env["HOME"], ".zshrc").write_text(rc)
    process, terminal = pty.fork()
    if process == 0:
        os.execve(ZSH, ["zsh", "-i"], {**env, "ZDOTDIR": env["HOME"], "PATH": os.environ["PATH"]})
    try:
        # The text that is echoed is not the one that is printed.
        os.write(terminal, f"{first}\nprint shell-is-{{ready,}}\n".encode())
        seen = b""
        while READY not in seen:
            seen += os.read(terminal, 4096)
        yield process
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def tell(peer: Peer, command: str, folder: Path, **more: object) -> Any:
    params = {"command": command, "exit": 3, "cwd": str(folder), "duration_s": 1.5, **more}
    return peer.call("zsh/terminalRun", params)


def remembered(home: Mapping[str, str]) -> list[dict[str, Any]]:
    database = Path(home["XDG_DATA_HOME"], "zsh-ls", "alan.db")
    return query(database, "SELECT * FROM observations ORDER BY created_at")


def test_a_run_of_a_terminal_is_remembered_with_its_project(
    real: Start, home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    peer = real(rootUri=tmp_path.as_uri())
    with interactive_zsh(home) as process:
        told = tell(peer, "make all", tmp_path / "repo", process=process)
    assert told == {"recorded": True}
    stats = peer.call("zsh/stats", {"command": "make all", "project": str(tmp_path / "repo")})
    assert stats["runs"] == 1
    [row] = remembered(home)
    assert (row["origin"], row["exit_code"], row["duration_ms"]) == ("terminal", 3, 1500)
    assert row["session_id"].startswith(f"cli-{process}")


def test_of_a_shell_with_the_hook_nothing_is_taken_twice(
    real: Start, home: dict[str, str], tmp_path: Path
) -> None:
    peer = real(rootUri=tmp_path.as_uri())
    with interactive_zsh(home, text_for("zsh", ctrl_r=False)) as process:
        told = tell(peer, "make all", tmp_path, process=process)
    assert told == {"recorded": False, "reason": "hook"}
    with interactive_zsh(home) as process:
        assert tell(peer, "make all", tmp_path, process=process) == {"recorded": True}


@pytest.mark.parametrize(
    ("line", "is_taken"),
    [
        ("zsh-ls run make all", False),
        ("zsh-ls trace ./deploy.sh", False),
        ("zsh-ls run 'make | tail; true'", False),
        ("time CC=gcc /opt/bin/zsh-ls run make all > log 2>&1", False),
        ("zsh-ls run make all && ./app", True),
        ("zsh-ls run make all | tail", True),
        ("echo zsh-ls run make", True),
        ("zsh-ls check src", True),
        ("zsh-ls runs", True),
    ],
)
def test_what_zsh_ls_runs_it_remembers_itself(
    real: Start, home: dict[str, str], tmp_path: Path, line: str, is_taken: bool
) -> None:
    peer = real(rootUri=tmp_path.as_uri())
    with interactive_zsh(home) as process:
        told = tell(peer, line, tmp_path, process=process)
    assert told == ({"recorded": True} if is_taken else {"recorded": False, "reason": "own"})


def test_a_shell_below_the_terminals_own_may_have_the_hook(
    real: Start, home: dict[str, str], tmp_path: Path
) -> None:
    """It tells the same terminal of its lines, in the same escape codes."""
    peer = real(rootUri=tmp_path.as_uri())
    hooked = tmp_path / "hooked"
    hooked.mkdir()
    (hooked / ".zshrc").write_text(text_for("zsh", ctrl_r=False))
    with interactive_zsh(home, first=f"ZDOTDIR={hooked} zsh -i") as process:
        told = tell(peer, "make all", tmp_path, process=process)
    assert told == {"recorded": False, "reason": "hook"}


@pytest.mark.parametrize(
    ("variables", "command"),
    [({"ZSH_LS_OFF": "1"}, "ls"), ({"ZSH_LS_IGNORE": "vault*|pass *"}, "pass show bank")],
)
def test_what_keeps_the_hook_out_keeps_the_editor_out(
    real: Start, home: dict[str, str], tmp_path: Path, variables: dict[str, str], command: str
) -> None:
    peer = real(rootUri=tmp_path.as_uri())
    with interactive_zsh({**home, **variables}) as process:
        told = tell(peer, command, tmp_path, process=process)
    assert told == {"recorded": False, "reason": "off"}


def test_a_shell_that_has_ended_may_have_had_the_hook(
    real: Start, home: dict[str, str], tmp_path: Path
) -> None:
    peer = real(rootUri=tmp_path.as_uri())
    with interactive_zsh(home) as process:
        pass
    assert tell(peer, "ls", tmp_path, process=process) == {"recorded": False, "reason": "gone"}


def test_an_untrusted_workspace_teaches_nothing(real: Start, tmp_path: Path) -> None:
    peer = real(rootUri=tmp_path.as_uri(), initializationOptions={"trusted": False})
    assert tell(peer, "ls", tmp_path) == {"recorded": False, "reason": "untrusted"}


def test_the_text_of_a_line_with_a_leading_space_is_kept_nowhere(
    real: Start, home: dict[str, str], tmp_path: Path
) -> None:
    """ALAN-7."""
    peer = real(rootUri=tmp_path.as_uri())
    assert tell(peer, " echo 'Qx7canary'", tmp_path) == {"recorded": True}
    stats = peer.call("zsh/stats", {"command": " echo 'other'", "project": None})
    assert stats["runs"] == 1
    files = [it for it in Path(home["HOME"]).rglob("*") if it.is_file()]
    assert [it for it in files if b"Qx7canary" in it.read_bytes()] == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"command": "  "}, "params.command: expected the line that ran, got an empty one"),
        ({"cwd": "src"}, "params.cwd: expected an absolute folder, got 'src'"),
        ({"duration_s": -1}, "params.duration_s: expected 0 or more, got -1"),
        ({"exit": None}, "params.exit: expected an integer, got null"),
    ],
)
def test_what_is_no_run_is_refused(
    real_one: Peer, tmp_path: Path, wrong: dict[str, object], says: str
) -> None:
    params = {"command": "ls", "exit": 0, "cwd": str(tmp_path), "duration_s": 1, **wrong}
    assert real_one.refusal("zsh/terminalRun", params)["message"] == says
