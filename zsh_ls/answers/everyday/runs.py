"""What ran, when, where, how long and how often; what runs now (ANS-6, ANS-7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile

from zsh_ls.answers.evidence import hid
from zsh_ls.answers.family import DID_I, FAILED, MEMORY, Draft, Facts, NotKnown, Reply
from zsh_ls.answers.formatting import count, duration, ended, moment, share
from zsh_ls.answers.loose import LooseMatch, intent
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.subjects import IDLE, Named, named, place_in, remembered, tokens
from zsh_ls.answers.words import stem
from zsh_ls.lazy import re
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.words import Outcome

from .failures import why_of
from .meant import (
    COMMON,
    KEPT,
    MOST_LISTED,
    MOST_SHOWN,
    TOTALS,
    Everyday,
    has_failed,
    has_passed,
    in_project,
    is_bad,
    is_test,
    meant_by,
    run_line,
    run_told,
    runs_of,
)

MOST_REMEMBERED = 3000


def how_it_went(match: LooseMatch, facts: Facts) -> Reply:
    """`how did the build go`: how the last run ended; `go` of `go build` is no verb."""
    return fate(match, facts) if _HOW_GO.search(match.text) else None


_HOW_GO = re.compile(
    r"\bhow (?:(?:did|does|has)\b.*\bgo(?:ne)?|.*\bwent)(?: (?:on|today|yesterday|this|last)\b.*)?\W*$"
)


def fate(match: LooseMatch, facts: Facts) -> Reply:
    """How the last run of a command ended; where it failed also why."""
    meant = meant_by(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    run = meant.runs[0]
    if is_bad(run):
        return why_of(run, facts)
    page = facts.evidence.output(run)
    details: tuple[str, ...] = (f"- It took {duration(run.duration_s)}.",)
    if page is not None and page.output.strip():
        details += (f"- Its last line: {code_span(page.output.strip().splitlines()[-1][:200])}",)
    passed = "passed" if is_test(run) else "succeeded"
    told = (
        f"{code_span(run.command)}{in_project(run, facts)} {passed} (exit {run.exit})"
        f" {moment(run.at, facts.now)}.{hid(run, facts.evidence)}"
    )
    earlier = next(filter(has_failed, meant.runs[1:]), None)
    if earlier is not None:
        details += (
            (
                f"- Before that it {ended(earlier.outcome, earlier.exit)}"
                f" {moment(earlier.at, facts.now)}."
            ),
        )
    return Draft("deterministic", told, details)


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
    if first is None or not match.cues & {"far-back", "when"}:
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


def show_output(match: LooseMatch, facts: Facts) -> Reply:
    """The whole kept output of the run that is named; of the last failed one where that is asked."""
    wants = is_bad if match.cues & {"fail", "error"} else None
    meant = meant_by(match, facts, wants=wants)
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
                f"The output of {code_span(run.command)}{in_project(run, facts)}, which"
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
    meant = meant_by(match, facts)
    if meant is None or not meant.runs:
        return None
    runs = meant.runs
    if meant.command is None:
        runs = [run for run in runs if is_test(run)]
        if not runs:
            return None
    name = code_span(runs[0].command) + in_project(runs[0], facts)
    run = next(filter(has_passed, runs), None)
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
            tuple(run_line(it, facts) for it in runs[:MOST_SHOWN]),
        )
    details = [f"- It took {duration(run.duration_s)}."]
    since = list(takewhile(lambda it: it is not run, runs))
    if since:
        details.append(
            f"- Since then: {count(len(since), 'run')}, the last"
            f" {ended(since[0].outcome, since[0].exit)}."
        )
    page = facts.evidence.output(run)
    if page is not None and page.output.strip():
        totals = [line for line in page.output.splitlines() if TOTALS.search(line)]
        if totals:
            details.append(f"- It said: {code_span(totals[-1].strip()[:200])}")
    # `does it work` is asked of now.
    now = ""
    is_of_then = match.cues & {"when", "last"} or re.search(r"\bever\b", match.text)
    if not is_of_then and since and since[0].outcome in FAILED:
        now = f", and {ended(since[0].outcome, since[0].exit)} {moment(since[0].at, facts.now)}"
    return Draft(
        "deterministic", f"{name} last passed {moment(run.at, facts.now)}{now}.", tuple(details)
    )


def _record_runs(run: RunEntry, facts: Facts) -> int:
    records = facts.recall.records(about=run.command, order="last", limit=1)
    return records[0].runs if records else 0


def last_ran(match: LooseMatch, facts: Facts) -> Reply:
    """When a command last ran, and how it went."""
    meant = meant_by(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    run = meant.runs[0]
    at = moment(run.at, facts.now)
    summary = (
        f"{code_span(run.command)}{in_project(run, facts)} last ran {at}: it"
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
        f"The {word} run of {code_span(run.command)}{in_project(run, facts)}{when} took"
        f" {duration(run.duration_s)}, of {newest}{count(len(runs), 'run')} that ended by"
        " themselves."
    )
    return Draft("deterministic", told, (run_line(run, facts),))


def slowest_here(match: LooseMatch, facts: Facts) -> Reply:
    """The runs that took longest here, or in the project and time that are named."""
    meant = meant_by(match, facts)
    if meant is None or meant.command is not None or not meant.runs:
        return None
    ranked = sorted(meant.runs, key=lambda run: -run.duration_s)
    run = ranked[0]
    when = f" {match.window.label}" if match.window else ""
    told = f"{code_span(run.command)}{in_project(run, facts)} took longest{when}: {duration(run.duration_s)}."
    return Draft("deterministic", told, tuple(run_line(it, facts) for it in ranked[:MOST_SHOWN]))


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
    meant = meant_by(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    run = meant.runs[0]
    ended_ones = [it for it in meant.runs if it.outcome in (Outcome.SUCCESS, Outcome.FAILURE)]
    if "usual" in match.cues and not ended_ones:
        return None
    took = (
        f"{code_span(run.command)}{in_project(run, facts)} took {duration(run.duration_s)} when it last"
        f" ran, {moment(run.at, facts.now)}; it {ended(run.outcome, run.exit)}."
    )
    if match.cues & {"longest", "shortest"}:
        return _extreme(match, ended_ones, facts)
    passed = [it for it in meant.runs if it.outcome is Outcome.SUCCESS]
    times = sorted(it.duration_s for it in passed or ended_ones)
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
            f"{usual} of {code_span(run.command)}{in_project(run, facts)}.",
            (f"- {took}",),
        )
    return Draft("deterministic", took, (f"- {usual}.",))


def _beyond_the_log(match: LooseMatch, command: Named, facts: Facts) -> bool | NotKnown:
    """Whether the time asked for holds all runs ever, where not all of them are kept one by one.

    What is known of a part of them is told by none: then it is not known.
    """
    since, until = match.window.bounds(facts.now) if match.window else (None, None)
    kept = runs_of(command, remembered(facts))
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
# How many tests there are is no number of runs.
_OF_TESTS = re.compile(r"\b(?:number of|how many) (?:the )?tests\b(?!.*\brun)", re.IGNORECASE)
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
    if _OF_TESTS.search(match.text):
        return None
    counted = _COUNTED.search(match.text)
    meant = meant_by(match, facts)
    if meant is None or meant.command is None or not meant.runs:
        return None
    if counted and stem(counted["what"]) not in _COUNTABLE | tokens(meant.command.command):
        return None  # `how many servers`
    name = code_span(meant.command.command) + in_project(meant.runs[0], facts)
    beyond = _beyond_the_log(match, meant.command, facts)
    if isinstance(beyond, NotKnown):
        return beyond
    if match.window is not None and not beyond:
        runs = list(meant.runs)
        total, passed, failed = len(runs), sum(map(has_passed, runs)), sum(map(has_failed, runs))
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
    outcomes, word = {Outcome.KILLED}, "was killed"
    if "timeout" in match.cues:
        outcomes, word = {Outcome.TIMEOUT}, "timed out"
        if "kill" in match.cues and "or" in match.cues:
            outcomes, word = {Outcome.TIMEOUT, Outcome.KILLED}, "was killed or timed out"

    def wants(run: RunEntry) -> bool:
        return run.outcome in outcomes

    meant = meant_by(match, facts, wants=wants)
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
    lines = tuple(run_line(run, facts) for run in found[:MOST_LISTED])
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


_THAT = re.compile(r"\b(?:before|after) (?:that|it|this)\W*$", re.IGNORECASE)


def next_to(match: LooseMatch, facts: Facts) -> Reply:
    """What ran here right before, or right after, the last run of a command."""
    meant = meant_by(match, facts)
    if meant is None or not meant.runs or match.window:
        return None
    if meant.command is None and not _THAT.search(match.text):
        return None
    run, is_before = meant.runs[0], "before" in match.cues
    around = [it for it in remembered(facts) if it.project == run.project]
    found = [it for it in around if (it.at < run.at if is_before else it.at > run.at)]
    side = "before" if is_before else "after"
    which = (
        f"the last {code_span(run.command)}{in_project(run, facts)} ({moment(run.at, facts.now)})"
    )
    if not found:
        return Draft("deterministic", f"Nothing that is remembered ran there {side} {which}.")
    nearest = found[:MOST_SHOWN] if is_before else found[: -MOST_SHOWN - 1 : -1]
    shown = ", ".join(code_span(it.command) for it in nearest)
    return Draft(
        "deterministic",
        f"Right {side} {which} ran, the nearest first: {shown}.",
        tuple(run_line(it, facts) for it in nearest),
    )


_RUNS_STILL = re.compile(r"\bstill\b.*\brun|(?<!been )\brunning\b", re.IGNORECASE)


def what_ran(match: LooseMatch, facts: Facts) -> Reply:
    """What was run here or in a project, newest first; the first of a time where that is asked."""
    meant = meant_by(match, facts)
    if (
        meant is None
        or meant.command is not None
        or not (meant.runs or match.window or facts.origins or "here" in match.cues)
    ):
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
        return Draft("deterministic", f"The first{when} was {run_told(runs[-1], facts)}.")
    distinct = list(dict.fromkeys(run.command for run in runs))
    shown = ", ".join(map(code_span, distinct[:MOST_SHOWN]))
    more = (
        f" and {count(len(distinct) - MOST_SHOWN, 'other command')}"
        if len(distinct) > MOST_SHOWN
        else ""
    )
    lines = tuple(run_line(run, facts) for run in runs[:MOST_LISTED])
    return Draft("deterministic", f"{count(len(runs), 'run')} {where}{when}: {shown}{more}.", lines)


QUESTIONS: tuple[Everyday, ...] = (
    Everyday(
        "show-output",
        KEPT,
        ("show me the output of the last failed run", "what did npm test print"),
        (
            intent(
                "show|which output",
                f"last fail error ran running show status when why {COMMON}",
                subject="maybe",
            ),
            intent("output"),
            intent(
                "output", f"last fail error ran show running status when {COMMON}", subject="needed"
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
                "when|last pass", f"last when status running take ran why {COMMON}", subject="maybe"
            ),
            intent("worked-ever", f"status pass when last {COMMON}", subject="needed"),
        ),
        last_passed,
    ),
    Everyday(
        "duration-of",
        MEMORY,
        ("how long did npm run build take", "how long does the build usually take"),
        (
            intent(
                "how-long",
                f"take usual last ran running kill status how-often when they by-hand file behind {COMMON}",
                subject="needed",
            ),
            intent(
                "longest|shortest take|how-long|ran|run-noun",
                f"which take how-long last ran {COMMON}",
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
                "how-often|rate",
                f"ran fail pass together last status rate {COMMON}",
                subject="needed",
            ),
        ),
        how_often,
    ),
    Everyday(
        "last-ran",
        MEMORY,
        ("when did I last run make",),
        (
            intent("when", f"last ran {COMMON}", subject="needed"),
            intent("last", f"when ran which file {COMMON}", subject="needed"),
        ),
        last_ran,
    ),
    Everyday(
        "how-it-went",
        KEPT,
        ("how did the build go",),
        (intent("how go", f"last ran {COMMON}", subject="needed"),),
        how_it_went,
    ),
    Everyday(
        "where-ran",
        MEMORY,
        ("in which folder did I run make deploy",),
        (intent("where ran", f"last have usual {COMMON}", subject="needed"),),
        where_ran,
    ),
    Everyday(
        "oldest",
        MEMORY,
        ("what is the oldest command you remember",),
        (
            intent("first remembered", f"when which have last {COMMON}"),
            intent("far-back memory-of|remembered", f"remembered memory-of reach {COMMON}"),
        ),
        oldest,
    ),
    Everyday(
        "fate-of",
        KEPT,
        ("did npm ci work", "what happened to the e2e run"),
        (
            intent(
                "status|timeout|pass|kill",
                f"last ran timeout fail running exit which why when take pass kill show {COMMON}",
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
                f"which take here last thing ran {COMMON}",
                subject="maybe",
            ),
        ),
        slowest_here,
    ),
    Everyday(
        "task-id",
        "the tasks of this sidecar",
        ("what is the task id of the dev server",),
        (intent("task-id which|show", f"task-id running show now {COMMON}", subject="needed"),),
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
            intent(
                "when|how-long running|uptime", f"running uptime last {COMMON}", subject="needed"
            ),
            intent("uptime-word", f"running uptime when {COMMON}", subject="needed"),
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
                f"which running last ran status why fail timeout kill by-hand or thing {COMMON}",
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
                f"last first history which ordinal ran running thing {COMMON}",
                subject="maybe",
            ),
            intent(
                "commands|history",
                f"last first history ordinal which ran running thing {COMMON}",
                subject="maybe",
            ),
            intent("ordinal commands", f"last ran history thing {COMMON}", subject="maybe"),
            intent("last ran|commands", f"which ran thing {COMMON}", subject="maybe"),
            intent("last thing status", f"which ran {COMMON}", subject="maybe"),
        ),
        what_ran,
    ),
    Everyday(
        "next-to",
        MEMORY,
        ("what did I run before npm test", "what did I run after git status"),
        (
            intent(
                "ran|commands before|behind", f"which thing ran last {COMMON}", subject="needed"
            ),
            intent("ran|commands before|behind", f"which thing ran that {COMMON}"),
        ),
        next_to,
    ),
)
