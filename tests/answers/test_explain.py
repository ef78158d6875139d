"""Tests of explanations: a command's parts, its manual pages, its history and findings about it."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.answers.builtins import BUILTINS
from zsh_ls.answers.explain import CommandFacts, explain
from zsh_ls.answers.form import validate
from zsh_ls.answers.outline import described, outline
from zsh_ls.model.answer import Answer, ProposedCommand
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.insight import Fix, Insight
from zsh_ls.model.reports import CommandStats, Durations, RecentRun, SshStats
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Basis, Level, Scope
from zsh_ls.shell.manpages.page import page_of_text, purpose_of
from zsh_ls.shell.words.vocabulary import SHELL_WORDS

from .world import NOW

GREP = """GREP(1)                         User Commands                         GREP(1)

NAME
       grep, egrep - print lines that match patterns

OPTIONS
       -r, --recursive
              Read all files under each directory.  Symbolic links are not followed.

       -n, --line-number
              Prefix each line with its number.
"""
PAGES = {"grep": GREP}

STATS = CommandStats(
    known=True,
    command_template="grep * *",
    runs=12,
    success_rate=0.92,
    timeout_rate=0.0,
    kill_rate=0.08,
    streak=-2,
    durations=Durations(0.04, 1.5, 11),
    recent=(
        RecentRun("grep x y", "SUCCESS", 0, 0.1, NOW.timestamp() - 60, "cli"),
        RecentRun("grep x z", "FAILURE", 127, 0.1, NOW.timestamp() - 7200, "cli"),
    ),
    ssh=SshStats("prod", 10, 4),
)


USUAL = Estimate("grep *", Curve.of([Sample(0.04)] * 8 + [Sample(1.5)] * 3), Basis.EXACT)


def explained(
    command: str,
    stats: CommandStats | None = None,
    *findings: Insight,
    estimate: Estimate | None = None,
) -> Answer:
    found = outline(command)
    parts = tuple(
        described(part, page_of_text(name, PAGES[name])) if name else described(part)
        for part in found.parts
        for name in [next((name for name in part.pages if name in PAGES), None)]
    )
    return explain(CommandFacts(found, parts, NOW, stats, estimate, tuple(findings)))


@pytest.mark.parametrize(
    ("basis", "scope", "words"),
    [
        (Basis.COMMAND, Scope.PROJECT, "11 runs of this with any numbers"),
        (Basis.TEMPLATE, Scope.PROJECT, "11 runs of `grep *`"),
        (Basis.EXACT, Scope.EVERYWHERE, "11 runs of exactly this, in all projects"),
    ],
)
def test_a_duration_is_told_with_what_it_rests_on(basis: Basis, scope: Scope, words: str) -> None:
    estimate = attrs.evolve(USUAL, basis=basis, scope=scope)
    assert f"({words})" in (explained("grep -r foo .", STATS, estimate=estimate).details or "")


@pytest.mark.parametrize(
    ("command", "connects"),
    [
        ("git status", False),
        ("sudo git push origin main", True),
        ("git clone https://example.org/a.git", False),
        ("ssh web1 uptime", True),
    ],
)
def test_a_failed_connection_is_spoken_of_where_ssh_connects(command: str, connects: bool) -> None:
    assert ("- 255: the connection failed" in explained(command, STATS).text) is connects


def test_a_duration_that_no_estimate_knows_is_not_told() -> None:
    answer = explained("grep -r foo .", STATS)
    assert "takes" not in answer.summary
    assert "Nine times" not in (answer.details or "")


def test_a_program_is_explained_with_the_flags_that_are_used() -> None:
    answer = explained("grep -rn foo .")
    assert answer.kind == "deterministic"
    assert answer.summary == (
        "`grep`: print lines that match patterns.\nNo run of it is remembered."
    )
    assert answer.details == (
        "**What it does**\n- `grep -rn foo .`: print lines that match patterns\n"
        "  - `-r, --recursive`: Read all files under each directory\n"
        "  - `-n, --line-number`: Prefix each line with its number\n\n"
        "**What its exit means**\n- 1: no match, no failure"
    )


def test_memory_tells_runs_time_streak_last_failure_and_host() -> None:
    answer = explained("grep -r foo .", STATS, estimate=USUAL)
    assert answer.summary.endswith("12 runs remembered, 92% succeeded, it usually takes 40 ms.")
    for line in (
        "- Its pattern: `grep * *`",
        "- Nine times of ten it takes at most 1.5 s (11 runs of exactly this)",
        "- Timed out: 0%, killed: 8%",
        "- Failed 2 times in a row",
        "- It last failed with exit 127 2 hours ago (09:30)",
        "- Host `prod`: 4 of 10 connections failed",
        "- 127, as it last failed: command not found",
    ):
        assert line in (answer.details or "").split("\n")


def test_a_pipe_hides_all_but_the_last_status() -> None:
    answer = explained("curl x | grep -n y")
    assert answer.summary.startswith("A pipeline of 2 commands: `curl`, `grep`.")
    assert "- The exit is that of `grep`; without `pipefail` a failure of `curl` does not show" in (
        answer.details or ""
    )


def test_what_a_rule_says_of_a_pipe_is_not_said_twice() -> None:
    finding = Insight(Level.WARNING, "make's failure is lost", "masked-build-failure")
    details = explained("make | tee log", STATS, finding).details or ""
    assert "make's failure is lost" in details
    assert "pipefail" not in details


def test_findings_are_warned_of_with_their_fix() -> None:
    fix = Fix("Give up if it fails", ())
    finding = Insight(Level.WARNING, "cd may fail", "unchecked-cd", fix=fix)
    answer = explained("cd /x; grep a b", None, finding)
    assert "- Warning: cd may fail (fix: Give up if it fails)" in (answer.details or "")


def test_what_nobody_knows_is_not_explained() -> None:
    answer = explained("frobnicate --now")
    assert answer.kind == "fallback"
    assert answer.commands == (ProposedCommand("type frobnicate"),)


def test_parts_of_compound_commands_and_substitutions_are_found_behind_wrappers() -> None:
    found = outline("if sudo -u me grep -q a b; then echo $(git log --oneline); fi")
    assert [part.program for part in found.parts] == ["grep", "echo", "git"]
    assert [part.flags for part in found.parts] == [("-q",), (), ("--oneline",)]
    assert found.parts[2].pages[0] == "git-log"


def test_words_behind_a_double_dash_are_no_flags() -> None:
    assert outline("grep -n -- -v file").parts[0].flags == ("-n",)


def test_builtins_are_explained_without_a_page() -> None:
    assert explained("cd /tmp").summary.startswith("`cd`: change the current directory.")
    assert explained("whence ls").summary.startswith("`whence`: say what a name runs.")
    assert BUILTINS.keys() <= SHELL_WORDS[Dialect.ZSH].builtins


def test_a_program_that_an_expansion_names_is_told_as_it_is_written() -> None:
    answer = explained('"${cmd[@]}" | $PAGER -q | grep x')
    assert answer.summary.startswith('A pipeline of 3 commands: `"${cmd[@]}"`, `$PAGER`, `grep`.')
    assert "\ufffc" not in answer.text
    answer = explained('"${cmd[@]}" --now')
    assert "only the shell knows what it runs" in answer.text
    assert "type " not in answer.text


def test_a_continued_line_is_shown_as_one() -> None:
    answer = explained("grep -q \\\n    pattern file")
    assert "- `grep -q pattern file`: " in (answer.details or "")


def test_the_purpose_is_what_the_name_section_says() -> None:
    assert purpose_of(GREP) == "print lines that match patterns"
    assert purpose_of("NAME\n       tar — an archiving\n       utility\n") == ""
    assert purpose_of("no page at all") == ""


@given(st.text())
def test_no_text_is_too_strange_to_be_explained(command: str) -> None:
    answer = explained(command, STATS)
    assert validate(answer.text, answer.kind) == ()
    answer = explained(command)
    assert validate(answer.text, answer.kind) == ()


# MAN-4
@pytest.mark.parametrize(
    ("command", "parts"),
    [
        (
            "git ls-files -z | xargs -0 sed -i 's/a/b/g'",
            [("git", ("-z",)), ("xargs", ("-0",)), ("sed", ("-i",))],
        ),
        (
            r"find . -name x -exec rm -f {} \; -ok ls -l {} + -print",
            [("find", ("-name", "-exec", "-ok", "-print")), ("rm", ("-f",)), ("ls", ("-l",))],
        ),
        ("ssh -p 22 host ls -la", [("ssh", ("-p",)), ("ls", ("-la",))]),
        ("sudo xargs -n1 grep -l x", [("xargs", ("-n1",)), ("grep", ("-l",))]),
        ("find . -name y", [("find", ("-name",))]),
        ("find . -exec", [("find", ("-exec",))]),
        ("xargs -0", [("xargs", ("-0",))]),
    ],
)
def test_the_options_of_a_command_that_another_one_runs_are_its_own(
    command: str, parts: list[tuple[str, tuple[str, ...]]]
) -> None:
    """`-i` of `xargs sed -i` was explained by xargs' page: another spelling of its `-I`."""
    assert [(part.program, part.flags) for part in outline(command).parts] == parts


# MAN-4
def test_a_command_that_another_one_runs_is_described_below_it_and_gives_no_exit() -> None:
    outlined = outline("xargs -0 grep -n x")
    page = page_of_text("grep", GREP)
    parts = tuple(described(it, page if it.program == "grep" else None) for it in outlined.parts)
    text = explain(CommandFacts(outlined, parts, NOW)).text
    assert "- `xargs -0 grep -n x`: no manual page tells of it\n- `grep -n x`: print lines" in text
    assert "no failure" not in text
