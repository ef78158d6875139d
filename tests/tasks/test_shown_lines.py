"""A shell that shows what it reads (`-v`) or runs (`-x`) shows what it would without us (RUN-4)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zsh_ls.model.requests import RunnableScript

from .conftest import Run, whole

# All that bash shows of us, of scripts and where a line has a pipeline: it reads the text of a trap anew.
OURS = "{ _zls_end && :; } 2>/dev/null\n"
TEXTS = (
    "echo a >&2\nfalse | true\n",
    "set -e\nf() { true | false; }\nf\necho no\n",
    "true <<E | cat\nhi\nE\nset +x\ntrue | false\n",
    "trap 'echo bye' EXIT\nfalse; (exit 3)\n",
)


def alone(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        words, cwd=folder, stdin=subprocess.DEVNULL, stdout=-1, stderr=-2, text=True, check=False
    )
    return done.stdout


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("option", ["-x", "-ex", "-v", "-xv", "-ux"])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
async def test_a_script_whose_first_line_asks_for_it(
    run: Run, tmp_path: Path, shell: str, option: str, text: str
) -> None:
    """Of /etc/zsh/zshenv, which zsh shows as well, nothing: the option comes into force behind it."""
    script = f"#!/bin/{shell} {option}\n{text}"
    path = tmp_path / "script"
    path.write_text(script)
    environment = {"HOME": str(tmp_path)}
    task = await run(
        str(path),
        shell,
        cwd=str(tmp_path),
        env=environment,
        script=RunnableScript(script, str(path), (option,)),
    )
    shown = alone([shell, "-f" if shell == "zsh" else option, option, str(path)], tmp_path)
    wanted = shown[shown.find("#!") if "v" in option else 0 :]
    without = whole(task).decode().replace(OURS, "" if shell == "bash" else OURS)
    # Segments of a pipeline are shown in the order in which they come.
    assert sorted(without.splitlines()) == sorted(
        it for it in wanted.splitlines() if not it.startswith("+/etc/")
    )


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize("option", ["set -v", "set -xv", "set -o verbose", "set -eu -v"])
@pytest.mark.parametrize("then", ["(exit 3)", "ls /nowhere/at/all", "trap 'echo bye' EXIT; false"])
async def test_a_line_that_asks_for_it(
    run: Run, tmp_path: Path, shell: str, option: str, then: str
) -> None:
    text = f"{option}\n{then}"
    shown = whole(await run(text, shell, cwd=str(tmp_path))).decode()
    assert shown == alone([shell, "-c", text], tmp_path)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize(
    "text",
    [
        "set -eux\ntrap 'echo bye' EXIT\nfalse",
        "set -x\ntrap 'echo bye' EXIT\ntrap 'echo no' INT\necho $-\ntrap - EXIT\nfalse || true",
        "set -x; f() { trap 'echo bye' EXIT; }; f; f; (exit 3)",
    ],
)
async def test_a_line_that_shows_its_commands_and_sets_traps(
    run: Run, tmp_path: Path, shell: str, text: str
) -> None:
    shown = whole(await run(text, shell, cwd=str(tmp_path))).decode()
    assert shown == alone([shell, "-c", text], tmp_path)
