"""The questions people ask first, in any words: why, which tests, outputs, ports (ANS-6, ANS-7).

An intent is tried after the families, whose patterns know the order of words. Each answers from facts
or gives None: then the next one that fits is tried, and in the end nobody knows the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import pairwise, takewhile

import attrs

from zsh_ls.model.machine import Unavailable
from zsh_ls.model.recall import RunEntry, RunQuery
from zsh_ls.model.results import TaskSummary
from zsh_ls.model.words import Outcome
from zsh_ls.shell.status.exit_codes import general_meaning, normal_meaning, signal_name
from zsh_ls.shell.status.program_exits import EXITS, program_meaning

from .changes import changed_sentence, last_pass, with_changes
from .evidence import hid
from .family import DID_I, FAILED, MEMORY, Draft, Facts, NotKnown, Reply
from .formatting import count, duration, ended, moment, share, size
from .loose import WORDS, Intent, LooseMatch, intent
from .markup import code_span
from .pattern import QueryMatch, is_year
from .software import BY_NAME, SOFTWARE, VERBS
from .spelling import ENGLISH, near
from .subjects import IDLE, Named, named, place_in, remembered, tokens
from .window import Window
from .words import stem

MOST_SHOWN = 3
MOST_LISTED = 20
LOOKED_BACK = 400
MOST_REMEMBERED = 3000
# A bare name is no longer than that: `npm run build`.
MOST_NAMES = 3
RECENT_RUNS = 10
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


def _meant(
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
    timely = _about(match, facts, timely)
    if not left:
        own = [run for run in timely if run.project == home]
        if place is None and (everywhere or (wants and not any(map(wants, own)))):
            return Meant(timely, None, home, elsewhere=True)
        return Meant(own, None, home)
    if _is_on_a_host(left, match.text, facts):
        return None
    candidates = named(left, every, home)
    if place is not None:
        candidates = [it for it in candidates if it.project == place]
    if not candidates:
        return None
    own_first = [it for it in candidates if it.project == home] or candidates
    best = own_first[0]
    if wants is not None:
        best = next((it for it in own_first if any(wants(run) for run in _of(it, timely))), best)
    return Meant(_of(best, timely), best, home, elsewhere=best.project != facts.here)


_REACHES = re.compile(
    r"\b(?:ssh|scp|reach\w*|connect\w*|get into|log ?in|into|uptime)\b", re.IGNORECASE
)


def _is_on_a_host(words: Sequence[str], text: str, facts: Facts) -> bool:
    """Whether a word names another machine, and the question is not of the way there."""
    hosts = {host.host.lower() for host in facts.recall.hosts(limit=MOST_SHOWN * 100)}
    return any(word.lower() in hosts for word in words) and not _REACHES.search(text)


def _of(it: Named, runs: Sequence[RunEntry]) -> list[RunEntry]:
    return [run for run in runs if run.command == it.command and run.project == it.project]


def _about(match: LooseMatch, facts: Facts, runs: Sequence[RunEntry]) -> list[RunEntry]:
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


def _failed(run: RunEntry) -> bool:
    return run.outcome in FAILED


def _is_bad(run: RunEntry) -> bool:
    return _failed(run) or run.outcome is Outcome.KILLED or _hides(run)


def _hides(run: RunEntry) -> bool:
    return (
        run.outcome is Outcome.SUCCESS
        and run.exit == 0
        and any(status not in (0, 141) for status in run.pipestatus[:-1])
    )


def _is_test(run: RunEntry) -> bool:
    return bool(tokens(run.command) & _TEST_WORDS)


def _passed(run: RunEntry) -> bool:
    return run.outcome is Outcome.SUCCESS and not _hides(run)


def _where(run: RunEntry, facts: Facts) -> str:
    """` in api`, where a run was of another project than the one asked from."""
    if not run.project or run.project == facts.here:
        return ""
    return f" in {code_span(run.project.rstrip('/').rpartition('/')[2] or run.project)}"


def _told(run: RunEntry, facts: Facts) -> str:
    how = ended(run.outcome, run.exit)
    return f"{code_span(run.command)}{_where(run, facts)} {how} {moment(run.at, facts.now)}"


def _line(run: RunEntry, facts: Facts) -> str:
    return f"- {_told(run, facts)} after {duration(run.duration_s)}"


def _before(run: RunEntry, facts: Facts) -> list[RunEntry]:
    query = RunQuery(run.command, project=run.project or None)
    same = facts.recall.runs(query, limit=LOOKED_BACK)
    return [it for it in same if it.command == run.command and it.at < run.at]


def _why_of(run: RunEntry, facts: Facts, first: str = "") -> Draft:
    from .why import why_lines, why_summary  # noqa: PLC0415

    failure = with_changes(facts.evidence.failure(run, _before(run, facts)), facts.evidence)
    summary = why_summary(failure, facts.now).rstrip(".") + _where(run, facts)
    if failure.tests:
        summary += f": {count(len(failure.tests), 'test')} failed"
    elif failure.told and not failure.near:
        summary += f": {code_span(failure.told[-1])}"
    lines = tuple(f"- {line}" for line in why_lines(failure, facts.now))
    return Draft("deterministic", f"{first}{summary}.", lines)


def _without_exit(match: LooseMatch) -> tuple[LooseMatch, int | None]:
    """`npm test exit 1` names a status: the words without it, and it."""
    numbers = [word for word in match.left if word.isdecimal() and int(word) < 256]
    if "exit" not in match.cues or len(numbers) != 1:
        return match, None
    left = tuple(word for word in match.left if word != numbers[0])
    return attrs.evolve(match, left=left), int(numbers[0])


_BY_MYSELF = re.compile(
    r"\b(?:did|have)? ?i (?:have )?(?:stop|kill|cancel|abort|interrupt)\w*", re.IGNORECASE
)


def why_failed(match: LooseMatch, facts: Facts) -> Reply:
    """Why the last failed run of what is named, or of all, failed."""
    match, status = _without_exit(match)
    if _BY_MYSELF.search(match.text) or match.text.lower().startswith("why not "):
        return None

    def wants(run: RunEntry) -> bool:
        return _is_bad(run) and (status is None or status == run.exit or status in run.pipestatus)

    if "traceback" in match.text.lower():
        shown = _with_traceback(match, facts)
        if shown is not None:
            return shown
    meant = _meant(match, facts, wants=wants)
    if meant is None:
        return None
    bad = next(filter(wants, meant.runs), None)
    if bad is None:
        if meant.command is None or not meant.runs or status is not None:
            return None
        return Draft(
            "deterministic", f"{_told(meant.runs[0], facts)}: no failure of it is remembered."
        )
    newest = meant.runs[0]
    first = ""
    if meant.command is not None and newest is not bad and _passed(newest):
        first = f"{code_span(newest.command)} has passed since, {moment(newest.at, facts.now)}.\n"
    return _why_of(bad, facts, first)


def every_failure(match: LooseMatch, facts: Facts) -> Reply:
    """All runs that failed here, or in the project and time that are named; the newest first."""
    meant = _meant(match, facts, everywhere=True)
    if meant is None or meant.command is not None or match.window is None:
        return None
    found = [run for run in meant.runs if _failed(run)]
    if not found:
        return Draft("deterministic", f"Nothing failed {match.window.label}.")
    names = list(dict.fromkeys(run.command for run in found))
    shown = ", ".join(map(code_span, names[:MOST_SHOWN]))
    more = f" and {count(len(names) - MOST_SHOWN, 'other')}" if len(names) > MOST_SHOWN else ""
    told = f"{count(len(found), 'run')} failed {match.window.label}: {shown}{more}."
    return Draft("deterministic", told, tuple(_line(run, facts) for run in found[:MOST_LISTED]))


def how_it_went(match: LooseMatch, facts: Facts) -> Reply:
    """`how did the build go`: how the last run ended; `go` of `go build` is no verb."""
    return fate(match, facts) if _HOW_GO.search(match.text) else None


_HOW_GO = re.compile(
    r"\bhow (?:did|does|has)\b.*\bgo(?:ne)?(?: (?:on|today|yesterday|this|last)\b.*)?\W*$"
)


def _with_traceback(match: LooseMatch, facts: Facts) -> Reply:
    """The output of the last failed run that printed a traceback, where one is asked for."""
    meant = _meant(match, facts, wants=_is_bad)
    for run in filter(_is_bad, meant.runs[:MOST_LISTED] if meant else ()):
        page = facts.evidence.output(run)
        if page is not None and "Traceback (most recent call last)" in page.output:
            reply = _why_of(run, facts)
            return attrs.evolve(reply, output=page.output)
    return None


def fate(match: LooseMatch, facts: Facts) -> Reply:
    """How the last run of a command ended; where it failed also why."""
    meant = _meant(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    run = meant.runs[0]
    if _is_bad(run):
        return _why_of(run, facts)
    page = facts.evidence.output(run)
    details: tuple[str, ...] = (f"- It took {duration(run.duration_s)}.",)
    if page is not None and page.output.strip():
        details += (f"- Its last line: {code_span(page.output.strip().splitlines()[-1][:200])}",)
    passed = "passed" if _is_test(run) else "succeeded"
    told = (
        f"{code_span(run.command)}{_where(run, facts)} {passed} (exit {run.exit})"
        f" {moment(run.at, facts.now)}.{hid(run, facts.evidence)}"
    )
    earlier = next(filter(_failed, meant.runs[1:]), None)
    if earlier is not None:
        details += (
            (
                f"- Before that it {ended(earlier.outcome, earlier.exit)}"
                f" {moment(earlier.at, facts.now)}."
            ),
        )
    return Draft("deterministic", told, details)


def which_tests(match: LooseMatch, facts: Facts) -> Reply:
    """The tests that failed in the last failed run of a test command here."""

    def red(run: RunEntry) -> bool:
        return _failed(run) and _is_test(run)

    meant = _meant(match, facts, wants=red)
    if meant is None:
        return None
    run = next(filter(red, meant.runs), None)
    if run is None:
        tested = next(filter(_is_test, meant.runs), None)
        if tested is None:
            return None
        return Draft("deterministic", f"No test failed: {_told(tested, facts)}.")
    names = facts.evidence.failed_tests(run)
    since = next(
        (it for it in meant.runs if it.command == run.command and it.at > run.at and _passed(it)),
        None,
    )
    first = (
        f"{code_span(run.command)} has passed since, {moment(since.at, facts.now)}.\n"
        if since
        else ""
    )
    if not names:
        return NotKnown(
            f"which tests failed in {code_span(run.command)}",
            reason="its output is not kept, or names no test",
            missing="the output of that run",
            collect=(),
        )
    shown = ", ".join(map(code_span, names[:MOST_SHOWN]))
    rest = f" and {count(len(names) - MOST_SHOWN, 'other')}" if len(names) > MOST_SHOWN else ""
    page = facts.evidence.output(run)
    totals = [
        line.strip() for line in (page.output if page else "").splitlines() if _TOTALS.search(line)
    ]
    lines = [*(f"- {code_span(name)}" for name in names[:MOST_LISTED] if len(names) > MOST_SHOWN)]
    lines += [f"- {code_span(line[:200])}" for line in totals[-2:]]
    lines.append(f"- {_told(run, facts)}.")
    failed = f"{count(len(names), 'test')} failed: {shown}{rest}."
    return Draft("deterministic", first + failed, tuple(lines))


_TOTALS = re.compile(r"\b\d+ (?:passed|failed|errors?|skipped)\b")


def test_counts(match: LooseMatch, facts: Facts) -> Reply:
    """How many tests passed and failed in the last run of a test command, as the runner says it."""
    meant = _meant(match, facts, wants=_is_test)
    run = next(filter(_is_test, meant.runs), None) if meant else None
    if meant is None or run is None or ("test" not in match.cues and run is not meant.runs[0]):
        return None
    page = facts.evidence.output(run)
    lines = (page.output if page else "").splitlines()
    totals = [line.strip() for line in lines if _TOTALS.search(line)]
    if not totals:
        return None
    about_tests = [line for line in totals if line.lower().startswith("tests")] or totals
    told = f"{_told(run, facts)}: {code_span(about_tests[-1][:200])}."
    return Draft("deterministic", told, tuple(f"- {code_span(line[:200])}" for line in totals[-2:]))


def where_ran(match: LooseMatch, facts: Facts) -> Reply:
    """In which project a command ran: the last run of it, and the other projects that know it."""
    left, place = place_in(match.left, facts, every := remembered(facts))
    candidates = named(left, every, None)
    if not candidates or place is not None:
        return None
    runs = [run for run in every if run.command == candidates[0].command]
    projects = list(dict.fromkeys(run.project for run in runs if run.project))
    if not projects:
        return None
    run = runs[0]
    told = f"{code_span(run.command)} last ran in {code_span(run.project)}"
    others = tuple(f"- Also in {code_span(project)}" for project in projects[1:MOST_LISTED])
    return Draft("deterministic", f"{told}, {moment(run.at, facts.now)}.", others)


def _far_back(match: LooseMatch, facts: Facts) -> Reply:
    """The day of the first run, of which the rest is forgotten; None where the run itself is asked for."""
    first = facts.recall.first_at()
    if first is None or "far-back" not in match.cues:
        return None
    day = f"{datetime.fromtimestamp(first, facts.now.tzinfo):%A %Y-%m-%d}"
    return Draft("deterministic", f"Memory goes back to {day}.")


def oldest(match: LooseMatch, facts: Facts) -> Reply:
    """How far back memory goes."""
    every = remembered(facts)
    counted = sum(it.runs for it in facts.recall.records(order="runs", limit=MOST_REMEMBERED))
    # Of many runs of one command memory keeps only the newest in detail: then the first of all is not known.
    if not every:
        return None
    if counted > len(every):
        return _far_back(match, facts)
    run = every[-1]
    day = f"{datetime.fromtimestamp(run.at, facts.now.tzinfo):%A %Y-%m-%d}"
    return Draft("deterministic", f"The oldest run is of {day}: {code_span(run.command)}.")


def by_name(match: LooseMatch, facts: Facts) -> Reply:
    """What a bare name asks: the last run of the command that has exactly these words, or what it means."""
    words = match.left
    if match.cues:
        return None
    if len(words) == 2 and words[1].isdecimal():
        if program_meaning(words[0].lower(), int(words[1])) is None:
            return None
        return exit_meaning(attrs.evolve(match, cues=frozenset({"exit", "meaning"})), facts)
    if not 0 < len(words) <= MOST_NAMES or not any(map(_is_a_name, words)):
        return None
    known = {token for run in remembered(facts) for token in tokens(run.command)}
    if all(stem(word) in known for word in words):
        meant = _meant(match, facts)
        place = meant is not None and meant.command is None
        return what_ran(match, facts) if place and match.window else fate(match, facts)
    if match.window is not None:
        return what_ran(match, facts) if not place_in(words, facts, remembered(facts))[0] else None
    return (
        is_installed(attrs.evolve(match, cues=frozenset({"installed"})), facts)
        if any(words[0].lower() in one.called for one in SOFTWARE)
        else None
    )


def _is_a_name(word: str) -> bool:
    """Whether a word is rather a name than English."""
    return word.isascii() and word.lower() not in ENGLISH


def _exit_of(match: LooseMatch, facts: Facts) -> Reply:
    """`what exit code did the deploy end with`."""
    meant = _meant(match, facts)
    if meant is None or not meant.runs or meant.runs[0].exit is None:
        return None
    run = meant.runs[0]
    return Draft(
        "deterministic",
        f"{_told(run, facts)}: exit {run.exit}.{hid(run, facts.evidence)}",
        (_line(run, facts),),
    )


_EXIT_OF = re.compile(r"\b(?:exit|return) (?:code|status|value)\b|\bexit of\b", re.IGNORECASE)


def exit_meaning(match: LooseMatch, facts: Facts) -> Reply:
    """What an exit status means, of a program where one is named; the last run that ended so."""
    numbers = [int(word) for word in match.left if word.isdecimal() and int(word) < 256]
    words = [word for word in match.left if not word.isdecimal()]
    every = remembered(facts)
    program = next((word.lower() for word in words if word.lower() in EXITS), "")
    others = [word for word in words if word.lower() not in EXITS]
    runs = [run for run in every if not words or _fits(words, run, facts)]
    if (others and not runs) or ("why" in match.cues and runs and words):
        return None  # why a command ended so is asked of its run
    if len(numbers) != 1:
        if (
            numbers
            or not match.cues & {"exit", "ended-with"}
            or not (
                match.cues & {"last", "ran", "which", "status", "meaning"}
                or (words and _EXIT_OF.search(match.text))
            )
            or (match.window is None and not words)
        ):
            return None
        return _exit_of(match, facts)
    status = numbers[0]
    if words and not runs and not program:
        return None
    last = next((run for run in runs if run.exit == status or status in run.pipestatus), None)
    if not program and last is not None:
        program = _program_with(last, status, facts)
    meaning = program_meaning(program, status) or normal_meaning(program, status)
    general = general_meaning(status)
    of_program = f" of {code_span(program)}" if meaning and program else ""
    if status == 0:
        meaning, of_program = "success", ""
    if meaning is None:
        meaning, of_program = general, ""
    if meaning is None and (of_wrapper := program_meaning("timeout", status)) is not None:
        meaning, of_program = of_wrapper, f" of {code_span('timeout')}"
    if meaning is None:
        meaning = "a failure; which one is the program's own matter"
    number = signal_name(status)
    details = []
    if number:
        details.append(
            f"- 128 + {status - 128}: the shell says so of a program that died of signal"
            f" {status - 128}, {number}."
        )
    if last is not None:
        details.append(
            f"- {_told(last, facts)}."
            if last.exit == status
            else f"- A segment of {code_span(last.command)} exited so {moment(last.at, facts.now)}."
        )
    return Draft("deterministic", f"Exit {status}{of_program}: {meaning}.", tuple(details))


def _fits(words: Sequence[str], run: RunEntry, facts: Facts) -> bool:
    return bool(named(words, [run], facts.here))


def _program_with(run: RunEntry, status: int, facts: Facts) -> str:
    failure = facts.evidence.failure(run, ())
    return next((it.command for it in reversed(failure.segments) if it.exit == status), "")


def show_output(match: LooseMatch, facts: Facts) -> Reply:
    """The whole kept output of the run that is named; of the last failed one where that is asked."""
    wants = _is_bad if match.cues & {"fail", "error"} else None
    meant = _meant(match, facts, wants=wants)
    if meant is None:
        return None
    runs = [run for run in meant.runs if wants is None or wants(run)] or list(meant.runs)
    is_of_last = "last" in match.cues or match.window or len(match.text.split()) == 1
    if meant.command is None and wants is None and not is_of_last:
        return None
    for run in runs[:MOST_LISTED]:
        page = facts.evidence.output(run)
        if page is not None and not page.output.strip() and meant.command is not None:
            return fate(match, facts)
        if page is not None:
            lines = count(page.total_lines, "line")
            summary = (
                f"The output of {code_span(run.command)}{_where(run, facts)}, which"
                f" {ended(run.outcome, run.exit)} {moment(run.at, facts.now)}: {lines}."
            )
            return Draft("deterministic", summary, (), output=page.output)
        if meant.command is not None:
            break
    if not runs:
        return None
    return NotKnown(
        f"the output of {code_span(runs[0].command)}",
        reason="no output of that run is kept",
        missing="the saved output",
        collect=(),
    )


def last_passed(match: LooseMatch, facts: Facts) -> Reply:
    """When something last passed; `never`, with the number of runs, where it did not."""
    meant = _meant(match, facts)
    if meant is None or not meant.runs:
        return None
    runs = meant.runs
    if meant.command is None:
        runs = [run for run in runs if _is_test(run)]
        if not runs:
            return None
    name = code_span(runs[0].command) + _where(runs[0], facts)
    run = next(filter(_passed, runs), None)
    if run is None:
        total = _record_runs(runs[0], facts)
        often = (
            f"all {count(max(total, len(runs)), 'run')} failed"
            if len(runs) > 1
            else "its 1 run failed"
        )
        return Draft(
            "deterministic",
            f"{name} never passed: {often}.",
            tuple(_line(it, facts) for it in runs[:MOST_SHOWN]),
        )
    details = [f"- It took {duration(run.duration_s)}."]
    since = list(takewhile(lambda it: it is not run, runs))
    if since:
        details.append(
            f"- Since then: {count(len(since), 'run')}, the last"
            f" {ended(since[0].outcome, since[0].exit)} {moment(since[0].at, facts.now)}."
        )
    page = facts.evidence.output(run)
    if page is not None and page.output.strip():
        totals = [line for line in page.output.splitlines() if _TOTALS.search(line)]
        if totals:
            details.append(f"- It said: {code_span(totals[-1].strip()[:200])}")
    # `does it work` is asked of now.
    now = ""
    if since and since[0].outcome in FAILED:
        now = f", and {ended(since[0].outcome, since[0].exit)} {moment(since[0].at, facts.now)}"
    return Draft(
        "deterministic", f"{name} last passed {moment(run.at, facts.now)}{now}.", tuple(details)
    )


def _record_runs(run: RunEntry, facts: Facts) -> int:
    records = facts.recall.records(about=run.command, order="last", limit=1)
    return records[0].runs if records else 0


def last_failed(match: LooseMatch, facts: Facts) -> Reply:
    """When something last failed."""
    meant = _meant(match, facts, wants=_failed)
    if meant is None:
        return _test_failed(match, facts)
    run = next(filter(_failed, meant.runs), None)
    if run is None:
        return (
            None
            if meant.command is None
            else Draft(
                "deterministic",
                f"{code_span(meant.command.command)} did not fail, as far as memory goes.",
            )
        )
    return Draft(
        "deterministic", f"{_told(run, facts)}.", (f"- It took {duration(run.duration_s)}.",)
    )


def _test_failed(match: LooseMatch, facts: Facts) -> Reply:
    """When a test failed that is named by its own name: the newest run that it failed in."""
    every = remembered(facts)
    left, place = place_in(match.left, facts, every)
    since, until = match.window.bounds(facts.now) if match.window else (None, None)
    timely = [
        run
        for run in every
        if (since is None or run.at >= since)
        and (until is None or run.at < until)
        and place in (None, run.project)
        and _failed(run)
        and _is_test(run)
    ]
    for run in _about(match, facts, timely)[:MOST_LISTED] if left else ():
        for name in facts.evidence.failed_tests(run):
            if all(stem(word) in tokens(name) for word in left):
                told = f"{code_span(name)} failed in {code_span(run.command)}{_where(run, facts)}"
                return Draft(
                    "deterministic", f"{told} {moment(run.at, facts.now)}.", (_line(run, facts),)
                )
    return None


def last_ran(match: LooseMatch, facts: Facts) -> Reply:
    """When a command last ran, and how it went."""
    meant = _meant(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    run = meant.runs[0]
    at = moment(run.at, facts.now)
    summary = (
        f"{code_span(run.command)}{_where(run, facts)} last ran {at}: it"
        f" {ended(run.outcome, run.exit)} after {duration(run.duration_s)}."
    )
    return Draft("deterministic", summary)


def _extreme(match: LooseMatch, runs: Sequence[RunEntry], facts: Facts) -> Reply:
    """The longest or the shortest of the runs that ended by themselves."""
    if not runs or {"longest", "shortest"} <= match.cues:
        return None
    is_longest = "longest" in match.cues
    run = (max if is_longest else min)(runs, key=lambda it: it.duration_s)
    word = "longest" if is_longest else "shortest"
    when = f" {match.window.label}" if match.window else ""
    is_part = _record_runs(run, facts) > len(runs)
    newest = "the newest " if is_part else ""
    told = (
        f"The {word} run of {code_span(run.command)}{_where(run, facts)}{when} took"
        f" {duration(run.duration_s)}, of {newest}{count(len(runs), 'run')} that ended by"
        " themselves."
    )
    return Draft("deterministic", told, (_line(run, facts),))


def slowest_here(match: LooseMatch, facts: Facts) -> Reply:
    """The runs that took longest here, or in the project and time that are named."""
    meant = _meant(match, facts)
    if meant is None or meant.command is not None or not meant.runs:
        return None
    ranked = sorted(meant.runs, key=lambda run: -run.duration_s)
    run = ranked[0]
    when = f" {match.window.label}" if match.window else ""
    told = f"{code_span(run.command)}{_where(run, facts)} took longest{when}: {duration(run.duration_s)}."
    return Draft("deterministic", told, tuple(_line(it, facts) for it in ranked[:MOST_SHOWN]))


def task_id_of(match: LooseMatch, facts: Facts) -> Reply:
    """The id of the running task that is named."""
    tasks = [task for task in facts.running if not match.left or _names_task(match.left, task)]
    if len(tasks) != 1:
        return None
    task = tasks[0]
    return Draft(
        "deterministic",
        f"{code_span(task.command)} is task {code_span(task.task_id)}.",
        (f"- {_running(task, facts)}.",),
    )


def how_long(match: LooseMatch, facts: Facts) -> Reply:
    """How long a command took last, and how long it usually takes."""
    meant = _meant(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    run = meant.runs[0]
    ended_ones = [it for it in meant.runs if it.outcome in (Outcome.SUCCESS, Outcome.FAILURE)]
    if "usual" in match.cues and not ended_ones:
        return None
    took = (
        f"{code_span(run.command)}{_where(run, facts)} took {duration(run.duration_s)} when it last"
        f" ran, {moment(run.at, facts.now)}; it {ended(run.outcome, run.exit)}."
    )
    if match.cues & {"longest", "shortest"}:
        return _extreme(match, ended_ones, facts)
    times = sorted(it.duration_s for it in meant.runs if it.outcome is Outcome.SUCCESS) or [
        it.duration_s for it in ended_ones
    ]
    if not times:
        return Draft("deterministic", took)
    usual = (
        f"Usually it takes {duration(times[len(times) // 2])}: {duration(times[0])} to"
        f" {duration(times[-1])} in {count(len(times), 'run')}"
    )
    if len(times) == 1:
        return Draft("deterministic", took)
    if "usual" in match.cues or (not match.cues & {"last"} and len(times) > 2):
        return Draft(
            "deterministic",
            f"{usual} of {code_span(run.command)}{_where(run, facts)}.",
            (f"- {took}",),
        )
    return Draft("deterministic", took, (f"- {usual}.",))


def _beyond_the_log(match: LooseMatch, command: Named, facts: Facts) -> bool | NotKnown:
    """Whether the time asked for holds all runs ever, where not all of them are kept one by one.

    What is known of a part of them is told by none: then it is not known.
    """
    since, until = match.window.bounds(facts.now) if match.window else (None, None)
    kept = _of(command, remembered(facts))
    total = sum(
        it.runs for it in facts.recall.records(about=command.command, order="last", limit=5)
    )
    if since is None or not kept or total <= len(kept) or since >= kept[-1].at:
        return False
    first = facts.recall.first_at(command.command)
    if first is not None and since <= first and until is None:
        return True
    label = match.window.label if match.window else ""
    return NotKnown(
        f"how often {code_span(command.command)} ran {label}",
        reason=f"of its {count(total, 'run')} only the newest {len(kept)} are kept one by one",
        missing="the older runs",
        collect=(),
    )


# What is counted: runs of a command, not what its text speaks of.
_COUNTED = re.compile(
    r"\b(?:how many|(?:number|count|amount) of)(?: (?:the|my|our|all|of))* (?P<what>[a-z]+)\b",
    re.IGNORECASE,
)
_COUNTABLE = frozenset(
    map(
        stem,
        [
            "time",
            "run",
            "execution",
            "try",
            "attempt",
            "failure",
            "error",
            "success",
            "go",
            "percent",
        ],
    )
)


def how_often(match: LooseMatch, facts: Facts) -> Reply:
    """How often a command ran, failed or passed; of all runs ever learnt where no time is named."""
    counted = _COUNTED.search(match.text)
    meant = _meant(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    if counted and stem(counted["what"]) not in _COUNTABLE | tokens(meant.command.command):
        return None  # `how many servers`
    name = code_span(meant.command.command) + _where(meant.runs[0], facts)
    beyond = _beyond_the_log(match, meant.command, facts)
    if isinstance(beyond, NotKnown):
        return beyond
    if match.window is not None and not beyond:
        runs = list(meant.runs)
        total, passed, failed = len(runs), sum(map(_passed, runs)), sum(map(_failed, runs))
        when = f" {match.window.label}"
    else:
        records = facts.recall.records(about=meant.command.command, order="last", limit=5)
        total = sum(it.runs for it in records)
        passed = sum(it.succeeded for it in records)
        failed = sum(it.failed + it.timed_out for it in records)
        when = f" {match.window.label}" if match.window else ""
    last = moment(meant.runs[0].at, facts.now)
    if not total:
        return None
    if match.cues & {"fail", "rate"}:
        if not failed:
            return Draft(
                "deterministic", f"{name} never failed{when}: all {count(total, 'run')} passed."
            )
        return Draft(
            "deterministic",
            f"{name} failed {failed} of {count(total, 'time')}{when} ({share(failed / total)});"
            f" {passed} passed.",
        )
    if "pass" in match.cues:
        return Draft(
            "deterministic",
            f"{name} passed {passed} of {count(total, 'time')}{when} ({share(passed / total)});"
            f" {failed} failed.",
        )
    counts = f"- {passed} passed, {failed} failed."
    return Draft(
        "deterministic",
        f"{name} ran {count(total, 'time')}{when}, the last time {last}.",
        (counts,),
    )


def is_running(match: LooseMatch, facts: Facts) -> Reply:
    """What runs now, and since when."""
    if match.window is not None and not re.search(
        r"\b(?:running|runs|up)\b", match.text, re.IGNORECASE
    ):
        return None  # what did run in a time
    if not match.left and not match.cues & {"when", "how-long"} and DID_I.search(match.text):
        return None
    tasks = list(facts.running)
    left = list(match.left)
    if left:
        places = {
            run.project.rpartition("/")[2].lower() for run in remembered(facts) if run.project
        }
        words = [word for word in left if word.lower() not in places]
        of_place = len(words) < len(left)
        if words and not of_place and all(stem(word) in IDLE for word in words):
            return None  # `the server` is any
        tasks = [task for task in tasks if not words or _names_task(words, task)]
        if of_place and len(tasks) > 1:
            tasks = [task for task in tasks if "dev" not in tokens(task.command)]
        if not tasks:
            return None
        if len(tasks) > 1:
            exact = [task for task in tasks if set(map(stem, words)) <= tokens(task.command)]
            tasks = exact or tasks
    if not tasks:
        return Draft("deterministic", "Nothing is running.")
    lines = tuple(
        f"- {_running(task, facts)}, task {code_span(task.task_id)}" for task in tasks[:MOST_LISTED]
    )
    if len(tasks) == 1:
        return Draft("deterministic", f"{_running(tasks[0], facts)}.", lines)
    shown = ", ".join(code_span(task.command) for task in tasks[:MOST_SHOWN])
    more = f" and {count(len(tasks) - MOST_SHOWN, 'other')}" if len(tasks) > MOST_SHOWN else ""
    return Draft("deterministic", f"{count(len(tasks), 'task')} are running: {shown}{more}.", lines)


def _names_task(words: Sequence[str], task: TaskSummary) -> bool:
    entry = RunEntry(task.command, "", None, None, 0.0, 0.0, task.origin)
    return bool(named(words, [entry], None))


def _running(task: TaskSummary, facts: Facts) -> str:
    since = facts.now - timedelta(seconds=task.elapsed_seconds)
    return (
        f"{code_span(task.command)} is running for {duration(task.elapsed_seconds)}, since"
        f" {since:%H:%M}"
    )


def cut_short(match: LooseMatch, facts: Facts) -> Reply:
    """What was killed, or timed out: newest first, up to three, then the number of the rest."""
    outcome, word = (
        (Outcome.TIMEOUT, "timed out")
        if "timeout" in match.cues
        else (Outcome.KILLED, "was killed")
    )

    def wants(run: RunEntry) -> bool:
        return run.outcome is outcome

    meant = _meant(match, facts, wants=wants)
    if meant is None:
        return None
    found = [run for run in meant.runs if wants(run)]
    if not found:
        if meant.command is not None:
            return fate(match, facts)
        when = f" {match.window.label}" if match.window else ", as far as memory goes"
        return Draft("deterministic", f"Nothing {word}{when}.")
    shown = "; ".join(
        f"{code_span(run.command)} {moment(run.at, facts.now)} after {duration(run.duration_s)}"
        for run in found[:MOST_SHOWN]
    )
    more = f"; and {count(len(found) - MOST_SHOWN, 'other')}" if len(found) > MOST_SHOWN else ""
    lines = tuple(_line(run, facts) for run in found[:MOST_LISTED])
    return Draft("deterministic", f"{word[0].upper()}{word[1:]}: {shown}{more}.", lines)


def _names_place(match: LooseMatch, facts: Facts) -> bool:
    """Whether the question names the place."""
    return "here" in match.cues or place_in(match.left, facts, remembered(facts))[1] is not None


def _runs_elsewhere(match: LooseMatch, facts: Facts) -> str:
    """`; 5 runs in `api``: what ran in other projects in the time that was asked for."""
    since, until = match.window.bounds(facts.now) if match.window else (None, None)
    places = Counter(
        run.project
        for run in remembered(facts)
        if run.project and (since or 0) <= run.at < (until or facts.now.timestamp())
    )
    told = (
        f"{count(number, 'run')} in {code_span(place.rstrip('/').rpartition('/')[2])}"
        for place, number in places.most_common(MOST_SHOWN)
    )
    return "".join(f"; {it}" for it in told)


def next_to(match: LooseMatch, facts: Facts) -> Reply:
    """What ran here right before, or right after, the last run of a command."""
    meant = _meant(match, facts)
    if meant is None or meant.command is None or not meant.runs or match.window:
        return None
    run, is_before = meant.runs[0], "before" in match.cues
    around = [it for it in remembered(facts) if it.project == run.project]
    found = [it for it in around if (it.at < run.at if is_before else it.at > run.at)]
    side = "before" if is_before else "after"
    which = f"the last {code_span(run.command)}{_where(run, facts)} ({moment(run.at, facts.now)})"
    if not found:
        return Draft("deterministic", f"Nothing that is remembered ran there {side} {which}.")
    nearest = found[:MOST_SHOWN] if is_before else found[: -MOST_SHOWN - 1 : -1]
    shown = ", ".join(code_span(it.command) for it in nearest)
    return Draft(
        "deterministic",
        f"Right {side} {which} ran, the nearest first: {shown}.",
        tuple(_line(it, facts) for it in nearest),
    )


def signal_meaning(match: LooseMatch, facts: Facts) -> Reply:
    """The name of a signal's number, and the exit that a shell makes of it."""
    numbers = [int(word) for word in match.left if word.isdecimal()]
    if len(numbers) != 1 or len(match.left) != 1:
        return None
    name = signal_name(128 + numbers[0])
    if name is None:
        return None
    told = f"Signal {numbers[0]} is {name}: of a program that died of it a shell says exit"
    return Draft("deterministic", f"{told} {128 + numbers[0]}.")


