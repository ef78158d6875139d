"""Tests that fail and pass with nothing changed between, by their names (PLACE-3).

It is no rule with a page: what it reads, the last runs of a test, no annotated script can say.
"""

from __future__ import annotations

from collections.abc import Iterable

from zsh_ls.model.insight import Insight
from zsh_ls.model.places import TestHistory, TestResult
from zsh_ls.model.words import Level

CODE = "flaky-test"
REMEMBERED_RUNS = 10
MOST_NAMED = 3


def flaky_tests(tests: Iterable[TestResult], known: Iterable[TestHistory]) -> list[Insight]:
    """What is said of tests that failed now, or passed again unchanged; `known` is of before this run."""
    history = {it.name: it for it in known}
    said = []
    for test in tests:
        before = history.get(test.name)
        if before is None or (test.passed and not test.unchanged):
            continue
        if not (before.passed_unchanged or test.unchanged):
            continue
        failed = (not test.passed, *before.failed)[:REMEMBERED_RUNS]
        text = (
            f"{test.name} failed {sum(failed)} of the last {len(failed)} runs, "
            "and passed when run again unchanged"
        )
        said.append(Insight(Level.INFO, text, CODE))
    if len(said) > MOST_NAMED:
        more = f"{len(said) - MOST_NAMED} more tests failed and passed with nothing changed between"
        said = [*said[:MOST_NAMED], Insight(Level.INFO, more, CODE)]
    return said


def with_inferred(
    tests: Iterable[TestResult], known: Iterable[TestHistory], command: str, *, succeeded: bool
) -> tuple[TestResult, ...]:
    """The results, and those of tests that the same command ran last and that are not named now.

    They passed where the command succeeded, or failed with others' names and would not have stopped early.
    """
    named = {it.name: it for it in tests}
    has_failures = any(not it.passed for it in named.values())
    stops_early = any(
        word in STOPS_EARLY or word.startswith("--maxfail") for word in command.split()
    )
    if succeeded or (has_failures and not stops_early):
        for it in known:
            if it.is_of_command and it.name not in named:
                named[it.name] = TestResult(it.name, passed=True)
    return tuple(named.values())


STOPS_EARLY = frozenset(
    {"-x", "--exitfirst", "--bail", "-b", "--failfast", "-failfast", "--fail-fast", "-f"}
)
