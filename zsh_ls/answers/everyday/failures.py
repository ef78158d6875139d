"""Why something failed, which tests did, what an exit means, what is flaky (ANS-7)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from zsh_ls.answers.changes import with_changes
from zsh_ls.answers.family import MEMORY, Draft, Facts, NotKnown, Reply
from zsh_ls.answers.formatting import count, duration, moment
from zsh_ls.answers.loose import LooseMatch, intent
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.subjects import Named, named, place_in, remembered, tokens
from zsh_ls.answers.words import stem
from zsh_ls.lazy import attrs, re
from zsh_ls.model.recall import RunEntry, RunQuery
from zsh_ls.model.words import Outcome
from zsh_ls.shell.status.exit_codes import general_meaning, normal_meaning, signal_name
from zsh_ls.shell.status.program_exits import EXITS, program_meaning

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
    near_the_clock,
    run_line,
    run_told,
    runs_of,
)

LOOKED_BACK = 400
RECENT_RUNS = 10


def _before(run: RunEntry, facts: Facts) -> list[RunEntry]:
    query = RunQuery(run.command, project=run.project or None)
    same = facts.recall.runs(query, limit=LOOKED_BACK)
    return [it for it in same if it.command == run.command and it.at < run.at]


def why_of(run: RunEntry, facts: Facts, first: str = "") -> Draft:
    """Why a run failed; `first` is said before it, and ends its line."""
    from zsh_ls.answers.why import why_lines, why_summary  # noqa: PLC0415

    failure = with_changes(facts.evidence.failure(run, _before(run, facts)), facts.evidence)
    summary = why_summary(failure, facts.now).rstrip(".") + in_project(run, facts)
    if failure.tests:
        summary += f": {count(len(failure.tests), 'test')} failed"
    elif failure.told and not failure.near:
        summary += f": {code_span(failure.told[-1])}"
    lines = tuple(f"- {line}" for line in why_lines(failure, facts.now))
    return Draft("deterministic", f"{first}{summary}.", lines)


def _without_exit(match: LooseMatch) -> tuple[LooseMatch, int | None]:
    """`npm test exit 1` names a status: the words without it, and it."""
    numbers = [word for word in match.left if word.isdecimal() and int(word) < 256]
    if len(numbers) != 1 or len(match.left) < 2:
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
        return is_bad(run) and (status is None or status == run.exit or status in run.pipestatus)

    if "traceback" in match.text.lower():
        shown = _with_traceback(match, facts)
        if shown is not None:
            return shown
    meant = meant_by(match, facts, wants=wants)
    if meant is None:
        return None
    bad = next(filter(wants, meant.runs), None)
    if bad is None:
        if meant.command is None or not meant.runs or status is not None:
            return None
        return Draft(
            "deterministic", f"{run_told(meant.runs[0], facts)}: no failure of it is remembered."
        )
    newest = meant.runs[0]
    first = ""
    if meant.command is not None and newest is not bad and has_passed(newest):
        first = f"{code_span(newest.command)} has passed since, {moment(newest.at, facts.now)}.\n"
    return why_of(bad, facts, first)


def every_failure(match: LooseMatch, facts: Facts) -> Reply:
    """All runs that failed here, or in the project and time that are named; the newest first."""
    meant = meant_by(match, facts, everywhere=True)
    if meant is None or meant.command is not None or match.window is None:
        return None
    found = [run for run in meant.runs if has_failed(run)]
    if not found:
        return Draft("deterministic", f"Nothing failed {match.window.label}.")
    names = list(dict.fromkeys(run.command for run in found))
    shown = ", ".join(map(code_span, names[:MOST_SHOWN]))
    more = f" and {count(len(names) - MOST_SHOWN, 'other')}" if len(names) > MOST_SHOWN else ""
    told = f"{count(len(found), 'run')} failed {match.window.label}: {shown}{more}."
    return Draft("deterministic", told, tuple(run_line(run, facts) for run in found[:MOST_LISTED]))


def _with_traceback(match: LooseMatch, facts: Facts) -> Reply:
    """The output of the last failed run that printed a traceback, where one is asked for."""
    meant = meant_by(match, facts, wants=is_bad)
    for run in filter(is_bad, meant.runs[:MOST_LISTED] if meant else ()):
        page = facts.evidence.output(run)
        if page is not None and "Traceback (most recent call last)" in page.output:
            reply = why_of(run, facts)
            return attrs.evolve(reply, output=page.output)
    return None


def which_tests(match: LooseMatch, facts: Facts) -> Reply:
    """The tests that failed in the last failed run of a test command here."""

    def red(run: RunEntry) -> bool:
        return has_failed(run) and is_test(run)

    meant = meant_by(match, facts, wants=red)
    if meant is None:
        return None
    run = next(filter(red, meant.runs), None)
    if run is None:
        tested = next(filter(is_test, meant.runs), None)
        if tested is None:
            return None
        return Draft("deterministic", f"No test failed: {run_told(tested, facts)}.")
    names = facts.evidence.failed_tests(run)
    since = next(
        (
            it
            for it in meant.runs
            if it.command == run.command and it.at > run.at and has_passed(it)
        ),
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
        line.strip() for line in (page.output if page else "").splitlines() if TOTALS.search(line)
    ]
    lines = [*(f"- {code_span(name)}" for name in names[:MOST_LISTED] if len(names) > MOST_SHOWN)]
    lines += [f"- {code_span(line[:200])}" for line in totals[-2:]]
    lines.append(f"- {run_told(run, facts)}.")
    failed = f"{count(len(names), 'test')} failed: {shown}{rest}."
    return Draft("deterministic", first + failed, tuple(lines))


def test_counts(match: LooseMatch, facts: Facts) -> Reply:
    """How many tests passed and failed in the last run of a test command, as the runner says it."""
    meant = meant_by(match, facts, wants=is_test)
    run = next(filter(is_test, meant.runs), None) if meant else None
    if meant is None or run is None or ("test" not in match.cues and run is not meant.runs[0]):
        return None
    page = facts.evidence.output(run)
    lines = (page.output if page else "").splitlines()
    totals = [line.strip() for line in lines if TOTALS.search(line)]
    if not totals:
        return None
    about_tests = [line for line in totals if line.lower().startswith("tests")] or totals
    told = f"{run_told(run, facts)}: {code_span(about_tests[-1][:200])}."
    return Draft("deterministic", told, tuple(f"- {code_span(line[:200])}" for line in totals[-2:]))


def _exit_of(match: LooseMatch, facts: Facts) -> Reply:
    """`what exit code did the deploy end with`."""
    meant = meant_by(match, facts)
    if meant is None or not meant.runs or meant.runs[0].exit is None:
        return None
    run = meant.runs[0]
    return Draft(
        "deterministic",
        f"{run_told(run, facts)}: exit {run.exit}.",
        (run_line(run, facts),),
    )


_EXIT_OF = re.compile(
    r"\b(?:exit|return) (?:code|status|value)\b|\bexit of\b|^rc \w|\b(?:exit|rc)$", re.IGNORECASE
)


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
            f"- {run_told(last, facts)}."
            if last.exit == status
            else f"- A segment of {code_span(last.command)} exited so {moment(last.at, facts.now)}."
        )
    return Draft("deterministic", f"Exit {status}{of_program}: {meaning}.", tuple(details))


def _fits(words: Sequence[str], run: RunEntry, facts: Facts) -> bool:
    return bool(named(words, [run], facts.here))


def _program_with(run: RunEntry, status: int, facts: Facts) -> str:
    failure = facts.evidence.failure(run, ())
    return next((it.command for it in reversed(failure.segments) if it.exit == status), "")


def last_failed(match: LooseMatch, facts: Facts) -> Reply:
    """When something last failed."""
    meant = meant_by(match, facts, wants=has_failed)
    if meant is None:
        return _test_failed(match, facts)
    run = next(filter(has_failed, meant.runs), None)
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
        "deterministic", f"{run_told(run, facts)}.", (f"- It took {duration(run.duration_s)}.",)
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
        and has_failed(run)
        and is_test(run)
    ]
    for run in near_the_clock(match, facts, timely)[:MOST_LISTED] if left else ():
        for name in facts.evidence.failed_tests(run):
            if all(stem(word) in tokens(name) for word in left):
                told = (
                    f"{code_span(name)} failed in {code_span(run.command)}{in_project(run, facts)}"
                )
                return Draft(
                    "deterministic", f"{told} {moment(run.at, facts.now)}.", (run_line(run, facts),)
                )
    return None


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
        runs = [
            run for run in runs_of(it, every) if run.outcome in (Outcome.SUCCESS, Outcome.FAILURE)
        ][:RECENT_RUNS]
        reds = sum(map(has_failed, runs))
        turns = sum(has_failed(a) != has_failed(b) for a, b in pairwise(runs))
        is_flaky = reds >= 2 and len(runs) - reds >= 2 and _unchanged(it, runs, facts)
        if runs:
            scored.append((is_flaky, turns / max(1, len(runs) - 1), it, reds, runs))
    unstable = [it for it in scored if it[0]]
    if not unstable:
        if left and scored:
            _, _, it, reds, runs = max(scored, key=lambda one: one[3])
            name = code_span(it.command) + in_project(runs[0], facts)
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
    names = " and ".join(code_span(it[2].command) + in_project(it[4][0], facts) for it in best)
    _, _, it, reds, runs = best[0]
    tests = [name for run in filter(has_failed, runs) for name in facts.evidence.failed_tests(run)]
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
    for run in [run for run in runs if has_failed(run) and is_test(run)][:MOST_LISTED]:
        for name in facts.evidence.failed_tests(run):
            known = tokens(name) | tokens(run.command)
            if all(stem(word) in known for word in words):
                found.append(Named(run.command, run.project))
    return list(dict.fromkeys(found))


def _unchanged(it: Named, runs: Sequence[RunEntry], facts: Facts) -> bool:
    """Whether no file of the project was changed from the first of the runs that turned to the last."""
    changed = facts.evidence.changed(it.project, runs[-1].at)
    return changed.files == () and not changed.commits


QUESTIONS: tuple[Everyday, ...] = (
    Everyday(
        "which-tests",
        KEPT,
        ("which tests failed", "name the failing tests"),
        (
            intent(
                "which test fail",
                f"last error running pass how-often status they {COMMON}",
                subject="maybe",
            ),
            intent("which test pass fail how-often", f"last {COMMON}", subject="maybe"),
            intent("how-often test fail how-often pass", f"last {COMMON} which", subject="maybe"),
            intent("test fail", f"last which running {COMMON}"),
        ),
        which_tests,
    ),
    Everyday(
        "test-counts",
        KEPT,
        ("how many tests passed in the last run",),
        (
            intent("how-often test pass|fail last", COMMON),
            intent("how-often pass|fail", f"last test which {COMMON}"),
        ),
        test_counts,
    ),
    Everyday(
        "all-failures",
        MEMORY,
        ("what are all the things that failed today",),
        (intent("fail all-of|thing|list", f"which thing here last {COMMON}", subject="maybe"),),
        every_failure,
    ),
    Everyday(
        "why",
        KEPT,
        ("why did the last command fail", "what went wrong", "why did npm test fail"),
        (
            intent(
                "why",
                "always fail error last status pass output timeout kill running take exit when show test"
                f" shell wrong silent {COMMON}",
                subject="maybe",
            ),
            intent("why not", f"last error status {COMMON}", subject="needed"),
            intent(
                "why fail",
                "always error last status pass output timeout kill running take exit show test wrong shell"
                f" {COMMON}",
                subject="maybe",
            ),
            intent(
                "error", f"last fail which output file show status test {COMMON}", subject="maybe"
            ),
            intent("fail which|error|show", f"last error file show {COMMON}", subject="maybe"),
            intent("lacks file", f"last error show which {COMMON}", subject="needed"),
            intent("fail|wrong", f"last exit {COMMON}", subject="needed"),
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
                f" ended-with {COMMON}",
                subject="needed",
            ),
            intent(
                "meaning",
                f"exit error last why fail which status when ended-with {COMMON}",
                subject="needed",
            ),
            intent("ended-with which", f"exit last when status {COMMON}", subject="needed"),
        ),
        exit_meaning,
    ),
    Everyday(
        "last-failed",
        MEMORY,
        ("when did make last fail",),
        (intent("when fail|timeout", f"last error {COMMON}", subject="maybe"),),
        last_failed,
    ),
    Everyday(
        "signal",
        "the signals of this system",
        ("what is signal 11",),
        (intent("signal", "which meaning when exit", subject="needed"),),
        signal_meaning,
    ),
    Everyday(
        "flaky",
        KEPT,
        ("which test is flaky", "is go test flaky"),
        (
            intent(
                "flaky",
                f"which test fail most pass running changed no-change usual why status they {COMMON}",
                subject="maybe",
            ),
            intent(
                "flaky",
                f"which fail most pass running changed no-change usual why status they {COMMON}",
                subject="needed",
            ),
        ),
        flaky,
    ),
)
