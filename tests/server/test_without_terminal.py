"""Without a terminal no program waits for an editor or a pager (RUN-17)."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.tasks.process.without_terminal import WITHOUT_TERMINAL, _editor

from .conftest import home_in
from .rpc import Message, Peer, peer

pytestmark = pytest.mark.slow
SAID = "zsh-ls: no editor was opened, because this command has no terminal"
NAMES = sorted(WITHOUT_TERMINAL)
SHOWN = "; ".join(f'echo "{name}=${{{name}-unset}}"' for name in NAMES)


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """An editor program that waits until it is killed, and reports that it has started."""
    path = tmp_path / "waits"
    path.write_text(f"#!/bin/sh\n: >{tmp_path}/began\nexec sleep 1000\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    for words in (
        ["init", "-q"],
        ["config", "user.name", "A"],
        ["config", "user.email", "a@example.org"],
        ["commit", "-q", "--allow-empty", "-m", "the first"],
        ["commit", "-q", "--allow-empty", "-m", "the second"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


@pytest.fixture
def server(tmp_path: Path, waiting: Path) -> Iterator[Peer]:
    """A server whose user has that program as editor and pager, in the environment and startup files."""
    (tmp_path / "home").mkdir()
    home = home_in(tmp_path / "home")
    theirs = dict.fromkeys(NAMES, str(waiting))
    text = "".join(f"export {name}={it}\n" for name, it in theirs.items())
    for name in (".zshenv", "bash_env"):
        (tmp_path / "home" / name).write_text(text)
    with peer(env={**home, **theirs, "BASH_ENV": str(tmp_path / "home" / "bash_env")}) as found:
        found.initialize()
        yield found
    assert not (tmp_path / "began").exists()


def run(server: Peer, command: str, folder: Path, **more: object) -> Message:
    result: Message = server.call(
        "zsh/run", {"command": command, "cwd": str(folder), "yield_after": 60, **more}
    )
    assert result["status"] == "completed", result
    return result


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
@pytest.mark.parametrize(
    "command",
    [
        "git commit --allow-empty",
        "git commit --amend --allow-empty",
        "git rebase -i HEAD~1",
        "git tag -a v1",
        "false | git commit --allow-empty",
        "$EDITOR x",
        '"$VISUAL" x',
        # as crontab -e, less, svn and most others start it
        "sh -c 'exec ${VISUAL:-${EDITOR:-vi}} x'",
        "sh -c \"$VISUAL 'a file'\"",
        # as those do that split it at white space and start it without a shell
        'python3 -c \'import os, sys; e = os.environ["EDITOR"].split(); os.execvp(e[0], [*e, "x"])\'',
    ],
)
def test_what_would_open_an_editor_fails_at_once_and_says_so(
    server: Peer, repository: Path, shell: str, command: str
) -> None:
    before = _head(repository)
    result = run(server, command, repository, shell=shell)
    assert not result["success"]
    assert result["output"].count(SAID) == 1
    assert _head(repository) == before


# As vim does at the end of its standard input: it waits for keys from standard error.
AS_VIM = """#!/usr/bin/env python3
import os, select, sys
print(repr(os.read(0, 1)), flush=True)
os.dup2(2, 0)
wait = select.poll()
wait.register(0, select.POLLIN)
wait.poll()
"""


@pytest.mark.parametrize(
    "command",
    ["{} f; echo after", "echo f | xargs {}; echo after", "f() {{ {} f & wait; }}; f; echo after"],
)
@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
def test_an_editor_that_was_typed_directly_is_ended_and_the_rest_runs(
    server: Peer, tmp_path: Path, shell: str, command: str
) -> None:
    editor = tmp_path / "asvim"
    editor.write_text(AS_VIM)
    editor.chmod(0o755)
    result = run(server, command.format(editor), tmp_path, shell=shell, timeout=0)
    assert "b''" in result["output"]
    assert result["output"].endswith("after\n")
    (said,) = [it for it in result["insights"]["warning"] if "waited for keys" in it]
    assert said.startswith(("asvim was ended: ", "python3 was ended: "))
    assert said.endswith("this run has no terminal. Run it with `pty`.")


@pytest.mark.parametrize(
    "command", ["vim f", "exec vim f", "vim - <f", "vim -R f | cat", "ls | vim -"]
)
def test_vim_never_waits(server: Peer, tmp_path: Path, command: str) -> None:
    (tmp_path / "f").write_text("text\n")
    result = run(server, command, tmp_path, shell="bash", timeout=0)
    assert [it for it in result["insights"]["warning"] if it.startswith("vim was ended: ")]
    assert (tmp_path / "f").read_text() == "text\n"


@pytest.mark.parametrize("more", [{}, {"stdin": "x\n"}], ids=str)
def test_what_waits_for_something_else_is_left_alone(
    server: Peer, tmp_path: Path, more: dict[str, object]
) -> None:
    """For time, for a child, for a pipe of its own, beside its own standard input and error."""
    wait = "import select; select.select([0], [], [2], 3) if not __import__('os').read(0, 9) else 0"
    command = f'python3 -c "{wait}"; sleep 3 | cat; (sleep 1; echo done)'
    result = run(server, command, tmp_path, shell="bash", **more)
    assert (result["exit"], result["output"]) == (0, "done\n")


def _head(repository: Path) -> bytes:
    return subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=repository)


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
def test_what_would_open_a_pager_prints(server: Peer, repository: Path, shell: str) -> None:
    result = run(server, "git log --format=%s", repository, shell=shell)
    assert result["output"] == "the second\nthe first\n"
    result = run(server, "git --paginate -c core.pager=x log --format=%s", repository, shell=shell)
    assert result["output"] == "the second\nthe first\n"
    assert run(server, "seq 3 | ${PAGER:-less}", repository, shell=shell)["output"] == "1\n2\n3\n"


@pytest.mark.skipif(not shutil.which("man"), reason="no man is installed")
def test_a_manual_page_is_printed(server: Peer, tmp_path: Path) -> None:
    page = tmp_path / "x.1"
    page.write_text(".TH X 1\n.SH NAME\nx \\- nothing\n")
    assert "x - nothing" in run(server, f"man -l {page}", tmp_path)["output"]


@pytest.mark.parametrize("shell", ["zsh", "bash"])
@pytest.mark.parametrize("trace", [True, False])
def test_a_script_opens_no_editor_either(
    server: Peer, repository: Path, shell: str, trace: bool
) -> None:
    uri = (repository / "x.sh").as_uri()
    server.open(uri, f"#!/bin/{shell}\ngit commit --allow-empty\necho $PAGER\n")
    document: Any = {"textDocument": {"uri": uri}, "trace": trace, "yield_after": 60}
    result = server.call("zsh/runScript", document)
    assert result["traced"] is trace
    assert SAID in result["output"]
    assert result["output"].endswith("\ncat\n")


@pytest.mark.parametrize("more", [{}, {"interactive": True}, {"stdin": "x\n"}], ids=str)
@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
def test_these_are_the_variables(
    server: Peer, tmp_path: Path, shell: str, more: dict[str, object]
) -> None:
    result = run(server, SHOWN, tmp_path, shell=shell, **more)
    found = dict(line.split("=", 1) for line in result["output"].splitlines())
    assert found == WITHOUT_TERMINAL
    assert found["EDITOR"] == found["VISUAL"] == found["GIT_EDITOR"]
    assert (found["PAGER"], found["GIT_PAGER"]) == ("cat", "cat")
    assert found["GIT_TERMINAL_PROMPT"] == "0"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", ["mine", "", None])
def test_the_requests_own_environment_goes_before(
    real_one: Peer, tmp_path: Path, name: str, value: str | None
) -> None:
    for shell in ("zsh", "bash", "sh"):
        result = run(real_one, SHOWN, tmp_path, shell=shell, env={name: value})
        found = dict(line.split("=", 1) for line in result["output"].splitlines())
        assert found == {**WITHOUT_TERMINAL, name: "unset" if value is None else value}


def test_the_commands_own_words_go_before(server: Peer, repository: Path) -> None:
    result = run(server, "GIT_EDITOR=true git commit --amend --allow-empty -q", repository)
    assert result["success"], result


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_on_a_terminal_the_persons_own_editor_is_there(
    server: Peer, waiting: Path, tmp_path: Path, shell: str
) -> None:
    result = run(server, SHOWN, tmp_path, shell=shell, pty=True)
    assert result["output"].splitlines() == [f"{name}={waiting}" for name in NAMES]


@pytest.mark.parametrize("name", ["EDITOR", "PAGER"])
def test_a_variable_that_a_startup_file_made_read_only_disturbs_nothing(
    real: Any, home: dict[str, str], tmp_path: Path, name: str
) -> None:
    (Path(home["HOME"]) / ".zshenv").write_text(f"typeset -rx {name}=theirs\n")
    for command, pipestatus in (("false | true", [1, 0]), ("trap : EXIT; false | true", [1, 0])):
        result = run(real(), command, tmp_path)
        assert (result["output"], result["pipestatus"]) == ("", pipestatus)


def test_a_folder_that_is_no_word_to_a_shell_or_runs_nothing_serves_too(tmp_path: Path) -> None:
    folder = tmp_path / "it's a folder"
    folder.mkdir()
    for mode in (stat.S_IRUSR | stat.S_IXUSR, stat.S_IRUSR):
        copy = shutil.copy(WITHOUT_TERMINAL["EDITOR"], folder / "no-editor")
        os.chmod(copy, mode)
        done = subprocess.run(
            f"{_editor(str(copy))} 'a file'",
            shell=True,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(SAID)
        assert done.stderr.count("\n") == 1
        os.unlink(copy)


def test_an_editor_that_is_one_program_s_alone_is_not_opened_either(
    waiting: Path, repository: Path, tmp_path: Path
) -> None:
    """Such a variable goes before EDITOR; where a person has none, a command sees none (RUN-4)."""
    (tmp_path / "home").mkdir()
    home = {**home_in(tmp_path / "home"), "GIT_SEQUENCE_EDITOR": str(waiting)}
    shown = 'echo "$GIT_SEQUENCE_EDITOR ${KUBE_EDITOR-unset}"'
    with peer(env=home) as server:
        server.initialize()
        result = run(server, "git rebase -i --root", repository, timeout=20)
        assert SAID in result["output"]
        assert result["exit"] == 1
        result = run(server, shown, repository)
        assert result["output"] == f"{WITHOUT_TERMINAL['EDITOR']} unset\n"
        mine = {"GIT_SEQUENCE_EDITOR": "true"}
        assert run(server, shown, repository, env=mine)["output"] == "true unset\n"
        assert run(server, shown, repository, pty=True)["output"].split()[0] == str(waiting)
    assert not (tmp_path / "began").exists()