_RUNS_STILL = re.compile(r"\bstill\b.*\brun|(?<!been )\brunning\b", re.IGNORECASE)


def what_ran(match: LooseMatch, facts: Facts) -> Reply:
    """What was run here or in a project, newest first; the first of a time where that is asked."""
    meant = _meant(match, facts)
    if meant is None or meant.command is not None or (not meant.runs and match.window is None):
        return None
    if _RUNS_STILL.search(match.text):
        return None
    runs = meant.runs
    when = f" {match.window.label}" if match.window else ""
    where = (
        "here"
        if meant.here == facts.here
        else f"in {code_span((meant.here or '').rpartition('/')[2])}"
    )
    if not runs:
        others = "" if _names_place(match, facts) else _runs_elsewhere(match, facts)
        return Draft("deterministic", f"Nothing was run {where}{when}{others}.")
    if "first" in match.cues:
        return Draft("deterministic", f"The first{when} was {_told(runs[-1], facts)}.")
    distinct = list(dict.fromkeys(run.command for run in runs))
    shown = ", ".join(map(code_span, distinct[:MOST_SHOWN]))
    more = (
        f" and {count(len(distinct) - MOST_SHOWN, 'other command')}"
        if len(distinct) > MOST_SHOWN
        else ""
    )
    lines = tuple(_line(run, facts) for run in runs[:MOST_LISTED])
    return Draft("deterministic", f"{count(len(runs), 'run')} {where}{when}: {shown}{more}.", lines)


