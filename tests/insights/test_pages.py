"""Tests that every rule's page is right: examples give the insights shown, look-alikes give none.

The fast way believes the written outcome, the live way runs the line in real shells.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.annotated import Line, blocks, read_expectations, read_lines, read_said
from tests.memory_history import MemoryHistory
from zsh_ls.insights import after_run, static
from zsh_ls.insights.registry import Rule, RuleKind, all_rules, rules_of
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.insight import Insight
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.words.wrappers import command_word

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.zsh"))
STATIC_SCRIPTS = sorted((Path(__file__).parent / "scripts" / "static").iterdir())
LIVE_SHELLS = ("zsh", "bash")
# What zsh says of lines whose rule reads it.
SAID_BY_SHELL = {"cat *.nosuch": "zsh:1: no matches found: *.nosuch\n"}


def execution(line: Line) -> CompletedRun:
    """A line of an annotated script with its outcome."""
    timed_out, killed = line.outcome == "timeout", line.outcome == "killed"
    pipestatus = () if timed_out or killed else line.pipestatus
    exit_status = pipestatus[-1] if pipestatus else None
    return CompletedRun(
        command=line.text,
        shell="zsh",
        exit=exit_status,
        pipestatus=pipestatus,
        outcome=outcome_of(exit_status, timed_out=timed_out, killed=killed),
        duration_s=line.duration_s,
        started_at=line.at_s,
        session="page",
        project=line.project,
        output_is_blank=line.text in {"true", "false"},
        output=SAID_BY_SHELL.get(line.text),
    )


def expect(line: Line, insights: list[Insight]) -> None:
    """Assert that the insights are those annotated below `line`, in any order."""
    left = list(insights)
    for expected in line.said:
        met = [insight for insight in left if expected.is_met_by(insight)]
        assert met, f"{line.text}\n  expected {expected}\n  got      {left}"
        left.remove(met[0])
    assert not left, f"{line.text}\n  unexpected {left}"


def after_run_lines() -> Iterator[ParameterSet]:
    for path in SCRIPTS:
        for line in read_lines(path.read_text()):
            yield pytest.param(line, None, id=f"{path.stem}:{line.number}")
    for rule in rules_of(RuleKind.AFTER_RUN):
        for block in blocks(rule.page):
            for line in read_lines(block):
                yield pytest.param(line, rule, id=f"{rule.name}:{line.number}")


@pytest.mark.parametrize(("line", "rule"), list(after_run_lines()))
def test_what_is_said_of_a_run_is_what_its_annotation_says(line: Line, rule: Rule | None) -> None:
    found = after_run(with_pipeline(execution(line)))
    expect(line, [insight for insight in found if rule is None or insight.rule == rule.name])


def is_there(program: str, shell: str) -> bool:
    found = subprocess.run([shell, "-c", 'type "$0"', program], capture_output=True, check=False)
    return found.returncode == 0


@pytest.mark.live
@pytest.mark.parametrize("shell", LIVE_SHELLS)
@pytest.mark.parametrize(("line", "rule"), list(after_run_lines()))
def test_an_annotated_outcome_is_what_the_shell_gives(
    line: Line, rule: Rule | None, shell: str
) -> None:
    program = command_word(line.text.split())
    if line.pipestatus[-1] < 126 and not is_there(program, shell):
        pytest.skip(f"{program} is not installed")
    statuses = "$pipestatus" if shell == "zsh" else "${PIPESTATUS[@]}"
    script = f"{line.text}\nprintf '%s ' $? {statuses} >&3"
    flags = ["-f"] if shell == "zsh" else ["--norc"]
    reader, writer = os.pipe()
    with os.fdopen(reader) as report:
        subprocess.run(
            [shell, *flags, "-c", f'eval "$0" 3>&{writer} >/dev/null 2>&1', script],
            pass_fds=(writer,),
            stdin=subprocess.DEVNULL,
            timeout=30,
            check=False,
        )
        os.close(writer)
        last, *segments = (int(code) for code in report.read().split())
    # zsh leaves $pipestatus as it was after `[[ ]]`; of a single command `$?` tells all.
    seen = tuple(segments) if len(line.pipestatus) > 1 else (last,)
    assert seen == line.pipestatus


def before_run_examples() -> Iterator[ParameterSet]:
    for rule in rules_of(RuleKind.BEFORE_RUN):
        for number, block in enumerate(blocks(rule.page), 1):
            yield pytest.param(rule, block, id=f"{rule.name}-{number}")


@pytest.mark.parametrize(("rule", "block"), list(before_run_examples()))
def test_what_memory_says_before_a_run_is_what_the_page_shows(rule: Rule, block: str) -> None:
    memory = MemoryHistory()
    *earlier, asked = read_lines(block)
    for line in earlier:
        memory.record(execution(line))
    past = memory.past(asked.text, session="page", now=asked.at_s, project=asked.project)
    expect(asked, rule.insights(past))


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.name)
def test_a_page_shows_when_its_rule_speaks_and_a_look_alike_that_stays_silent(rule: Rule) -> None:
    lines = [block.splitlines() for block in blocks(rule.page)]
    speaks = [any(map(read_said, block)) for block in lines]
    assert any(speaks), "show a line of which it speaks"
    assert not all(speaks), "show a line that looks alike and of which it says nothing"


def static_examples() -> Iterator[ParameterSet]:
    for rule in rules_of(RuleKind.STATIC):
        for number, block in enumerate(blocks(rule.page), 1):
            yield pytest.param(block, rule, id=f"{rule.name}-{number}")
    for path in STATIC_SCRIPTS:
        yield pytest.param(path.read_text(), None, id=path.stem)


@pytest.mark.parametrize(("script", "rule"), list(static_examples()))
def test_what_is_said_of_a_scripts_text_is_what_its_carets_say(
    script: str, rule: Rule | None
) -> None:
    # A rule that is off is asked for by its name.
    named = {rule.name} if rule else {said.rule or "" for _, said in read_expectations(script)}
    found = static(script, dialect_of(script), named=named)
    left = [insight for insight in found if rule is None or insight.rule == rule.name]
    for place, expected in read_expectations(script):
        met = [insight for insight in left if expected.is_met_by(insight, place)]
        assert met, f"expected {expected}\ngot      {left}"
        left.remove(met[0])
    assert not left, f"unexpected {left}"
