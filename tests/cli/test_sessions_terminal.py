"""`zsh-ls run --session` and `--detach` in a real terminal."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cli.tmux import Tmux
from tests.server.shared import wait_until

pytestmark = pytest.mark.slow

ZSH_LS = f"{shlex.quote(sys.executable)} -m zsh_ls"


@pytest.fixture(params=["zsh", "bash"])
def shell(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def terminal(shell: str, environment: Mapping[str, str], tmp_path: Path) -> Iterator[Tmux]:
    found = Tmux({**environment, "EDITOR": "vim", "LESS": ""}, tmp_path)
    begin = f"{ZSH_LS} run --session work --shell {shell}"
    found.type(f'run() {{ {begin} "$@" }}; clear')
    yield found
    found.end()


# SESS-1
def test_ctrl_c_ends_the_line_and_leaves_the_session(terminal: Tmux, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    terminal.type("run 'x=kept; f() { echo \"f says $1\"; }; cd sub'")
    terminal.until("[COMPLETED")
    # Nothing but builtins: bash overlooks a Ctrl-C that a child gets before it is another program.
    terminal.type(f"run 'x=lost; : >{tmp_path}/there; read -r line'")
    wait_until((tmp_path / "there").exists)
    terminal.press("C-c")
    terminal.until("[FAILED")
    terminal.type('clear; run \'f "$x"; basename "$PWD"\'')
    terminal.until("f says kept\nsub\n[COMPLETED")


# SESS-1
def test_a_trap_for_ctrl_c_may_change_the_session(terminal: Tmux, tmp_path: Path) -> None:
    terminal.type(
        f'run \'trap "x=caught" INT; touch {tmp_path}/there; '
        'while [ -z "$x" ]; do sleep 0.1; done; trap - INT\''
    )
    wait_until((tmp_path / "there").exists)
    terminal.press("C-c")
    terminal.until("[COMPLETED")
    terminal.type("clear; run 'echo \"x is $x.\"'")
    terminal.until("x is caught.")


# SESS-1, CLI-21
def test_keys_stops_and_sizes_are_those_of_a_run_without(terminal: Tmux, shell: str) -> None:
    ask = 'read -rsp "Password: " a' if shell == "bash" else 'read -rs "a?Password: "'
    terminal.type(f"run 'x=1; {ask}; echo; echo \"${{#a}} letters\"'")
    terminal.until("\nPassword:")
    terminal.type("secret")
    assert "secret" not in terminal.until("6 letters", "[COMPLETED")
    terminal.type("clear; run 'echo started; cat; x=2'")
    terminal.until("started\n")
    terminal.press("C-z")
    terminal.until("suspended")
    terminal.type("fg")
    terminal.until("continued")
    terminal.press("C-d")
    terminal.until("[COMPLETED", "READY>")
    terminal.type("clear; run 'echo \"x is $x\"; seq 5000 | less; x=3'")
    terminal.until("\n23\n:")
    terminal("resize-window", "-x", "80", "-y", "30")
    terminal.until("\n29\n:")
    terminal.press("q")
    terminal.until("x is 2", "[COMPLETED")
    terminal.type("clear; run 'echo \"x is $x\"'")
    terminal.until("x is 3")


# SESS-1, CLI-22
def test_pipes_lead_in_and_out(terminal: Tmux) -> None:
    terminal.type("echo hello | run 'read -r word; x=$word; echo \"got $word\"'")
    terminal.until("got hello", "[COMPLETED")
    terminal.type('clear; run \'yes "$x"\' | head -1; echo "exits=$pipestatus."')
    terminal.until("hello\n", "exits=141 0.")
    terminal.type("clear; run 'echo \"still $x\"'")
    terminal.until("still hello")


# RUN-20
def test_what_is_detached_outlives_its_terminal(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    def told(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "zsh_ls", *words],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        ).stdout

    terminal = Tmux(environment, tmp_path)
    try:
        terminal.type(f"clear; {ZSH_LS} run --detach 'echo begun; sleep 1000'")
        wait_until(lambda: re.search(r"\b[0-9a-f]{8}\b", terminal.screen()) is not None)
        found = re.search(r"\b[0-9a-f]{8}\b", terminal.screen())
        assert found is not None
    finally:
        terminal.end()
    task_id = found[0]
    try:
        wait_until(lambda: "begun" in told("output", task_id))
        assert "sleep 1000" in told("tasks")
    finally:
        told("kill", task_id)
    wait_until(lambda: "sleep 1000" not in told("tasks"))
