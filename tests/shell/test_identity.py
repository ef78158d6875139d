"""The identity under which memory knows a command: its hash, template, base and redacted text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.shell.redaction.redact import MARKER, redact
from zsh_ls.shell.template.identity import LONGEST_READ, NOT_KEPT, identify, shown_command

SAME = [
    ("sleep 5", "sleep 10"),
    ("ls  -la", " ls -la\t"),
    ("echo 'a b'", "echo 'c'"),
    ('echo "a $(b) c"', 'echo "d"'),
    ("echo $'a\\'b'", "echo $'c'"),
    ("a|b", "a | b"),
    ("a;b", "a ;  b"),
    ("a&&b", "a && b"),
    ("make  \\\n test", "make test"),
    ("head -20 x", "head -50 x"),
    ("kill 123 456", "kill 1 2"),
    ("serve 8080:80", "serve 9090:81"),
    ("git show HEAD~1", "git show HEAD~12"),
    ('for f in "a b" c; do ls; done', 'for f in "d" c; do ls; done'),
    ("echo ${x:-'a b'}", "echo ${x:-'c'}"),
    ("a\n\n  b", "a\nb"),
]
DIFFERENT = [
    ("git checkout a", "git checkout b"),
    ("a b", "ab"),
    ("ls\npwd", "ls pwd"),
    ("a | b", "a || b"),
    ("a ; b", "a && b"),
    ("echo a > f", "echo a >> f"),
    ("echo 'a'", 'echo "a"'),
    ("echo a", "echo 'a'"),
    ("sleep 1.5", "sleep 2.5"),
    ("ssh 10.0.0.1", "ssh 10.0.0.2"),
    ("cat file1", "cat file2"),
    ("python3 x", "python2 x"),
    ("make -j8", "make -j4"),
    ("Make", "make"),
    ("ls # don't\nrm a", "ls # don't\nrm b"),
    ("cat <<E\nit's\nE\nrm a", "cat <<E\nit's\nE\nrm b"),
    ("echo $(ls a)", "echo $(ls b)"),
    ("echo \\'a\\'", "echo \\'b\\'"),
    ("x -a", "x --a"),
    ("x é", "x è"),
    ("for f in a; do ls; done", "for f in b; do ls; done"),
    ("echo ${x:-a}", "echo ${x:-b}"),
]


# RUN-15
@pytest.mark.parametrize(("one", "other"), SAME)
def test_white_space_quotes_and_whole_numbers_make_no_other_hash(one: str, other: str) -> None:
    assert identify(one).hash == identify(other).hash


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_anything_else_makes_another_hash(one: str, other: str) -> None:
    assert identify(one).hash != identify(other).hash


@given(st.text(max_size=200))
def test_any_text_has_an_identity(command: str) -> None:
    found = identify(command)
    assert len(found.hash) == 16
    assert int(found.hash, 16) >= 0
    assert found.text == redact(command)
    assert len(found.template) <= 200


@given(st.text(alphabet="ab $(){}[]'\"`|&;<>\\\n#=-!*?1", max_size=120))
def test_shell_like_text_has_an_identity(command: str) -> None:
    found = identify(command)
    assert found.keeps_text == (not command.startswith(" "))
    assert identify(found.text).hash == found.hash


def test_a_secret_is_gone_before_the_hash_is_made() -> None:
    one, other = (identify(f"mytool --token {word}") for word in ("violet", "granite"))
    assert one.hash == other.hash
    assert one.text == f"mytool --token {MARKER}"


def test_the_users_own_patterns_count_before_the_hash_too() -> None:
    extra = (r"emp-\d+",)
    assert identify("show emp-17a", extra).text == f"show {MARKER}a"
    assert identify("show emp-x", extra).text == "show emp-x"


def test_what_is_told_of_a_command_is_its_text_without_secrets_or_that_it_is_not_kept() -> None:
    assert shown_command("make test") == "make test"
    assert shown_command(" make test") == NOT_KEPT
    assert shown_command("mytool --password X7canary") == f"mytool --password {MARKER}"
    assert shown_command("call 555-0101", (r"\d{3}-\d{4}",)) == f"call {MARKER}"
    assert shown_command("  ") == NOT_KEPT
    long = "echo " + "x" * LONGEST_READ
    assert shown_command(long) == f"{long[:LONGEST_READ]}…"


@given(st.text(max_size=200))
def test_what_is_told_is_told_the_same_again(text: str) -> None:
    assert shown_command(shown_command(text)) == shown_command(text)


def test_a_command_that_begins_with_a_space_does_not_keep_its_text() -> None:
    assert not identify(" make test").keeps_text
    assert identify("make test").keeps_text
    assert identify(" make test").hash == identify("make test").hash


SEGMENTS = {
    "cat a | grep -v x | wc -l": ("cat *", "grep -v *", "wc -l"),
    "ls": (),
    "a | b; c": (),
    "x; a | b": ("a", "b"),
    "x && a |& b": ("a", "b"),
    "(cd app && ls) | tee log": ("ls", "tee *"),
    "{ a; b; } | c": ("a ; b", "c"),
    "for i in 1 2; do echo $i; done | sort -u": ("for * ; echo *", "sort -u"),
    "while read x; do echo $x; done < f | sort": ("read * ; echo *", "sort"),
    "echo 'a | b' | cat": ("echo *", "cat"),
    "echo $(a | b)": (),
    "cat <<E | sort\na | b\nE": ("cat", "sort"),
    "! a | b": ("a", "b"),
    "case $x in a|b) ls;; esac": (),
    "case $x in a|b) ls | wc;; esac | cat": ("case * ; ls | wc", "cat"),
    "if a | b; then c; fi": (),
    "a || b": (),
    "a | b &": ("a", "b"),
    "a | # comment | x\n b": ("a", "b"),
}


@pytest.mark.parametrize("command", SEGMENTS)
def test_the_segments_are_those_of_the_last_pipeline(command: str) -> None:
    assert identify(command).segments == SEGMENTS[command]


COMMANDS = {
    "cat x | grep y": "grep",
    "echo a; sudo /usr/bin/diff a b": "diff",
    "grep x f": "grep",
    "! grep x f": "",
    "[[ -f x ]]": "[[",
    "[ -f x ]": "[",
    "(cd x && grep y z)": "grep",
    "{ true; cmp a b; }": "cmp",
    "if grep -q x f; then true; fi": "",
    "for i in 1; do grep x f; done": "",
    "A=1": "",
    "": "",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_is_the_one_that_gives_the_exit(command: str) -> None:
    assert identify(command).command == COMMANDS[command]


def test_an_ssh_command_has_its_host_and_its_remote_template() -> None:
    found = identify(
        "timeout 5 ssh -o BatchMode=yes alice@web1 -- 'cd /srv && systemctl status nginx'"
    )
    assert found.ssh is not None
    assert found.ssh.host == "web1"
    assert found.ssh.remote_template == "systemctl status *"
    assert identify("ssh web1").ssh == ("web1", None)
    assert identify("tar c . | ssh web1 tar x").ssh == ("web1", "tar *")
    assert identify("ssh web1 uptime | cat").ssh is None
    assert identify("ssh $HOST uptime").ssh is None
    assert identify("echo ssh web1").ssh is None


def test_the_same_command_has_the_same_identity() -> None:
    assert identify("git push origin x") == identify("git push origin x")
    assert identify("git push origin x").template == identify("git push origin y").template


@pytest.mark.parametrize(
    "hostile",
    [
        "$(" * 3_000,
        "`a " * 3_000,
        "${" * 4_000,
        "((" * 3_000,
        "x(" * 3_000,
        "'\"" * 4_000,
        '"$(' * 3_000,
        "<<a " * 2_000 + "\n",
        "password=" * 5_000,
        "cookie: " * 3_000,
        "key='" * 3_000,
        "://a:" * 10_000,
        "-----BEGIN PRIVATE KEY-----" * 1_000,
        "a" * 300_000,
        " " * 300_000,
        "A=1 " * 2_000,
        "sudo " * 2_000,
        "-p " * 2_000,
        "vault " + "login " * 20_000,
        "x " + "--key-file <(a) " * 4_000,
        "git " + "-m 'a b' " * 3_000,
        "for " * 3_000,
        "case x in " * 3_000,
        "for)" * 1_000,
        "if " * 3_000,
        "{ " * 3_000,
        "sh -c '" * 3_000,
        "\0\x1b\x07" * 3_000,
        "a|" * 2_000,
        "\n" * 50_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_is_handled_whole(hostile: str) -> None:
    found = identify(hostile)
    assert len(found.template) <= 200
    assert len(found.hash) == 16


def test_a_command_of_megabytes_is_known_by_its_beginning_and_its_length():
    long, longer = "echo " + "word " * 300_000, "echo " + "word " * 300_001
    assert identify(long).template == "echo *"
    assert identify(long).hash != identify(longer).hash


def test_bytes_that_are_no_characters_are_written_as_such():
    assert identify("echo hé \udcff").text == "echo hé \\xff"
    assert identify("echo \udcff").hash == identify("echo \\xff").hash
    assert identify("echo \ud83d").text == "echo \\xed\\xa0\\xbd"