def port(match: LooseMatch, facts: Facts) -> Reply:
    """What listens on a port."""
    if _is_past(match):
        return None
    numbers = [int(word) for word in match.left if word.isdecimal()]
    if len(match.left) == 1 and not numbers and "port" in match.cues:
        return _ports_of(match.left[0], facts)
    if len(numbers) != 1 or len(match.left) != 1 or not 0 < numbers[0] < 65536:
        return None
    if "port" not in match.cues and (numbers[0] < 1000 or is_year(numbers[0])):
        return None
    found = facts.machine.listeners()
    if isinstance(found, Unavailable):
        return NotKnown.of(f"what uses port {numbers[0]}", found)
    users = [it for it in found if it.port == numbers[0]]
    if not users:
        free = " It is free." if "free" in match.cues else ""
        return Draft("deterministic", f"Nothing listens on port {numbers[0]}.{free}")
    known = [it for it in users if it.name]
    if not known:
        return Draft(
            "deterministic",
            f"Port {numbers[0]} is in use, by a process that this user may not see.",
            ("- Root sees it: `ss -tulpn`",),
        )
    told = ", ".join(dict.fromkeys(f"{code_span(it.name or '')} (pid {it.pid})" for it in known))
    return Draft("deterministic", f"Port {numbers[0]}: {told}.")


