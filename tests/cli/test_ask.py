"""What `zsh-ls ask` and `zsh-ls explain` print."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from zsh_ls.answers.form import validate

from .conftest import Cli


@pytest.mark.slow
def test_questions_about_earlier_runs_are_answered_from_memory(cli: Cli) -> None:
    cli("run", "ls /nonexistent")
    shown = cli("ask", "what failed last?").stdout.rstrip("\n")
    assert shown.startswith("[SUMMARY]\n`ls /nonexistent` failed with exit 2 ")
    assert validate(shown, "deterministic") == ()


@pytest.mark.slow
def test_the_words_of_a_question_need_no_quotes(cli: Cli) -> None:
    assert cli("ask", "check", "swap").stdout == (
        "[SUMMARY]\nRunning swapon to check swap configuration.\n\n[COMMANDS]\n$ swapon --show\n"
    )


@pytest.mark.slow
def test_a_flag_may_be_a_word_of_a_question(cli: Cli) -> None:
    done = cli("ask", "what", "does", "-p", "do", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "what does -p do" in json.loads(done.stdout)["summary"]
    assert "there is no option '--jsn'" in cli("ask", "--jsn", "what failed").stderr


@pytest.mark.slow
def test_what_an_option_does_is_asked_of_the_manual(cli: Cli, tmp_path: Path) -> None:
    page = tmp_path / "man/man1/frob.1"
    page.parent.mkdir(parents=True)
    page.write_text(".SH NAME\nfrob \\- turn things\n.SH OPTIONS\n.TP\n.B \\-n\nCount the turns.\n")
    pages = {"MANPATH": str(tmp_path / "man")}
    known = cli("ask", "what", "does", "-n", "do", "in", "frob", env=pages)
    assert known.stdout == "[SUMMARY]\n`-n`: Count the turns.\nAn option of `frob`, turn things.\n"
    of_all = cli("ask", "what does frob do", env=pages)
    assert of_all.stdout.startswith("[SUMMARY]\n`frob`: turn things.")
    other = cli("ask", "what does -x do in frob", env=pages)
    assert other.stdout.startswith("[SUMMARY]\nUnable to determine an answer")


@pytest.mark.slow
def test_a_command_may_be_explained_as_it_would_be_typed(cli: Cli) -> None:
    as_words = cli("explain", "git", "status", "-s")
    assert as_words.stdout == cli("explain", "git status -s").stdout
    assert json.loads(cli("explain", "ls", "-la", "--json").stdout)["summary"].startswith("`ls`")


@pytest.mark.slow
def test_questions_about_the_machine_are_answered_from_its_present_state(cli: Cli) -> None:
    total_kib = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1024
    shown = cli("ask", "how much memory do I have").stdout
    assert f"of {total_kib / 2**20:.1f} GiB memory" in shown


@pytest.mark.slow
def test_the_whole_output_of_the_last_run_is_shown(cli: Cli) -> None:
    cli("run", "seq 1 400")
    shown = cli("ask", "show full output").stdout
    assert "\n".join(map(str, range(1, 401))) in shown


@pytest.mark.slow
def test_missing_output_is_no_error(cli: Cli) -> None:
    done = cli("ask", "show full output")
    assert done.returncode == 0
    assert "Unable to determine the full output of the last command." in done.stdout


def test_json_is_the_answer_of_the_wire(cli: Cli) -> None:
    given = json.loads(cli("ask", "--json", "check failed services").stdout)
    assert given["kind"] == "template"
    assert given["commands"] == [
        {"privilege": "user", "command": "systemctl --failed --no-pager"}
    ] or given["commands"] == [{"command": "systemctl --failed --no-pager", "privilege": "user"}]
    assert set(given) == {"kind", "summary", "commands", "text", "markdown"}


@pytest.mark.slow
def test_without_a_question_the_known_ones_are_listed(cli: Cli) -> None:
    shown = cli("ask").stdout
    assert "what failed last" in shown
    assert "template:swap" in shown
    listed = json.loads(cli("ask", "--json").stdout)
    assert {"family": "template:swap", "questions": ["check swap", "is swap enabled"]} in listed


@pytest.mark.slow
def test_a_command_is_explained_and_not_run(cli: Cli) -> None:
    done = cli("explain", "cd /tmp && touch made-by-explain")
    assert "change the current directory" in done.stdout
    assert "made-by-explain" not in cli("run", "ls").stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", "'", "$(", "\x1b[31m"])
def test_an_unknown_command_gets_an_answer(cli: Cli, command: str) -> None:
    done = cli("explain", command)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert validate(done.stdout.rstrip("\n")) == ()


@pytest.mark.slow
def test_why_a_task_failed_is_told_with_the_lines_and_files_that_say_so(cli: Cli) -> None:
    cli("run", "echo fine; cat missing.txt")
    cli("run", "sh -c 'echo other; exit 3'")
    shown = cli("why").stdout
    assert "failed with exit 3" in shown
    listed = cli("why", _task_in(shown)).stdout
    assert listed == shown
    first = cli("ask", "why did cat fail").stdout
    assert "It printed: `cat: missing.txt: No such file or directory`" in first
    assert "`missing.txt` is not in" in first
    refused = cli("why", "00000000")
    assert refused.returncode != 0
    assert "Unknown task: 00000000" in refused.stderr


def _task_in(shown: str) -> str:
    return shown.split("`zsh-ls output ")[1][:8]


@pytest.mark.slow
def test_a_text_is_checked_by_the_rules_of_form(cli: Cli, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("[SUMMARY]\nIt works.\n")
    bad.write_text("[SUMMARY]\nIt works. \n\n[DETAILS]\n# No\n")
    assert cli("answer", "--check", str(good)).returncode == 0
    checked = cli("answer", "--check", str(bad))
    assert checked.returncode == 1
    assert f"{bad}:2: white space at the end of the line" in checked.stdout
    assert f"{bad}:5: a `#` heading" in checked.stdout
    assert cli("answer", "--check", str(tmp_path / "none")).returncode == 2
