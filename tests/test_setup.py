"""`tests/setup` uses sudo only where it may: asked on a terminal, or nobody there to be asked (CI)."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WHAT_IS_MISSING = "tests/setup: missing: zsh tmux. Please install them: apt-get install zsh tmux"
QUESTION = "tests/setup: may I install zsh tmux with sudo apt-get? [y/N] "
INSTALLED = ["apt-get -qq update", "apt-get -qq install -y --no-install-recommends zsh tmux"]
TOOLS = ("bash", "cat", "env", "sha256sum", "grep", "rm", "dirname")


class Checkout:
    """A checkout whose machine lacks two packages; what is started as root is written down, not done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        (folder / "tests").mkdir()
        shutil.copy(ROOT / "tests/setup", folder / "tests/setup")
        (folder / "tests/debian-packages.txt").write_text("/nowhere/zsh zsh\n/nowhere/tmux tmux\n")
        (folder / "tests/constraints.txt").touch()
        (folder / "pyproject.toml").touch()
        (folder / ".venv/bin").mkdir(parents=True)
        self.script(folder / ".venv/bin/python", "exit 0")
        for tool in TOOLS:
            (self.bin / tool).symlink_to(str(shutil.which(tool)))
        self.script(self.bin / "python3", "exit 0")
        self.script(self.bin / "apt-get", f'echo "apt-get $*" >>{folder}/done')
        self.script(self.bin / "sudo", f'echo -n "sudo " >>{folder}/done; exec "$@"')
        self.user(1000)

    def script(self, path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def user(self, number: int) -> None:
        self.script(self.bin / "id", f"echo {number}")

    @property
    def done(self) -> list[str]:
        log = self.folder / "done"
        return log.read_text().splitlines() if log.exists() else []

    def start(self, env: Mapping[str, str], terminal: int | None) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            ["bash", "tests/setup", "dev"],
            cwd=self.folder,
            env={"PATH": str(self.bin), **env},
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=subprocess.PIPE if terminal is None else terminal,
            stderr=subprocess.STDOUT,
        )

    def without_terminal(self, **env: str) -> tuple[int, str]:
        process = self.start(env, None)
        told = process.communicate(timeout=60)[0].decode()
        return process.returncode, told

    def at_a_terminal(self, typed: str, **env: str) -> tuple[int, str]:
        """Types when it is asked, as a person does."""
        ours, theirs = pty.openpty()
        process = self.start(env, theirs)
        os.close(theirs)
        told = b""
        try:
            while piece := _read(ours):
                told += piece
                if typed and told.endswith(b"[y/N] "):
                    os.write(ours, typed.encode())
                    typed = ""
            return process.wait(60), told.decode().replace("\r\n", "\n")
        finally:
            process.kill()
            process.wait()
            os.close(ours)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:  # Linux says so at the end of a terminal
        return b""


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout")


@pytest.mark.parametrize("answer", ["y\n", "Yes\n"])
def test_a_person_is_asked_first(checkout: Checkout, answer: str) -> None:
    status, told = checkout.at_a_terminal(answer)
    assert status == 0, told
    assert told.startswith(QUESTION)
    assert checkout.done == [f"sudo {it}" for it in INSTALLED]


@pytest.mark.parametrize("answer", ["n\n", "\n", "yesterday\n", "\x04"])
def test_without_a_yes_nothing_is_installed(checkout: Checkout, answer: str) -> None:
    status, told = checkout.at_a_terminal(answer)
    assert status == 1
    assert told.startswith(QUESTION)
    assert told.splitlines()[-1] == WHAT_IS_MISSING
    assert checkout.done == []


def test_without_a_terminal_it_says_what_is_missing_and_stops(checkout: Checkout) -> None:
    assert checkout.without_terminal() == (1, WHAT_IS_MISSING + "\n")
    assert checkout.done == []


def test_ci_is_not_asked(checkout: Checkout) -> None:
    status, told = checkout.without_terminal(CI="true")
    assert status == 0, told
    assert checkout.done == [f"sudo {it}" for it in INSTALLED]
    assert "may I" not in checkout.at_a_terminal("", CI="true")[1]


def test_root_is_not_asked(checkout: Checkout) -> None:
    checkout.user(0)
    status, told = checkout.at_a_terminal("")
    assert status == 0, told
    assert "may I" not in told
    assert checkout.done == INSTALLED


def test_without_sudo_it_says_what_is_missing(checkout: Checkout) -> None:
    (checkout.bin / "sudo").unlink()
    status, told = checkout.at_a_terminal("")
    assert (status, told) == (1, WHAT_IS_MISSING + "\n")


def test_where_nothing_is_missing_nobody_is_asked(checkout: Checkout) -> None:
    (checkout.folder / "tests/debian-packages.txt").write_text("/bin/sh dash\n")
    status, told = checkout.at_a_terminal("")
    assert status == 0, told
    assert "may I" not in told
    assert checkout.done == []


def test_the_files_of_the_fast_run_are_there_and_sorted() -> None:
    listed = (ROOT / "tests/fast.txt").read_text().splitlines()
    assert [it for it in listed if not (ROOT / it).is_file()] == []
    assert listed == sorted(set(listed))
