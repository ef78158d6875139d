"""The command whose exit status a command line returns, behind wrappers; and what exit codes mean."""

import shlex

import pytest

from zsh_ls.shell.status.exit_codes import (
    general_meaning,
    is_normal_exit,
    normal_meaning,
    signal_name,
)
from zsh_ls.shell.words.wrappers import command_word

WORDS = {
    "grep x f": "grep",
    "/usr/bin/grep x": "grep",
    "\\\\grep x": "grep",
    "LC_ALL=C A+=b grep x": "grep",
    "sudo grep x": "grep",
    "sudo -u root -- LC_ALL=C grep x": "grep",
    "sudo -nu root grep x": "grep",
    "sudo --user=root grep x": "grep",
    "sudo -E env A=1 nice -n 5 timeout -k 1 --signal KILL 10 stdbuf -oL /bin/egrep x": "egrep",
    "doas -u root test -f x": "test",
    "command grep x": "grep",
    "command -p grep x": "grep",
    "command -v grep": "command",
    "builtin test -f x": "test",
    "exec -a name grep x": "grep",
    "env -i A=1 B=2 grep x": "grep",
    "env -u HOME -C /tmp grep x": "grep",
    "env": "env",
    "nohup grep x": "grep",
    "nice -10 grep x": "grep",
    "time -p grep x": "grep",
    "timeout 5s grep x": "grep",
    "timeout -s KILL 5 grep x": "grep",
    "noglob grep x": "grep",
    "nocorrect noglob grep x": "grep",
    "- grep x": "grep",
    "setsid -w grep x": "grep",
    "ionice -c 3 grep x": "grep",
    "flock /tmp/lock grep x": "grep",
    "busybox grep x": "grep",
    "sudo -l grep": "sudo",
    "sudo": "sudo",
    "! grep x": "grep",
    "if grep x": "grep",
    "then diff a b": "diff",
    "xargs grep x": "xargs",
    "ssh web1 grep x": "ssh",
    "docker exec c grep x": "docker",
    "grepper sudo grep": "grepper",
    "echo sudo grep": "echo",
    "A=1 B=2": "",
    "": "",
}


@pytest.mark.parametrize("text", WORDS)
def test_wrappers_and_assignments_are_looked_through(text: str) -> None:
    assert command_word(shlex.split(text)) == WORDS[text]


def test_known_normal_exits_have_their_meaning() -> None:
    for command in ("grep", "egrep", "fgrep", "rg", "zgrep", "pgrep"):
        assert normal_meaning(command, 1) == "no match"
    for command in ("diff", "cmp"):
        assert normal_meaning(command, 1) == "files differ"
    for command in ("test", "[", "[["):
        assert normal_meaning(command, 1) == "condition false"


@pytest.mark.parametrize(
    ("command", "status"), [("grep", 2), ("diff", 2), ("ls", 1), ("", 1), ("grep", 0), ("test", 2)]
)
def test_other_exits_have_no_normal_meaning(command: str, status: int) -> None:
    assert normal_meaning(command, status) is None


def test_a_normal_exit_is_success_or_one_of_the_table() -> None:
    assert is_normal_exit("ls", 0)
    assert is_normal_exit("grep", 1)
    assert not is_normal_exit("grep", 2)
    assert not is_normal_exit("ls", 1)


def test_general_exits_say_what_happened() -> None:
    assert general_meaning(127) == "command not found"
    assert general_meaning(126) == "permission denied"
    assert general_meaning(143) == "killed by SIGTERM"
    assert general_meaning(1) is None
    assert signal_name(137) == "SIGKILL"
    assert signal_name(255) is None
