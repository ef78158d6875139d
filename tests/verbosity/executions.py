"""Recorded executions as input of the resolver, and simple views to compare its output with."""

from __future__ import annotations

from pathlib import Path

import attrs

from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.values import ResolvedOutput, ResolverInput

from .record import load
from .score import Case, View

DATA = Path(__file__).parent.parent / "data" / "verbosity"
FIELDS = ("command", "exit", "stdout", "stderr", "combined", "combined_via")


def given() -> list[Case]:
    """The 186 executions that were recorded before the resolver was written."""
    return load(DATA / "given")


def own() -> list[Case]:
    """The executions that `record.py` recorded."""
    return load(DATA / "recorded")


def recorded(case: Case) -> ResolverInput:
    before = case.get("previous_runs") or ()
    return ResolverInput(
        **{name: case[name] for name in FIELDS},
        pipestatus=tuple(case["pipestatus"]),
        timed_out=case["timed_out"],
        still_running=case["still_running"],
        previous_failures=sum(1 for run in before if run["exit"] or run["timed_out"]),
    )


def shown(case: Case) -> ResolvedOutput:
    return resolve(recorded(case))


def resolved(case: Case) -> View:
    answer = shown(case)
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