def _ports_of(name: str, facts: Facts) -> Reply:
    """The ports that a program listens on; None where none of that name listens."""
    found = facts.machine.listeners()
    if isinstance(found, Unavailable):
        return NotKnown.of(f"which port {code_span(name)} uses", found)
    own = [it for it in found if (it.name or "").lower() == name.lower()]
    if not own:
        return None
    ports = ", ".join(dict.fromkeys(f"{it.port} (pid {it.pid})" for it in own))
    return Draft("deterministic", f"{code_span(name)} listens on port {ports}.")


def _software(words: Sequence[str]) -> tuple[str, str] | None:
    """The program that words name, and the name of its recipe if there is one."""
    text = " ".join(words).lower()
    for one in SOFTWARE:
        if text in one.called or text == one.name:
            return one.name, one.name
    if len(words) == 1 and text not in WORDS and re.fullmatch(r"[a-z0-9][a-z0-9._+-]{0,39}", text):
        return text, ""
    return None


_PROGRAMS = {
    "rust": "rustc",
    "ripgrep": "rg",
    "neovim": "nvim",
    "python": "python3",
    "docker compose": "docker",
    "postgresql": "psql",
    "kubernetes": "kubectl",
    "build-essential": "gcc",
    "sqlite": "sqlite3",
    "imagemagick": "convert",
}


