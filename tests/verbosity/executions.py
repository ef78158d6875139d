"""Recorded executions as input of the resolver, and simple views to compare its output with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from zsh_ls.sidecar.folding import FAILED
from zsh_ls.verbosity.fold import folded
from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.results import names_of_failed_tests
from zsh_ls.verbosity.values import ResolvedOutput, ResolverInput

from .record import load
from .runner_cases import is_held_out
from .score import Case, View

DATA = Path(__file__).parent.parent / "data" / "verbosity"
_SHOWN: dict[tuple[str, int], ResolvedOutput] = {}
FIELDS = ("command", "exit", "stdout", "stderr", "combined", "combined_via")


def given() -> list[Case]:
    """The 186 executions that were recorded before the resolver was written."""
    return load(DATA / "given")


def own() -> list[Case]:
    """The executions that `record.py` recorded."""
    return load(DATA / "recorded")


def runners() -> list[Case]:
    """The executions of `runner_cases.py` that rules may be tuned on."""
    return [case for case in load(DATA / "runners") if not is_held_out(case["id"])]


def runners_held_out() -> list[Case]:
    """Those of `runner_cases.py` that are kept aside for the last figure."""
    return [case for case in load(DATA / "runners") if is_held_out(case["id"])]


def later() -> list[Case]:
    """The executions of `later_cases.py`: of tools that nothing was tuned on when they were recorded."""
    return load(DATA / "later")


def latest() -> list[Case]:
    """The executions of `latest_cases.py`: of 30 tools more, labelled before they were looked at."""
    return load(DATA / "latest")


def newest() -> list[Case]:
    """The executions of `newest_cases.py`: of 30 tools more, labelled before they were looked at."""
    return load(DATA / "newest")


def further() -> list[Case]:
    """The executions of `further_cases.py`: of more tools, labelled before they were looked at."""
    return load(DATA / "further")


def all_labelled() -> list[Case]:
    """All executions whose failures, error places and asked-for lines are labelled."""
    return [*runners(), *runners_held_out(), *later(), *latest(), *newest(), *further()]


def recorded(case: Case) -> ResolverInput:
    before = case.get("previous_runs") or ()
    return ResolverInput(
        **{name: case[name] for name in FIELDS},
        pipestatus=tuple(case["pipestatus"]),
        timed_out=case["timed_out"],
        still_running=case["still_running"],
        previous_failures=sum(1 for run in before if run["exit"] or run["timed_out"]),
        previous_failed_tests=_failed_tests(before),
    )


def _failed_tests(before: Sequence[Case]) -> tuple[str, ...] | None:
    printed = before[-1].get("combined") if before else None
    return names_of_failed_tests(printed) if printed else None


def shown(case: Case) -> ResolvedOutput:
    """The resolver's answer, worked out once."""
    key = (case["id"], hash(case["combined"]))
    if key not in _SHOWN:
        _SHOWN[key] = resolve(recorded(case))
    return _SHOWN[key]


def resolved(case: Case) -> View:
    answer = shown(case)
    return View(answer.output, answer.verbosity.operation)


def for_agents(case: Case) -> View:
    """What an agent is given: of a failed test's output passed tests may be folded."""
    answer = shown(case)
    if answer.verbosity.operation == "test" and answer.verbosity.state in FAILED:
        text = folded(answer.output)
        if text is not None:
            return View("\n".join(row for _, row in text.rows), "test")
    return View(answer.output, answer.verbosity.operation)


def merged(case: Case) -> View:
    """The resolver's answer where standard output and error were one stream."""
    answer = resolve(attrs.evolve(recorded(case), stdout=None, stderr=None))
    return View(answer.output, answer.verbosity.operation)


def everything(case: Case) -> View:
    return View(case["combined"], "command")


def last_thirty(case: Case) -> View:
    return View("\n".join(case["combined"].split("\n")[-31:]), "command")


def head_and_tail(case: Case) -> View:
    """A common view of agents: 10,000 characters, half of them from each end."""
    text = case["combined"]
    short = len(text) <= 10_000
    return View(text if short else text[:5_000] + "\n...\n" + text[-5_000:], "command")
