"""Which failures look like wrong usage of the command itself (MAN-1); outputs are those of the programs."""

from __future__ import annotations

import pytest

from zsh_ls.shell.status.usage import is_usage_failure

UNKNOWN_OF_GREP = "grep: unrecognized option '--foo'\nUsage: grep [OPTION]... PATTERNS [FILE]..."
ARGPARSE = "usage: cli.py [-h] {list,add}\ncli.py: error: unrecognized arguments: --jsn"
CLAP = "error: unexpected argument '--foo' found\n\nUsage: rg [OPTIONS] PATTERN [PATH ...]"
CLICK = "Usage: black [OPTIONS] SRC\n\nError: No such option: -F"
DOCKER = "unknown flag: --foo\nSee 'docker run --help'."
TRACEBACK = "Traceback (most recent call last):\n  …\nusage: black"


@pytest.mark.parametrize(
    ("program", "exit_status", "output"),
    [
        pytest.param("mytool", 64, "", id="sysexits"),
        pytest.param("pgrep", 2, "", id="a 2 that is nothing else"),
        pytest.param("git", 129, "", id="git's own"),
        pytest.param("grep", 2, UNKNOWN_OF_GREP, id="an option it does not know"),
        pytest.param("ls", 2, "ls: unrecognized option '--foo'", id="without its usage"),
        pytest.param("curl", 2, "curl: option --foo: is unknown", id="curl"),
        pytest.param("cd", 1, "zsh:cd:1: bad option: -Z", id="a builtin of zsh"),
        pytest.param("rg", 2, CLAP, id="clap"),
        pytest.param("black", 2, CLICK, id="click"),
        pytest.param("tool", 1, "usage: tool FILE", id="its usage alone"),
        pytest.param("docker", 125, DOCKER, id="see its help"),
    ],
)
def test_a_failure_of_usage(program: str, exit_status: int, output: str) -> None:
    assert is_usage_failure(program, exit_status, output)


@pytest.mark.parametrize(
    ("program", "exit_status", "output", "template"),
    [
        pytest.param("make", 2, "make: *** [all] Error 1", "", id="make's 2"),
        pytest.param("grep", 2, "grep: x: No such file or directory", "", id="grep's 2"),
        pytest.param("make", 2, "gcc: error: unrecognized option '-x'", "", id="another's"),
        pytest.param("python3", 2, ARGPARSE, "python3 cli.py list", id="of an interpreted script"),
        pytest.param("python3", 64, "", "python3 cli.py", id="a script's 64"),
        pytest.param("python3", 2, "usage: python3 -m x", "python3 -m x", id="of a module"),
        pytest.param("black", 1, TRACEBACK, "", id="a traceback"),
        pytest.param("mytool", 127, "usage: mytool", "", id="not found"),
        pytest.param("mytool", 126, "usage: mytool", "", id="not permitted"),
        pytest.param("mytool", 139, "usage: mytool", "", id="a signal"),
        pytest.param("mount", 32, "mount: Invalid argument", "", id="a system error"),
        pytest.param("npm", 1, "npm error Missing script: bild", "", id="another failure"),
        pytest.param("", 1, "usage: x", "", id="nobody knows whose exit it is"),
    ],
)
def test_any_other_failure(program: str, exit_status: int, output: str, template: str) -> None:
    assert not is_usage_failure(program, exit_status, output, template)


def test_an_interpreter_that_runs_nothing_is_like_any_command() -> None:
    says = (
        "unknown option --foo\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ..."
    )
    assert is_usage_failure("python3", 2, says, "python3 --foo")