def _installed(name: str, facts: Facts) -> tuple[str, str] | None:
    """The program's name and path, where it is installed."""
    for one in (name, _PROGRAMS.get(name, name)):
        path = facts.machine.program(one)
        if path:
            return one, path
    return None


# What is no program's name.
_GENERIC = frozenset(
    map(
        stem,
        [
            "package",
            "dependency",
            "update",
            "library",
            "module",
            "plugin",
            "font",
            "driver",
            "version",
            "virus",
            "money",
            "software",
            "app",
        ],
    )
)


def is_installed(match: LooseMatch, facts: Facts) -> Reply:
    """Whether a program is installed: its path and version, or that it is not, and how to get it."""
    meant = _software(match.left)
    if meant is None or match.window is not None:
        return None
    name, recipe = meant
    found = _installed(name, facts)
    if (
        found is None
        and not recipe
        and (stem(name) in _GENERIC or name in ENGLISH or "installed" not in match.cues)
    ):
        return None
    if found is not None:
        version = facts.machine.version(found[0])
        said = f": {version}" if version else ""
        return Draft(
            "deterministic",
            f"{code_span(name)} is installed{said}.",
            (f"- Its path: {code_span(found[1])}",),
        )
    details = []
    names = frozenset(BY_NAME) | frozenset({"python3", "npm", "kubectl"})
    other = near(name, names) if not recipe else ""
    if other and (there := _installed(other, facts)):
        details.append(f"- {code_span(other)} is installed, at {code_span(there[1])}.")
    manager = facts.machine.package_manager()
    if recipe and manager and (packages := BY_NAME[recipe].packages.get(manager)):
        details.append(f"- With {manager}: {code_span(VERBS[manager].install.format(packages))}")
    if recipe or other:
        details.append(f"- How to install it: {code_span(f'zsh-ls ask install {recipe or other}')}")
    return Draft("deterministic", f"{code_span(name)} is not installed.", tuple(details))


