"""Which pipeline the shell's statuses speak of."""

import subprocess

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.status.blame import reported_pipeline
from zsh_ls.shell.syntax.parser import parse

REPORTED = [
    ("echo test | grep nope", (0, 1), "echo test | grep nope"),
    ("a; b | c", (0, 1), "b | c"),
    ("a\nb | c\n# end", (0, 1), "b | c"),
    ("a && b", (0,), "b"),
    ("true && grep x f", (1,), "grep x f"),
    ("false && grep x f", (1,), "false"),
    ("true || grep x f", (0,), "true"),
    ("true && false | true", (1, 0), "false | true"),
    ("a | b || c", (2,), "c"),
    ("a | b || c", (1, 0), "a | b"),
    ("a | b && c", (0, 1), "a | b"),
    ("a && b | c", (1,), "a"),
    ("a | b | c && d | e", (0, 1), "d | e"),
    ("true | false; exit 4", (0, 1), "true | false"),
    ("exit 3", (3,), "exit 3"),
    ("false | true; [[ a == b ]]", (1, 0), "false | true"),
    ("[[ a == b ]]", (1,), "[[ a == b ]]"),
    ("(( 0 ))", (1,), "(( 0 ))"),
    ("false | true; x=1", (1, 0), "false | true"),
    ("false | true; f() { : }", (1, 0), "false | true"),
    ("false | true; sleep 3 &", (1, 0), "false | true"),
    ("sleep 3 & false | true", (1, 0), "false | true"),
    ("set -e; echo a; false; echo b", (1,), "false"),
    ("set -e; true | false; echo b", (0, 1), "true | false"),
    ("setopt pipefail; false | true", (1, 0), "false | true"),
    ("! true", (1,), "! true"),
    ("! a | b", (1, 0), "! a | b"),
    ("{ a | b }", (0,), "{ a | b }"),
    ("(exit 5) | true", (5, 0), "(exit 5) | true"),
    (
        "for i in 1 2; do echo $i; done | tail -1",
        (0, 0),
        "for i in 1 2; do echo $i; done | tail -1",
    ),
    ("cat <<E | tr a b\nbanana\nE", (0, 0), "cat <<E | tr a b"),
    ("cat <<E\nhello", (0,), "cat <<E"),
    ("x=$(grep a b)", (1,), "x=$(grep a b)"),
    ("exec sh -c 'exit 6'", (6,), "exec sh -c 'exit 6'"),
]
UNSURE = [
    ("a && b", (1,)),
    ("a || b", (0,)),
    ("cd x && grep y z", (1,)),
    ("a || exit 1; b", (1,)),
    ("sleep 1 &", (0,)),
    ("a | b", (1,)),
    ("a", (0, 1)),
    ("if true; then", (1,)),
    ("grep 'foo | bar", (1,)),
    ("f() { a | b }", (1, 0)),
    ("", (0,)),
    ("a", ()),
]


@pytest.mark.parametrize(("command", "statuses", "expected"), REPORTED)
def test_the_pipeline_that_set_the_statuses(command, statuses, expected):
    pipeline = reported_pipeline(command, Dialect.ZSH, statuses)
    assert pipeline is not None
    assert command[slice(*pipeline.span)] == expected


@pytest.mark.parametrize(("command", "statuses"), UNSURE)
def test_silence_where_more_than_one_fits_or_none(command, statuses):
    assert reported_pipeline(command, Dialect.ZSH, statuses) is None


def test_a_failing_cd_would_have_complained():
    command = "cd x && grep y z"
    pipeline = reported_pipeline(command, Dialect.ZSH, (1,), output="")
    assert pipeline is not None
    assert pipeline.segments[0].command_word == "grep"


@pytest.mark.parametrize(
    ("command", "status", "is_known"),
    [
        ("cd x && make test", 2, True),
        ("cd x && make test", 127, True),
        ("cd x && make test", 1, False),
        ("cd -Z && make test", 2, False),
    ],
)
def test_what_a_cd_never_ends_with_is_of_what_follows_it(command, status, is_known):
    pipeline = reported_pipeline(command, Dialect.ZSH, (status,))
    assert (pipeline is not None) is is_known
    assert pipeline is None or pipeline.segments[0].command_word == "make"


def test_sh_reports_one_status_for_a_whole_pipeline():
    pipeline = reported_pipeline("false | true", Dialect.SH, (0,))
    assert pipeline is not None
    assert len(pipeline.segments) == 2
    assert reported_pipeline("false | true", Dialect.BASH, (0,)) is None


def test_a_script_parsed_before_serves_as_well():
    script = parse("a; b | c")
    assert reported_pipeline(script, Dialect.ZSH, (0, 1)) is script.pipelines[1]


@pytest.mark.parametrize(
    "command",
    [
        "(exit 2) | (exit 3); x=1",
        "(exit 2) | (exit 3) || (exit 4)",
        "true && (exit 2) | (exit 3)",
        "(exit 2) | (exit 3) && (exit 4)",
        "! (exit 2) | (exit 3)",
        "(exit 2) | (exit 3); [[ a == b ]]",
        "(exit 2) | (exit 3); (( 0 ))",
        "(exit 2) | (exit 3); { (exit 5) | (exit 6) }",
        "(exit 2) | (exit 3); for x in 1; do (exit 5) | (exit 6); done",
        "(exit 2) | (exit 3); if (exit 5) | (exit 0); then :; fi",
        "(exit 2) | (exit 3); ( (exit 5) | (exit 6) )",
        "(exit 2) | (exit 3); (exit 5) &",
    ],
)
def test_zsh_itself_reports_as_many_statuses_as_the_pipeline_found_has_segments(command):
    told = subprocess.run(
        ["zsh", "-fc", f'{command}\nprint -r -- "$pipestatus"'],
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
    )
    statuses = tuple(int(status) for status in told.stdout.split())
    pipeline = reported_pipeline(command, Dialect.ZSH, statuses)
    assert pipeline is not None
    assert len(pipeline.segments) == len(statuses)


@pytest.mark.parametrize(
    ("output", "known"),
    [("0\n", True), ("zsh:cd:1: no such file or directory: /x\n", False), (None, False)],
)
def test_a_command_that_would_have_complained_did_not_fail(output: str | None, known: bool) -> None:
    pipeline = reported_pipeline("cd /x && grep -c a f", Dialect.ZSH, (1,), output=output)
    assert (pipeline is not None) is known
