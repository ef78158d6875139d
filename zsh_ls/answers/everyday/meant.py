"""The runs that an everyday question means, and how answers name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from zsh_ls.answers.evidence import how_ended
from zsh_ls.answers.family import FAILED, MEMORY, Facts, Reply
from zsh_ls.answers.formatting import duration, moment
from zsh_ls.answers.loose import Intent, LooseMatch
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.subjects import Named, named, place_in, remembered, said_in, tokens
from zsh_ls.answers.words import stem
from zsh_ls.lazy import attrs, re
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.words import Outcome

MOST_SHOWN = 3
MOST_LISTED = 20
_TEST_WORDS = frozenset(
    map(
        stem,
        [
            "test",
            "tests",
            "pytest",
            "jest",
            "vitest",
            "spec",
            "e2e",
            "check",
            "tox",
            "rspec",
            "phpunit",
            "ctest",
        ],
    )
)
NEAR_CLOCK_MIN = 30


@attrs.frozen
class Everyday:
    """One question people ask: its intents, and the function that answers it."""

    name: str
    source: str
    examples: tuple[str, ...]
    intents: tuple[Intent, ...]
    answer: Callable[[LooseMatch, Facts], Reply]


@attrs.frozen
class Meant:
    """The runs that a question is about, newest first; `command` is None for those of any command."""

    runs: Sequence[RunEntry]
    command: Named | None
    here: str | None
    elsewhere: bool = False


def meant_by(
    match: LooseMatch,
    facts: Facts,
    *,
    wants: Callable[[RunEntry], bool] | None = None,
    everywhere: bool = False,
) -> Meant | None:
    """The runs of the command and place that a question names, in its time; None where words fit nothing.

    A name is looked for here first, then everywhere; `wants` prefers commands that have such a run.
    """
    every = remembered(facts)
    left, place = place_in(match.left, facts, every)
    home = place or facts.here
    since, until = match.window.bounds(facts.now) if match.window else (None, None)
    margin_s = 86400 * (3 if until is None else 1)
    first = every[-1].at if every else 0.0
    if until is None:
        # Of many runs of one command only the newest are kept one by one.
        first = facts.recall.first_at() or first
    if since is not None and (not every or since < first - margin_s):
        return None
    timely = [
        run
        for run in every
        if (since is None or run.at >= since) and (until is None or run.at < until)
    ]
    timely = near_the_clock(match, facts, timely)
    if not left:
        own = [run for run in timely if _is_of(run, home)]
        if place is None and (everywhere or (wants and not any(map(wants, own)))):
            return Meant(timely, None, home, elsewhere=True)
        return Meant(own, None, home)
    if _is_on_a_host(left, match.text, facts):
        return None
    said = said_in(match.text, left, every)
    of_these = [it for it in every if it.command == said] if said else every

    def own_first(*, near_too: bool) -> list[Named]:
        candidates = named(left, of_these, home, near_too=near_too)
        placed = [it for it in candidates if place in (None, it.project)]
        return [it for it in placed if it.project == home] or placed

    candidates = own_first(near_too=False)
    if not candidates:
        return None
    best = candidates[0]
    if wants is not None:
        # Of `gti`, that failed, one may ask as `git`, that did not.
        with_near = own_first(near_too=True)
        best = _newest(candidates, timely, wants) or _newest(with_near, timely, wants) or best
    return Meant(runs_of(best, timely), best, home, elsewhere=best.project != facts.here)


def _newest(
    candidates: Sequence[Named], runs: Sequence[RunEntry], wants: Callable[[RunEntry], bool]
) -> Named | None:
    """Of the commands that fit, the one of the newest wanted run: they may differ in arguments alone."""
    known = set(candidates)
    of_run = (Named(run.command, run.project) for run in runs if wants(run))
    return next((it for it in of_run if it in known), None)


_REACHES = re.compile(
    r"\b(?:ssh|scp|reach\w*|connect\w*|get into|log ?in|into|uptime)\b", re.IGNORECASE
)


def _is_on_a_host(words: Sequence[str], text: str, facts: Facts) -> bool:
    """Whether a word names another machine, and the question is not of the way there."""
    hosts = {host.host.lower() for host in facts.recall.hosts(limit=MOST_SHOWN * 100)}
    return any(word.lower() in hosts for word in words) and not _REACHES.search(text)


def runs_of(it: Named, runs: Sequence[RunEntry]) -> list[RunEntry]:
    """The runs of a command in its project, newest first."""
    return [run for run in runs if run.command == it.command and run.project == it.project]


def near_the_clock(match: LooseMatch, facts: Facts, runs: Sequence[RunEntry]) -> list[RunEntry]:
    """The runs near the time of day that the question names, all without one."""
    if match.clock is None:
        return list(runs)
    near = []
    for run in runs:
        then = datetime.fromtimestamp(run.at, facts.now.tzinfo)
        apart = match.clock.minutes_from(then)
        if apart <= NEAR_CLOCK_MIN:
            near.append((run.at < facts.now.timestamp() - 2 * 86400, apart, run))
    near.sort(key=lambda it: it[:2])
    return [run for _, _, run in near]


def has_failed(run: RunEntry) -> bool:
    """Whether a run failed or timed out; what somebody killed did not."""
    return run.outcome in FAILED


def is_bad(run: RunEntry) -> bool:
    """Whether a run failed, was killed or hid that a segment failed."""
    return has_failed(run) or run.outcome is Outcome.KILLED or _hides(run)


def _hides(run: RunEntry) -> bool:
    return (
        run.outcome is Outcome.SUCCESS
        and run.exit == 0
        and any(status not in (0, 141) for status in run.pipestatus[:-1])
    )


def is_test(run: RunEntry) -> bool:
    """Whether a run is of a test command, by the words of its text."""
    return bool(tokens(run.command) & _TEST_WORDS)


def has_passed(run: RunEntry) -> bool:
    """Whether a run succeeded, and hid no failure."""
    return run.outcome is Outcome.SUCCESS and not _hides(run)


def _is_of(run: RunEntry, home: str | None) -> bool:
    """Whether a run is of a project, or of one whose folder lies in its own: a submodule, a checkout."""
    is_below = home is not None and run.project.startswith(f"{home.rstrip('/')}/")
    return run.project == home or is_below


def in_project(run: RunEntry, facts: Facts) -> str:
    """` in api`, where a run was of another project than the one asked from."""
    if not run.project or run.project == facts.here:
        return ""
    return f" in {code_span(run.project.rstrip('/').rpartition('/')[2] or run.project)}"


def run_told(run: RunEntry, facts: Facts) -> str:
    """A run in a sentence: its command, its project where that is another, how it ended and when."""
    how = how_ended(run, facts.evidence)
    return f"{code_span(run.command)}{in_project(run, facts)} {how} {moment(run.at, facts.now)}"


def run_line(run: RunEntry, facts: Facts) -> str:
    """A run as an item of a list."""
    return f"- {run_told(run, facts)} after {duration(run.duration_s)}"


TOTALS = re.compile(r"\b\d+ (?:passed|failed|errors?|skipped)\b")
MACHINE = "the machine, read now"
KEPT = f"{MEMORY}, and the outputs that are kept"
COMMON = "commands here run-noun from"