def version(match: LooseMatch, facts: Facts) -> Reply:
    """The version of a program that is known to tell it."""
    words = ["git" if word.lower() == "get" else word for word in match.left]
    meant = _software(words)
    if meant is None:
        return None
    found = _installed(meant[0], facts)
    if found is None:
        return (
            Draft("deterministic", f"{code_span(meant[0])} is not installed.") if meant[1] else None
        )
    said = facts.machine.version(found[0])
    if said is None:
        return None
    return Draft(
        "deterministic", f"{code_span(meant[0])}: {said}.", (f"- Its path: {code_span(found[1])}",)
    )


def install(match: LooseMatch, facts: Facts) -> Reply:
    """The recipe of the software that is named; first, that it is there already."""
    from .families.recipes import install as recipe  # noqa: PLC0415

    meant = _software(match.left)
    name = meant[1] if meant else ""
    if not name and len(match.left) == 1:
        called = {word: one.name for one in SOFTWARE for word in one.called if " " not in word}
        name = called.get(near(match.left[0], frozenset(called)), "")
    if not name:
        return None
    reply = recipe(QueryMatch(frozenset({f"software:{name}"})), facts)
    there = _installed(name, facts)
    if isinstance(reply, Draft) and there is not None:
        return attrs.evolve(
            reply,
            summary=(
                f"{code_span(name)} is installed already, at"
                f" {code_span(there[1])}.\n{reply.summary}"
            ),
        )
    return reply


def flaky(match: LooseMatch, facts: Facts) -> Reply:
    """Which command goes from red to green and back on an unchanged tree; or whether the one named does."""
    every = remembered(facts)
    left, place = place_in(match.left, facts, every)
    # A test's own name is not a command's: its command answers for it.
    of_tests = [run for run in every if place in (None, run.project)]
    if left:
        candidates = named(left, of_tests, facts.here)
        by_test = [] if candidates else _with_test(left, of_tests, facts)
        candidates = candidates or by_test
        if not candidates:
            return None
    else:
        candidates = list(dict.fromkeys(Named(run.command, run.project) for run in of_tests))
    scored = []
    for it in candidates:
        runs = [run for run in _of(it, every) if run.outcome in (Outcome.SUCCESS, Outcome.FAILURE)][
            :RECENT_RUNS
        ]
        reds = sum(map(_failed, runs))
        turns = sum(_failed(a) != _failed(b) for a, b in pairwise(runs))
        is_flaky = reds >= 2 and len(runs) - reds >= 2 and _unchanged(it, runs, facts)
        if runs:
            scored.append((is_flaky, turns / max(1, len(runs) - 1), it, reds, runs))
    unstable = [it for it in scored if it[0]]
    if not unstable:
        if left and scored:
            _, _, it, reds, runs = max(scored, key=lambda one: one[3])
            name = code_span(it.command) + _where(runs[0], facts)
            total = len(runs)
            how = (
                "always failed"
                if reds == total
                else f"failed {reds} of its last {count(total, 'run')}"
            )
            return Draft("deterministic", f"{name} is not known to be flaky: it {how}.")
        return (
            None
            if left
            else Draft(
                "deterministic",
                "Nothing is known to be flaky: no command went from red to green and back on an"
                " unchanged tree.",
            )
        )
    most = max(it[1] for it in unstable)
    best = [it for it in unstable if it[1] == most]
    names = " and ".join(code_span(it[2].command) + _where(it[4][0], facts) for it in best)
    _, _, it, reds, runs = best[0]
    tests = [name for run in filter(_failed, runs) for name in facts.evidence.failed_tests(run)]
    often = f"{reds} of the last {count(len(runs), 'run')} failed"
    lines = [f"- {code_span(it.command)}: {often}, and nothing of the project changed between."]
    if tests:
        lines.append(f"- Failed there: {', '.join(map(code_span, dict.fromkeys(tests)))}")
    verb = "is" if len(best) == 1 else "are"
    return Draft(
        "deterministic", f"{names} {verb} flaky: red and green on the same tree.", tuple(lines)
    )


def _with_test(words: Sequence[str], runs: Sequence[RunEntry], facts: Facts) -> list[Named]:
    """The commands one of whose failed tests has a name that the words fit."""
    found = []
    for run in [run for run in runs if _failed(run) and _is_test(run)][:MOST_LISTED]:
        for name in facts.evidence.failed_tests(run):
            known = tokens(name) | tokens(run.command)
            if all(stem(word) in known for word in words):
                found.append(Named(run.command, run.project))
    return list(dict.fromkeys(found))


def _unchanged(it: Named, runs: Sequence[RunEntry], facts: Facts) -> bool:
    """Whether no file of the project was changed from the first of the runs that turned to the last."""
    changed = facts.evidence.changed(it.project, runs[-1].at)
    return changed.files == () and not changed.commits


# What was edited before it broke is what changed since it last passed.
_BEFORE_IT_BROKE = re.compile(
    r"\bbefore (?:[\w./-]+ ){1,4}(?:broke|break|fail|failed|failing|went|turned|stopped|crashed)\b",
    re.IGNORECASE,
)


def _changed_in(window: Window, facts: Facts) -> Reply:
    """What changed here in a time that lasts until now; of one that is over the files say nothing."""
    since, until = window.bounds(facts.now)
    if since is None or until is not None or not facts.here:
        return None
    changed = facts.evidence.changed(facts.here, since)
    sentence = changed_sentence(changed, window.label)
    if not sentence and changed.files is None:
        return None
    return Draft("deterministic", sentence or f"No commit and no file changed {window.label}.")


def what_changed(match: LooseMatch, facts: Facts) -> Reply:
    """What changed since the last run that passed: commits, files, then the commands in between."""
    if "before" in match.cues and not _BEFORE_IT_BROKE.search(match.text):
        return None
    if match.window is not None and not match.left and not match.cues & {"pass", "test", "fail"}:
        return _changed_in(match.window, facts)
    return _changed_since_it_passed(match, facts)


