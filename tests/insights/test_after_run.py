"""Tests of insights after a run that annotated scripts cannot show: kills, silence, connections, pipefail."""

from __future__ import annotations

import pytest

from zsh_ls.insights import after_run
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level


def ended(
    command: str,
    *pipestatus: int,
    exit_status: int | None = None,
    blank: bool = False,
    timed_out: bool = False,
    killed: bool = False,
    shell: str = "zsh",
) -> list[Insight]:
    status = pipestatus[-1] if exit_status is None and pipestatus else exit_status
    outcome = outcome_of(status, timed_out=timed_out, killed=killed)
    run = CompletedRun(
        command, shell, status, pipestatus, outcome, 0.1, 0.0, "s", output_is_blank=blank
    )
    return after_run(with_pipeline(run))


def messages(insights: list[Insight]) -> list[tuple[str, str]]:
    return [(insight.level.value, insight.message) for insight in insights]


def test_what_a_negation_made_of_an_exit_has_no_meaning_of_the_command() -> None:
    assert ended("! grep root /etc/passwd", 1) == []
    assert ended("! test -d /", 1, shell="bash") == []
    assert messages(ended("! true; grep x y", 1)) == [("info", "grep exit 1 = no match (normal)")]


SSH_FAILED = [("warning", "SSH connection failed (exit 255)")]


def test_a_silent_success_is_told_apart_from_a_silent_failure() -> None:
    silent = Insight(Level.INFO, "No output produced.", "no-output", is_news=False)
    assert ended("true", 0, blank=True) == [silent]
    assert ended("false", 1, blank=True) == []
    assert ended("echo a", 0) == []


def test_a_silent_success_may_still_hide_a_failure() -> None:
    assert messages(ended("false | true", 1, 0, blank=True)) == [
        ("info", "No output produced."),
        ("warning", "pipe segment 1 exited 1 (masked by downstream)"),
    ]


def test_a_killed_and_a_timed_out_run_mean_nothing() -> None:
    assert ended("false | cat", 137, killed=True) == []
    assert ended("grep x y", timed_out=True) == []


@pytest.mark.parametrize(
    "command",
    [
        "ssh web1 uptime",
        "scp a web1:",
        "sftp web1",
        "rsync -a x web1:",
        "git push origin main",
        "git -C repo fetch",
        "git clone git@host:me/x.git",
        "git clone ssh://host/x.git",
        "sudo ssh web1",
        "X=1 /usr/bin/ssh web1",
        "echo a | ssh web1 cat",
    ],
)
def test_255_of_what_runs_over_ssh_is_a_failed_connection(command: str) -> None:
    statuses = (0, 255) if "|" in command else (255,)
    assert messages(ended(command, *statuses)) == SSH_FAILED


@pytest.mark.parametrize(
    "command",
    ["git status", "git clone https://host/x.git", "git diff --exit-code", "php x", "mssh web1"],
)
def test_255_of_anything_else_is_not(command: str) -> None:
    assert ended(command, 255) == []


def test_a_masked_connection_is_a_masked_segment() -> None:
    assert messages(ended("ssh web1 uptime | cat", 255, 0)) == [
        ("warning", "pipe segment 1 exited 255 (masked by downstream)")
    ]


@pytest.mark.parametrize(
    ("exit_status", "words"),
    [(126, "permission denied (exit 126)"), (127, "command not found (exit 127)")],
)
def test_the_general_meanings_go_before_a_commands_own(exit_status: int, words: str) -> None:
    assert ended("grep x y", exit_status) == [
        Insight(
            Level.WARNING,
            words,
            "permission-denied" if exit_status == 126 else "command-not-found",
            Span(0, 8),
        )
    ]


def test_an_exit_that_pipefail_made_is_not_explained_by_the_last_command() -> None:
    assert messages(ended("set -o pipefail; grep x f | cat", 1, 0, exit_status=1)) == [
        ("info", "pipe segment 1 exited 1 (pipefail)")
    ]


@pytest.mark.parametrize(
    ("command", "exit_status", "why"),
    [
        ("set -o pipefail; pytest | tail", 1, "pipefail"),
        ("set -euo pipefail; pytest | tail", 1, "pipefail"),
        ("setopt PIPE_FAIL; pytest | tail", 1, "pipefail"),
        ("pytest | tail", 1, "pipefail"),
        ("pytest | tail", 0, "masked by downstream"),
        ("set +o pipefail; pytest | tail", 0, "masked by downstream"),
        ("! pytest | tail", 1, "masked by downstream"),
        ("set -o pipefail; ! pytest | tail", 0, "pipefail"),
    ],
)
def test_what_pipefail_reports_is_not_called_masked(
    command: str, exit_status: int, why: str
) -> None:
    found = messages(ended(command, 1, 0, exit_status=exit_status))
    assert ("warning", f"pipe segment 1 exited 1 ({why})") in found


def test_a_sigpipe_is_how_pipes_end_early() -> None:
    assert ended("yes | head -n 1", 141, 0) == []
    assert messages(ended("yes | head -n 1", 0, 141)) == []


def test_a_shell_without_pipestatus_explains_the_last_segment() -> None:
    assert messages(ended("echo a | grep b", 1, shell="sh")) == [
        ("info", "grep exit 1 = no match (normal)")
    ]


@pytest.mark.parametrize(
    ("command", "span"),
    [
        ("cd /tmp && grep x f", Span(11, 19)),
        ("cd /tmp; LC_ALL=C grep x f", Span(9, 26)),
        ("# first\ngrep x f # then\n", Span(8, 16)),
        ("echo 'a|b' | grep x", Span(13, 19)),
    ],
)
def test_the_segment_that_gave_the_exit_is_found_in_a_list(command: str, span: Span) -> None:
    statuses = (0, 1) if " | " in command else (1,)
    assert ended(command, *statuses, blank=True) == [
        Insight(Level.INFO, "grep exit 1 = no match (normal)", "grep-no-match", span)
    ]


@pytest.mark.parametrize("command", ["! grep x f", "if grep x f; then false; fi", "f"])
def test_an_exit_that_is_not_the_commands_own_is_not_explained(command: str) -> None:
    assert ended(command, 0 if "!" in command else 1, exit_status=1) == []


@pytest.mark.parametrize(
    "command", ["", "   ", "|", "((", "'", "a | b", "# x", "x" * 5000, "\0", "$(", "if"]
)
def test_text_that_is_no_command_is_no_trouble(command: str) -> None:
    for statuses in ((1,), (1, 1), (2, 3, 4)):
        for insight in ended(command, *statuses):
            assert insight.span is None or insight.span.end <= len(command)
