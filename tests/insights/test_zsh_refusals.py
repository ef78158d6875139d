"""What zsh alone refuses is explained after the failure, each in the real zsh (RUN-19)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zsh_ls.insights import after_run
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Origin

REFUSED = {
    "ls *.nosuch": "an unmatched pattern is an error; quote it",
    "curl -s http://127.0.0.1:1/?q=1": "an unmatched pattern is an error; quote it",
    "pip install shelf[extra]": "an unmatched pattern is an error; quote it",
    "grep -r word --include=*.nosuch .": "an unmatched pattern is an error; quote it",
    '[ "$HOME" == /x ] && echo y': "a word == is read as the path of a command named =; write =",
    'if test a == "b"; then echo y; fi': "a word == is read as the path of a command named =;",
    "echo =nosuchcommand": "a word that begins with = is read as the path of a command",
    'read -p "Name: " name': "read -p reads from a coprocess; write read 'name?prompt'",
    'read -rp "Sure? " yes': "read -p reads from a coprocess",
    'read -a words <<< "a b"': "read -a is read -A",
    "shopt -s nullglob": "shopt is bash's, zsh has setopt",
    "mapfile -t rows < two": 'mapfile is bash\'s; write lines=("${(@f)$(command)}")',
    "readarray rows < two": "readarray is bash's",
    "status=$(true)": "status is read-only, it is $?; use another name",
    "compgen -c": "compgen is a builtin of bash alone",
    "path=/tmp/x; ls": "path is $PATH as an array",
    "x=HOME; echo ${!x}": "${!name} is ${(P)name}",
    "x=a; echo ${x^^}": "${name^^} is ${(U)name}",
    "declare -n ref=HOME": "there are no references by declare -n; write ${(P)name}",
    "f() { :; }; export -f f": "functions cannot be exported by export -f",
    "type -P ls": "type -P is whence -p",
    "sleep 0 & wait -n": "wait has no -n",
    "echo x > /dev/tcp/127.0.0.1/1": "there is no /dev/tcp; use nc",
    ". two": "a file without a folder is looked for in $PATH; write . ./two",
    "time -p true": "time has no -p",
    "trap 'echo x' RETURN": "there is no trap on RETURN",
    "set -o posix": "posix is an option of bash alone",
    "coproc P { cat; }": "a coprocess has no name",
    r"[ a \< b ]": "[ has no <; write [[ ... < ... ]]",
    'FILES="one two"; cat $FILES': "$FILES is one word, it is not split at spaces; write ${=FILES}",
    "FILES=$(printf 'a\\nb'); cat $FILES": "$FILES is one word",
    'CMD="ls -l"; $CMD': "$CMD is one word",
    'FLAGS="-l -a"; ls $FLAGS': "$FLAGS is one word",
}
# Failures of the command itself, in zsh as in bash.
NOT_REFUSED = (
    "cat 'no such file'",
    "for f in 'no such'; do cat $f; done",
    'F="no such"; cat "$F"',
    "nosuchcommand",
    "ls -d '*.nosuch'",
    "[ a = b ]",
    "echo 'read -p' >&2; false",
    "git log --format='== %h' /nonexistent",
    "true *.nosuch(N)",
    "x=1; cat nosuch; echo ${x@} >/dev/null",
)


def insights_of(
    command: str, folder: Path, shell: str = "zsh", origin: Origin = Origin.AGENT
) -> list[Insight]:
    """What is said of a command that a real shell ran."""
    done = subprocess.run(
        [shell, *(["-f"] if shell == "zsh" else ["--norc"]), "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    run = CompletedRun(
        command,
        f"/usr/bin/{shell}",
        done.returncode,
        (done.returncode,),
        outcome_of(done.returncode),
        0.1,
        0.0,
        "s",
        origin=origin,
        output=done.stdout,
        output_end=done.stdout,
    )
    return after_run(with_pipeline(run))


def ended(command: str, folder: Path, *, shell: str = "zsh", origin: Origin) -> list[str]:
    """The rule's messages of a command that a real shell ran."""
    return [
        it.message
        for it in insights_of(command, folder, shell, origin)
        if it.rule == "zsh-refuses" and it.is_news and it.level.value == "warning"
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "two").write_text("one\ntwo\n")
    return tmp_path


@pytest.mark.parametrize(("command", "advice"), REFUSED.items(), ids=REFUSED)
def test_what_zsh_refused_is_said_with_the_way_out(command: str, advice: str, folder: Path) -> None:
    [message] = ended(command, folder, origin=Origin.AGENT)
    assert message.startswith(f"zsh: {advice}")
    assert message.endswith(", or run it with shell=bash")
    [message] = ended(command, folder, origin=Origin.CLI)
    assert message.endswith(", or run it with --shell bash")


@pytest.mark.parametrize(
    "command", ["grep one *.nosuch", "[ a == a ]", "test -f *.nosuch", "true | grep one *.nosuch"]
)
def test_the_exit_of_what_zsh_refused_is_no_answer_of_the_program(
    command: str, folder: Path
) -> None:
    """ "no match (normal)" stood below a command that had never run."""
    assert not [it for it in insights_of(command, folder) if "(normal)" in it.message]
    assert "(normal)" in str(insights_of("grep nosuch two", folder))


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        ('read -p "Name: " name; echo "hi $name"', "read -p reads from a coprocess"),
        ("mapfile -t rows < two; echo ${#rows}", "mapfile is bash's"),
        ("ls *.nosuch || true", "an unmatched pattern is an error; quote it"),
        ('FILES="one two"; cat $FILES; echo done', "$FILES is one word"),
        ('FILES="one two"\nfor f in $FILES; do wc -l $f; done | sort', "$FILES is one word"),
    ],
)
def test_a_refusal_is_said_where_the_line_went_on_and_ended_well(
    command: str, advice: str, folder: Path
) -> None:
    [message] = ended(command, folder, origin=Origin.AGENT)
    assert message.startswith(f"zsh: {advice}")


@pytest.mark.parametrize("command", NOT_REFUSED)
def test_what_failed_by_itself_and_was_passed_over_is_no_refusal(
    command: str, folder: Path
) -> None:
    assert ended(f"{command}\ntrue", folder, origin=Origin.AGENT) == []


def test_what_a_program_printed_is_no_refusal_of_a_run_that_went_well(folder: Path) -> None:
    (folder / "log").write_text("./x.sh:3: command not found: shopt\nno matches found: *.c\n")
    assert ended("cat log; shopt=1", folder, origin=Origin.AGENT) == []


@pytest.mark.parametrize("command", NOT_REFUSED)
def test_what_failed_by_itself_is_not_the_shells_refusal(command: str, folder: Path) -> None:
    assert ended(command, folder, origin=Origin.AGENT) == []


def test_bash_is_never_told_what_zsh_would_refuse(folder: Path) -> None:
    for command in REFUSED:
        assert ended(command, folder, shell="bash", origin=Origin.AGENT) == []


def test_each_refusal_of_a_line_is_explained_once(folder: Path) -> None:
    command = "shopt -s nullglob; shopt -s globstar; mapfile -t rows < two; ls *.nosuch"
    assert [it.split(",")[0] for it in ended(command, folder, origin=Origin.AGENT)] == [
        "zsh: shopt is bash's",
        'zsh: mapfile is bash\'s; write lines=("${(@f)$(command)}")',
        "zsh: an unmatched pattern is an error; quote it",
    ]
