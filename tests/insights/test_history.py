"""What memory says on the lines of a script: warnings as insights, numbers as hints, silence otherwise."""

from __future__ import annotations

import pytest

from zsh_ls.insights.history import Hint, commands_of, on_history
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.past import HostPast, Past, RemotePast, Tally
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Basis
from zsh_ls.shell.parser import parse


def texts(script: str, dialect: Dialect = Dialect.ZSH) -> list[str]:
    return [script[line.span.start : line.span.end] for line in commands_of(parse(script, dialect))]


def seen(**facts: object) -> Past:
    return Past("make *", "make", **facts)  # type: ignore[arg-type]


def lasted(*seconds: float) -> Estimate:
    return Estimate("make *", Curve.of(map(Sample, seconds)), Basis.COMMAND)


def said(past: Past | None) -> tuple[list[str], list[str]]:
    lines = commands_of(parse("make all\n", Dialect.ZSH))
    warnings, hints = on_history(lines, [past])
    assert all(warning.span == Span(0, 8) for warning in warnings)
    return [warning.rule for warning in warnings], [hint.text for hint in hints]


def test_every_line_that_runs_something_is_looked_up_wherever_it_stands() -> None:
    script = (
        "if make test; then\n  git push origin main | cat\nfi\n"
        "f() { pip install x }\nfor a (1 2) ls $a\nx=$(date)\n"
    )
    assert texts(script) == [
        "make test",
        "git push origin main | cat",
        "pip install x",
        "ls $a",
        "date",
    ]


def test_a_list_is_looked_up_as_a_whole_and_in_its_parts() -> None:
    assert texts("cd x && make\n") == ["cd x && make", "cd x", "make"]


def test_a_list_is_told_from_what_stands_inside_its_parts() -> None:
    assert texts("if a; then b; fi && c || d\n") == [
        "if a; then b; fi && c || d",
        "a",
        "b",
        "c",
        "d",
    ]


def test_what_starts_no_command_is_not_looked_up() -> None:
    assert texts("x=1\n(( n++ ))\n[[ -n $x ]]\nf() { }\n# make\n") == []


@pytest.mark.parametrize(
    ("past", "rules"),
    [
        (seen(runs=9, streak=-3), ["failing-streak"]),
        (seen(runs=9, timeout_rate=0.6), ["frequent-timeouts"]),
        (seen(runs=9, host=HostPast("web1", 10, 4, 0.4)), ["flaky-host"]),
        (seen(runs=9, remote=RemotePast("x", 9, 6, 2, 0.3)), ["failing-remote-command"]),
        (seen(runs=9, streak=9, success_rate=1.0, mean_duration_s=60.0), []),
        (seen(runs=9, retries=Tally(0, 3)), []),
        (seen(runs=0), []),
        (None, []),
    ],
)
def test_only_warnings_that_outlast_the_moment_are_said_on_a_line(
    past: Past | None, rules: list[str]
) -> None:
    assert said(past)[0] == rules


@pytest.mark.parametrize(
    ("past", "hint"),
    [
        (seen(runs=12, success_rate=0.92, estimate=lasted(40, 47, 60)), "~47s · 92% of 12"),
        (seen(runs=12, success_rate=0.92, mean_duration_s=46.8), "~47s · 92% of 12"),
        (seen(runs=3, success_rate=1.0, mean_duration_s=0.2), "100% of 3"),
        (seen(runs=1, success_rate=0.0), "0% of 1"),
        (seen(runs=0, estimate=lasted(40, 47, 60)), "~47s"),
    ],
)
def test_a_line_that_is_known_has_its_numbers(past: Past, hint: str) -> None:
    assert said(past)[1] == [hint]


@pytest.mark.parametrize(
    "past",
    [None, seen(runs=0), seen(runs=2, success_rate=1.0, mean_duration_s=0.3)],
    ids=["unknown", "never run", "twice and nothing to tell"],
)
def test_where_there_is_nothing_to_say_nothing_stands(past: Past | None) -> None:
    assert said(past) == ([], [])


def test_the_numbers_of_a_list_stand_for_its_parts() -> None:
    script = "cd x && make\nmake\n"
    lines = commands_of(parse(script, Dialect.ZSH))
    known = seen(runs=5, success_rate=0.8)
    _, hints = on_history(lines, [known] * len(lines))
    assert hints == [Hint(Span(0, 12), "80% of 5"), Hint(Span(13, 17), "80% of 5")]


def test_comments_silence_warnings_of_history_too() -> None:
    script = parse("make # zsh-ls: ignore=failing-streak\n", Dialect.ZSH)
    warnings, hints = on_history(commands_of(script), [seen(runs=9, streak=-4)], script)
    assert (warnings, [hint.text for hint in hints]) == ([], ["0% of 9"])