def _changed_since_it_passed(match: LooseMatch, facts: Facts) -> Reply:
    meant = _meant(match, facts)
    if meant is None:
        return None
    runs = meant.runs
    if meant.command is None:
        # It, that: the last run here that failed, and then of the same text the last that passed.
        failed = next(filter(_failed, [run for run in runs if _is_test(run)]), None) or next(
            filter(_failed, runs), None
        )
        if failed is None:
            return None
        runs = [run for run in runs if run.command == failed.command]
    elif any(run.project != facts.here for run in runs[:1]) and not runs:
        return None
    passed = last_pass(runs)
    if passed is None:
        if not runs:
            return None
        return Draft(
            "deterministic", f"{code_span(runs[0].command)} never passed, as far as memory goes."
        )
    changed = facts.evidence.changed(passed.project, passed.at)
    between = [
        run for run in remembered(facts) if run.project == passed.project and run.at > passed.at
    ]
    commands = list(dict.fromkeys(run.command for run in reversed(between)))
    lines = []
    if not changed.commits:
        lines.append("- No commit since then.")
    if commands:
        shown = ", ".join(map(code_span, commands[:6]))
        lines.append(f"- Commands since then: {shown}")
    when = (
        f"{code_span(passed.command)}{_where(passed, facts)} last passed"
        f" {moment(passed.at, facts.now)}"
    )
    sentence = changed_sentence(changed)
    if not sentence:
        if changed.files is None:
            return None
        return Draft(
            "deterministic",
            f"No commit and no file of the project changed since {when}.",
            tuple(lines),
        )
    return Draft("deterministic", sentence.replace("it last passed", when), tuple(lines))


_WAS = re.compile(
    r"\b(?:was|were|had|did|used to|has been|before|earlier|ago|peak|ever|history)\b", re.IGNORECASE
)


def _is_past(match: LooseMatch) -> bool:
    """Whether a question is of another time than now: of the machine only what is now is known."""
    return match.window is not None or match.clock is not None or bool(_WAS.search(match.text))


def _of_machine(family: str) -> Callable[[LooseMatch, Facts], Reply]:
    def reply(match: LooseMatch, facts: Facts) -> Reply:
        from .families import FAMILIES  # noqa: PLC0415  they import what this module gives

        if _is_past(match):
            return None
        [found] = [it for it in FAMILIES if it.name == family]
        return found.answer(QueryMatch(frozenset(match.cues)), facts)

    return reply


def disks(match: LooseMatch, facts: Facts) -> Reply:
    """How full disks are, the fullest first; the one of a mount point that is named."""
    from .families.disk import filesystem_of, full_share, told  # noqa: PLC0415  as above

    if _is_past(match):
        return None
    found = facts.machine.filesystems()
    if isinstance(found, Unavailable):
        return NotKnown.of("how full the disks are", found)
    mounts = [it.mount for it in found]
    asked = [_mount(word, mounts) for word in match.left]
    # `the data disk, slash data` names one twice.
    if not all(asked) or len(set(asked)) > 1:
        return None
    if asked:
        one = filesystem_of(asked[0], found)
        return Draft("deterministic", f"{told(one, asked[0])}.") if one else None
    ranked = sorted(found, key=full_share, reverse=True)
    fullest = "; ".join(
        f"{code_span(it.mount)} is {share(full_share(it))} full, {size(it.available_bytes)} free"
        for it in ranked[:MOST_SHOWN]
    )
    return Draft("deterministic", f"{fullest}.")


def _mount(word: str, mounts: Sequence[str]) -> str:
    """The path that a word names: one, or a mount point's last part; `""` for no path."""
    if word.lower() in ("root", "/"):
        return "/"
    names = {mount.rpartition("/")[2]: mount for mount in mounts if mount != "/"}
    name = word.removeprefix("/").lower()
    if name in names or not word.startswith("/"):
        return names.get(name, "")
    meant = "" if "/" in name else near(name, frozenset(names))
    return names[meant] if meant else word


def cpu_and_load(match: LooseMatch, facts: Facts) -> Reply:
    """The load and the processor together."""
    if _is_past(match):
        return None
    load, cpu = facts.machine.load(), facts.machine.cpu()
    if isinstance(load, Unavailable):
        return NotKnown.of("the load", load)
    details: tuple[str, ...] = ()
    if not isinstance(cpu, Unavailable):
        details = (
            f"- {cpu.model}: {count(cpu.logical, 'core')}, {share(cpu.busy_share)} busy now.",
        )
    busy = "more than" if load.one > load.logical_cpus else "less than"
    summary = (
        f"The load is {load.one:.2f} over the last minute, on {count(load.logical_cpus, 'CPU')}:"
        f" {busy} they can do."
    )
    return Draft("deterministic", summary, details)


