"""The README's promises: two set-up commands and no more, the first tried as a new user would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMMANDS = re.findall(
    r"^```sh\n(.+?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
)


def test_there_are_exactly_two_set_up_commands_of_one_line() -> None:
    assert [command.count("\n") for command in COMMANDS] == [1, 1]
    assert COMMANDS[1] == "./tests/run\n"


@pytest.mark.slow
def test_the_first_command_works_in_a_fresh_clone_without_zsh(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    tools = tmp_path / "bin"
    tools.mkdir()
    for folder in os.environ["PATH"].split(os.pathsep):
        for tool in Path(folder).iterdir() if Path(folder).is_dir() else ():
            if tool.name != "zsh" and not (tools / tool.name).exists():
                (tools / tool.name).symlink_to(tool)
    assert shutil.which("zsh", path=str(tools)) is None
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))
    }
    environment = kept | {
        "PATH": str(tools),
        "HOME": str(tmp_path),
        "PIP_CACHE_DIR": str(tmp_path / "pip"),
    }
    done = subprocess.run(
        ["bash", "-c", COMMANDS[0]],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "pipestatus=[2,0]" in done.stderr
    assert "[warning: A.L.A.N.: pipe segment 1 exited 2 (masked by downstream)]" in done.stderr
    assert "zsh is not installed; bash stands in." in done.stderr


def test_every_test_that_security_names_is_there() -> None:
    named = set(re.findall(r"`(tests/[^`]+)`", (ROOT / "SECURITY.md").read_text()))
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).is_file()] == []