_M = "the machine, read now"
_KEPT = f"{MEMORY}, and the outputs that are kept"
_W = "commands here run-noun from"
EVERYDAY: tuple[Everyday, ...] = (
    Everyday(
        "which-tests",
        _KEPT,
        ("which tests failed", "name the failing tests"),
        (
            intent(
                "which test fail",
                f"last error running pass how-often status they {_W}",
                subject="maybe",
            ),
            intent("which test pass fail how-often", f"last {_W}", subject="maybe"),
            intent("how-often test fail how-often pass", f"last {_W} which", subject="maybe"),
            intent("test fail", f"last which running {_W}"),
        ),
        which_tests,
    ),
    Everyday(
        "test-counts",
        _KEPT,
        ("how many tests passed in the last run",),
        (
            intent("how-often test pass|fail last", _W),
            intent("how-often pass|fail", f"last test which {_W}"),
        ),
        test_counts,
    ),
    Everyday(
        "all-failures",
        MEMORY,
        ("what are all the things that failed today",),
        (intent("fail all-of|thing|list", f"which thing here last {_W}", subject="maybe"),),
        every_failure,
    ),
    Everyday(
        "why",
        _KEPT,
        ("why did the last command fail", "what went wrong", "why did npm test fail"),
        (
            intent(
                "why",
                "always fail error last status pass output timeout kill running take exit when show test"
                f" wrong silent {_W}",
                subject="maybe",
            ),
            intent("why not", f"last error status {_W}", subject="needed"),
            intent(
                "why fail",
                "always error last status pass output timeout kill running take exit show test wrong"
                f" {_W}",
                subject="maybe",
            ),
            intent("error", f"last fail which output file show status test {_W}", subject="maybe"),
            intent("fail which|error|show", f"last error file show {_W}", subject="maybe"),
            intent("fail|wrong", f"last exit {_W}", subject="needed"),
        ),
        why_failed,
    ),
    Everyday(
        "exit-meaning",
        "tables of exit statuses, and ALAN, the memory of executions",
        ("what does exit 127 mean", "what does curl exit 22 mean"),
        (
            intent(
                "exit",
                "meaning error last why fail which status ran how-often how-long show machine when"
                f" ended-with {_W}",
                subject="needed",
            ),
            intent(
                "meaning",
                f"exit error last why fail which status when ended-with {_W}",
                subject="needed",
            ),
            intent("ended-with which", f"exit last when status {_W}", subject="needed"),
        ),
        exit_meaning,
    ),
    Everyday(
        "show-output",
        _KEPT,
        ("show me the output of the last failed run", "what did npm test print"),
        (
            intent(
                "show|which output",
                f"last fail error ran running show status when why {_W}",
                subject="maybe",
            ),
            intent("output"),
            intent(
                "output", f"last fail error ran show running status when {_W}", subject="needed"
            ),
        ),
        show_output,
    ),
    Everyday(
        "last-passed",
        MEMORY,
        ("when did npm test last pass", "has make deploy ever worked"),
        (
            intent(
                "when|last pass", f"last when status running take ran why {_W}", subject="maybe"
            ),
            intent("worked-ever", f"status pass when last {_W}", subject="needed"),
        ),
        last_passed,
    ),
    Everyday(
        "last-failed",
        MEMORY,
        ("when did make last fail",),
        (intent("when fail|timeout", f"last error {_W}", subject="maybe"),),
        last_failed,
    ),
    Everyday(
        "duration-of",
        MEMORY,
        ("how long did npm run build take", "how long does the build usually take"),
        (
            intent(
                "how-long",
                f"take usual last ran running kill status how-often when they by-hand {_W}",
                subject="needed",
            ),
            intent(
                "longest|shortest take|how-long|ran|run-noun",
                f"which take how-long last ran {_W}",
                subject="needed",
            ),
        ),
        how_long,
    ),
    Everyday(
        "count-of",
        MEMORY,
        ("how often did npm test fail", "how many times did I run make"),
        (
            intent(
                "how-often|rate", f"ran fail pass together last status rate {_W}", subject="needed"
            ),
        ),
        how_often,
    ),
    Everyday(
        "last-ran",
        MEMORY,
        ("when did I last run make",),
        (
            intent("when", f"last ran {_W}", subject="needed"),
            intent("last", f"when ran which file {_W}", subject="needed"),
        ),
        last_ran,
    ),
    Everyday(
        "how-it-went",
        _KEPT,
        ("how did the build go",),
        (intent("how go", f"last ran {_W}", subject="needed"),),
        how_it_went,
    ),
    Everyday(
        "where-ran",
        MEMORY,
        ("in which folder did I run make deploy",),
        (intent("where ran", f"last have {_W}", subject="needed"),),
        where_ran,
    ),
    Everyday(
        "oldest",
        MEMORY,
        ("what is the oldest command you remember",),
        (
            intent("first remembered", f"when which have {_W}"),
            intent("far-back memory-of|remembered", f"remembered memory-of reach {_W}"),
        ),
        oldest,
    ),
    Everyday(
        "fate-of",
        _KEPT,
        ("did npm ci work", "what happened to the e2e run"),
        (
            intent(
                "status|timeout|pass|kill",
                f"last ran timeout fail running exit which why when take pass kill show {_W}",
                subject="needed",
            ),
        ),
        fate,
    ),
    Everyday(
        "slowest-run",
        MEMORY,
        ("what took longest here this week",),
        (
            intent(
                "longest commands|which|ran|run-noun",
                f"which take here last thing ran {_W}",
                subject="maybe",
            ),
        ),
        slowest_here,
    ),
    Everyday(
        "task-id",
        "the tasks of this sidecar",
        ("what is the task id of the dev server",),
        (intent("task-id which|show", f"task-id running show now {_W}", subject="needed"),),
        task_id_of,
    ),
    Everyday(
        "running-now",
        "the tasks of this sidecar",
        ("what is running", "since when is the dev server up"),
        (
            intent("running which|now|process", "machine running now commands here"),
            intent("which|when running", "running now status machine commands here"),
            intent("uptime|running", "running uptime now machine have", subject="needed"),
            intent("when|how-long running|uptime", f"running uptime last {_W}", subject="needed"),
            intent("uptime-word", f"running uptime when {_W}", subject="needed"),
            intent("running", "now process commands here"),
        ),
        is_running,
    ),
    Everyday(
        "cut-short",
        MEMORY,
        ("what was killed", "what timed out yesterday"),
        (
            intent(
                "kill|timeout",
                f"which running last ran status why fail timeout kill by-hand {_W}",
                subject="maybe",
            ),
        ),
        cut_short,
    ),
    Everyday(
        "what-ran",
        MEMORY,
        ("what did I run here today", "what did I do in api yesterday"),
        (
            intent(
                "ran which|commands|first|history|here",
                f"last first history which ordinal ran running thing {_W}",
                subject="maybe",
            ),
            intent(
                "commands|history",
                f"last first history ordinal which ran running thing {_W}",
                subject="maybe",
            ),
            intent("ordinal commands", f"last ran history thing {_W}", subject="maybe"),
            intent("last ran|commands", f"which ran thing {_W}", subject="maybe"),
        ),
        what_ran,
    ),
    Everyday(
        "next-to",
        MEMORY,
        ("what did I run before npm test", "what did I run after git status"),
        (intent("ran|commands before|behind", f"which thing ran {_W}", subject="needed"),),
        next_to,
    ),
    Everyday(
        "signal",
        "the signals of this system",
        ("what is signal 11",),
        (intent("signal", "which meaning when exit", subject="needed"),),
        signal_meaning,
    ),
    Everyday(
        "port",
        _M,
        ("what uses port 5173", "is port 3000 free"),
        (
            intent(
                "port",
                "listen free pid process which running show here machine have run-noun commands",
                subject="needed",
            ),
            intent("free", "port which listen here machine have", subject="needed"),
            intent(
                "listen|pid|process",
                "listen free pid process which running port here have commands",
                subject="needed",
            ),
        ),
        port,
    ),
    Everyday(
        "version-of",
        _M,
        ("what version of node do I have",),
        (intent("version", "which installed model machine have here", subject="needed"),),
        version,
    ),
    Everyday(
        "installed",
        _M,
        ("is ffmpeg installed", "do I have jq"),
        (
            intent("installed", "have which machine here", subject="needed"),
            intent("have", "installed machine here", subject="needed"),
            intent("here|machine", "have here machine", subject="needed"),
        ),
        is_installed,
    ),
    Everyday(
        "how-to-install",
        "recipes by package manager",
        ("how do I install ffmpeg",),
        (intent("install", "how-to machine here have installed", subject="needed"),),
        install,
    ),
    Everyday(
        "flaky",
        _KEPT,
        ("which test is flaky", "is go test flaky"),
        (
            intent(
                "flaky",
                f"which test fail most pass running changed no-change usual why status {_W}",
                subject="maybe",
            ),
            intent(
                "flaky",
                f"which fail most pass running changed no-change usual why status {_W}",
                subject="needed",
            ),
        ),
        flaky,
    ),
    Everyday(
        "what-changed",
        "ALAN, git and the times of files",
        ("what changed since it last worked",),
        (
            intent(
                "changed",
                f"since before last pass when which status test fail ran commit file now-not take {_W}",
                subject="maybe",
            ),
            intent(
                "changed",
                f"since last pass when which status fail ran commit {_W}",
                subject="needed",
            ),
            intent(
                "commit since",
                f"last pass when test which status ran running {_W}",
                subject="maybe",
            ),
        ),
        what_changed,
    ),
    Everyday(
        "memory-now",
        _M,
        ("how much memory is left",),
        (intent("memory", "amount full free have which status machine here"),),
        _of_machine("memory"),
    ),
    Everyday(
        "disks",
        _M,
        ("which disk is full",),
        (
            intent("disk", "full amount free have which here machine", subject="maybe"),
            intent("full", "disk amount free which", subject="needed"),
        ),
        disks,
    ),
    Everyday(
        "load-now",
        _M,
        ("is the machine busy",),
        (
            intent(
                "load", "cpu amount free which model how-often how-long usual busy machine have"
            ),
            intent("busy machine|cpu", "busy cpu amount why load machine"),
        ),
        cpu_and_load,
    ),
    Everyday(
        "processor",
        _M,
        ("what CPU is in this machine",),
        (intent("cpu", "model amount which how-often have machine"),),
        _of_machine("cpu"),
    ),
    Everyday(
        "graphics",
        _M,
        ("how much of the GPU is used",),
        (intent("gpu", "gpu memory amount free full which model have machine"),),
        _of_machine("gpu"),
    ),
    Everyday(
        "by-name",
        _KEPT,
        ("npm run build",),
        (Intent((), frozenset({"stop"}), "needed"),),
        by_name,
    ),
    Everyday(
        "swap",
        _M,
        ("is there any swap",),
        (intent("swap", "amount free have which full machine"),),
        _of_machine("template:swap"),
    ),
)
